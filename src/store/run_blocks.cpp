// Maps or reads a block and verifies its checksum once; a block that fails is reported, and absent from then
// on.
#include "store/run_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace nd::store {

RunBlocks::~RunBlocks() {
  if (reserved_ != nullptr) munmap(reserved_, reserved_bytes_);
}

Result<void> RunBlocks::open(Owned<File> file, const RunTrailer& trailer, const ReadMode& mode,
                             uint64_t& fault_offset) {
  if (mode.verify_blocks) {
    Result<Vector<uint64_t>> checksums = read_block_checksums(*file, trailer, fault_offset);
    if (!checksums) return std::move(checksums).failure();
    checksums_ = std::move(*checksums);
  }
  size_ = trailer.checksums_offset;
  const uint64_t words = (block_count(trailer) + 63) / 64;
  ready_ = Bits(words);
  damaged_ = Bits(words);
  if (mode.mmap) {
    Result<Owned<Mapping>> mapping = file->map(size_);
    if (!mapping) return std::move(mapping).failure();
    mapping_ = std::move(*mapping);
    data_ = mapping_->bytes().data();
    if (!mode.verify_blocks) {
      for (std::atomic<uint64_t>& word : ready_)
        word.store(~uint64_t{0}, std::memory_order_relaxed);
    }
    return {};
  }
  reserved_bytes_ = round_up(size_, kBlockBytes);
  if (reserved_bytes_ > std::numeric_limits<size_t>::max()) throw std::bad_alloc();
  void* memory = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  reserved_ = static_cast<uint8_t*>(memory);
  // A huge page would take 2 MiB for the first block in it. A kernel without huge pages refuses the call;
  // that is just as well.
  madvise(memory, reserved_bytes_, MADV_NOHUGEPAGE);
  data_ = reserved_;
  file_ = std::move(file);
  return {};
}

void RunBlocks::report(uint64_t offset, std::string_view sentence) const noexcept {
  damage_->report(name_, offset, sentence);
}

Bytes RunBlocks::block_bytes(uint64_t block) const noexcept {
  const uint64_t offset = block << kBlockShift;
  return {data_ + offset, static_cast<size_t>(std::min(kBlockBytes, size_ - offset))};
}

bool RunBlocks::prepare(uint64_t block) const noexcept {
  if (is_set(damaged_, block)) return false;
  if (reserved_ == nullptr) {
    // Two threads may verify the same block; both get the same result.
    set(verify(block) ? ready_ : damaged_, block);
  } else {
    const std::lock_guard lock(filling_);
    if (!is_set(ready_, block) && !is_set(damaged_, block)) {
      set(fill(block) && verify(block) ? ready_ : damaged_, block);
    }
  }
  return is_set(ready_, block);
}

bool RunBlocks::fill(uint64_t block) const noexcept {
  const uint64_t offset = block << kBlockShift;
  const std::span<uint8_t> out(reserved_ + offset, block_bytes(block).size());
  try {
    const Result<size_t> read = file_->read(offset, out);
    if (read && *read == out.size()) return true;
    report(offset, read ? std::string_view("the file ends early") : read.failure().message);
  } catch (const std::bad_alloc&) {
    report(offset, "the file could not be read, and there was no memory to say why");
  }
  return false;
}

bool RunBlocks::verify(uint64_t block) const noexcept {
  if (checksums_.empty() || checksum_of(block_bytes(block)) == checksums_[block]) return true;
  report(block << kBlockShift, "a block of the run has a wrong checksum");
  return false;
}

}  // namespace nd::store
