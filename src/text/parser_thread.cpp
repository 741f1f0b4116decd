#include "text/parser_thread.hpp"

#include <libxml/globals.h>
#include <libxml/xmlversion.h>

#include <cstdlib>
#include <new>

namespace nd::text {
namespace {

#if LIBXML_VERSION < 21200

// More than libxml2 will ask for, and given back before it does, so that the allocator has it at hand. It
// asks by calloc, which passes over what the C library keeps for small blocks: this one is larger.
constexpr size_t kRoom = 16384;
static_assert(sizeof(xmlGlobalState) <= kRoom / 4);

bool has_thread_state() noexcept {
  void* volatile room = std::malloc(kRoom);  // or the compiler would leave both calls out
  const bool is_there = room != nullptr;
  std::free(room);
  return is_there && &xmlStructuredError != nullptr;
}

#else

bool has_thread_state() noexcept {
  return xmlCheckThreadLocalStorage() == 0;
}

#endif

}  // namespace

void prepare_parser_thread() {
  thread_local bool prepared = false;
  if (prepared) return;
  if (!has_thread_state()) throw std::bad_alloc();
  prepared = true;
}

}  // namespace nd::text
