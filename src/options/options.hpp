// The options of ndcapi.h: keys, types, ranges, defaults, and where each value is stored.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/logger.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "options/parameters.hpp"

namespace nd::engine {

// Bounds of a list of words as the value of an option.
inline constexpr size_t kListedWordsLimit = 256;
inline constexpr size_t kWordListBytesLimit = 8192;

// The words of `value`, which are separated by spaces or commas, in the form of a page's tokens: normalised,
// ascending, each once, separated by single spaces. Empty if `value` is not a list of 1 to 256 words of
// letters, digits and marks in well-formed UTF-8. Errors: kInternal if ICU's data is missing. Cost: O(n log
// n).
Result<String> word_list_of(std::string_view value);

struct Option;

inline constexpr std::string_view kExperimentalPrefix = "x_";

struct OptionInfo {
  const char* key;   // begins with kExperimentalPrefix if the next release may change or drop it
  const char* type;  // integer, number, boolean, choice, words
  const char* default_value;
  const char* range;
  const char* help;
  bool persistent;  // a parameter of the algorithm, recorded with a store where it is not the default
  // A call has use for the option if it works with one of these: "pages keys", between spaces (ndcapi.h).
  const char* acts_on;
  // Without these the option has no effect: KEY=VALUE|VALUE, KEY!=VALUE or "store", between spaces.
  const char* needs = "";
};

// All options, in the order in which they are described.
std::span<const OptionInfo> option_infos() noexcept;

// A value for every key: its default, or as set. Threads: as a standard container.
class Options {
 public:
  Options() = default;
  // Errors: kInvalidArgument (no such key, an experimental one without its prefix, a constant; a bad value).
  Result<void> set(std::string_view key, std::string_view value);
  Result<String> get(std::string_view key) const;
  // Whether set() was called with the key.
  bool is_set(std::string_view key) const noexcept;
  bool is_any_set() const noexcept { return set_.any(); }
  const Parameters& parameters() const noexcept { return parameters_; }
  // For engines that are opened with these options, from their first line on.
  void set_logger(const LogTarget& target) noexcept { logger_ = target; }
  const LogTarget& logger() const noexcept { return logger_; }

 private:
  Result<void> set_value(const Option& option, std::string_view value);
  void take_report_defaults();

  static constexpr size_t kOptionsLimit = 256;

  Parameters parameters_;
  LogTarget logger_;
  std::bitset<kOptionsLimit> set_;  // by the place in option_infos()
};

}  // namespace nd::engine
