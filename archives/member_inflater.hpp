// Decompresses a file that is a series of members, of gzip, zstd, bzip2, xz or lz4.
#pragma once

#include <cstddef>
#include <string_view>

namespace ndc {

// One member after another, in as many pieces as the caller likes. One thread at a time.
class MemberInflater {
 public:
  MemberInflater() = default;
  virtual ~MemberInflater() = default;
  MemberInflater(const MemberInflater&) = delete;
  MemberInflater& operator=(const MemberInflater&) = delete;

  // Before the first byte of each member.
  virtual void start() noexcept = 0;

  enum class Outcome { kGoesOn, kEnded, kDamaged };
  struct Progress {
    Outcome outcome;
    size_t taken;  // bytes of the input
    size_t given;  // bytes of the output
  };
  // At most 4 GiB of either.
  virtual Progress run(std::string_view input, char* out, size_t room) noexcept = 0;

  // Whether run() may give more bytes without any more input.
  virtual bool holds_output() const noexcept { return false; }

  // Why run() said kDamaged, as half a sentence.
  virtual std::string_view reason() const noexcept = 0;
};

}  // namespace ndc
