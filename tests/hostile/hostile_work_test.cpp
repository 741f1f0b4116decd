// Pages made to be expensive, from 64 KB, below most limits, to 4 MB: the work of every step, in iterations
// of its loops, stays below a constant times the bytes of the page, and grows no faster than these. Never
// seconds: those are measured by bench/hostile_pages.
#include <gtest/gtest.h>
#include <libxml/xmlmemory.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/work_tally.hpp"
#include "engine/engine.hpp"
#include "hostile/hostile_kinds.hpp"

namespace nd::engine {
namespace {

using ndc::bench::all_kinds;
using ndc::bench::HostileKind;
using ndc::bench::name_of;

// Each is four times the one before: more than linear work shows, below the limits and above them. With them
// what a comparison costs a byte, as measured, with a half more: it grows with the page until the limits end
// that.
struct Size {
  size_t bytes;
  double comparison_per_byte;
};
constexpr Size kSizes[] = {
    {65536, 110},   // two words without order
    {262144, 235},  // the same sentences in another order
#if NDC_HOSTILE_PAGE_BYTES >= 4194304
    {1048576, 2},    // two words without order
    {4194304, 0.5},  // the same
#endif
};
constexpr double kMostGrowth = 4.4;

// What a page costs that is empty, by step; and what the most expensive kind costs a byte, as measured, with
// a quarter more.
struct Bound {
  Work step;
  double per_byte;
};
constexpr uint64_t kPerPage = 10'000;
constexpr Bound kBounds[] = {
    {Work::kDecode, 16},     // declarations of charsets that do not fit
    {Work::kPrefilter, 12},  // end tags that match nothing
    {Work::kParser, 6.5},    // values that are read, nothing but & in them
    {Work::kBlocks, 3},      // byte order marks
    {Work::kText, 107},      // characters that become eighteen, in UTF-16
    {Work::kFeatures, 60},   // the same
    {Work::kWords, 3.2},     // ideographs that nothing declares
    {Work::kTemplates, 2},   // lines of one letter
    {Work::kCandidates, 0.2}, {Work::kCommit, 0.3},
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
const bool kIsCounting = 0 == xmlMemSetup(std::free, counting_malloc, counting_realloc, counting_strdup);
// A parser's context and the tables of its own.
constexpr uint64_t kParserAllocationsPerPage = 500;
constexpr double kParserAllocationsPerByte = 0.7;  // blocks of one letter
// A page may begin with so much that the parser allocates nothing for (empty blocks in many inline elements),
// of which a small page is a larger part.
constexpr double kHeadBytes = 16 * 1024;

struct Spent {
  WorkTally work;
  uint64_t parser_allocations = 0;
  bool by_libxml2 = false;  // alone, or because our own reader left the page
};

class HostileWorkTest : public ::testing::TestWithParam<const HostileKind*> {
 protected:
  // Of a page, and of one of the same make after it in the same engine, which knows as many of the make as it
  // takes.
  static std::array<Spent, 2> check_two(size_t bytes, text::HtmlReader reader) {
    const HostileKind& kind = *GetParam();
    Parameters parameters;
    parameters.page.html_reader = reader;
    Result<Owned<Engine>> engine = Engine::open(parameters);
    EXPECT_TRUE(engine);
    std::array<Spent, 2> spent;
    WorkTally before;
    for (unsigned variant = 0; variant <= kind.known; ++variant) {
      const std::string body = kind.make(bytes, variant);
      const std::string url = "https://site" + std::to_string(variant) + ".example/";
      PageInput page;
      page.url = url;
      page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
      page.content_type = kind.content_type;
      page.fetched_at_ms = 1000;
      const uint64_t allocations = parser_allocations;
      const uint64_t left = pages_left(**engine);
      EXPECT_TRUE((*engine)->check(page));
      const bool by_libxml2 = reader == text::kLibxml2Reader || pages_left(**engine) != left;
      WorkTally now;
      for (size_t step = 0; step < kWorkKinds; ++step)
        now.add(static_cast<Work>(step), (*engine)->counters().work[step].load());
      spent[std::min(variant, 1U)] = {now.since(before), parser_allocations - allocations, by_libxml2};
      before = now;
    }
    return spent;
  }

  static uint64_t pages_left(const Engine& engine) {
    uint64_t pages = 0;
    for (const Counter& left : engine.counters().pages_left)
      pages += left.load();
    return pages;
  }

  static void expect_bounded(const Spent& spent, size_t bytes) {
    for (const Bound& bound : kBounds) {
      EXPECT_LE(static_cast<double>(spent.work.of(bound.step)),
                bound.per_byte * static_cast<double>(bytes) + kPerPage)
          << kWorkNames[static_cast<size_t>(bound.step)];
    }
    EXPECT_LE(static_cast<double>(spent.parser_allocations),
              kParserAllocationsPerByte * static_cast<double>(bytes) + kParserAllocationsPerPage);
  }

  // Than the page of a quarter of the bytes.
  static void expect_linear(const Spent& less, const Spent& more) {
    for (const Bound& bound : kBounds) {
      EXPECT_LE(static_cast<double>(more.work.of(bound.step)),
                kMostGrowth * static_cast<double>(less.work.of(bound.step)) + kPerPage)
          << kWorkNames[static_cast<size_t>(bound.step)];
    }
    EXPECT_LE(static_cast<double>(more.parser_allocations),
              kMostGrowth * static_cast<double>(less.parser_allocations) + kParserAllocationsPerPage +
                  kParserAllocationsPerByte * kHeadBytes);
  }

  // With one page to compare with there is one comparison at most; with several all draw from one budget.
  static void expect_comparison_bounded(const std::array<Spent, 2>& spent, const Size& size) {
    EXPECT_EQ(spent[0].work.of(Work::kComparison), 0U);
    const uint64_t work = spent[1].work.of(Work::kComparison);
    const Parameters parameters;
    const uint64_t budget = parameters.budget.check_work + parameters.budget.byte_work * size.bytes;
    // For both texts: tokens prepared, and weighed up to four times.
    const uint64_t tokens = 2 * uint64_t{parameters.page.tokens};
    const uint64_t blocks = 2 * uint64_t{parameters.page.html.blocks};
    EXPECT_LE(work, budget + 4 * tokens + blocks);
    if (GetParam()->known > 1) return;
    EXPECT_LE(static_cast<double>(work),
              size.comparison_per_byte * static_cast<double>(size.bytes) + kPerPage)
        << size.bytes;
  }

  static void expect_all_bounded(text::HtmlReader reader);
};

void HostileWorkTest::expect_all_bounded(text::HtmlReader reader) {
  std::array<Spent, 2> smaller{};
  for (const Size& size : kSizes) {
    const std::array<Spent, 2> spent = check_two(size.bytes, reader);
    for (size_t page = 0; page < 2; ++page) {
      SCOPED_TRACE("page " + std::to_string(page) + " of " + std::to_string(size.bytes) + " bytes");
      expect_bounded(spent[page], size.bytes);
      const bool is_alike = &size != std::begin(kSizes) && smaller[page].by_libxml2 == spent[page].by_libxml2;
      if (is_alike) expect_linear(smaller[page], spent[page]);
    }
    expect_comparison_bounded(spent, size);
    smaller = spent;
  }
}

TEST_P(HostileWorkTest, IsBoundedByTheBytesOfThePage) {
  expect_all_bounded(text::kFastReader);
}

TEST_P(HostileWorkTest, IsBoundedByTheBytesOfThePageByLibxml2) {
  expect_all_bounded(text::kLibxml2Reader);
}

// A step that stopped counting would pass all of the above. What is asked for is what the step cannot do
// without: once through the page, or as often as the page gives occasion.
TEST(WorkCounterTest, EveryStepOfAnOrdinaryPageCounts) {
  ASSERT_TRUE(kIsCounting);
  std::string text;
  for (int sentence = 0; sentence < 40; ++sentence) {
    text += "<p>Sentence " + std::to_string(sentence * 7919) + " of the council tells what the harbour of ";
    text += std::to_string(sentence * 104729) + " needs. 港口委员会今天讨论了灯塔的重建计划。</p>\n";
  }
  Parameters parameters;
  parameters.page.html_reader = text::kLibxml2Reader;  // or the prefilter has nothing to do
  Result<Owned<Engine>> engine = Engine::open(parameters);
  ASSERT_TRUE(engine);
  const uint64_t allocations = parser_allocations;
  constexpr size_t kPages = 2;
  size_t bytes = 0;
  for (size_t i = 0; i < kPages; ++i) {
    const std::string body = "<html><body>" + text + "<p>Page " + std::to_string(i) + "</p></body></html>";
    const std::string url = "https://site" + std::to_string(i) + ".example/";
    PageInput page;
    page.url = url;
    page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
    page.content_type = "text/html; charset=utf-8";
    page.fetched_at_ms = 1000;
    ASSERT_TRUE((*engine)->check(page));
    bytes += body.size();
  }
  const size_t tokens = kPages * 40 * 12;
  const std::pair<Work, size_t> least[] = {
      {Work::kDecode, bytes},      {Work::kPrefilter, bytes},       {Work::kParser, kPages * 40 * 2},
      {Work::kBlocks, bytes / 2},  {Work::kText, bytes / 2},        {Work::kFeatures, tokens},
      {Work::kWords, tokens},      {Work::kTemplates, kPages * 40}, {Work::kCandidates, kPages},
      {Work::kComparison, tokens}, {Work::kCommit, kPages},
  };
  ASSERT_EQ(std::size(least), kWorkKinds);
  for (const auto& [step, iterations] : least) {
    const size_t place = static_cast<size_t>(step);
    EXPECT_GE((*engine)->counters().work[place].load(), iterations) << kWorkNames[place];
  }
  EXPECT_GE(parser_allocations - allocations, kPages);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostileWorkTest, ::testing::ValuesIn(all_kinds()), name_of);

}  // namespace
}  // namespace nd::engine
