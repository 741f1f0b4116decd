// Scans a date from left to right and checks each number's range, as strptime(), which heeds the locale,
// would not.
#include "archives/warc_date.hpp"

#include <chrono>

namespace ndc {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads a text from its start; every take_... leaves it alone where it fails.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `count` digits, a number of low..high.
  bool take_number(size_t count, unsigned low, unsigned high, unsigned& value) {
    if (rest_.size() < count) return false;
    unsigned number = 0;
    for (const char c : rest_.substr(0, count)) {
      if (!is_digit(c)) return false;
      number = number * 10 + static_cast<unsigned>(c - '0');
    }
    if (number < low || number > high) return false;
    rest_.remove_prefix(count);
    value = number;
    return true;
  }

  // One digit or more; as milliseconds.
  bool take_fraction(unsigned& milliseconds) {
    unsigned scale = 100;
    size_t count = 0;
    milliseconds = 0;
    for (; count < rest_.size() && is_digit(rest_[count]); ++count, scale /= 10) {
      milliseconds += scale * static_cast<unsigned>(rest_[count] - '0');
    }
    rest_.remove_prefix(count);
    return count > 0;
  }

 private:
  std::string_view rest_;
};

struct ClockTime {
  unsigned hour = 0, minute = 0, second = 0, millisecond = 0;
  int zone_minutes = 0;
};

bool take_zone(DateScanner& scanner, ClockTime& time) {
  if (scanner.take('Z') || scanner.take('z')) return true;
  int sign = 0;
  if (scanner.take('+')) {
    sign = 1;
  } else if (scanner.take('-')) {
    sign = -1;
  }
  unsigned hours = 0, minutes = 0;
  if (sign == 0 || !scanner.take_number(2, 0, 23, hours)) return false;
  if (!scanner.take(':') || !scanner.take_number(2, 0, 59, minutes)) return false;
  time.zone_minutes = sign * static_cast<int>(hours * 60 + minutes);
  return true;
}

bool take_clock_time(DateScanner& scanner, ClockTime& time) {
  if (!scanner.take_number(2, 0, 23, time.hour) || !scanner.take(':')) return false;
  if (!scanner.take_number(2, 0, 59, time.minute)) return false;
  if (scanner.take(':')) {
    // 60: a leap second.
    if (!scanner.take_number(2, 0, 60, time.second)) return false;
    if (scanner.take('.') && !scanner.take_fraction(time.millisecond)) return false;
  }
  return take_zone(scanner, time);
}

}  // namespace

std::optional<int64_t> parse_warc_date(std::string_view text) {
  using namespace std::chrono;
  DateScanner scanner(text);
  unsigned year_number = 0, month_number = 1, day_number = 1;
  ClockTime time;
  if (!scanner.take_number(4, 0, 9999, year_number)) return std::nullopt;
  if (scanner.take('-')) {
    if (!scanner.take_number(2, 1, 12, month_number)) return std::nullopt;
    if (scanner.take('-')) {
      if (!scanner.take_number(2, 1, 31, day_number)) return std::nullopt;
      if (scanner.take('T') && !take_clock_time(scanner, time)) return std::nullopt;
    }
  }
  const year_month_day date(year{static_cast<int>(year_number)}, month{month_number}, day{day_number});
  if (!scanner.done() || !date.ok()) return std::nullopt;
  const sys_time<milliseconds> moment = sys_days{date} + hours{time.hour} + minutes{time.minute} -
                                        minutes{time.zone_minutes} + seconds{time.second} +
                                        milliseconds{time.millisecond};
  return moment.time_since_epoch().count();
}

}  // namespace ndc
