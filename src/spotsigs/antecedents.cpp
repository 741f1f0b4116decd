// The built-in antecedents of each language and the hash set that finds the kind of a word in one look-up.
#include "spotsigs/antecedents.hpp"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "core/hash.hpp"
#include "core/word_list.hpp"

namespace nd::spotsigs {

namespace {

// The slides' choice for English: articles, "that", the forms of be and have. For a language without articles
// its most frequent particles, conjunctions and prepositions are used instead, so that signatures are as
// frequent. Words that are frequent in another language with another meaning are left out (Italian "i",
// Portuguese "as", German "war"), because all lists apply to all pages.
constexpr std::array kLists = {
    text::StopWordList{"en", "the that a an be am is are was were been being have has had having"},
    text::StopWordList{"ru",
                       "и в на с что как это этот эта эти этого этой тот быть был была было были будет "
                       "будут есть который которая которые которых"},
    text::StopWordList{"es",
                       "el la los las lo un una unos unas que es son era eran fue fueron ser sido "
                       "está están ha han había haber hay tiene tienen"},
    text::StopWordList{"de",
                       "der die das den dem des ein eine einen einem einer eines dass ist sind waren "
                       "sein habe haben hat hatte hatten"},
    text::StopWordList{"fr",
                       "le la les l un une des que qu est sont était étaient être été a ont avait "
                       "avoir"},
    text::StopWordList{"ja", "の は が を に で と も です ます だ いる ある した する"},
    text::StopWordList{"pt",
                       "o a os um uma uns umas que é são era eram foi foram ser sido está estão tem "
                       "têm tinha ter há"},
    text::StopWordList{"tr", "bir bu ve ile için de da ki olan olarak olduğu var"},
    text::StopWordList{"it",
                       "il lo la gli le l un uno una che è sono era erano essere stato ha hanno aveva "
                       "avere"},
    text::StopWordList{"fa", "که در به با را و این آن است بود شد شده"},
    text::StopWordList{"zh", "的 是 在 了 和 有 与 與 为 為 这 這 也 就 都 对 對 将 將 被 一个 一個"},
};

}  // namespace

std::span<const text::StopWordList> antecedent_lists() noexcept {
  return kLists;
}

const WordKinds& WordKinds::instance() noexcept {
  static const WordKinds kinds;
  return kinds;
}

// A word keeps its first kind. With some 2,200 words, one slot in four is used.
WordKinds::WordKinds() noexcept {
  const auto add = [this](std::string_view words, WordKind kind) {
    for_each_word(words, [this, kind](std::string_view word) {
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
  for_each_word(
      words, [this](std::string_view word) { hashes_.push_back(static_cast<uint32_t>(stable_hash(word))); });
  std::sort(hashes_.begin(), hashes_.end());
}

}  // namespace nd::spotsigs
