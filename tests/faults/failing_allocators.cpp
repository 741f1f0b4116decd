// Under a sanitizer: each library gets functions that fail, by the way it offers.
#include <libxml/xmlmemory.h>
#include <ndcapi.h>
#include <unicode/uclean.h>

#include <cstdlib>
#include <cstring>

#include "faults/failing_memory.hpp"
#include "faults/fault_clock.hpp"
#include "faults/held_memory.hpp"

namespace faults {
namespace {

template <Owner owner>
void* take(size_t size) noexcept {
  void* const memory = memory_clock.strikes(0) ? nullptr : std::malloc(size);
  if (memory != nullptr && is_inside_call()) note_taken(memory, owner);
  return memory;
}

template <Owner owner>
void give_back(void* memory) noexcept {
  Owner noted = owner;
  if (memory != nullptr) note_returned(memory, noted);
  std::free(memory);
}

template <Owner owner>
void* resize(void* memory, size_t size) noexcept {
  if (memory == nullptr) return take<owner>(size);
  if (memory_clock.strikes(0)) return nullptr;
  Owner noted = owner;
  const bool was_noted = note_returned(memory, noted);
  void* const moved = std::realloc(memory, size);
  if (was_noted && moved != nullptr) note_taken(moved, noted);
  return moved;
}

char* duplicate(const char* text) noexcept {
  void* const memory = take<Owner::kLibxml2>(std::strlen(text) + 1);
  return memory == nullptr ? nullptr : std::strcpy(static_cast<char*>(memory), text);
}

}  // namespace

bool install_failing_memory() {
  const bool libxml2 =
      xmlMemSetup(give_back<Owner::kLibxml2>, take<Owner::kLibxml2>, resize<Owner::kLibxml2>, duplicate) == 0;
  UErrorCode status = U_ZERO_ERROR;
  u_setMemoryFunctions(
      nullptr, [](const void*, size_t size) { return take<Owner::kIcu>(size); },
      [](const void*, void* memory, size_t size) { return resize<Owner::kIcu>(memory, size); },
      [](const void*, void* memory) { give_back<Owner::kIcu>(memory); }, &status);
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  allocator.malloc_fn = [](size_t size, void*) { return take<Owner::kNdc>(size); };
  allocator.realloc_fn = [](void* memory, size_t size, void*) { return resize<Owner::kNdc>(memory, size); };
  allocator.free_fn = [](void* memory, void*) { give_back<Owner::kNdc>(memory); };
  return libxml2 && U_SUCCESS(status) && nd_set_allocator(&allocator) == ND_OK;
}

}  // namespace faults
