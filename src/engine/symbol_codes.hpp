// Two bytes in place of four for the symbols that texts in memory have in common: words follow Zipf's law, so
// few of them make up most of every text.
#pragma once

#include <array>
#include <cstdint>

#include "core/memory.hpp"
#include "engine/feature_layout.hpp"

namespace nd::engine {

// A symbol that is met again within some pages gets a code for good, as long as there are codes. Pages
// written to waste them cost what every page costs without codes, and nothing else.
//
// Threads: one writer, code_of() alone; symbols of codes that were given out may be read beside it.
class SymbolCodes {
 public:
  static constexpr uint16_t kNone = 0xffff;
  static constexpr size_t kCodes = size_t{1} << 15;

  // `secret`: any number that the authors of pages do not know; where codes stand depends on it.
  explicit SymbolCodes(uint64_t secret) noexcept : secret_(secret) {}

  // kNone: it has none. May give it one; where there is no memory for that, it does not.
  uint16_t code_of(Symbol symbol) noexcept {
    if (slot_count_ != 0) {
      for (size_t at = hash_of(symbol) & (slot_count_ - 1); slots_[at] != kNone;
           at = (at + 1) & (slot_count_ - 1)) {
        if (symbol_of(slots_[at]) == symbol) return slots_[at];
      }
    }
    return code_count_ < kCodes ? meet(symbol) : kNone;
  }
  // Of a code that code_of() gave.
  Symbol symbol_of(uint16_t code) const noexcept { return *place_of(code); }
  // Where the bytes of the code's symbol are: `rare` for kNone. No branch: which words are rare cannot be
  // predicted.
  const uint8_t* find(uint16_t code, const uint8_t* rare) const noexcept {
    const bool has_code = code != kNone;
    const Symbol* place = place_of(has_code ? code : kCodes);
    return has_code ? reinterpret_cast<const uint8_t*>(place) : rare;
  }

  size_t size() const noexcept { return code_count_; }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return (code_count_ + kChunk - 1) / kChunk * sizeof(Chunk) + slot_count_ * sizeof(uint16_t) +
           met_.size() * sizeof(Symbol);
  }

 private:
  // Of codes: they do not move.
  static constexpr size_t kChunk = 256;
  using Chunk = std::array<Symbol, kChunk>;
  static constexpr size_t kMet = 4096;
  static constexpr size_t kLeastSlots = 512;

  uint64_t hash_of(Symbol symbol) const noexcept { return ((symbol ^ secret_) * 0x9e3779b97f4a7c15U) >> 40; }
  const Symbol* place_of(size_t code) const noexcept { return places_[code / kChunk] + code % kChunk; }
  uint16_t meet(Symbol symbol) noexcept;
  void add(Symbol symbol);
  void grow();
  void place(uint16_t code) noexcept;

  uint64_t secret_;
  std::array<Owned<Chunk>, kCodes / kChunk> chunks_;
  std::array<const Symbol*, kCodes / kChunk + 1> places_{};  // of the chunks; the last one is of kNone
  Vector<uint16_t> slots_;                                   // codes, by their symbols; kNone: free
  size_t slot_count_ = 0;                                    // a power of two
  size_t code_count_ = 0;
  Vector<Symbol> met_;  // without a code, the last one of each place
};

}  // namespace nd::engine
