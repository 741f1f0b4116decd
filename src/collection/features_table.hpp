// The texts of pages and of groups' representatives: the records that verification reads. A text never
// changes; a page whose text changes gets another one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "page/features.hpp"
#include "page/packed_text.hpp"
#include "store/layered_records.hpp"

namespace nd::engine {

using SharedFeatures = std::shared_ptr<const Features>;

struct TextRecord {
  struct View {
    const PackedText* packed;  // in memory, or null:
    store::Bytes bytes;        // in a run
  };
  PackedText packed;
  const TextPacker* packer = nullptr;

  View view() const noexcept { return {&packed, {}}; }
  static std::optional<View> parse(store::Bytes bytes) noexcept { return View{nullptr, bytes}; }
  static TextRecord copy(const View& view);
  void write(Vector<uint8_t>& out) const { packer->write(packed, out); }
  uint64_t memory_bytes() const noexcept { return packed.memory_bytes(); }
};

// Threads: any number of readers, or one writer; pack() and write_frozen() at the same time as either.
class FeaturesTable final : public store::LayeredTable {
 public:
  // `code_limit`: see SymbolCodes.
  explicit FeaturesTable(uint64_t secret, size_t code_limit = SymbolCodes::kCodes) noexcept
      : packer_(secret, code_limit), records_(secret) {}

  // The header of a text, from which the cost of reading it follows; nothing if there is none, or if it is
  // damaged. Cost: a look-up.
  std::optional<FeatureHeader> header_of(uint64_t text) const noexcept;
  // Null if there is none, or if it is damaged. The result stays valid whatever happens to the table. Throws
  // std::bad_alloc. Cost: unpacking.
  SharedFeatures find(uint64_t text) const;
  // The same for a call that reads many texts: allocates nothing if `unpacked` has the memory.
  SharedFeatures find(uint64_t text, UnpackedTexts& unpacked) const;
  // The same, for a text in memory only.
  const spotsigs::SharedSpots* spots_here(uint64_t text) const noexcept;
  // For insert(). May be called from any thread, without any lock.
  PackedText pack(const Features& features, PackingMemory& memory) { return packer_.pack(features, memory); }
  // Inserts a text with a new number, packed by pack(). Throws std::bad_alloc and has changed nothing.
  void insert(uint64_t text, PackedText packed);
  void erase(uint64_t text) noexcept { records_.erase(text); }  // after reserve_more(1)
  void reserve_more(size_t count) { records_.reserve_more(count); }

  uint64_t size() const noexcept override { return records_.size(); }
  uint64_t memory_bytes() const noexcept override { return records_.memory_bytes() + packer_.memory_bytes(); }
  // The part of memory_bytes() that no snapshot frees.
  uint64_t shared_bytes() const noexcept { return packer_.memory_bytes(); }
  // The part of memory_bytes() that is texts.
  uint64_t text_bytes() const noexcept { return records_.record_bytes(); }
  // What the packed texts of a store refer to (TextPacker).
  void write_state(ByteWriter& out) const { packer_.write_state(out); }
  bool restore(ByteReader& in) { return packer_.restore(in); }
  // Called before attach() of so many runs: allocates what that needs.
  void prepare_attach(size_t run_count);
  void attach(store::Runs runs, uint64_t size) noexcept override;
  void prepare_freeze() override;
  void freeze() noexcept override { records_.freeze(); }
  bool has_frozen() const noexcept override { return records_.has_frozen(); }
  Result<void> write_frozen(store::RunSink& sink) const override { return records_.write_frozen(sink); }
  void install(store::Runs runs) noexcept override;
  void discard() noexcept override { records_.discard(); }

 private:
  SharedFeatures view(store::Bytes bytes) const;
  void own(const store::Runs& runs) noexcept;

  TextPacker packer_;  // of all packed records; it must outlive them
  store::LayeredRecords<TextRecord> records_;
  std::shared_ptr<store::Runs> owner_;       // keeps the runs alive: texts are read without any lock
  std::shared_ptr<store::Runs> next_owner_;  // with room for the runs after the next snapshot
};

}  // namespace nd::engine
