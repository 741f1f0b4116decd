// Numbers and strings in a sequence of bytes, little-endian: small records that are read as a whole.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/memory.hpp"

namespace nd {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  explicit ByteWriter(Vector<uint8_t>& out) noexcept : out_(out) {}

  // A number, or a struct of numbers.
  template <typename Number>
  ByteWriter& number(const Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    return raw(&value, sizeof value);
  }
  // Its size in eight bytes, followed by the bytes.
  ByteWriter& bytes(std::span<const uint8_t> bytes) {
    number(uint64_t{bytes.size()});
    return raw(bytes.data(), bytes.size());
  }
  ByteWriter& text(std::string_view text) {
    return bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  ByteWriter& numbers(std::span<const uint64_t> numbers) {
    number(uint64_t{numbers.size()});
    return raw(numbers.data(), numbers.size_bytes());
  }
  // In as many bytes as it needs, seven bits in each, the lowest first; the top bit says that more follow.
  ByteWriter& short_number(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      out_.push_back(static_cast<uint8_t>(value | 0x80));
    out_.push_back(static_cast<uint8_t>(value));
    return *this;
  }
  // Zeros up to a multiple of eight, from the beginning of the vector.
  ByteWriter& pad() {
    out_.resize((out_.size() + 7) / 8 * 8);
    return *this;
  }
  ByteWriter& raw(const void* data, size_t size) {
    const auto* begin = static_cast<const uint8_t*>(data);
    if (size != 0) out_.insert(out_.end(), begin, begin + size);
    return *this;
  }

 private:
  Vector<uint8_t>& out_;
};

// Once something does not fit, everything reads as zero or empty, and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) noexcept : all_(bytes.size()), left_(bytes) {}

  template <typename Number>
  Number number() noexcept {
    static_assert(std::is_trivially_copyable_v<Number>);
    Number value{};
    const std::span<const uint8_t> taken = raw(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  // More than ten bytes are no number; of a tenth one only the lowest bit counts.
  uint64_t short_number() noexcept {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = number<uint8_t>();
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::span<const uint8_t> bytes() noexcept { return raw(number<uint64_t>()); }
  std::string_view text() noexcept {
    const std::span<const uint8_t> taken = bytes();
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  Vector<uint64_t> numbers() {
    const uint64_t count = number<uint64_t>();
    if (count > left_.size() / sizeof(uint64_t)) ok_ = false;
    Vector<uint64_t> out(ok_ ? static_cast<size_t>(count) : 0);
    const std::span<const uint8_t> taken = raw(out.size() * sizeof(uint64_t));
    if (!taken.empty()) std::memcpy(out.data(), taken.data(), taken.size());
    return out;
  }
  void skip_padding() noexcept { raw((8 - position() % 8) % 8); }
  std::span<const uint8_t> raw(uint64_t size) noexcept {
    if (!ok_ || size > left_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<const uint8_t> taken = left_.first(static_cast<size_t>(size));
    left_ = left_.subspan(static_cast<size_t>(size));
    return taken;
  }
  std::span<const uint8_t> rest() noexcept { return raw(left_.size()); }
  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return ok_ && left_.empty(); }
  size_t position() const noexcept { return all_ - left_.size(); }

 private:
  size_t all_;
  std::span<const uint8_t> left_;
  bool ok_ = true;
};

}  // namespace nd
