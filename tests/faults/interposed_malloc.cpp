// This executable's malloc stands in front of the system's, for all libraries of the process.
#include <link.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "faults/failing_memory.hpp"
#include "faults/fault_clock.hpp"
#include "faults/held_memory.hpp"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace faults {
namespace {

struct Module {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  Owner owner = Owner::kOthers;
};
std::array<Module, 64> modules;
size_t module_count = 0;

Owner owner_of_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  // Memory that the C++ library allocates counts as ndc's.
  for (const std::string_view own : {"libndc.", "libstdc++", "libstemmer"}) {
    if (name.starts_with(own)) return Owner::kNdc;
  }
  if (name.starts_with("libxml2")) return Owner::kLibxml2;
  return name.starts_with("libicu") ? Owner::kIcu : Owner::kOthers;
}

int note_module(dl_phdr_info* info, size_t, void*) {
  Module module{UINTPTR_MAX, 0, owner_of_library(info->dlpi_name)};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    module.begin = std::min<uintptr_t>(module.begin, info->dlpi_addr + segment.p_vaddr);
    module.end = std::max<uintptr_t>(module.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (module_count < modules.size()) modules[module_count++] = module;
  return 0;
}

Owner owner_of_caller(const void* caller) noexcept {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  for (size_t i = 0; i < module_count; ++i) {
    if (address >= modules[i].begin && address < modules[i].end) return modules[i].owner;
  }
  return Owner::kOthers;
}

bool fails() noexcept {
  if (!memory_clock.strikes(0)) return false;
  errno = ENOMEM;
  return true;
}

void* taken(void* memory, const void* caller) noexcept {
  if (memory != nullptr && is_inside_call()) note_taken(memory, owner_of_caller(caller));
  return memory;
}

void* resized(void* memory, size_t size, const void* caller) noexcept {
  if (memory == nullptr) return fails() ? nullptr : taken(__libc_malloc(size), caller);
  if (size != 0 && fails()) return nullptr;
  Owner owner = Owner::kOthers;
  const bool was_noted = note_returned(memory, owner);
  void* const moved = __libc_realloc(memory, size);
  void* const kept = moved == nullptr && size != 0 ? memory : moved;
  if (was_noted && kept != nullptr) note_taken(kept, owner);
  return moved;
}

}  // namespace

bool install_failing_memory() {
  dl_iterate_phdr(note_module, nullptr);
  return module_count > 4;
}

}  // namespace faults

extern "C" {
void* malloc(size_t size) {
  return faults::fails() ? nullptr : faults::taken(__libc_malloc(size), __builtin_return_address(0));
}

void* calloc(size_t count, size_t size) {
  return faults::fails() ? nullptr : faults::taken(__libc_calloc(count, size), __builtin_return_address(0));
}

void* realloc(void* memory, size_t size) {
  return faults::resized(memory, size, __builtin_return_address(0));
}

void* reallocarray(void* memory, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return faults::resized(memory, bytes, __builtin_return_address(0));
}

void* memalign(size_t alignment, size_t size) {
  return faults::fails() ? nullptr
                         : faults::taken(__libc_memalign(alignment, size), __builtin_return_address(0));
}

void* aligned_alloc(size_t alignment, size_t size) {
  return faults::fails() ? nullptr
                         : faults::taken(__libc_memalign(alignment, size), __builtin_return_address(0));
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  if (faults::fails()) return ENOMEM;
  void* const memory = faults::taken(__libc_memalign(alignment, size), __builtin_return_address(0));
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}

void free(void* memory) {
  faults::Owner owner = faults::Owner::kOthers;
  if (memory != nullptr) faults::note_returned(memory, owner);
  __libc_free(memory);
}
}
