// Which segment of a SegmentTable has which keys: by some bits of their hash, as many as it takes (extendible
// hashing; R. Fagin et al., ACM TODS 4(3), 1979).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/memory.hpp"

namespace nd {

// `Segment`: HashSegment. The directory owns its segments.
template <typename Segment>
class SegmentDirectory {
 public:
  // The bits that choose the segment begin here; those below are the segment's, for its slots.
  static constexpr unsigned kFirstBit = 32;

  SegmentDirectory() noexcept = default;
  SegmentDirectory(const SegmentDirectory&) = delete;
  SegmentDirectory& operator=(const SegmentDirectory&) = delete;
  ~SegmentDirectory() {
    for_each([](Segment* segment) { release_bytes(segment); });
    release_entries();
  }

  // Null only as long as there is no segment.
  Segment* find(uint64_t hash) const noexcept { return entries_[place(hash)]; }
  size_t segment_count() const noexcept { return segment_count_; }
  // Of the directory itself.
  uint64_t memory_bytes() const noexcept { return size_ == 1 ? 0 : size_ * sizeof(Segment*); }
  // visit(segment), which may end it.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (size_t i = size_; i-- > 0;) {
      // No other entry of this segment comes any more.
      if (entries_[i] != nullptr && is_first(i)) visit(entries_[i]);
    }
  }

  // The first segment.
  void start(Segment* segment) noexcept {
    only_ = segment;
    segment_count_ = 1;
  }
  // Room for the segment of the hash to be split. False, and nothing has changed, where the directory would
  // become too large: the hashes are not even. Throws std::bad_alloc and has changed nothing.
  bool prepare_split(uint64_t hash) {
    if (size_ > size_t{1} << find(hash)->depth()) return true;
    if (2 * size_ > kMostEntriesPerSegment * segment_count_) return false;
    Segment** larger = allocate(2 * size_);
    std::copy_n(entries_, size_, larger);
    std::copy_n(entries_, size_, larger + size_);
    release_entries();
    entries_ = larger;
    size_ *= 2;
    return true;
  }
  // After prepare_split(): the sibling has those hashes of this one's segment, of that depth until now, whose
  // next bit is 1.
  void add_sibling(uint64_t hash, uint32_t depth, Segment* sibling) noexcept {
    const size_t bit = size_t{1} << depth;
    for (size_t i = (place(hash) & (bit - 1)) | bit; i < size_; i += 2 * bit)
      entries_[i] = sibling;
    ++segment_count_;
  }
  // Puts the successor of each in its place, and ends it.
  void replace_all() noexcept {
    for (size_t i = size_; i-- > 0;) {
      const bool ends = is_first(i);
      Segment* old = std::exchange(entries_[i], entries_[i]->successor());
      if (ends) release_bytes(old);
    }
  }
  // Of another's segments; this one has none. Throws std::bad_alloc and has changed nothing.
  void copy(const SegmentDirectory& other, size_t slot_count) {
    if (other.segment_count_ == 0) return;
    SegmentDirectory copied;
    if (other.size_ > 1) {
      copied.entries_ = allocate(other.size_);
      std::fill_n(copied.entries_, other.size_, nullptr);
      copied.size_ = other.size_;
    }
    for (size_t i = 0; i < other.size_; ++i) {
      const Segment* segment = other.entries_[i];
      const size_t first = i & ((size_t{1} << segment->depth()) - 1);
      copied.entries_[i] = first == i ? segment->copy(slot_count) : copied.entries_[first];
    }
    copied.segment_count_ = other.segment_count_;
    swap(copied);
  }
  void swap(SegmentDirectory& other) noexcept {
    std::swap(only_, other.only_);
    std::swap(entries_, other.entries_);
    std::swap(size_, other.size_);
    std::swap(segment_count_, other.segment_count_);
    if (size_ == 1) entries_ = &only_;
    if (other.size_ == 1) other.entries_ = &other.only_;
  }

 private:
  // Of even hashes at most two entries are needed for a segment, and a few more by chance. Who knows the
  // secret of a table must not have a directory of any size made for a few keys.
  static constexpr size_t kMostEntriesPerSegment = 8;

  static Segment** allocate(size_t size) {
    return static_cast<Segment**>(allocate_bytes(size * sizeof(Segment*)));
  }
  void release_entries() noexcept {
    if (size_ != 1) release_bytes(entries_);
  }
  size_t place(uint64_t hash) const noexcept { return static_cast<size_t>(hash >> kFirstBit) & (size_ - 1); }
  // Of the entries of its segment.
  bool is_first(size_t i) const noexcept { return i >> entries_[i]->depth() == 0; }

  Segment* only_ = nullptr;     // the one entry of a directory of one: most tables are small
  Segment** entries_ = &only_;  // by the bits of the hash
  size_t size_ = 1;             // a power of two
  size_t segment_count_ = 0;
};

}  // namespace nd
