// nd_set_allocator, in a process of its own: it works before any other call, and only then.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

struct Ledger {
  std::atomic<long> held{0};
  std::atomic<long> allocations{0};
  std::atomic<long> reallocations{0};
  std::atomic<bool> empty{false};
};
Ledger ledger;

// A header in front shows whether a block is ours.
constexpr uint64_t kMark = 0x6e64635f74657374;
constexpr size_t kHeader = 16;

void* allocate(size_t size, void* ctx) {
  auto* self = static_cast<Ledger*>(ctx);
  if (self->empty) return nullptr;
  auto* block = static_cast<char*>(std::malloc(size + kHeader));
  memcpy(block, &kMark, sizeof kMark);
  ++self->held;
  ++self->allocations;
  return block + kHeader;
}

void release(void* memory, void* ctx) {
  if (memory == nullptr) return;
  char* block = static_cast<char*>(memory) - kHeader;
  uint64_t mark;
  memcpy(&mark, block, sizeof mark);
  if (mark != kMark) abort();
  --static_cast<Ledger*>(ctx)->held;
  std::free(block);
}

void* reallocate(void* memory, size_t size, void* ctx) {
  if (memory == nullptr) return allocate(size, ctx);
  auto* self = static_cast<Ledger*>(ctx);
  if (self->empty) return nullptr;
  ++self->reallocations;
  return static_cast<char*>(std::realloc(static_cast<char*>(memory) - kHeader, size + kHeader)) + kHeader;
}

nd_allocator counting() {
  nd_allocator allocator = ND_ALLOCATOR_INIT;
  allocator.malloc_fn = allocate;
  allocator.realloc_fn = reallocate;
  allocator.free_fn = release;
  allocator.ctx = &ledger;
  return allocator;
}

// One test, because the order of calls in the process is what is tested.
TEST(CapiAllocatorTest, SetFirstItServesEverythingAndIsBalanced) {
  nd_allocator allocator = counting();
  nd_allocator faulty = allocator;
  faulty.free_fn = nullptr;
  EXPECT_EQ(nd_set_allocator(&faulty), ND_ERR_INVALID_ARGUMENT);
  faulty = allocator;
  faulty.struct_size = 8;
  EXPECT_EQ(nd_set_allocator(&faulty), ND_ERR_INVALID_ARGUMENT);
  faulty = allocator;
  faulty.reserved = 1;
  EXPECT_EQ(nd_set_allocator(&faulty), ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_STRNE(nd_last_error(), "");
  // Functions that cannot fail do not count as calls.
  nd_version();
  nd_status_string(0);
  nd_options_free(nullptr);
  nd_buffer_free(nullptr);
  ASSERT_EQ(nd_set_allocator(&allocator), ND_OK) << nd_last_error();
  EXPECT_STREQ(nd_last_error(), "");
  EXPECT_EQ(nd_set_allocator(&allocator), ND_ERR_INVALID_ARGUMENT) << "once";

  {
    nd_options* options = nullptr;
    ASSERT_EQ(nd_options_new(&options), ND_OK);
    nd_engine* engine = nullptr;
    ASSERT_EQ(nd_open(nullptr, options, &engine), ND_OK) << nd_last_error();
    nd_options_free(options);
    Buffer buffer;
    for (uint64_t i = 0; i < 20; ++i) {
      const std::string at = sample::url(i),
                        body = sample::html(sample::rewritten(sample::article(i % 4), i % 2, i));
      const nd_page page = page_of(at, body);
      nd_result result = ND_RESULT_INIT;
      ASSERT_EQ(nd_check_page(engine, &page, &result), ND_OK);
      ASSERT_EQ(nd_features_compute(&page, nullptr, &buffer.raw), ND_OK);
      ASSERT_EQ(nd_extract(&page, nullptr, &buffer.raw), ND_OK);
      if (i % 5 == 4) {
        EXPECT_EQ(nd_remove_page(engine, at.data(), at.size()), ND_OK);
      }
    }
    ASSERT_EQ(nd_metrics(engine, &buffer.raw), ND_OK);
    ASSERT_EQ(nd_explain(engine, 1, 2, &buffer.raw), ND_OK);
    EXPECT_GT(ledger.held.load(), 50);
    EXPECT_GT(ledger.reallocations.load(), 0) << "buffers grow by realloc";

    // Without any memory every call says so, and the engine is as it was.
    const auto expect_no_memory = [&](nd_status status) {
      EXPECT_EQ(status, ND_ERR_NO_MEMORY);
      EXPECT_STREQ(nd_last_error(), "out of memory");
    };
    nd_stats before{}, after{};
    before.struct_size = after.struct_size = sizeof(nd_stats);
    ASSERT_EQ(nd_get_stats(engine, &before), ND_OK);
    const std::string at = sample::url(99), body = sample::article_html(99);
    const nd_page page = page_of(at, body);
    nd_result result = ND_RESULT_INIT;
    ledger.empty = true;
    options = nullptr;
    expect_no_memory(nd_options_new(&options));
    EXPECT_EQ(options, nullptr);
    nd_engine* another = nullptr;
    expect_no_memory(nd_open(nullptr, nullptr, &another));
    EXPECT_EQ(another, nullptr);
    expect_no_memory(nd_check_page(engine, &page, &result));
    EXPECT_TRUE(is_empty(result));
    // A query of a page no larger than those before can do with what they left.
    std::string larger;
    for (uint64_t i = 100; i < 200; ++i)
      larger += sample::article_html(i);
    const nd_page larger_page = page_of(at, larger);
    expect_no_memory(nd_query_page(engine, &larger_page, &result));
    Buffer unused;
    expect_no_memory(nd_metrics(engine, &unused.raw));
    EXPECT_TRUE(is_empty(unused.raw));
    expect_no_memory(nd_own_text(engine, &larger_page, &unused.raw));
    expect_no_memory(nd_check_page_text(engine, &page, &result, &unused.raw));
    EXPECT_TRUE(is_empty(unused.raw));
    expect_no_memory(nd_extract(&page, nullptr, &unused.raw));
    expect_no_memory(nd_features_compute(&page, nullptr, &unused.raw));
    expect_no_memory(nd_explain(engine, 1, 2, &unused.raw));
    nd_filter filter = ND_FILTER_INIT;
    filter.fetched_before_ms = 1'000'000;
    uint64_t removed = 7;
    expect_no_memory(nd_remove_matching(engine, &filter, &removed));
    EXPECT_EQ(removed, 0U);
    // An argument that is refused needs a message, and so memory: either answer is clear.
    const nd_status refused = nd_check_page(engine, nullptr, &result);
    EXPECT_TRUE(refused == ND_ERR_INVALID_ARGUMENT || refused == ND_ERR_NO_MEMORY);
    ledger.empty = false;
    ASSERT_EQ(nd_get_stats(engine, &after), ND_OK);
    EXPECT_EQ(after.pages, before.pages);
    EXPECT_EQ(after.groups, before.groups);
    EXPECT_EQ(after.keys, before.keys);
    EXPECT_EQ(after.bytes_features, before.bytes_features);
    EXPECT_EQ(nd_check_page(engine, &page, &result), ND_OK) << nd_last_error();
    EXPECT_EQ(result.verdict, ND_NEW);
    EXPECT_EQ(nd_close(engine), ND_OK);
  }
  EXPECT_EQ(ledger.held.load(), 0) << "all that was taken was given back";
}

}  // namespace
}  // namespace nd_test
