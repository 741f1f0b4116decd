// The pair of functions that all memory comes from: the system's until nd_set_allocator() replaces them.
#include "core/memory.hpp"

#include <cstdlib>

namespace nd {
namespace {

void* system_allocate(size_t size, void*) {
  return std::malloc(size);
}
void* system_reallocate(void* memory, size_t size, void*) {
  return std::realloc(memory, size);
}
void system_release(void* memory, void*) {
  std::free(memory);
}

constinit MemoryFunctions functions_in_use = {system_allocate, system_reallocate, system_release, nullptr};

}  // namespace

void set_memory_functions(const MemoryFunctions& functions) noexcept {
  functions_in_use = functions;
}

void* allocate_bytes(size_t size) {
  void* memory = functions_in_use.allocate(size == 0 ? 1 : size, functions_in_use.context);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* reallocate_bytes(void* memory, size_t size) noexcept {
  return functions_in_use.reallocate(memory, size == 0 ? 1 : size, functions_in_use.context);
}

void release_bytes(void* memory) noexcept {
  if (memory != nullptr) functions_in_use.release(memory, functions_in_use.context);
}

}  // namespace nd
