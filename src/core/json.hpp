// Writes JSON into a String: compact, UTF-8, always well formed.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"

namespace nd {

class JsonWriter {
 public:
  explicit JsonWriter(String& out) noexcept : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  // Bytes that are not UTF-8 become U+FFFD.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(uint64_t number);
  JsonWriter& value(uint32_t number) { return value(uint64_t{number}); }
  // Rounded to 6 decimals; null if not finite.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);

  template <typename T>
  JsonWriter& member(std::string_view name, T&& content) {
    return key(name).value(std::forward<T>(content));
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  String& out_;
  bool need_comma_ = false;
};

}  // namespace nd
