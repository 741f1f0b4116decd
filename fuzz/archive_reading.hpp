// Shared by the targets that read archives: archives in memory, and all that a reader gives of one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/archive_page.hpp"
#include "archives/byte_source.hpp"
#include "archives/record_reader.hpp"
#include "fuzz/input_reader.hpp"

namespace nd::fuzz {

// Gives at most `piece` bytes at a time.
class MemorySource final : public ndc::ByteSource {
 public:
  MemorySource(std::string_view bytes, size_t piece, bool size_known)
      : left_(bytes), size_(bytes.size()), piece_(piece), size_known_(size_known) {}

  std::optional<size_t> read(char* out, size_t size) override {
    const size_t count = std::min({size, piece_, left_.size()});
    left_.copy(out, count);
    left_.remove_prefix(count);
    return count;
  }
  std::optional<uint64_t> size() const override {
    return size_known_ ? std::optional<uint64_t>(size_) : std::nullopt;
  }

 private:
  std::string_view left_;
  const size_t size_;
  const size_t piece_;
  const bool size_known_;
};

struct ReadingLimits {
  size_t block_bytes = 0;
  size_t page_bytes = 0;

  static ReadingLimits take(InputReader& input);
};

// A record with the page in it, or damage, in one text. Fails if a limit is not kept, or damage comes without
// a reason. `input_bytes`: of the file.
std::string print_record(const ndc::WarcRecord& record, const ReadingLimits& limits, size_t input_bytes);
std::string print_damage(const ndc::RecordDamage& damage, size_t input_bytes);

// All that a reader gives. Fails if it does not end.
std::vector<std::string> print_all(ndc::RecordReader& reader, const ReadingLimits& limits,
                                   size_t input_bytes);

// Flips bits of two bytes, as six bytes of the input say: a fuzzer does not hit upon checksums.
void change_bytes(InputReader& input, std::string& bytes);

}  // namespace nd::fuzz
