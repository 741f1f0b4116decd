// Reading positions in archives: a few names with a few bytes each (ndcapi.h, nd_set_bookmark).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/byte_stream.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"

namespace nd::engine {

// Threads: any number of readers, or one writer.
class Bookmarks {
 public:
  static constexpr size_t kNameBytes = 255;
  static constexpr size_t kDataBytes = 4096;
  static constexpr size_t kNames = 1000;

  // Whether set() would accept them. Errors: kLimit, kInvalidArgument.
  Result<void> check(std::string_view name, std::span<const uint8_t> data) const;
  // The arguments must have been checked. Empty data forgets the name. Throws std::bad_alloc and has changed
  // nothing.
  void set(std::string_view name, std::span<const uint8_t> data);
  // Null if there is none.
  const Vector<uint8_t>* find(std::string_view name) const noexcept;

  size_t count() const noexcept { return bookmarks_.size(); }
  void write(ByteWriter& out) const;
  Result<void> read(ByteReader& in);

 private:
  struct Bookmark {
    String name;
    Vector<uint8_t> data;
  };
  Vector<Bookmark> bookmarks_;
};

}  // namespace nd::engine
