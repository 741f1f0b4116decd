// The options of ndcapi.h: keys, types, ranges, defaults, and where each value is stored.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/logger.hpp"
#include "engine/parameters.hpp"

namespace nd::engine {

// A list of words as the value of an option.

inline constexpr size_t kListedWordsLimit = 256;
inline constexpr size_t kWordListBytesLimit = 8192;

// The words of `value`, which stand between spaces or commas, as tokens of a page have them: in normal form,
// ascending, each once, between single spaces. Empty if `value` is not a list of 1 to 256 words of letters,
// digits and marks in well-formed UTF-8. Errors: kInternal where ICU's data is missing. Cost: O(n log n).
Result<String> word_list_of(std::string_view value);

struct Option;

struct OptionInfo {
  const char* key;
  const char* type;  // integer, number, boolean, choice, words
  const char* default_value;
  const char* range;
  const char* help;
  bool persistent;  // a parameter of the algorithm, recorded with a store
};

// All options, in the order in which they are described.
std::span<const OptionInfo> option_infos() noexcept;

// One value for every key, set or by default. Threads: as a standard container.
class Options {
 public:
  Options() = default;
  Result<void> set(std::string_view key, std::string_view value);
  Result<String> get(std::string_view key) const;
  // Whether set() was called with the key.
  bool is_set(std::string_view key) const noexcept;
  const Parameters& parameters() const noexcept { return parameters_; }
  // Of the engines that are opened with these options, from the first line on.
  void set_logger(const LogTarget& target) noexcept { logger_ = target; }
  const LogTarget& logger() const noexcept { return logger_; }

 private:
  Result<void> set_value(const Option& option, std::string_view value);

  static constexpr size_t kOptionsLimit = 256;

  Parameters parameters_;
  LogTarget logger_;
  std::bitset<kOptionsLimit> set_;  // by the place in option_infos()
};

}  // namespace nd::engine
