// Features as they are kept, in memory and in runs: the same record in about two thirds of its bytes. The
// journal has texts in the form of docs/features_format.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/byte_stream.hpp"
#include "core/memory.hpp"
#include "page/feature_layout.hpp"
#include "page/features.hpp"
#include "page/record_provenances.hpp"
#include "page/symbol_codes.hpp"
#include "page/unpacked_texts.hpp"
#include "spotsigs/spot_document.hpp"

namespace nd::engine {

// The bytes of a packed record, which only its TextPacker can read.
struct PackedText {
  Owned<uint8_t> bytes;
  uint32_t size = 0;
  spotsigs::SharedSpots spots;  // shared with the spot index if the text represents a group

  uint64_t memory_bytes() const noexcept { return size + spots.memory_bytes(); }
};

// The buffer in which a text is packed before its size is known.
struct PackingMemory {
  Owned<uint8_t> bytes;
  size_t size = 0;
};

// Threads: any number, each with a PackingMemory of its own. A thread that unpacks a text must have got it in
// a way that synchronizes with the thread that packed it. restore() comes first, alone.
class TextPacker {
 public:
  // The most by which the bytes of a record exceed those of the same one packed.
  static constexpr uint64_t kMostExpansion = 4;

  // `code_limit`: see SymbolCodes.
  explicit TextPacker(uint64_t secret, size_t code_limit = SymbolCodes::kCodes) noexcept
      : codes_(secret, code_limit) {}

  // Throws std::bad_alloc. Cost: a table look-up per symbol. Waits for other threads only when a symbol gets
  // its code.
  PackedText pack(const Features& features, PackingMemory& memory);
  // The header of the record that was packed. Cost: some instructions for each number of it.
  FeatureHeader header_of(const PackedText& packed) const noexcept;
  // The record that was packed, byte for byte; in `memory` if it is large enough. Throws std::bad_alloc.
  // Cost: a few copies, and some instructions per symbol.
  Features unpack(const PackedText& packed, RecordMemory memory = {}) const;
  // The same for a call that reads many of them.
  std::shared_ptr<const Features> unpack(uint64_t text, const PackedText& packed,
                                         UnpackedTexts& unpacked) const;

  // Appends the value that a run has for the text. Throws std::bad_alloc.
  void write(const PackedText& packed, Vector<uint8_t>& out) const;
  // Whether a run's value is a packed text, and not a record as it is.
  static bool is_packed(std::span<const uint8_t> value) noexcept;
  // The header of such a value's record; nothing if it is damaged.
  std::optional<FeatureHeader> header_of(std::span<const uint8_t> value) const noexcept;
  // The text of such a value; checks everything that Features::view() checks. Null if it is damaged. Throws
  // std::bad_alloc.
  std::shared_ptr<const Features> unpack_stored(std::span<const uint8_t> value) const;
  std::shared_ptr<const Features> unpack_stored(uint64_t text, std::span<const uint8_t> value,
                                                UnpackedTexts& unpacked) const;

  // What packed texts refer to, for the state of a store (docs/snapshot_format.md, "State"): all texts that
  // were packed and published before can be read with it. Throws std::bad_alloc.
  void write_state(ByteWriter& out) const;
  // False if it is damaged. Throws std::bad_alloc.
  bool restore(ByteReader& in);

  // The size of what all texts share.
  uint64_t memory_bytes() const noexcept { return codes_.memory_bytes(); }

 private:
  uint8_t* put_symbols(std::span<const Symbol> symbols, uint8_t* out) noexcept;
  template <typename Sections>
  bool put_sections(const FeatureHeader& header, Sections& in, const spotsigs::SharedSpots* spots,
                    uint8_t* to) const noexcept;
  template <typename Sections>
  bool unpack_symbols(Sections& in, size_t count, uint8_t* to) const noexcept;
  const uint8_t* put_unpacked_symbols(const uint8_t* codes, size_t count, const uint8_t* rare,
                                      uint8_t* to) const noexcept;
  std::optional<size_t> rare_count_of(const uint8_t* codes, size_t count) const noexcept;
  std::optional<Features> unpack_stored(const FeatureHeader& header, std::span<const uint8_t> value,
                                        RecordMemory memory) const;

  SymbolCodes codes_;
  RecordProvenances provenances_;
};

}  // namespace nd::engine
