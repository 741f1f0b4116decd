#include "text/stop_words.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "text/stop_word_tables.hpp"

namespace nd::text {
namespace {

uint32_t token_hash(std::string_view word) noexcept {
  return static_cast<uint32_t>(stable_hash(word));
}

// Cuckoo hashing (Pagh and Rodler 2004): an entry is in one of two slots, so that a look-up is two loads and
// no branch. Below half full it finds room; the tests look every entry up. Zero marks a free slot, no entry
// hashes to it. The hashes are not mixed with a secret: the entries are ours.
template <size_t kSlots>
class HashSet {
 public:
  void insert(uint32_t hash) noexcept {
    if (contains(hash)) return;
    size_t slot = first_slot(hash);
    for (size_t moves = 0; moves < kSlots && hash != 0; ++moves) {
      std::swap(hash, slots_[slot]);
      slot = slot == first_slot(hash) ? second_slot(hash) : first_slot(hash);
    }
    assert(hash == 0);
  }

  bool contains(uint32_t hash) const noexcept {
    const uint32_t unlike_first = slots_[first_slot(hash)] ^ hash;
    const uint32_t unlike_second = slots_[second_slot(hash)] ^ hash;
    return std::min(unlike_first, unlike_second) == 0 && hash != 0;
  }

 private:
  static_assert((kSlots & (kSlots - 1)) == 0 && kSlots <= 1 << 16);
  static constexpr size_t first_slot(uint32_t hash) noexcept { return hash & (kSlots - 1); }
  static constexpr size_t second_slot(uint32_t hash) noexcept { return (hash >> 16) & (kSlots - 1); }

  std::array<uint32_t, kSlots> slots_{};
};

// Some 1,500 words: one slot in three is taken.
struct StopWords : HashSet<4096> {
  StopWords() noexcept {
    for (const StopWordList& list : stop_word_lists()) {
      std::string_view rest = list.words;
      while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        insert(token_hash(word));
        rest.remove_prefix(word.size() < rest.size() ? word.size() + 1 : word.size());
      }
    }
  }
};

struct ChineseFunctionCharacters : HashSet<512> {
  ChineseFunctionCharacters() noexcept {
    const std::string_view characters = chinese_function_characters();
    for (size_t position = 0; position < characters.size();) {
      const size_t begin = position;
      next_code_point(characters, position);
      insert(token_hash(characters.substr(begin, position - begin)));
    }
  }
};

}  // namespace

bool is_stop_word(uint32_t hash) noexcept {
  static const StopWords words;
  return words.contains(hash);
}

bool is_chinese_function_character(uint32_t hash) noexcept {
  static const ChineseFunctionCharacters characters;
  return characters.contains(hash);
}

}  // namespace nd::text
