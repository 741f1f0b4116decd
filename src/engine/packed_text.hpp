// Features at rest in memory: the same record in about two thirds of its bytes. In a store's runs and in the
// journal texts stand as docs/features_format.md says; what is packed never leaves the process.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "engine/features.hpp"
#include "engine/symbol_codes.hpp"

namespace nd::engine {

// The bytes of a packed record, which its TextPacker alone can read.
struct PackedText {
  Owned<uint8_t> bytes;
  uint32_t size = 0;
};

// Threads: one that packs; any number that unpack, beside it too.
class TextPacker {
 public:
  explicit TextPacker(uint64_t secret) noexcept : codes_(secret) {}

  // Throws std::bad_alloc. Cost: a table look-up a symbol.
  PackedText pack(const Features& features);
  // The record that was packed, to the byte. Throws std::bad_alloc. Cost: a few copies, and some instructions
  // a symbol.
  Features unpack(const PackedText& packed) const;

  // What all texts share.
  uint64_t memory_bytes() const noexcept {
    return codes_.memory_bytes() + out_.capacity() + rare_.capacity() * sizeof(Symbol);
  }

 private:
  // Ways in which records of one engine were made: most have one.
  static constexpr size_t kMakings = 8;

  uint8_t making_of(const FeatureHeader& header) noexcept;
  void put_blocks(const Features& features);
  void put_symbols(std::span<const Symbol> symbols);

  SymbolCodes codes_;
  std::array<FeatureHeader, kMakings> makings_{};  // what differs from page to page is 0
  uint8_t making_count_ = 0;
  Vector<uint8_t> out_;
  Vector<Symbol> rare_;  // of the text, without a code
};

}  // namespace nd::engine
