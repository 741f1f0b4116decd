// Which segment of a SegmentTable has which keys, by as many bits of their hash as needed (extendible
// hashing; R. Fagin et al., ACM TODS 4(3), 1979), and how full each segment is.
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
    for_each([](Segment* segment, uint32_t) { release_bytes(segment); });
    release_entries();
  }

  // Null only while there is no segment.
  Segment* find(uint64_t hash) const noexcept { return entries_[place(hash)]; }
  // The number of used slots of the hash's segment. Kept here and not in the segment, because an insertion
  // reads it, and its slot is mostly in another cache line than any fixed place of the segment.
  uint32_t& used(uint64_t hash) noexcept { return fills_[first_of(place(hash))].used; }
  // The depth of the hash's segment: so many bits of its hashes, from kFirstBit on, are the same.
  uint32_t depth(uint64_t hash) const noexcept { return fills_[place(hash)].depth; }
  size_t segment_count() const noexcept { return segment_count_; }
  // Without the segments.
  uint64_t memory_bytes() const noexcept {
    return size_ == 1 ? 0 : size_ * (sizeof(Segment*) + sizeof(Fill));
  }
  // visit(segment, used), which may free the segment.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (size_t i = 0; i < size_; ++i) {
      if (entries_[i] != nullptr && first_of(i) == i) visit(entries_[i], fills_[i].used);
    }
  }

  // Adds the first segment, which is empty.
  void start(Segment* segment) noexcept {
    only_ = segment;
    only_fill_ = {};
    segment_count_ = 1;
  }
  // Makes room for splitting the segment of the hash. False, with nothing changed, if the directory would
  // become too large because the hashes are unevenly distributed. Throws std::bad_alloc and has changed
  // nothing.
  bool prepare_split(uint64_t hash) {
    if (size_ > size_t{1} << depth(hash)) return true;
    if (2 * size_ > kMostEntriesPerSegment * segment_count_) return false;
    SegmentDirectory larger;
    larger.allocate_entries(2 * size_);
    for (size_t i = 0; i < larger.size_; ++i) {
      larger.entries_[i] = entries_[i & (size_ - 1)];
      larger.fills_[i] = fills_[i & (size_ - 1)];
    }
    larger.segment_count_ = segment_count_;
    swap(larger);
    larger.forget();
    return true;
  }
  // After prepare_split(): the sibling has those hashes of the segment whose next bit is 1. `moved`: their
  // number.
  void add_sibling(uint64_t hash, Segment* sibling, uint32_t moved) noexcept {
    const uint32_t depth = this->depth(hash);
    const size_t bit = size_t{1} << depth;
    const size_t first = first_of(place(hash));
    fills_[first].used -= moved;
    for (size_t i = first; i < size_; i += bit)
      fills_[i].depth = depth + 1;
    for (size_t i = first | bit; i < size_; i += 2 * bit)
      entries_[i] = sibling;
    fills_[first | bit].used = moved;
    ++segment_count_;
  }
  // Replaces each segment by a result of make(), after transfer(old, new) has been called for all of them. If
  // make() throws or std::bad_alloc is thrown, nothing has changed.
  template <typename Make, typename Transfer>
  void replace_all(Make&& make, Transfer&& transfer) {
    SegmentDirectory successors;
    successors.copy_with(*this, [&](const Segment*) { return make(); });
    for (size_t i = 0; i < size_; ++i) {
      if (first_of(i) == i) transfer(entries_[i], successors.entries_[i]);
    }
    swap(successors);
  }
  // Copies another directory's segments into this one, which has none. Throws std::bad_alloc and has changed
  // nothing.
  void copy(const SegmentDirectory& other, size_t slot_count) {
    copy_with(other, [&](const Segment* segment) { return segment->copy(slot_count); });
  }
  void swap(SegmentDirectory& other) noexcept {
    std::swap(only_, other.only_);
    std::swap(only_fill_, other.only_fill_);
    std::swap(entries_, other.entries_);
    std::swap(fills_, other.fills_);
    std::swap(size_, other.size_);
    std::swap(segment_count_, other.segment_count_);
    use_own_entry();
    other.use_own_entry();
  }

 private:
  struct Fill {
    uint32_t used;   // valid in the first entry of a segment only
    uint32_t depth;  // valid in every entry
  };

  // Evenly distributed hashes need at most two entries per segment, and a few more by chance. The limit keeps
  // someone who knows the table's secret from blowing up the directory with a few keys.
  static constexpr size_t kMostEntriesPerSegment = 8;

  // Entries that are null, more than one. Throws std::bad_alloc and has changed nothing.
  void allocate_entries(size_t size) {
    // One allocation; the pointers come first.
    void* memory = allocate_bytes(size * (sizeof(Segment*) + sizeof(Fill)));
    entries_ = static_cast<Segment**>(memory);
    fills_ = reinterpret_cast<Fill*>(entries_ + size);
    std::fill_n(entries_, size, nullptr);
    std::fill_n(fills_, size, Fill{});
    size_ = size;
  }
  void release_entries() noexcept {
    if (size_ != 1) release_bytes(entries_);
  }
  void use_own_entry() noexcept {
    if (size_ != 1) return;
    entries_ = &only_;
    fills_ = &only_fill_;
  }
  // Gives up the segments without freeing them: another directory owns them.
  void forget() noexcept { std::fill_n(entries_, size_, nullptr); }
  template <typename Copy>
  void copy_with(const SegmentDirectory& other, Copy&& copy) {
    if (other.segment_count_ == 0) return;
    SegmentDirectory copied;
    if (other.size_ > 1) copied.allocate_entries(other.size_);
    for (size_t i = 0; i < other.size_; ++i) {
      const size_t first = other.first_of(i);
      copied.fills_[i] = other.fills_[i];
      copied.entries_[i] = first == i ? copy(other.entries_[i]) : copied.entries_[first];
    }
    copied.segment_count_ = other.segment_count_;
    swap(copied);
  }
  size_t place(uint64_t hash) const noexcept { return static_cast<size_t>(hash >> kFirstBit) & (size_ - 1); }
  // The first entry of the segment that entry i refers to.
  size_t first_of(size_t i) const noexcept { return i & ((size_t{1} << fills_[i].depth) - 1); }

  Segment* only_ = nullptr;     // the entry of a directory of size one: most tables are small
  Fill only_fill_ = {};         // and its fill
  Segment** entries_ = &only_;  // by the bits of the hash
  Fill* fills_ = &only_fill_;   // of each entry
  size_t size_ = 1;             // a power of two
  size_t segment_count_ = 0;
};

}  // namespace nd
