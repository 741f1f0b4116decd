// The declaration of a page's charset in the first bytes of its markup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reading/charset_labels.hpp"

namespace nd::text {

// How many bytes of a page may hold the declaration (HTML Standard, 13.2.3.2).
inline constexpr size_t kPrescanBytes = 1024;

// The label behind "charset=" in the content attribute of a meta element ("text/html; charset=\"gbk\""): HTML
// Standard, 4.2.5.3, "extracting a character encoding from a meta element", up to the look-up. Empty if there
// is none. Borrowed from `content`. Threads: any.
std::string_view charset_parameter(std::string_view content) noexcept;

// HTML Standard, 13.2.3.2, "prescan a byte stream to determine its encoding", over at most kPrescanBytes of
// `html`; if no meta element declares one, the encoding of an XML declaration at the very start. As in the
// standard, UTF-16 in markup that could be read as ASCII means UTF-8, x-user-defined means windows-1252, and
// an unknown label is ignored. Threads: any.
std::optional<Charset> prescan_charset(std::span<const uint8_t> html) noexcept;

}  // namespace nd::text
