// The spelling of text in the outputs: escapes that let any URL or title stand in a row without breaking it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndc {

// The bytes of the character of UTF-8 (RFC 3629) that `text` begins with; 0: it begins with none, or is
// empty.
size_t utf8_sequence(std::string_view text);

// Appends `text` with the bytes that would break a table (tab, line feed, carriage return) percent-encoded.
void append_tsv_text(std::string_view text, std::string& line);

// Appends `text` as a cell for spreadsheets (RFC 4180), in double quotes, with control characters as in a
// table. A spreadsheet would calculate what begins with = + - or @, so an apostrophe comes before it, which
// marks a text.
void append_csv_text(std::string_view text, std::string& line);

// A JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

// "2024-05-06T07:08:09Z", with milliseconds where there are any; UTC, independent of the locale. Any number
// is fine.
std::string iso_time(int64_t milliseconds_since_1970);

}  // namespace ndc
