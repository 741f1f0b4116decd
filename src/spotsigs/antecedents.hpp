// The words at which a spot signature begins, and those that its chain skips.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "words/stop_word_tables.hpp"

namespace nd::spotsigs {

// The antecedents of each language of stop_word_lists(), and Chinese, in the form of
// words/stop_word_tables.hpp. Each of them is a stop word.
std::span<const text::StopWordList> antecedent_lists() noexcept;

enum class WordKind : uint8_t {
  kContent = 0,
  kStopWord,    // skipped
  kAntecedent,  // a stop word at which a signature begins
  // A word of the caller's own list that is not a stop word: signatures begin at it, and chains include it.
  kContentAntecedent,
};

constexpr bool begins_signature(WordKind kind) noexcept {
  return kind == WordKind::kAntecedent || kind == WordKind::kContentAntecedent;
}
constexpr bool is_content(WordKind kind) noexcept {
  return kind == WordKind::kContent || kind == WordKind::kContentAntecedent;
}

// One table for all languages, as in words/stop_words.hpp: a page's declared language is too often wrong.
// Created at the first use in the process and never changed.
class WordKinds {
 public:
  static const WordKinds& instance() noexcept;

  // The kind of a word in normalised form; `hash` is text::Word::hash. Cost: two loads and no branch.
  WordKind of(uint32_t hash) const noexcept {
    const uint32_t first = slots_[first_slot(hash)];
    const uint32_t second = slots_[second_slot(hash)];
    const uint32_t kind =
        (is_alike(first, hash) ? first & kKindMask : 0) | (is_alike(second, hash) ? second & kKindMask : 0);
    return static_cast<WordKind>(kind);
  }

 private:
  WordKinds() noexcept;
  void insert(uint32_t hash, WordKind kind) noexcept;

  // As SmallHashSet, with the kind in the low bits of an entry: the numbers of both slots of a hash end in
  // its low bits. A free slot is zero, whose kind is kContent.
  static constexpr uint32_t kKindMask = 3;
  static constexpr uint32_t kSlots = 8192;
  static constexpr uint32_t first_slot(uint32_t hash) noexcept { return hash & (kSlots - 1); }
  static constexpr uint32_t second_slot(uint32_t hash) noexcept {
    return ((hash >> 16) & (kSlots - 1) & ~kKindMask) | (hash & kKindMask);
  }
  static constexpr bool is_alike(uint32_t entry, uint32_t hash) noexcept {
    return ((entry ^ hash) & ~kKindMask) == 0;
  }

  std::array<uint32_t, kSlots> slots_{};
};

// The caller's own antecedents instead of the lists; stop words stay the same. Threads: immutable.
class OwnAntecedents {
 public:
  // Words in normal form, separated by single spaces. Throws std::bad_alloc.
  explicit OwnAntecedents(std::string_view words);

  // As WordKinds::of(). Cost: the same, and a search in the caller's list.
  WordKind of(uint32_t hash) const noexcept {
    const WordKind kind = WordKinds::instance().of(hash);
    const bool is_own = std::binary_search(hashes_.begin(), hashes_.end(), hash);
    if (kind == WordKind::kContent) return is_own ? WordKind::kContentAntecedent : WordKind::kContent;
    return is_own ? WordKind::kAntecedent : WordKind::kStopWord;
  }
  uint64_t memory_bytes() const noexcept { return hashes_.capacity() * sizeof(uint32_t); }

 private:
  Vector<uint32_t> hashes_;  // ascending
};

}  // namespace nd::spotsigs
