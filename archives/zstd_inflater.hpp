// Zstandard frames (RFC 8878) to bytes, with the dictionary that a WARC file may begin with (Zstandard
// Compression for WARC Files 1.0, IIPC).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "archives/member_inflater.hpp"

struct ZSTD_DCtx_s;

namespace ndc {

// Memory: the window that a frame asks for, 128 MiB at most; frames that ask for more are damage.
class ZstdInflater final : public MemberInflater {
 public:
  // `dictionary`: empty if there is none; copied. Throws std::bad_alloc.
  explicit ZstdInflater(std::string_view dictionary);
  ~ZstdInflater() override;

  void start() noexcept override;
  Progress run(std::string_view input, char* out, size_t room) noexcept override;
  bool holds_output() const noexcept override { return holds_output_; }
  std::string_view reason() const noexcept override { return reason_; }

 private:
  ZSTD_DCtx_s* context_;
  bool holds_output_ = false;
  std::string_view reason_;
};

// The first block of a frame.
struct ZstdBlock {
  size_t end = 0;         // from the frame's first byte
  size_t most_given = 0;  // bytes that it may give
};

// By the headers of the frame and of the block alone. nullopt: no frame begins so, or the block is not all
// there.
std::optional<ZstdBlock> first_zstd_block(std::string_view bytes);

// The dictionary in the data of a dictionary frame, which may be compressed itself. nullopt: it is damaged,
// or has more than `limit` bytes.
std::optional<std::string> zstd_dictionary(std::string_view data, size_t limit);

}  // namespace ndc
