// Gives a code to a symbol the second time that it occurs, in a table that threads read without a lock.
#include "page/symbol_codes.hpp"

#include <new>

#include "core/prefetch.hpp"

namespace nd::engine {

void SymbolCodes::codes_of(std::span<const Symbol> symbols, uint16_t* codes) noexcept {
  std::array<uint8_t, kBatch> missed;
  for (size_t begin = 0; begin < symbols.size(); begin += kBatch) {
    const std::span<const Symbol> batch = symbols.subspan(begin, std::min(kBatch, symbols.size() - begin));
    const size_t missed_count = find_first(batch, codes + begin, missed.data());
    for (size_t i = 0; i < missed_count; ++i)
      codes[begin + missed[i]] = code_of(batch[missed[i]]);
  }
}

// Examines the first slots of each symbol, which are enough for most. No branch depends on a slot, so the
// processor can wait for many of them at once. Returns how many symbols are left that may have or get a code,
// and writes their places.
size_t SymbolCodes::find_first(std::span<const Symbol> symbols, uint16_t* codes,
                               uint8_t* missed) const noexcept {
  static constexpr std::array<Slot, 1> kNoSlots{};
  const Table* table = table_.load(std::memory_order_acquire);
  const Slot* slots = table == nullptr ? kNoSlots.data() : table->slots.data();
  const size_t mask = table == nullptr ? 0 : table->mask;
  const bool gives = !is_full();
  for (const Symbol symbol : symbols)
    prefetch(&slots[hash_of(symbol) & mask]);
  size_t missed_count = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const size_t home = hash_of(symbols[i]);
    // The symbol's own slot differs only in the code, any other one in more than that.
    const uint64_t like = uint64_t{symbols[i]} << 32 | kTaken;
    uint64_t code = kNone;
    bool is_absent = false;
    for (size_t next = 0; next < kFirstSlots; ++next) {
      const uint64_t slot = slots[(home + next) & mask].load(std::memory_order_acquire);
      code = std::min(code, slot ^ like);
      is_absent |= slot == 0;
    }
    codes[i] = static_cast<uint16_t>(code);
    missed[missed_count] = static_cast<uint8_t>(i);
    missed_count += static_cast<size_t>(code == kNone) & static_cast<size_t>(gives | !is_absent);
  }
  return missed_count;
}

// A symbol that is already in its place occurs for the second time. Two threads at once may overlook this.
uint16_t SymbolCodes::note(Symbol symbol) noexcept {
  try {
    LastSeen* last_seen = last_seen_.load(std::memory_order_acquire);
    if (last_seen == nullptr) {
      const std::lock_guard lock(giving_);
      if (owned_last_seen_ == nullptr) {
        owned_last_seen_ = make_owned<LastSeen>();
        memory_bytes_.fetch_add(sizeof(LastSeen), std::memory_order_relaxed);
        last_seen_.store(owned_last_seen_.get(), std::memory_order_release);
      }
      last_seen = owned_last_seen_.get();
    }
    std::atomic<Symbol>& last = (*last_seen)[hash_of(symbol) % kLastSeen];
    if (last.load(std::memory_order_relaxed) == symbol) return give(symbol);
    last.store(symbol, std::memory_order_relaxed);
  } catch (const std::bad_alloc&) {
    return kNone;
  }
  return kNone;
}

// Assigns a code. Throws std::bad_alloc and has assigned none.
uint16_t SymbolCodes::give(Symbol symbol) {
  const std::lock_guard lock(giving_);
  if (const uint16_t code = find(symbol); code != kNone || is_full()) return code;
  add(symbol);
  return static_cast<uint16_t>(size() - 1);
}

// The next code becomes that of a symbol without one; there is one left. Returns how many slots from its own
// it stands.
size_t SymbolCodes::add(Symbol symbol) {
  const size_t code = size();
  if (table_count_ == 0 || (code + 1) * 2 > slots_of(table_count_ - 1)) grow();
  Owned<Chunk>& chunk = chunks_[code / kChunk];
  if (chunk == nullptr) {
    chunk = make_owned<Chunk>();
    places_[code / kChunk] = chunk->data();
    memory_bytes_.fetch_add(sizeof(Chunk), std::memory_order_relaxed);
  }
  (*chunk)[code % kChunk] = symbol;
  const size_t distance =
      place(tables_[table_count_ - 1], hash_of(symbol), uint64_t{symbol} << 32 | kTaken | code);
  code_count_.store(code + 1, std::memory_order_release);
  return distance;
}

void SymbolCodes::write_state(ByteWriter& out) const {
  const std::lock_guard lock(giving_);
  out.number(uint64_t{size()});
  for (size_t code = 0; code < size(); code += kChunk)
    out.raw(place_of(code), std::min(kChunk, size() - code) * sizeof(Symbol));
}

bool SymbolCodes::restore(ByteReader& in) {
  const std::lock_guard lock(giving_);
  const uint64_t count = in.number<uint64_t>();
  if (count > kCodes) return false;
  for (uint64_t code = 0; code < count; ++code) {
    const Symbol symbol = in.number<Symbol>();
    if (!in.ok() || find(symbol) != kNone || add(symbol) > kFarthestSlot) return false;
  }
  // As if the texts were counted for which there may be so many codes.
  if (count > kLeastCodes) count_text((count - kLeastCodes) * kSymbolsPerCode);
  return in.ok();
}

void SymbolCodes::grow() {
  Table& table = tables_[table_count_];
  table.slots = Vector<Slot>(slots_of(table_count_));
  table.mask = table.slots.size() - 1;
  memory_bytes_.fetch_add(table.slots.size() * sizeof(Slot), std::memory_order_relaxed);
  for (size_t code = 0; code < size(); ++code) {
    const Symbol symbol = *place_of(code);
    place(table, hash_of(symbol), uint64_t{symbol} << 32 | kTaken | code);
  }
  ++table_count_;
  table_.store(&table, std::memory_order_release);
}

// The code's symbol was written before, so a thread that finds the slot may read it.
size_t SymbolCodes::place(Table& table, size_t at, uint64_t slot) noexcept {
  size_t distance = 0;
  while (table.slots[(at + distance) & table.mask].load(std::memory_order_relaxed) != 0)
    ++distance;
  table.slots[(at + distance) & table.mask].store(slot, std::memory_order_release);
  return distance;
}

}  // namespace nd::engine
