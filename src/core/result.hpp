// The one error style inside the library: a function that can fail on its input returns Result<T> or
// Result<void>; only a failed allocation throws (std::bad_alloc). src/capi turns both into nd_status.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "core/memory.hpp"

namespace nd {

// The values are those of nd_status in ndcapi.h; src/capi asserts it.
enum class Status : int32_t {
  kOk = 0,
  kInvalidArgument = -1,
  kNoMemory = -2,
  kIo = -3,
  kCorrupt = -4,
  kUnsupportedVersion = -5,
  kLocked = -6,
  kReadOnly = -7,
  kNotFound = -8,
  kLimit = -9,
  kInternal = -10,
};

struct Error {
  Status status;
  String message;  // one sentence for a person, without a full stop
};

// Joins the parts: error(Status::kCorrupt, "bad version ", text).
template <typename... Parts>
[[nodiscard]] Error error(Status status, Parts&&... parts) {
  String message;
  (message.append(std::string_view(parts)), ...);
  return Error{status, std::move(message)};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }
  const Error& failure() const& noexcept { return *std::get_if<1>(&state_); }
  Error&& failure() && noexcept { return std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() noexcept = default;
  Result(Error failure) : failure_(std::move(failure)) {}

  explicit operator bool() const noexcept { return !failure_.has_value(); }
  const Error& failure() const& noexcept { return *failure_; }
  Error&& failure() && noexcept { return std::move(*failure_); }

 private:
  std::optional<Error> failure_;
};

}  // namespace nd
