#include "text/parser_thread.hpp"

#include <libxml/globals.h>
#include <libxml/parser.h>
#include <libxml/threads.h>
#include <libxml/xmlversion.h>

#include <cstdlib>
#include <new>

namespace nd::text {
namespace {

#if LIBXML_VERSION < 21200

// What libxml2 will ask for, and more than that, given back before it does, so that the allocator has it at
// hand. One that keeps blocks by their size (jemalloc) hands out a block of the same size again. glibc's
// calloc, by which libxml2 asks, passes over what is kept of small blocks, and takes from a larger one.
constexpr size_t kRoom = 16384;
static_assert(sizeof(xmlGlobalState) <= kRoom / 4);

// What a thread's state is made under; made by the first thread that needs it, each would make its own.
void prepare_process() noexcept {
  static const bool prepared = (xmlInitThreads(), xmlInitGlobals(), true);
  static_cast<void>(prepared);
}

bool has_thread_state() noexcept {
  void* volatile state = std::calloc(1, sizeof(xmlGlobalState));  // or the compiler would leave this out
  void* volatile room = std::malloc(kRoom);
  const bool is_there = state != nullptr && room != nullptr;
  std::free(room);
  std::free(state);
  // Now, before somebody else takes it. The main thread has no state of its own.
  if (is_there && xmlIsMainThread() == 0) xmlGetGlobalState();
  return is_there;
}

#else

void prepare_process() noexcept {}

bool has_thread_state() noexcept {
  return xmlCheckThreadLocalStorage() == 0;
}

#endif

}  // namespace

void prepare_parser_thread() {
  thread_local bool prepared = false;
  if (prepared) return;
  prepare_process();
  if (!has_thread_state()) throw std::bad_alloc();
  static const bool initialised = (xmlInitParser(), true);
  static_cast<void>(initialised);
  prepared = true;
}

}  // namespace nd::text
