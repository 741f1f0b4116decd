// Memory functions that know every byte held, and fail on request. One object at a time, and no memory of ndc
// may outlive it or be older.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/memory.hpp"

namespace nd::spotsigs::sample {

class CountedMemory {
 public:
  CountedMemory() { set_memory_functions({allocate, reallocate, release, this}); }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;
  ~CountedMemory() {
    set_memory_functions({[](size_t size, void*) { return std::malloc(size); },
                          [](void* memory, size_t size, void*) { return std::realloc(memory, size); },
                          [](void* memory, void*) { std::free(memory); }, nullptr});
  }

  uint64_t held_bytes() const { return held_; }
  // The allocation after `count` others fails; once, or with all that follow. 0: the next one.
  void fail_after(uint64_t count, bool persistent) {
    left_ = count + 1;
    persistent_ = persistent;
    failed_ = false;
  }
  // True if one has failed.
  bool stop_failing() {
    left_ = 0;
    return failed_;
  }

 private:
  static constexpr size_t kHeader = alignof(std::max_align_t);

  bool fails() {
    if (left_ == 0) return false;
    if (left_ > 1) {
      --left_;
      return false;
    }
    if (!persistent_) left_ = 0;
    return failed_ = true;
  }
  static void* allocate(size_t size, void* context) {
    auto* self = static_cast<CountedMemory*>(context);
    if (self->fails()) return nullptr;
    auto* memory = static_cast<char*>(std::malloc(size + kHeader));
    std::memcpy(memory, &size, sizeof size);
    self->held_ += size;
    return memory + kHeader;
  }
  static void* reallocate(void* memory, size_t size, void* context) {
    void* moved = allocate(size, context);
    if (moved == nullptr || memory == nullptr) return moved;
    size_t old = 0;
    std::memcpy(&old, static_cast<char*>(memory) - kHeader, sizeof old);
    std::memcpy(moved, memory, old < size ? old : size);
    release(memory, context);
    return moved;
  }
  static void release(void* memory, void* context) {
    if (memory == nullptr) return;
    auto* self = static_cast<CountedMemory*>(context);
    char* block = static_cast<char*>(memory) - kHeader;
    size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    self->held_ -= size;
    std::free(block);
  }

  uint64_t held_ = 0;
  uint64_t left_ = 0;
  bool persistent_ = false;
  bool failed_ = false;
};

}  // namespace nd::spotsigs::sample
