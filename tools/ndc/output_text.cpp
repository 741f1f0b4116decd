// Escapes text for TSV, CSV and JSON; bytes that are not UTF-8 are replaced in all of them alike.
#include "output_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ndc {
namespace {

// Years of more digits than ISO 8601 has without agreement.
constexpr int64_t kFirstMs = -62167219200000;  // year 0
constexpr int64_t kLastMs = 253402300799999;   // year 9999

std::string digits(uint64_t number, size_t width) {
  const std::string text = std::to_string(number);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

}  // namespace

size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return text.empty() ? 0 : 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  // Behind these four the next byte has less room: no second way to write a character, no surrogates, nothing
  // above U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (size_t at = 2; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
  }
  return length;
}

void append_tsv_text(std::string_view text, std::string& line) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  const auto append_escaped = [&line](unsigned char byte) {
    line += '%';
    line += kDigits[byte >> 4];
    line += kDigits[byte & 0xf];
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F steer terminals as well.
    const bool pair =
        byte == 0xc2 && i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if (pair) {
      append_escaped(byte);
      append_escaped(static_cast<unsigned char>(text[++i]));
    } else if (byte < 0x20 || byte == 0x7f) {
      append_escaped(byte);
    } else {
      line += text[i];
    }
  }
}

void append_csv_text(std::string_view text, std::string& line) {
  // The last four are the full-width forms of the others, which some spreadsheets take for the same.
  static constexpr std::string_view kFormulaStarts[] = {
      "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
  std::string cell;
  append_tsv_text(text, cell);
  line += '"';
  if (std::any_of(std::begin(kFormulaStarts), std::end(kFormulaStarts),
                  [&cell](std::string_view start) { return cell.starts_with(start); }))
    line += '\'';
  for (const char c : cell) {
    if (c == '"') line += c;
    line += c;
  }
  line += '"';
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string iso_time(int64_t milliseconds_since_1970) {
  using namespace std::chrono;
  const int64_t shown = std::clamp(milliseconds_since_1970, kFirstMs, kLastMs);
  const sys_time<milliseconds> time{milliseconds(shown)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  std::string text = digits(static_cast<uint64_t>(static_cast<int>(date.year())), 4) + "-" +
                     digits(static_cast<unsigned>(date.month()), 2) + "-" +
                     digits(static_cast<unsigned>(date.day()), 2) + "T" +
                     digits(static_cast<uint64_t>(clock.hours().count()), 2) + ":" +
                     digits(static_cast<uint64_t>(clock.minutes().count()), 2) + ":" +
                     digits(static_cast<uint64_t>(clock.seconds().count()), 2);
  const auto fraction = static_cast<uint64_t>(clock.subseconds().count());
  if (fraction != 0) text += "." + digits(fraction, 3);
  return text + "Z";
}

}  // namespace ndc
