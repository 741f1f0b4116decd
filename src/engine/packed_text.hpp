// Features at rest in memory: the same record in about two thirds of its bytes. In a store's runs and in the
// journal texts stand as docs/features_format.md says; what is packed never leaves the process.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "core/memory.hpp"
#include "engine/features.hpp"
#include "engine/symbol_codes.hpp"
#include "engine/unpacked_texts.hpp"
#include "spotsigs/shared_spots.hpp"

namespace nd::engine {

// The bytes of a packed record, which its TextPacker alone can read.
struct PackedText {
  Owned<uint8_t> bytes;
  uint32_t size = 0;
  spotsigs::SharedSpots spots;  // the spot index has them, too, of what represents a group

  uint64_t memory_bytes() const noexcept { return size + spots.memory_bytes(); }
};

// Where a text is packed before its size is known.
struct PackingMemory {
  Owned<uint8_t> bytes;
  size_t size = 0;
};

// Threads: any number, each with a PackingMemory of its own. Who unpacks has come by the packed text in a
// way that synchronizes with the thread that packed it.
class TextPacker {
 public:
  // `code_limit`: see SymbolCodes.
  explicit TextPacker(uint64_t secret, size_t code_limit = SymbolCodes::kCodes) noexcept
      : codes_(secret, code_limit) {}

  // Throws std::bad_alloc. Cost: a table look-up a symbol. Waits for other threads only where a symbol gets
  // its code.
  PackedText pack(const Features& features, PackingMemory& memory);
  // The record that was packed, to the byte; in `memory` if it is enough. Throws std::bad_alloc. Cost: a few
  // copies, and some instructions per symbol.
  Features unpack(const PackedText& packed, RecordMemory memory = {}) const;
  // The same for a call that reads many of them.
  std::shared_ptr<const Features> unpack(uint64_t text, const PackedText& packed,
                                         UnpackedTexts& unpacked) const;

  // What all texts share.
  uint64_t memory_bytes() const noexcept { return codes_.memory_bytes(); }

 private:
  // Ways in which records of one engine were made: most have one.
  static constexpr size_t kMakings = 8;

  uint8_t making_of(const FeatureHeader& header) noexcept;
  uint8_t* put_symbols(std::span<const Symbol> symbols, uint8_t* out) noexcept;

  SymbolCodes codes_;
  std::array<FeatureHeader, kMakings> makings_{};  // what differs from page to page is 0; these never change
  std::atomic<uint8_t> making_count_{0};
  std::mutex new_making_;
};

}  // namespace nd::engine
