#include "engine/symbol_codes.hpp"

#include <utility>

namespace nd::engine {

// One that stands in its place already is met again.
uint16_t SymbolCodes::meet(Symbol symbol) noexcept {
  try {
    if (met_.empty()) met_.resize(kMet);
    Symbol& last = met_[hash_of(symbol) % kMet];
    if (std::exchange(last, symbol) != symbol) return kNone;
    add(symbol);
  } catch (const std::bad_alloc&) {
    return kNone;
  }
  if (code_count_ == kCodes) Vector<Symbol>().swap(met_);
  return static_cast<uint16_t>(code_count_ - 1);
}

// Throws std::bad_alloc and has given no code.
void SymbolCodes::add(Symbol symbol) {
  if ((code_count_ + 1) * 2 > slot_count_) grow();
  Owned<Chunk>& chunk = chunks_[code_count_ / kChunk];
  if (chunk == nullptr) {
    chunk = make_owned<Chunk>();
    places_[code_count_ / kChunk] = chunk->data();
  }
  (*chunk)[code_count_ % kChunk] = symbol;
  place(static_cast<uint16_t>(code_count_++));
}

void SymbolCodes::grow() {
  const size_t count = slot_count_ == 0 ? kLeastSlots : 2 * slot_count_;
  slots_ = Vector<uint16_t>(count, kNone);
  slot_count_ = count;
  for (size_t code = 0; code < code_count_; ++code)
    place(static_cast<uint16_t>(code));
}

void SymbolCodes::place(uint16_t code) noexcept {
  size_t at = hash_of(symbol_of(code)) & (slot_count_ - 1);
  while (slots_[at] != kNone)
    at = (at + 1) & (slot_count_ - 1);
  slots_[at] = code;
}

}  // namespace nd::engine
