#include "engine/symbol_codes.hpp"

namespace nd::engine {

// One that stands in its place already is met again. Two threads at once may overlook a meeting.
uint16_t SymbolCodes::meet(Symbol symbol) noexcept {
  try {
    Met* met = met_.load(std::memory_order_acquire);
    if (met == nullptr) {
      const std::lock_guard lock(giving_);
      if (owned_met_ == nullptr) {
        owned_met_ = make_owned<Met>();
        memory_bytes_.fetch_add(sizeof(Met), std::memory_order_relaxed);
        met_.store(owned_met_.get(), std::memory_order_release);
      }
      met = owned_met_.get();
    }
    std::atomic<Symbol>& last = (*met)[hash_of(symbol) % kMet];
    if (last.load(std::memory_order_relaxed) == symbol) return give(symbol);
    last.store(symbol, std::memory_order_relaxed);
  } catch (const std::bad_alloc&) {
    return kNone;
  }
  return kNone;
}

// Throws std::bad_alloc and has given no code.
uint16_t SymbolCodes::give(Symbol symbol) {
  const std::lock_guard lock(giving_);
  if (const uint16_t code = find(symbol); code != kNone || is_full()) return code;
  const size_t code = size();
  if (table_count_ == 0 || (code + 1) * 2 > slots_of(table_count_ - 1)) grow();
  Owned<Chunk>& chunk = chunks_[code / kChunk];
  if (chunk == nullptr) {
    chunk = make_owned<Chunk>();
    places_[code / kChunk] = chunk->data();
    memory_bytes_.fetch_add(sizeof(Chunk), std::memory_order_relaxed);
  }
  (*chunk)[code % kChunk] = symbol;
  place(tables_[table_count_ - 1], hash_of(symbol), uint64_t{symbol} << 32 | kTaken | code);
  code_count_.store(code + 1, std::memory_order_relaxed);
  return static_cast<uint16_t>(code);
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

// What the code's symbol is was written before: who finds the slot may read it.
void SymbolCodes::place(Table& table, size_t at, uint64_t slot) noexcept {
  at &= table.mask;
  while (table.slots[at].load(std::memory_order_relaxed) != 0)
    at = (at + 1) & table.mask;
  table.slots[at].store(slot, std::memory_order_release);
}

}  // namespace nd::engine
