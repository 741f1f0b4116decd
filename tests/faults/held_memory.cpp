// Notes each block that is held, to show that a call that failed has kept none.
#include "faults/held_memory.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace faults {
namespace {

constexpr size_t kBlockPlaces = 1 << 18;

struct Block {
  void* memory = nullptr;
  Owner owner = Owner::kOthers;
};
Block blocks[kBlockPlaces];
size_t block_count = 0;
HeldBlocks held{};
std::atomic_flag locked = ATOMIC_FLAG_INIT;

// No mutex: pthread's own functions take memory.
class Locked {
 public:
  Locked() noexcept {
    while (locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { locked.clear(std::memory_order_release); }
};

size_t home_of(const void* memory) noexcept {
  return static_cast<size_t>(reinterpret_cast<uintptr_t>(memory) * 0x9e3779b97f4a7c15ULL >> 40) %
         kBlockPlaces;
}

// Moves those behind it up, so that no search ends too early.
void close_gap(size_t gap) noexcept {
  for (size_t at = (gap + 1) % kBlockPlaces; blocks[at].memory != nullptr; at = (at + 1) % kBlockPlaces) {
    const size_t home = home_of(blocks[at].memory);
    const bool stays = gap < at ? home > gap && home <= at : home > gap || home <= at;
    if (stays) continue;
    blocks[gap] = blocks[at];
    gap = at;
  }
  blocks[gap] = {};
}

}  // namespace

std::string_view name_of(Owner owner) noexcept {
  switch (owner) {
    case Owner::kNdc:
      return "ndc";
    case Owner::kLibxml2:
      return "libxml2";
    case Owner::kIcu:
      return "ICU";
    case Owner::kOthers:
      break;
  }
  return "others";
}

void note_taken(void* memory, Owner owner) noexcept {
  const Locked lock;
  if (++block_count > kBlockPlaces / 2) std::abort();
  size_t at = home_of(memory);
  while (blocks[at].memory != nullptr)
    at = (at + 1) % kBlockPlaces;
  blocks[at] = {memory, owner};
  ++held[static_cast<size_t>(owner)];
}

bool note_returned(void* memory, Owner& owner) noexcept {
  const Locked lock;
  for (size_t at = home_of(memory); blocks[at].memory != nullptr; at = (at + 1) % kBlockPlaces) {
    if (blocks[at].memory != memory) continue;
    owner = blocks[at].owner;
    --held[static_cast<size_t>(owner)];
    --block_count;
    close_gap(at);
    return true;
  }
  return false;
}

HeldBlocks held_blocks() noexcept {
  const Locked lock;
  return held;
}

}  // namespace faults
