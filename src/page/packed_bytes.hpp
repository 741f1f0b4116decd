// The bytes of a packed text, as they are written and read: what this process wrote without a check, what a
// file has with one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/byte_stream.hpp"

namespace nd::engine {

// Writes to a buffer that is large enough.
class Packing {
 public:
  explicit Packing(uint8_t* at) noexcept : at_(at) {}
  template <typename Number>
  void raw(Number value) noexcept {
    copy(&value, sizeof value);
  }
  void number(uint64_t value) noexcept {
    for (; value >= 0x80; value >>= 7)
      *at_++ = static_cast<uint8_t>(value | 0x80);
    *at_++ = static_cast<uint8_t>(value);
  }
  void copy(const void* from, size_t size) noexcept {
    if (size != 0) std::memcpy(at_, from, size);
    at_ += size;
  }
  uint8_t* place() const noexcept { return at_; }
  void go_to(uint8_t* place) noexcept { at_ = place; }

 private:
  uint8_t* at_;
};

// Reads what Packing wrote in this process.
class OwnBytes {
 public:
  explicit OwnBytes(const uint8_t* at) noexcept : at_(at) {}
  uint8_t byte() noexcept { return *at_++; }
  uint64_t number() noexcept {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  const uint8_t* skip(uint64_t size) noexcept {
    const uint8_t* from = at_;
    at_ += size;
    return from;
  }
  const uint8_t* place() const noexcept { return at_; }
  void go_to(const uint8_t* place) noexcept { at_ = place; }
  static constexpr bool is_within(uint64_t, uint64_t, uint64_t) noexcept { return true; }

 private:
  const uint8_t* at_;
};

// Reads the same from a file. What is not there reads as zeros, and the text is damaged.
class StoredBytes {
 public:
  explicit StoredBytes(std::span<const uint8_t> bytes) noexcept : in_(bytes) {}
  uint8_t byte() noexcept { return in_.number<uint8_t>(); }
  uint64_t number() noexcept { return in_.short_number(); }
  // Null if there are fewer.
  const uint8_t* skip(uint64_t size) noexcept {
    const std::span<const uint8_t> taken = in_.raw(size);
    return in_.ok() ? taken.data() : nullptr;
  }
  bool ok() const noexcept { return in_.ok(); }
  bool at_end() const noexcept { return in_.at_end(); }
  static constexpr bool is_within(uint64_t place, uint64_t size, uint64_t whole) noexcept {
    return place <= whole && size <= whole - place;
  }

 private:
  ByteReader in_;
};

}  // namespace nd::engine
