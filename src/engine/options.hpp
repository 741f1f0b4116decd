// The options of ndcapi.h: keys, types, ranges, defaults, and where each value goes.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "engine/logger.hpp"
#include "engine/parameters.hpp"

namespace nd::engine {

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

// One value for every key, as given or by default. Threads: as a standard container.
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
