#include "spotsigs/antecedents.hpp"

#include <cassert>
#include <string_view>
#include <utility>

#include "core/hash.hpp"
#include "spotsigs/antecedent_tables.hpp"

namespace nd::spotsigs {

const WordKinds& WordKinds::instance() noexcept {
  static const WordKinds kinds;
  return kinds;
}

// The first kind of a word counts. Some 2,200 words: one slot in four is taken.
WordKinds::WordKinds() noexcept {
  const auto add = [this](std::string_view words, WordKind kind) {
    text::for_each_word(words, [this, kind](std::string_view word) {
      const auto hash = static_cast<uint32_t>(stable_hash(word));
      if (of(hash) == WordKind::kContent) insert(hash, kind);
    });
  };
  for (const text::StopWordList& list : antecedent_lists())
    add(list.words, WordKind::kAntecedent);
  for (const text::StopWordList& list : text::stop_word_lists())
    add(list.words, WordKind::kStopWord);
  add(text::chinese_stop_words(), WordKind::kStopWord);
}

void WordKinds::insert(uint32_t hash, WordKind kind) noexcept {
  uint32_t entry = (hash & ~kKindMask) | static_cast<uint32_t>(kind);
  uint32_t slot = first_slot(hash);
  for (uint32_t moves = 0; moves < kSlots && entry != 0; ++moves) {
    std::swap(entry, slots_[slot]);
    const uint32_t moved = (entry & ~kKindMask) | (slot & kKindMask);  // its hash
    slot = slot == first_slot(moved) ? second_slot(moved) : first_slot(moved);
  }
  assert(entry == 0);
}

OwnAntecedents::OwnAntecedents(std::string_view words) {
  text::for_each_word(
      words, [this](std::string_view word) { hashes_.push_back(static_cast<uint32_t>(stable_hash(word))); });
  std::sort(hashes_.begin(), hashes_.end());
}

}  // namespace nd::spotsigs
