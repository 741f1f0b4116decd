// Pages made to be dear, at two sizes: the work of every step, in iterations of its loops, stays below a
// constant times the bytes of the page, and grows no faster than these. Never seconds: those are told by
// bench/hostile_pages.
#include <gtest/gtest.h>
#include <libxml/xmlmemory.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/work_tally.hpp"
#include "engine/engine.hpp"
#include "hostile/hostile_kinds.hpp"

namespace nd::engine {
namespace {

using ndc::bench::all_kinds;
using ndc::bench::HostileKind;
using ndc::bench::name_of;

constexpr size_t kSmallBytes = NDC_HOSTILE_PAGE_BYTES / 4;
constexpr size_t kLargeBytes = NDC_HOSTILE_PAGE_BYTES;

// Four times the bytes: more than linear work shows.
constexpr double kMostGrowth = 4.4;

// What a page costs that is empty, by step; and what the dearest kind costs a byte, as measured, with a
// quarter more.
struct Bound {
  Work step;
  double per_byte;
};
constexpr uint64_t kPerPage = 200'000;
constexpr Bound kBounds[] = {
    {Work::kDecode, 16},     // declarations of charsets that do not fit
    {Work::kPrefilter, 12},  // end tags that match nothing
    {Work::kParser, 6.5},    // values that are read, nothing but & in them
    {Work::kBlocks, 3},      // byte order marks
    {Work::kText, 107},      // characters that stand for eighteen, in UTF-16
    {Work::kFeatures, 51},   // the same
    {Work::kWords, 3.2},     // ideographs that nothing declares
    {Work::kTemplates, 2},   // lines of one letter
    {Work::kCandidates, 1}, {Work::kCommit, 1},
};

// libxml2's own loops cannot be counted. What it takes from its allocator can.
uint64_t parser_allocations = 0;
void* counting_malloc(size_t size) {
  ++parser_allocations;
  return std::malloc(size);
}
void* counting_realloc(void* memory, size_t size) {
  ++parser_allocations;
  return std::realloc(memory, size);
}
char* counting_strdup(const char* text) {
  ++parser_allocations;
  return strdup(text);
}
// Before libxml2 is used for the first time.
[[maybe_unused]] const int kCounting =
    xmlMemSetup(std::free, counting_malloc, counting_realloc, counting_strdup);
// A parser's context and the tables of its own.
constexpr uint64_t kParserAllocationsPerPage = 500;
constexpr double kParserAllocationsPerByte = 0.7;  // blocks of one letter

struct Spent {
  WorkTally work;
  uint64_t parser_allocations = 0;
};

class HostileWorkTest : public ::testing::TestWithParam<const HostileKind*> {
 protected:
  // Of a page, and of one of the same make after it in the same engine.
  static std::array<Spent, 2> check_two(size_t bytes) {
    const HostileKind& kind = *GetParam();
    Result<Owned<Engine>> engine = Engine::open(Parameters{});
    EXPECT_TRUE(engine);
    std::array<Spent, 2> spent;
    WorkTally before;
    for (unsigned variant = 0; variant < 2; ++variant) {
      const std::string body = kind.make(bytes, variant);
      const std::string url = "https://site" + std::to_string(variant) + ".example/";
      PageInput page;
      page.url = url;
      page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
      page.content_type = kind.content_type;
      page.fetched_at_ms = 1000;
      const uint64_t allocations = parser_allocations;
      EXPECT_TRUE((*engine)->check(page));
      WorkTally now;
      for (size_t step = 0; step < kWorkKinds; ++step)
        now.add(static_cast<Work>(step), (*engine)->counters().work[step].load());
      spent[variant] = {now.since(before), parser_allocations - allocations};
      before = now;
    }
    return spent;
  }
};

TEST_P(HostileWorkTest, IsBoundedByTheBytesOfThePage) {
  const std::array<Spent, 2> small = check_two(kSmallBytes);
  const std::array<Spent, 2> large = check_two(kLargeBytes);
  for (size_t page = 0; page < 2; ++page) {
    for (const Bound& bound : kBounds) {
      const auto step =
          std::string(kWorkNames[static_cast<size_t>(bound.step)]) + " of page " + std::to_string(page);
      const auto less = static_cast<double>(small[page].work.of(bound.step));
      const auto more = static_cast<double>(large[page].work.of(bound.step));
      EXPECT_LE(less, bound.per_byte * kSmallBytes + kPerPage) << step;
      EXPECT_LE(more, kMostGrowth * less + kPerPage) << step;
    }
    const auto less = static_cast<double>(small[page].parser_allocations);
    const auto more = static_cast<double>(large[page].parser_allocations);
    EXPECT_LE(less, kParserAllocationsPerByte * kSmallBytes + kParserAllocationsPerPage);
    EXPECT_LE(more, kMostGrowth * less + kParserAllocationsPerPage);
  }
}

// One comparison at most: there is one page to compare with.
TEST_P(HostileWorkTest, ComparisonIsBoundedByItsLimit) {
  const std::array<Spent, 2> spent = check_two(kLargeBytes);
  const Parameters parameters;
  // Of both texts: what is prepared, and weighed up to four times.
  const uint64_t tokens = 2 * uint64_t{parameters.page.tokens};
  const uint64_t blocks = 2 * uint64_t{parameters.page.html.blocks};
  EXPECT_LE(spent[1].work.of(Work::kComparison), parameters.comparison.work_limit + 4 * tokens + blocks);
  EXPECT_EQ(spent[0].work.of(Work::kComparison), 0U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostileWorkTest, ::testing::ValuesIn(all_kinds()), name_of);

}  // namespace
}  // namespace nd::engine
