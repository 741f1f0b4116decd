#include "spotsigs/posting_list.hpp"

#include <cstring>
#include <new>

namespace nd::spotsigs {
namespace {

constexpr uint32_t kFirstCapacity = 2;
constexpr uint32_t kBlockCapacity = 512;  // 4 KiB

// Half as much again, in steps of the 16 bytes in which allocators give memory.
constexpr uint32_t grown(uint32_t capacity) noexcept {
  return std::min(kBlockCapacity, (capacity + std::max(2U, capacity / 2)) & ~1U);
}

}  // namespace

struct PostingList::Block {
  uint32_t size;
  uint32_t capacity;

  Posting* begin() noexcept { return reinterpret_cast<Posting*>(this + 1); }
  Posting* end() noexcept { return begin() + size; }
  uint64_t bytes() const noexcept { return sizeof(Block) + uint64_t{capacity} * sizeof(Posting); }

  static Block* create(uint32_t capacity) {
    void* memory = allocate_bytes(sizeof(Block) + capacity * sizeof(Posting));
    return ::new (memory) Block{0, capacity};
  }
  void append(const Posting* postings, size_t count) noexcept {
    std::memcpy(end(), postings, count * sizeof(Posting));
    size += static_cast<uint32_t>(count);
  }
  void add(Posting added) noexcept {
    Posting* at = std::lower_bound(begin(), end(), added);
    std::memmove(at + 1, at, static_cast<size_t>(end() - at) * sizeof(Posting));
    *at = added;
    ++size;
  }
  void take(Posting removed) noexcept {
    Posting* at = std::lower_bound(begin(), end(), removed);
    std::memmove(at, at + 1, static_cast<size_t>(end() - at - 1) * sizeof(Posting));
    --size;
  }
  // The upper half becomes `upper`, which is empty.
  void split(Block& upper) noexcept {
    const uint32_t kept = size / 2;
    upper.append(begin() + kept, size - kept);
    size = kept;
  }
};

struct PostingList::Directory {
  uint64_t count = 0;
  Vector<Block*> blocks;  // of kBlockCapacity each
};

PostingList::~PostingList() {
  if (!is_long()) {
    release_bytes(only_block());
    return;
  }
  for (Block* block : directory()->blocks)
    release_bytes(block);
  Release<Directory>{}(directory());
}

size_t PostingList::size() const noexcept {
  if (word_ == 0) return 0;
  return is_long() ? directory()->count : only_block()->size;
}

uint64_t PostingList::memory_bytes() const noexcept {
  if (word_ == 0) return 0;
  if (!is_long()) return only_block()->bytes();
  const Vector<Block*>& blocks = directory()->blocks;
  return sizeof(Directory) + blocks.capacity() * sizeof(Block*) + blocks.size() * blocks.front()->bytes();
}

size_t PostingList::block_count() const noexcept {
  if (word_ == 0) return 0;
  return is_long() ? directory()->blocks.size() : 1;
}

// The last block that begins at the posting or before it, or the first.
size_t PostingList::block_of(Posting posting) const noexcept {
  if (!is_long()) return 0;
  const Vector<Block*>& blocks = directory()->blocks;
  const auto above = std::upper_bound(blocks.begin() + 1, blocks.end(), posting,
                                      [](Posting value, Block* block) { return value < *block->begin(); });
  return static_cast<size_t>(above - blocks.begin()) - 1;
}

std::span<const Posting> PostingList::block(size_t number) const noexcept {
  Block* found = is_long() ? directory()->blocks[number] : only_block();
  return {found->begin(), found->size};
}

void PostingList::insert(Posting added) {
  if (!is_long()) {
    if (word_ == 0 || only_block()->size < kBlockCapacity) return insert_short(added);
    become_long();
  }
  insert_long(added);
}

void PostingList::insert_short(Posting added) {
  Block* block = only_block();
  if (block == nullptr || block->size == block->capacity) {
    Block* larger = Block::create(block == nullptr ? kFirstCapacity : grown(block->capacity));
    if (block != nullptr) larger->append(block->begin(), block->size);
    release_bytes(block);
    block = larger;
    word_ = reinterpret_cast<uintptr_t>(block);
  }
  block->add(added);
}

void PostingList::become_long() {
  Owned<Directory> directory = make_owned<Directory>();
  directory->count = only_block()->size;
  directory->blocks.push_back(only_block());
  word_ = reinterpret_cast<uintptr_t>(directory.release()) | 1;
}

void PostingList::insert_long(Posting added) {
  Vector<Block*>& blocks = directory()->blocks;
  size_t number = block_of(added);
  if (blocks[number]->size == kBlockCapacity) {
    blocks.reserve(blocks.size() == blocks.capacity() ? blocks.size() * 2 : 0);
    Block* upper = Block::create(kBlockCapacity);
    blocks[number]->split(*upper);
    blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(number) + 1, upper);
    if (added > *upper->begin()) ++number;
  }
  blocks[number]->add(added);
  ++directory()->count;
}

void PostingList::erase(Posting removed) noexcept {
  if (is_long()) return erase_long(removed);
  Block* block = only_block();
  block->take(removed);
  if (block->size * 4 > block->capacity || block->capacity <= kFirstCapacity) return;
  const uint32_t capacity = std::max(kFirstCapacity, block->capacity / 2);
  // On failure the larger block stays.
  void* smaller = reallocate_bytes(block, sizeof(Block) + capacity * sizeof(Posting));
  if (smaller == nullptr) return;
  word_ = reinterpret_cast<uintptr_t>(smaller);
  only_block()->capacity = capacity;
}

void PostingList::erase_long(Posting removed) noexcept {
  Vector<Block*>& blocks = directory()->blocks;
  size_t number = block_of(removed);
  blocks[number]->take(removed);
  --directory()->count;
  if (blocks.size() == 1) return;
  // Joins a neighbour with which it fills half a block, or that leaves none empty.
  if (number + 1 == blocks.size()) --number;
  Block* lower = blocks[number];
  Block* upper = blocks[number + 1];
  if (lower->size > 0 && upper->size > 0 && lower->size + upper->size > kBlockCapacity / 2) return;
  lower->append(upper->begin(), upper->size);
  release_bytes(upper);
  blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(number) + 1);
  if (blocks.size() > 1) return;
  Release<Directory>{}(directory());
  word_ = reinterpret_cast<uintptr_t>(lower);
}

void PostingList::rewrite(std::span<const Posting> postings) noexcept {
  for (size_t number = 0, done = 0; number < block_count(); ++number) {
    Block* block = is_long() ? directory()->blocks[number] : only_block();
    std::memcpy(block->begin(), postings.data() + done, block->size * sizeof(Posting));
    done += block->size;
  }
}

}  // namespace nd::spotsigs
