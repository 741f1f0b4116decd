// Pages made to be expensive, with default options: the answers are right, what a limit cut is reported, and
// the amounts of everything that later steps work on stay under their bounds. Seconds are measured by
// bench/hostile_pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include "engine/engine.hpp"
#include "hostile/hostile_kinds.hpp"
#include "lcs/comparison.hpp"
#include "page/candidate_keys.hpp"
#include "page/feature_layout.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {
namespace {

using ndc::bench::all_kinds;
using ndc::bench::HostileKind;
using ndc::bench::name_of;

constexpr size_t kPageBytes = NDC_HOSTILE_PAGE_BYTES;
constexpr size_t kSitePageBytes = 65536;
constexpr unsigned kSitePages = 30;

// NFKC makes of three bytes at most 33 (U+FDFA); of a byte at most eleven.
constexpr size_t kNormalGrowth = 11;

// Kinds of pages that a limit truncates at both sizes: depth, names, links, blocks or tokens.
constexpr auto kAlwaysCut = std::to_array<std::string_view>({"inline-end-tags",
                                                             "block-end-tags",
                                                             "body-start-tags",
                                                             "paragraph-end-tags",
                                                             "nested-blocks",
                                                             "nested-blocks-with-text",
                                                             "nested-tables",
                                                             "nested-formatting",
                                                             "list-items",
                                                             "options",
                                                             "tag-names",
                                                             "closed-tag-names",
                                                             "unknown-entities",
                                                             "chinese",
                                                             "one-ideograph",
                                                             "undeclared-gbk",
                                                             "katakana",
                                                             "thai",
                                                             "khmer",
                                                             "mixed-scripts",
                                                             "ligatures",
                                                             "numbers",
                                                             "joined-words",
                                                             "two-words",
                                                             "shuffled-words",
                                                             "escapes",
                                                             "shuffled-sentences",
                                                             "shuffled-blocks",
                                                             "one-sentence",
                                                             "one-word-sentences",
                                                             "random-words",
                                                             "edited-words",
                                                             "dense-prose",
                                                             "stop-words",
                                                             "control-characters",
                                                             "random-bytes",
                                                             "plain-text",
                                                             "title-beyond-depth",
                                                             "blocked-end-tags",
                                                             "far-blocks",
                                                             "lead-bytes",
                                                             "unknown-escapes",
                                                             "utf-7",
                                                             "byte-order-marks",
                                                             "malformed-utf-8",
                                                             "utf-16-ligatures"});

// Of which a limit cuts something if they have 4 MB, and nothing if they have 512 KB. Of all others nothing
// is cut.
constexpr auto kCutIfLarge = std::to_array<std::string_view>(
    {"attribute-ampersands", "value-references", "foreign-hosts", "entities", "links", "blocks", "jamo",
     "right-to-left", "surrogates", "four-byte-characters", "odd-utf-16"});

// Twice what was measured for the most expensive kinds. Features: lines of one letter as plain text, 6.7
// bytes per byte of the body; keys and spot signatures of the index: sentences in another order, 0.56.
constexpr uint64_t kFeatureBytesPerByte = 14;
constexpr uint64_t kIndexBytesPerByte = 1;
// Per page, even without any text.
constexpr uint64_t kFeatureBytesPerPage = 16384;
constexpr uint64_t kIndexBytesPerPage = 16384;

PageInput input_of(const HostileKind& kind, std::string_view url, std::string_view body) {
  PageInput page;
  page.url = url;
  page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
  page.content_type = kind.content_type;
  page.fetched_at_ms = 1000;
  return page;
}

Owned<Engine> opened() {
  Result<Owned<Engine>> engine = Engine::open(Parameters{});
  EXPECT_TRUE(engine);
  return *std::move(engine);
}

class HostilePagesTest : public ::testing::TestWithParam<const HostileKind*> {
 protected:
  const HostileKind& kind() const { return *GetParam(); }
  bool is_one_of(std::span<const std::string_view> names) const {
    return std::ranges::find(names, kind().name) != names.end();
  }
  Answer check(Engine& engine, std::string_view url, std::string_view body) {
    const Result<Answer> answer = engine.check(input_of(kind(), url, body));
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
  text::Document read(std::string_view body) const {
    Result<text::PageReader> reader = text::PageReader::create();
    text::Document document;
    EXPECT_TRUE(reader && reader->read("https://site.example/", input_of(kind(), "", body).body,
                                       kind().content_type, text::PageLimits{}, document));
    return document;
  }
  // As listed; under a sanitizer pages are too small for some limits, and what is reported counts.
  bool must_be_cut(bool is_told) const {
    if (kPageBytes < size_t{512} << 10) return is_told;
    return is_one_of(kAlwaysCut) || (kPageBytes >= size_t{4} << 20 && is_one_of(kCutIfLarge));
  }
  // For all pages that the engine has checked, which had so many bytes together.
  static void expect_bounded(const Engine& engine, uint64_t pages, uint64_t body_bytes) {
    const Parameters& parameters = engine.parameters();
    const Counters& counters = engine.counters();
    const Sizes sizes = engine.sizes();
    EXPECT_EQ(sizes.pages, pages);
    EXPECT_LE(counters.verifications.load(), pages * parameters.verifications);
    EXPECT_LE(counters.candidates.load(), pages * (parameters.index.candidates + 2));
    const uint64_t keys =
        key_parameters_of(parameters).buckets * parameters.fingerprints.rotations + parameters.relaxed.keys;
    EXPECT_LE(sizes.keys, pages * keys);
    // A block record and a symbol each; see feature_layout.hpp.
    const uint64_t most =
        parameters.page.html.blocks * sizeof(FeatureBlock) + parameters.page.tokens * sizeof(Symbol);
    EXPECT_LE(sizes.bytes_features,
              pages * kFeatureBytesPerPage + std::min(pages * most, body_bytes * kFeatureBytesPerByte));
    EXPECT_LE(sizes.bytes_index, pages * kIndexBytesPerPage + body_bytes * kIndexBytesPerByte);
  }
};

// The text layer gives no more than its limits, whatever it reads.
TEST_P(HostilePagesTest, TextIsBounded) {
  const text::PageLimits limits;
  const std::string body = kind().make(kPageBytes, 0);
  ASSERT_LE(body.size(), kPageBytes);
  ASSERT_GE(body.size(), kPageBytes - kPageBytes / 8);
  const text::Document document = read(body);
  EXPECT_FALSE(document.body_cut);
  EXPECT_LE(document.extraction.text.size(), limits.html.text_bytes);
  EXPECT_LE(document.extraction.blocks.size(), limits.html.blocks);
  EXPECT_LE(document.extraction.anchors.size(), limits.html.anchors);
  EXPECT_LE(document.extraction.containers.size(), limits.html.blocks + limits.html.depth);
  EXPECT_LE(document.tokens.size(), limits.tokens);
  EXPECT_LE(document.blocks.size(), document.extraction.blocks.size());
  EXPECT_LE(document.text.size(),
            kNormalGrowth * document.extraction.text.size() + document.extraction.blocks.size());
  EXPECT_LE(document.sentences.size(), document.text.size());
  const bool is_cut = document.markup_limited || document.tokens_limited;
  EXPECT_EQ(is_cut, must_be_cut(is_cut));
}

// The page, the very same at another address, and one of the same make.
TEST_P(HostilePagesTest, AnswersAreRightAndTellWhatWasCut) {
  const Owned<Engine> engine = opened();
  const std::string body = kind().make(kPageBytes, 0);
  const Answer first = check(*engine, "https://first.example/", body);
  const Answer same = check(*engine, "https://second.example/", body);
  const bool is_cut = (first.flags & kLimit) != 0;
  EXPECT_EQ(is_cut, must_be_cut(is_cut));
  EXPECT_EQ((same.flags & kLimit) != 0, is_cut);
  if (first.verdict == kNoText) {
    EXPECT_EQ(same.verdict, kNoText);
  } else {
    EXPECT_EQ(first.verdict, kNew);
    const Result<PageView> page = engine->find_page("https://first.example/");
    ASSERT_TRUE(page);
    const uint32_t least = engine->parameters().decision.exact_width;
    // Equal by their digests, but if something was cut: what was not seen may differ. Then they are compared,
    // as texts of a few words are.
    EXPECT_EQ(same.verdict, !is_cut && page->width >= least ? kExactDuplicate : kNearDuplicate);
    EXPECT_EQ(same.group_id, first.group_id);
    EXPECT_EQ(same.matched_page_id, first.page_id);
  }
  const Answer again = check(*engine, "https://first.example/", body);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_EQ(again.page_id, first.page_id);
  check(*engine, "https://third.example/", kind().make(kPageBytes, 1));
  expect_bounded(*engine, 3, 3 * kPageBytes);
}

// Two texts of one make, as the verification compares them: it stops at its limit, and says so.
TEST_P(HostilePagesTest, ComparisonIsBounded) {
  std::array<Vector<uint32_t>, 2> symbols;
  std::array<Vector<uint16_t>, 2> widths;
  for (unsigned side = 0; side < 2; ++side) {
    const text::Document document = read(kind().make(kPageBytes, side));
    for (const text::Token& token : document.tokens) {
      symbols[side].push_back(static_cast<uint32_t>(token.hash));
      widths[side].push_back(static_cast<uint16_t>(std::min<uint32_t>(token.width, UINT16_MAX)));
    }
  }
  lcs::Comparer comparer;
  lcs::Comparison comparison;
  const lcs::ComparisonParameters parameters;
  comparer.compare({symbols[0], widths[0]}, {symbols[1], widths[1]}, parameters, 0, comparison);
  EXPECT_LE(comparison.work, parameters.work_limit);
  EXPECT_LE(comparison.passes, parameters.rounds);
  EXPECT_LE(comparison.matches.size(), symbols[0].size());
}

// What is known of a site of such pages comes from all of them.
TEST_P(HostilePagesTest, SiteIsBounded) {
  const Owned<Engine> engine = opened();
  for (unsigned number = 0; number < kSitePages; ++number) {
    const std::string url = "https://site.example/" + std::to_string(number);
    const Answer answer = check(*engine, url, kind().make(kSitePageBytes, number));
    EXPECT_NE(answer.page_id, 0U);
  }
  expect_bounded(*engine, kSitePages, kSitePages * kSitePageBytes);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HostilePagesTest, ::testing::ValuesIn(all_kinds()), name_of);

}  // namespace
}  // namespace nd::engine
