#include "text/stop_words.hpp"

#include <array>
#include <cassert>
#include <cstddef>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "text/stop_word_tables.hpp"

namespace nd::text {
namespace {

uint32_t token_hash(std::string_view word) noexcept {
  return static_cast<uint32_t>(stable_hash(word));
}

// Open addressing; zero marks a free slot, no word of the lists hashes to it. A hash is its own slot: the
// entries are ours, nobody can write them to collide.
template <size_t kSlots>
class HashSet {
 public:
  void insert(uint32_t hash) noexcept {
    assert(hash != 0);
    size_t slot = hash % kSlots;
    while (slots_[slot] != 0 && slots_[slot] != hash)
      slot = (slot + 1) % kSlots;
    slots_[slot] = hash;
  }

  bool contains(uint32_t hash) const noexcept {
    size_t slot = hash % kSlots;
    while (slots_[slot] != 0) {
      if (slots_[slot] == hash) return true;
      slot = (slot + 1) % kSlots;
    }
    return false;
  }

 private:
  std::array<uint32_t, kSlots> slots_{};
};

// Some 1,500 words: one slot in three.
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
