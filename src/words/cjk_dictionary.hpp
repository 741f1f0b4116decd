// ICU's dictionary of Chinese and Japanese words ("cjdict"), laid out for fast look-ups: a trie whose nodes
// are stored level by level, with the children of a node next to each other, ascending; and the segmentation
// of a text by it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "core/prefetch.hpp"

namespace nd::text {

// Memory: 6 bytes a node and a bitmap, 3.0 MB with the dictionary of ICU 72. They are part of the library's
// data segment, untouched (and without physical memory) until the first use. Threads: any number; nothing
// changes once it is built.
class CjkDictionary {
 public:
  // A node of the trie; it represents the characters that lead to it.
  struct Node {
    uint32_t index;
  };

  // No word is longer, in characters; ICU looks no further.
  static constexpr size_t kLongestWord = 20;
  // Words begin with a character from here ...
  static constexpr char16_t kFirstCharacter = 0x3000;
  // ... to before this one.
  static constexpr char16_t kEndCharacter = 0xa000;

  // The dictionary of the ICU that is linked, read at the first call in the process (some 20 ms), or nullptr
  // if that ICU has none, or has it in another form than the one known here. Throws std::bad_alloc.
  static const CjkDictionary* instance();

  CjkDictionary(const CjkDictionary&) = delete;
  CjkDictionary& operator=(const CjkDictionary&) = delete;

  // The node of a first character, which must lie between the two bounds above. Every one has a node.
  static Node first(char16_t character) noexcept { return {uint32_t{character} - kFirstCharacter}; }

  // The cost of the word that ends at the node, 1..255, or 0 if none does. The less, the likelier the word.
  uint32_t cost(Node node) const noexcept { return nodes_[node.index] & 0xff; }

  // Whether a word may begin with these two characters. True for all pairs that do begin one, and by chance
  // for one in eleven of the others. Most pairs of a text begin none, and this is the cheap test.
  bool may_begin(char16_t first, char16_t second) const noexcept {
    const uint32_t bit = pair_bit(first, second);
    return (pairs_[bit / 64] >> (bit % 64) & 1) != 0;
  }

  // Prefetches the memory that may_begin(), next() and cost() of the same characters read.
  void prefetch_pair(char16_t first, char16_t second) const noexcept {
    nd::prefetch(&pairs_[pair_bit(first, second) / 64]);
  }
  void prefetch_children(Node node) const noexcept {
    const uint32_t begin = nodes_[node.index] >> 8;
    nd::prefetch(&characters_[begin + ((nodes_[node.index + 1] >> 8) - begin) / 2]);
  }
  void prefetch(Node node) const noexcept { nd::prefetch(&nodes_[node.index]); }

  // Moves on to the child for `character`; false if there is none. Cost: O(log children).
  bool next(Node& node, char16_t character) const noexcept {
    uint32_t low = nodes_[node.index] >> 8;
    uint32_t count = (nodes_[node.index + 1] >> 8) - low;
    if (count == 0) return false;
    while (count > 1) {
      const uint32_t half = count / 2;
      low += characters_[low + half] <= character ? half : 0;
      count -= half;
    }
    node.index = low;
    return characters_[low] == character;
  }

 private:
  class Reader;
  // ICU 72 needs 454,177; a dictionary that needs more is left to ICU.
  static constexpr size_t kNodesLimit = size_t{3} << 18;

  static constexpr unsigned kPairBits = 21;  // log2 of their number

  CjkDictionary();
  void note_pairs() noexcept;

  // By multiplication with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
  static uint32_t pair_bit(char16_t first, char16_t second) noexcept {
    return ((uint32_t{first} << 16 | second) * 0x9e3779b1U) >> (32 - kPairBits);
  }

  // The first child << 8 | cost. The children end where those of the next node begin. The arrays have no
  // initialiser, so that nothing touches them before the dictionary is known to fit.
  std::array<uint32_t, kNodesLimit + 1> nodes_;
  std::array<char16_t, kNodesLimit> characters_;
  // One bit a pair of characters that words begin with, at pair_bit() of both.
  std::array<uint64_t, (size_t{1} << kPairBits) / 64> pairs_;
  bool is_usable_;
};

// Represents a character beyond U+FFFF, which is in no word of the dictionary.
constexpr char16_t kBeyondBmp = 0xffff;

// The words of a run of ideographs and kana: the cheapest way through ICU's dictionary, with the boundaries
// that ICU's break iterator draws (its CjkBreakEngine, ICU 72).
// Replaces `lengths` by one byte a character of `run`; at the first character of each word it is the number
// of its characters, at most 20; the others mean nothing. `run` holds characters of the classes kIdeograph
// and kKatakana. Returns the words that were tried. Cost: O(characters), some 20 ns each.
uint64_t split_cjk_run(const CjkDictionary& dictionary, std::span<const char16_t> run,
                       Vector<uint8_t>& lengths);

}  // namespace nd::text
