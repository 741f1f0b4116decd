// What libxml2 keeps for a thread, and an allocator that keeps blocks by their size: where there is plenty of
// larger ones there may be none of this size. This executable's malloc stands in front of the system's.
#include <gtest/gtest.h>
#include <libxml/globals.h>
#include <libxml/threads.h>
#include <libxml/xmlversion.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <thread>

#include "reading/html.hpp"

#if LIBXML_VERSION < 21200

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void __libc_free(void* memory);
}

namespace {

constexpr long kPlenty = 1'000'000;
// Blocks of the state's size that there are for this thread, and the one that was handed out last.
thread_local long blocks = kPlenty;
thread_local void* last = nullptr;

bool has_room(size_t size) {
  if (size != sizeof(xmlGlobalState)) return true;
  if (blocks == 0) {
    errno = ENOMEM;
    return false;
  }
  --blocks;
  return true;
}

void* handed_out(void* memory, size_t size) {
  if (size == sizeof(xmlGlobalState)) last = memory;
  return memory;
}

}  // namespace

extern "C" {
void* malloc(size_t size) {
  return has_room(size) ? handed_out(__libc_malloc(size), size) : nullptr;
}
void* calloc(size_t count, size_t size) {
  return has_room(count * size) ? handed_out(__libc_calloc(count, size), count * size) : nullptr;
}
void free(void* memory) {
  if (memory != nullptr && memory == last) {
    last = nullptr;
    ++blocks;
  }
  __libc_free(memory);
}
}

namespace nd::text {
namespace {

// On a thread of its own, not the first one that calls libxml2.
template <typename Call>
void on_new_thread(Call call) {
  prepare_parser_thread();
  std::thread(call).join();
}

TEST(ThreadState, WithoutABlockOfItsSizeTheThreadIsRefused) {
  on_new_thread([] {
    blocks = 0;
    EXPECT_THROW(prepare_parser_thread(), std::bad_alloc);
    blocks = kPlenty;
    EXPECT_NO_THROW(prepare_parser_thread());
  });
}

TEST(ThreadState, ABlockIsThereForTheParserToo) {
  on_new_thread([] {
    blocks = 1;
    EXPECT_NO_THROW(prepare_parser_thread());
    EXPECT_EQ(blocks, 0);  // and taken
    EXPECT_NE(xmlGetGlobalState(), nullptr);
    blocks = kPlenty;
  });
}

}  // namespace
}  // namespace nd::text

#endif
