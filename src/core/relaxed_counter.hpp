// A number that one thread changes while others read it, such as a count.
#pragma once

#include <atomic>

namespace nd {

// Reading it orders no other memory (relaxed). One thread changes it at a time; something else must order the
// changes.
template <typename T>
class RelaxedCounter {
 public:
  constexpr RelaxedCounter(T value = {}) noexcept : value_(value) {}
  RelaxedCounter(const RelaxedCounter& other) noexcept : value_(other.get()) {}
  RelaxedCounter& operator=(const RelaxedCounter& other) noexcept { return *this = other.get(); }
  RelaxedCounter& operator=(T value) noexcept {
    value_.store(value, std::memory_order_relaxed);
    return *this;
  }

  T get() const noexcept { return value_.load(std::memory_order_relaxed); }
  operator T() const noexcept { return get(); }
  RelaxedCounter& operator+=(T more) noexcept { return *this = static_cast<T>(get() + more); }
  RelaxedCounter& operator-=(T less) noexcept { return *this = static_cast<T>(get() - less); }
  RelaxedCounter& operator++() noexcept { return *this += 1; }
  RelaxedCounter& operator--() noexcept { return *this -= 1; }

 private:
  std::atomic<T> value_;
};

}  // namespace nd
