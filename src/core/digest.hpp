// MD5, because the fingerprints of the LCS partition (TR2007012 section 4.2) are defined over it; never a
// proof of identity. It comes from a library context of our own, so that hosts which restrict their default
// context (FIPS) neither break us nor are changed by us.
#pragma once

#include <span>
#include <string_view>

#include "core/md5_lanes.hpp"
#include "core/result.hpp"

namespace nd {

// Reusable state. Threads: one object, one thread at a time.
class Md5 {
 public:
  static Result<Md5> create();
  Md5(Md5&& other) noexcept;
  Md5& operator=(Md5&& other) noexcept;
  ~Md5();

  // By OpenSSL, which allocates.
  [[nodiscard]] Md5Digest operator()(std::string_view bytes);
  // Of each message, into as many `digests`, side by side and without allocation: md5_side_by_side().
  void operator()(std::span<const std::string_view> messages, std::span<Md5Digest> digests) noexcept;

 private:
  Md5(const void* algorithm, void* context) noexcept;
  const void* algorithm_;
  void* context_;
};

}  // namespace nd
