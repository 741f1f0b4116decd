// The dates of WARC records as times, for the many spellings that crawlers write.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ndc {

// Milliseconds since 1970-01-01 UTC of a WARC-Date: the W3C profile of ISO 8601, from "2019" to
// "2019-10-01T00:00:00.123456Z", with a zone other than Z too ("+02:00"). What is missing is the earliest; a
// finer fraction is cut. nullopt for anything else. Independent of the locale and the time zone.
std::optional<int64_t> parse_warc_date(std::string_view text);

}  // namespace ndc
