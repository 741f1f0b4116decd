#include "iso_time.hpp"

#include <algorithm>
#include <chrono>

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
