// The codes of two bytes that stand for frequent symbols in packed texts, where a symbol has four.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "core/byte_stream.hpp"
#include "core/memory.hpp"
#include "page/feature_layout.hpp"

namespace nd::engine {

// Codes of two bytes instead of four for the symbols that texts in memory have in common: words follow Zipf's
// law, so few of them make up most of every text.
//
// A symbol that occurs again within some pages gets a permanent code, as long as there are codes; a store
// keeps them as long as it exists. Pages written to waste codes bring back the cost without codes, for good.
//
// Threads: any number. A thread may read a code's symbol if code_of() returned the code to it, or if it got
// the code in a way that synchronizes with such a thread.
class SymbolCodes {
 public:
  static constexpr uint16_t kNone = 0xffff;
  static constexpr size_t kCodes = size_t{1} << 15;

  // The approximate size of a code, in the table and in the list.
  static constexpr size_t kBytesPerCode = 26;

  // `secret`: any number that the authors of pages do not know; the places of codes depend on it.
  // `code_limit`: the most codes, at most kCodes.
  explicit SymbolCodes(uint64_t secret, size_t code_limit = kCodes) noexcept
      : secret_(secret), code_limit_(std::min(code_limit, kCodes)) {}

  // Counts a text before codes_of(): there may be one code per kSymbolsPerCode symbols of all texts, so that
  // an engine of a few pages has a small table.
  void count_text(size_t symbol_count) noexcept {
    symbol_count_.fetch_add(symbol_count, std::memory_order_relaxed);
  }

  // The symbol's code; may assign one. kNone: it has none, perhaps because memory is short. Waits for other
  // threads only to assign one.
  uint16_t code_of(Symbol symbol) noexcept {
    const uint16_t code = find(symbol);
    return code != kNone || is_full() ? code : note(symbol);
  }
  // code_of() of each in turn; `codes` has room for as many.
  void codes_of(std::span<const Symbol> symbols, uint16_t* codes) noexcept;
  // The symbol of a code that code_of() returned.
  Symbol symbol_of(uint16_t code) const noexcept { return *place_of(code); }
  // The address of the bytes of the code's symbol; `rare` for kNone. No branch: which words are rare cannot
  // be predicted.
  const uint8_t* find(uint16_t code, const uint8_t* rare) const noexcept {
    const bool has_code = code != kNone;
    const Symbol* place = place_of(has_code ? code : kCodes);
    return has_code ? reinterpret_cast<const uint8_t*>(place) : rare;
  }

  // All codes in their order, for the state of a store; and back, before anything else is called: false if
  // the bytes are damaged. It takes all of them, whatever `code_limit` is. Throws std::bad_alloc. Cost:
  // linear; codes whose places collide, as in no store that was written here, are damage.
  void write_state(ByteWriter& out) const;
  bool restore(ByteReader& in);

  // The symbols of so many codes may be read, also those that other threads gave.
  size_t size() const noexcept { return code_count_.load(std::memory_order_acquire); }
  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept { return memory_bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kLeastCodes = 256;
  static constexpr size_t kSymbolsPerCode = 16;
  // Codes per chunk; chunks do not move.
  static constexpr size_t kChunk = 256;
  using Chunk = std::array<Symbol, kChunk>;
  // How many symbols codes_of() looks up at once, and in how many slots before it continues one by one.
  static constexpr size_t kBatch = 64;
  static constexpr size_t kFirstSlots = 2;
  // The number of places for symbols without a code that occurred recently, one symbol each.
  static constexpr size_t kLastSeen = 4096;
  using LastSeen = std::array<std::atomic<Symbol>, kLastSeen>;
  // Tables of slots, each four times as large as the one before. Threads may go on using a table that they
  // found, so all are kept: together they take a third more than the last one.
  static constexpr size_t kTables = 5;
  static constexpr size_t kLastSlots = 2 * kCodes;
  // A restored code that is so many slots from its own is no accident: half of all slots are free.
  static constexpr size_t kFarthestSlot = 1024;
  // A symbol, kTaken and its code; 0: free.
  using Slot = std::atomic<uint64_t>;
  static constexpr uint64_t kTaken = uint64_t{1} << 16;
  struct Table {
    Vector<Slot> slots;
    size_t mask = 0;  // their number is a power of two
  };

  static constexpr size_t slots_of(size_t table) noexcept {
    return kLastSlots >> (2 * (kTables - 1 - table));
  }
  uint64_t hash_of(Symbol symbol) const noexcept { return ((symbol ^ secret_) * 0x9e3779b97f4a7c15U) >> 40; }
  const Symbol* place_of(size_t code) const noexcept { return places_[code / kChunk] + code % kChunk; }
  bool is_full() const noexcept {
    const size_t allowed = kLeastCodes + symbol_count_.load(std::memory_order_relaxed) / kSymbolsPerCode;
    return size() >= std::min(code_limit_, allowed);
  }
  uint16_t find(Symbol symbol) const noexcept {
    const Table* table = table_.load(std::memory_order_acquire);
    if (table == nullptr) return kNone;
    const Slot* slots = table->slots.data();
    const size_t mask = table->mask;
    for (size_t at = hash_of(symbol) & mask;; at = (at + 1) & mask) {
      const uint64_t slot = slots[at].load(std::memory_order_acquire);
      if (slot == 0) return kNone;
      if (slot >> 32 == symbol) return static_cast<uint16_t>(slot);
    }
  }
  size_t find_first(std::span<const Symbol> symbols, uint16_t* codes, uint8_t* missed) const noexcept;
  uint16_t note(Symbol symbol) noexcept;
  uint16_t give(Symbol symbol);
  size_t add(Symbol symbol);
  void grow();
  static size_t place(Table& table, size_t at, uint64_t slot) noexcept;

  uint64_t secret_;
  size_t code_limit_;
  std::atomic<size_t> symbol_count_{0};  // of all texts
  std::atomic<const Table*> table_{nullptr};
  std::atomic<LastSeen*> last_seen_{nullptr};
  std::atomic<size_t> code_count_{0};
  std::atomic<uint64_t> memory_bytes_{0};
  std::array<const Symbol*, kCodes / kChunk + 1> places_{};  // of the chunks; the last one is of kNone

  mutable std::mutex giving_;  // guards everything that follows, and changes of the above
  std::array<Owned<Chunk>, kCodes / kChunk> chunks_;
  std::array<Table, kTables> tables_;
  size_t table_count_ = 0;
  Owned<LastSeen> owned_last_seen_;
};

}  // namespace nd::engine
