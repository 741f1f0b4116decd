// Stands in for malloc and counts bytes by their place, to show which grow while an engine does not.
#include "counting_allocator.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <libxml/xmlmemory.h>
#include <ndcapi.h>
#include <unicode/uclean.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace steady_state {
namespace {

// What the call at hand has taken and holds: an open table of addresses, big enough for any page of the
// tests.
constexpr size_t kTracked = 1 << 17;
struct Block {
  void* memory = nullptr;
  size_t bytes = 0;
  Owner owner = Owner::kOthers;
};
Block tracked[kTracked];
std::array<uint32_t, kTracked / 2> used;  // places of the table
size_t tracked_count = 0;

constexpr size_t kPlaces = 6;
constexpr int kFrames = 16;
struct Place {
  std::array<void*, kFrames> frames;
  int count = 0;
};
std::array<Place, kPlaces> places;
size_t place_count = 0;

thread_local bool counting = false;
thread_local Owner asking = Owner::kOthers;
Counts counts;

size_t place_of(const void* memory) noexcept {
  return static_cast<size_t>(reinterpret_cast<uintptr_t>(memory) * 0x9e3779b97f4a7c15ULL >> 47) % kTracked;
}

void note_place() noexcept {
  if (place_count == kPlaces) return;
  Place& place = places[place_count++];
  place.count = backtrace(place.frames.data(), kFrames);
}

void note_taken(void* memory, size_t bytes) noexcept {
  if (!counting || memory == nullptr) return;
  Count& count = counts[static_cast<size_t>(asking)];
  ++count.allocations;
  count.bytes += bytes;
  counting = false;
  if (asking != Owner::kLibxml2) note_place();
  if (tracked_count < kTracked / 2) {
    size_t at = place_of(memory);
    while (tracked[at].memory != nullptr)
      at = (at + 1) % kTracked;
    tracked[at] = {memory, bytes, asking};
    used[tracked_count++] = static_cast<uint32_t>(at);
  }
  counting = true;
}

// An address that has been given back may be taken again in the same call: its entry is then the second one.
void note_returned(const void* memory) noexcept {
  if (!counting || memory == nullptr) return;
  for (size_t at = place_of(memory); tracked[at].memory != nullptr; at = (at + 1) % kTracked) {
    if (tracked[at].memory != memory || tracked[at].bytes == SIZE_MAX) continue;
    Count& count = counts[static_cast<size_t>(tracked[at].owner)];
    ++count.returned;
    count.returned_bytes += tracked[at].bytes;
    tracked[at].bytes = SIZE_MAX;
    return;
  }
}

template <Owner owner>
class Asking {
 public:
  Asking() noexcept : before_(asking) { asking = owner; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() { asking = before_; }

 private:
  const Owner before_;
};

template <Owner owner>
void* take(size_t bytes) noexcept {
  const Asking<owner> scope;
  return std::malloc(bytes);
}

template <Owner owner>
void* resize(void* memory, size_t bytes) noexcept {
  const Asking<owner> scope;
  return std::realloc(memory, bytes);
}

char* duplicate(const char* text) noexcept {
  const Asking<Owner::kLibxml2> scope;
  return strdup(text);
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

bool install_hooks() {
  std::array<void*, 2> frames;
  backtrace(frames.data(), 2);  // it loads a library at its first call
  const bool libxml2 = xmlMemSetup(std::free, take<Owner::kLibxml2>, resize<Owner::kLibxml2>, duplicate) == 0;
  UErrorCode status = U_ZERO_ERROR;
  u_setMemoryFunctions(
      nullptr, [](const void*, size_t bytes) { return take<Owner::kIcu>(bytes); },
      [](const void*, void* memory, size_t bytes) { return resize<Owner::kIcu>(memory, bytes); },
      [](const void*, void* memory) { std::free(memory); }, &status);
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  allocator.malloc_fn = [](size_t bytes, void*) { return take<Owner::kNdc>(bytes); };
  allocator.realloc_fn = [](void* memory, size_t bytes, void*) { return resize<Owner::kNdc>(memory, bytes); };
  allocator.free_fn = [](void* memory, void*) { std::free(memory); };
  return libxml2 && U_SUCCESS(status) && nd_set_allocator(&allocator) == ND_OK;
}

CountedCall::CountedCall() noexcept {
  while (tracked_count != 0)
    tracked[used[--tracked_count]] = {};
  place_count = 0;
  counts = {};
  counting = true;
}

const Counts& CountedCall::stop() noexcept {
  counting = false;
  return counts;
}

std::string last_places() {
  std::ostringstream out;
  for (size_t i = 0; i < place_count; ++i) {
    out << "taken at\n";
    for (int k = 2; k < places[i].count; ++k) {
      Dl_info info;
      void* const frame = places[i].frames[static_cast<size_t>(k)];
      if (dladdr(frame, &info) == 0 || info.dli_fname == nullptr) continue;
      out << "  " << info.dli_fname << " +0x" << std::hex
          << reinterpret_cast<uintptr_t>(frame) - reinterpret_cast<uintptr_t>(info.dli_fbase) << std::dec
          << "\n";
    }
  }
  return out.str();
}

}  // namespace steady_state

using steady_state::note_returned;
using steady_state::note_taken;

extern "C" {
void* malloc(size_t size) {
  void* const memory = __libc_malloc(size);
  note_taken(memory, size);
  return memory;
}

void* calloc(size_t count, size_t size) {
  void* const memory = __libc_calloc(count, size);
  note_taken(memory, count * size);
  return memory;
}

void* realloc(void* memory, size_t size) {
  note_returned(memory);
  void* const moved = __libc_realloc(memory, size);
  note_taken(moved, size);
  return moved;
}

void* memalign(size_t alignment, size_t size) {
  void* const memory = __libc_memalign(alignment, size);
  note_taken(memory, size);
  return memory;
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out == nullptr ? 12 : 0;  // ENOMEM
}

void free(void* memory) {
  note_returned(memory);
  __libc_free(memory);
}
}
