// The memory of libxml2 and ICU runs out: this executable's malloc stands in front of the system's,
// and every allocation of a call fails once. No crash, a status that says so, and an engine that continues.
// Left out: ICU's charset detector, which does not look whether one of its own allocations failed (version
// 72).
#include <cstdlib>
#include <utility>

#include "unit/capi/capi_sample.hpp"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
}

namespace {

thread_local bool armed = false;
thread_local long left = 0;
thread_local bool failed = false;

bool fails() {
  if (!armed || --left != 0) return false;
  failed = true;
  return true;
}

}  // namespace

extern "C" {
void* malloc(size_t size) {
  return fails() ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails() ? nullptr : __libc_realloc(memory, size);
}
}

namespace nd_test {
namespace {

using sample::article_html;
using sample::url;

// Runs the call with its n-th allocation failing, for n = 1, 2, ... (later ones in growing steps) until none
// is left to fail.
template <typename Call>
long fail_each_allocation(Call call) {
  long failures = 0;
  for (long n = 1; n < 1000000; n += 1 + n / 40) {
    left = n;
    failed = false;
    armed = true;
    const nd_status status = call();
    armed = false;
    EXPECT_TRUE(status == ND_OK || status == ND_ERR_NO_MEMORY || status == ND_ERR_INTERNAL)
        << status << ": " << nd_last_error();
    EXPECT_TRUE(failed || status == ND_OK) << nd_last_error();
    if (!failed) return failures;
    ++failures;
  }
  ADD_FAILURE() << "the call never ends to allocate";
  return failures;
}

// What ICU sets up once in a process it remembers as failed for ever; that is its own, and done before.
class SystemMemoryTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    nd_engine* engine = nullptr;
    ASSERT_EQ(nd_open(nullptr, nullptr, &engine), ND_OK);
    const std::string at = url(1);
    for (const std::string& body : {article_html(1), kGbk}) {
      const nd_page page = page_of(at, body);
      nd_result result = ND_RESULT_INIT;
      ASSERT_EQ(nd_check_page(engine, &page, &result), ND_OK);
      Buffer buffer;
      ASSERT_EQ(nd_extract(&page, nullptr, &buffer.raw), ND_OK);
    }
    nd_close(engine);
  }
  static inline const std::string kGbk = "<meta charset=gbk><p>\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\xa1\xa3</p>";
};

TEST_F(SystemMemoryTest, OpeningToldAndRepeatable) {
  const long failures = fail_each_allocation([] {
    nd_engine* engine = nullptr;
    const nd_status status = nd_open(nullptr, nullptr, &engine);
    EXPECT_EQ(engine != nullptr, status == ND_OK);
    const bool was_armed = std::exchange(armed, false);
    nd_close(engine);
    armed = was_armed;
    return status;
  });
  EXPECT_GT(failures, 10);
}

// What an allocation that failed inside libxml2 or ICU may change is the answer for this page, never the
// engine's order.
TEST_F(SystemMemoryTest, ChecksToldAndRepeatable) {
  nd_engine* engine = nullptr;
  const OptionSet options{{"x_html_reader", "libxml2"}};
  ASSERT_EQ(nd_open(nullptr, options, &engine), ND_OK);
  long failures = 0;
  uint64_t number = 0;
  for (const std::string& body : {article_html(1), kGbk, article_html(2)}) {
    failures += fail_each_allocation([&] {
      const bool was_armed = std::exchange(armed, false);
      const std::string at = url(++number);
      armed = was_armed;
      const nd_page page = page_of(at, body);
      nd_result result = ND_RESULT_INIT;
      const nd_status status = nd_check_page(engine, &page, &result);
      EXPECT_EQ(result.page_id != 0, status == ND_OK);
      return status;
    });
  }
  EXPECT_GT(failures, 30);
  nd_stats seen{};
  seen.struct_size = sizeof seen;
  ASSERT_EQ(nd_get_stats(engine, &seen), ND_OK);
  EXPECT_EQ(seen.pages, seen.checks);
  const std::string body = article_html(7);
  for (const int32_t expected : {ND_NEW, ND_EXACT}) {
    const std::string at = url(++number);
    const nd_page page = page_of(at, body);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine, &page, &result), ND_OK);
    EXPECT_EQ(result.verdict, expected);
  }
  EXPECT_EQ(nd_close(engine), ND_OK);
}

// Half a page must not pass for a whole one.
TEST_F(SystemMemoryTest, TextIsWholeOrRefused) {
  const std::string at = url(1), body = article_html(1), expected = features_of(at, body);
  const nd_page page = page_of(at, body);
  Buffer buffer;
  fail_each_allocation([&] {
    const nd_status status = nd_features_compute(&page, nullptr, &buffer.raw);
    const bool was_armed = std::exchange(armed, false);
    if (status == ND_OK) {
      EXPECT_EQ(buffer.text(), expected);
    }
    armed = was_armed;
    return status;
  });
}

TEST_F(SystemMemoryTest, ExtractingToldAndRepeatable) {
  const std::string at = url(1), body = article_html(1);
  const nd_page page = page_of(at, body);
  Buffer buffer;
  const long failures = fail_each_allocation([&] { return nd_extract(&page, nullptr, &buffer.raw); });
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace nd_test
