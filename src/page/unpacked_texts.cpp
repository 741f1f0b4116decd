// Reuses the least recently used buffer that is large enough, so that comparisons in a row allocate nothing.
#include "page/unpacked_texts.hpp"

#include <tuple>

namespace nd::engine {

std::shared_ptr<const Features> UnpackedTexts::find(const Identity& identity) noexcept {
  for (Entry& entry : entries_) {
    if (entry.features == nullptr || entry.identity != identity) continue;
    entry.last_use = ++clock_;
    return entry.features;
  }
  return nullptr;
}

// The least recently used entry that is large enough; otherwise the largest one, which is enlarged, so that a
// few large texts do not make all entries large. Null if all are in use.
UnpackedTexts::Entry* UnpackedTexts::room_for(uint64_t size) noexcept {
  Entry* best = nullptr;
  std::tuple<uint64_t, uint64_t> least_cost;
  for (Entry& entry : entries_) {
    if (!entry.is_free()) continue;
    const uint64_t bytes = entry.features == nullptr ? 0 : entry.features->memory_bytes() - sizeof(Features);
    const uint64_t missing = bytes >= size ? 0 : size - bytes;
    const std::tuple cost(missing, entry.last_use);
    if (best != nullptr && cost >= least_cost) continue;
    best = &entry;
    least_cost = cost;
  }
  return best;
}

void UnpackedTexts::clear() noexcept {
  for (Entry& entry : entries_) {
    if (entry.is_free()) entry = Entry();
  }
}

uint64_t UnpackedTexts::memory_bytes() const noexcept {
  uint64_t bytes = 0;
  for (const Entry& entry : entries_)
    bytes += entry.features == nullptr ? 0 : entry.features->memory_bytes();
  return bytes;
}

}  // namespace nd::engine
