// What is made to be expensive for an engine that knows many pages: records handed in through the features
// interface, which may say anything, and pages that fill the model of a site. The work per page stays below a
// constant, and that of sixteen times as many pages below 64 times as much.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hostile/hostile_records.hpp"
#include "page/feature_layout.hpp"

namespace nd::engine {
namespace {

std::vector<PackedSpot> signatures(uint64_t first, uint64_t count) {
  std::vector<PackedSpot> out;
  for (uint64_t i = 0; i < count; ++i)
    out.push_back(make_packed_spot({first + i, 1}));
  return out;
}

// All keys and all signatures are those of all other pages, and no text: each search meets as many groups as
// its limits let it, and each new group is in the longest lists.
void expect_bounded_where_all_is_shared(Parameters parameters) {
  constexpr uint32_t kKeys = 128;
  constexpr uint32_t kSignatures = 100;
  parameters.index.hot_sites = 1;
  // So that the oldest go all the time.
  parameters.spot_source.bytes = uint64_t{100} * kSignatures * 24;
  // So that a search soon has as much to do as it may.
  parameters.spot_source.postings = 64;
  parameters.index.postings = 64;
  const auto make = [&](uint32_t number) {
    FeatureSample page;
    page.blocks = {{own_words(number, kSignatures)}};
    page.site = "s" + std::to_string(number) + ".example";
    page.fingerprint_count = kKeys;
    for (uint64_t key = 1; key <= kKeys; ++key)
      page.keys.push_back(key);
    page.spots = signatures(1, kSignatures);
    return page;
  };
  WorkTally most;
  const WorkTally few = check_all(parameters, kFewPages, make, most);
  const WorkTally many = check_all(parameters, kManyPages, make, most);
  expect_linear(few, many);
  const SpotSourceParameters& spots = parameters.spot_source;
  // Both searches, twice at most; a similarity reads both vectors.
  EXPECT_LE(most.of(Work::kCandidates),
            2 * (kKeys + parameters.index.postings + kSignatures + spots.postings * (2 + 2 * kSignatures)));
  EXPECT_GE(most.of(Work::kCandidates), parameters.index.postings) << "the limit is reached";
  EXPECT_LE(most.of(Work::kCommit), 64 * (kKeys + kSignatures) + 2 * spots.bytes / 24);
  EXPECT_LE(many.of(Work::kCommit), kManyPages * 16 * (kKeys + kSignatures)) << "on the average";
  EXPECT_LE(most.of(Work::kComparison), uint64_t{parameters.verifications} * 8 * 2 * kSignatures);
}

TEST(HostileIndexTest, PagesThatShareEveryKeyAndSignature) {
  expect_bounded_where_all_is_shared(Parameters{});
}

TEST(HostileIndexTest, PagesThatShareEveryKeyAndSignatureWithinABudget) {
  Parameters parameters;
  parameters.index.bytes = uint64_t{1} << 40;  // never reached, but looked at
  expect_bounded_where_all_is_shared(parameters);
}

// Which of so many known pages, that all share every key, comes again.
using Revisited = std::function<uint32_t(uint32_t visit, uint32_t pages)>;

// What pages cost that come again and again: with keys of their own, back with those that all share, and with
// another text under the same keys. Of the most expensive of them.
uint64_t work_of_changes(const Parameters& parameters, uint32_t pages, const Revisited& revisited) {
  constexpr uint32_t kVisits = 100;
  constexpr uint64_t kKeys = 64;
  const Owned<Engine> engine = opened(parameters);
  uint32_t version = 0;
  uint64_t most = 0;
  const auto check = [&](uint32_t number, uint64_t first_key) {
    FeatureSample page;
    page.blocks = {{own_words(++version, 50)}};
    page.site = "s" + std::to_string(number) + ".example";
    page.url = "https://" + page.site + "/";
    for (uint64_t key = 0; key < kKeys; ++key)
      page.keys.push_back(first_key + key);
    const uint64_t before = work_of(*engine).of(Work::kCommit);
    const Result<Answer> answer = engine->check_features(page.features());
    EXPECT_TRUE(answer && answer->page_id == number + 1);
    most = std::max(most, work_of(*engine).of(Work::kCommit) - before);
  };
  for (uint32_t number = 0; number < pages; ++number)
    check(number, 1);
  most = 0;
  for (const bool shared : {false, true, true}) {
    for (uint32_t visit = 0; visit < kVisits; ++visit)
      check(revisited(visit, pages), shared ? 1 : 1'000'000 + visit * kKeys);
  }
  return most / kKeys;
}

// The longer the lists of its old keys, and of its new ones, the more a changed page would cost.
TEST(HostileIndexTest, ChangedPagesWhoseKeysVeryManyHave) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1} << 40}) {
    Parameters parameters;
    parameters.index.bytes = bytes;
    const Revisited oldest = [](uint32_t visit, uint32_t) { return visit; };
    const Revisited newest = [](uint32_t visit, uint32_t pages) { return pages - 1 - visit; };
    const Revisited between = [](uint32_t visit, uint32_t pages) { return pages / 2 + visit; };
    for (const Revisited& revisited : {oldest, newest}) {
      // The newest are behind those that return, the other ones in front of them.
      EXPECT_LE(work_of_changes(parameters, kManyPages / 4, revisited), 512U);
      EXPECT_LE(work_of_changes(parameters, kManyPages, revisited), 512U);
    }
    // Entries in the middle are found at once; the shorter side of each list moves.
    EXPECT_LE(work_of_changes(parameters, kManyPages, between), kManyPages / 2 + 512U);
  }
}

// Keys by which a table without a secret would have one run of all: each look-up would go through half of it.
TEST(HostileIndexTest, PagesWhoseKeysCollideWithoutASecret) {
  constexpr uint32_t kKeys = 1280;  // the most that a record may have
  const auto unmixed = [](uint64_t value) {
    value ^= value >> 33;
    value *= 0x9cb4b2f8129337dbULL;
    value ^= value >> 33;
    value *= 0x4f74430c22a54005ULL;
    return value ^ value >> 33;
  };
  ASSERT_EQ(mix(unmixed(uint64_t{5} << 32)), uint64_t{5} << 32);
  const auto make = [&](uint32_t number) {
    FeatureSample page;
    page.blocks = {{own_words(number, 50)}};
    page.site = "s" + std::to_string(number) + ".example";
    for (uint64_t key = 0; key < kKeys; ++key)
      page.keys.push_back(unmixed((uint64_t{number} * kKeys + key) << 32));
    return page;
  };
  WorkTally most;
  // Few, so that the test ends where they do collide.
  const uint32_t pages = 20;
  check_all(Parameters{}, pages, make, most);
  check_all(Parameters{}, 4 * pages, make, most);
  // Nothing is shared. Of a table of which three quarters are in use, what is not there is looked for in
  // eight and a half slots.
  EXPECT_LE(most.of(Work::kCandidates), 16 * kKeys);
  EXPECT_LE(most.of(Work::kCommit), 64 * kKeys) << "some four look-ups per key";
}

// What is known of a site is full all the time, and nothing in it is seen twice.
TEST(HostileIndexTest, TinyPagesOfOneSite) {
  constexpr uint32_t kBlocks = 40;
  Parameters parameters;
  parameters.sites.parts_per_site = 1024;
  const auto make = [&](uint32_t number) {
    FeatureSample page;
    for (uint32_t block = 0; block < kBlocks; ++block)
      page.blocks.push_back({words(number * kBlocks + block, 1), 0});
    page.site = "site.example";
    return page;
  };
  WorkTally most;
  const WorkTally few = check_all(parameters, kFewPages, make, most);
  const WorkTally many = check_all(parameters, kManyPages, make, most);
  expect_linear(few, many);
  EXPECT_LE(many.of(Work::kTemplates), kManyPages * kBlocks * 8) << "on the average";
  EXPECT_LE(most.of(Work::kTemplates), kBlocks * 8 + 2 * parameters.sites.parts_per_site);
}

// Each page is of a site of its own: some of the oldest are forgotten all the time.
TEST(HostileIndexTest, SitesWithoutEnd) {
  Parameters parameters;
  parameters.sites.bytes = 65536;
  const auto make = [](uint32_t number) {
    FeatureSample page;
    page.blocks = {{own_words(number, 30)}};
    page.site = "s" + std::to_string(number) + ".example";
    return page;
  };
  WorkTally most;
  const WorkTally few = check_all(parameters, kFewPages, make, most);
  const WorkTally many = check_all(parameters, kManyPages, make, most);
  expect_linear(few, many);
  EXPECT_LE(many.of(Work::kTemplates), kManyPages * 32U) << "on the average";
}

// Texts of sixteen words without order: nearly every window of the sketch is shared, too little of the order
// is, and no algorithm but the one for very many edits is left. Keys that say they are alike.
TEST(HostileIndexTest, ComparisonsWithAsMuchToDoAsThereMayBe) {
  constexpr uint32_t kTokens = 12'000;
  Parameters parameters;
  const auto make = [](uint32_t number) {
    std::mt19937_64 random(number);
    FeatureSample page;
    page.blocks.resize(1);
    for (uint32_t i = 0; i < kTokens; ++i)
      page.blocks[0].words.push_back(static_cast<uint32_t>(random() % 16));
    page.site = "s" + std::to_string(number) + ".example";
    page.keys = {1, 2, 3};
    return page;
  };
  const uint32_t verifications = parameters.verifications;
  WorkTally most;
  check_all(parameters, 2 * verifications, make, most);
  const uint64_t prepared = 8 * 2 * uint64_t{kTokens};
  const uint64_t record_bytes = sizeof(Symbol) * kTokens + 1024;
  EXPECT_LE(most.of(Work::kComparison),
            parameters.budget.check_work + parameters.budget.byte_work * record_bytes + prepared);
  EXPECT_GE(most.of(Work::kComparison), uint64_t{kTokens} * kTokens / 128) << "the flood reaches the LCS";
  // Without a budget each comparison has its own limit.
  parameters.budget.check_work = 0;
  check_all(parameters, 2 * verifications, make, most);
  EXPECT_LE(most.of(Work::kComparison), verifications * (parameters.comparison.work_limit + prepared));
  // Less is allowed: less is done.
  parameters.comparison.work_limit = 1'000'000;
  check_all(parameters, 2 * verifications, make, most);
  EXPECT_LE(most.of(Work::kComparison), verifications * (parameters.comparison.work_limit + prepared));
}

// What surrounds a page may have any length.
TEST(HostileIndexTest, LongUrlsAndHeaders) {
  const Owned<Engine> engine = opened(Parameters{});
  const std::string body = "<p>A page of a few words.</p>";
  const auto check = [&](const std::string& url, const std::string& content_type) {
    PageInput page;
    page.url = url;
    page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
    page.content_type = content_type;
    const Result<Answer> answer = engine->check(page);
    EXPECT_TRUE(answer);
    return answer ? answer->verdict : kNoText;
  };
  const std::string letters(kUrlBytesLimit - 100, 'a');
  EXPECT_EQ(check("https://" + letters + ".example/", "text/html"), kNew);
  EXPECT_EQ(check("https://x.example/" + letters, "text/html"), kNearDuplicate);
  EXPECT_EQ(check(letters, "text/html"), kNearDuplicate);
  EXPECT_EQ(check("https://x.example/" + letters, "text/html"), kUnchanged);
  std::string header = "text/html";
  while (header.size() < size_t{4} << 20)
    header += "; charsetcharset  charset = ";
  EXPECT_EQ(check("https://y.example/", header), kNearDuplicate);
  EXPECT_EQ(check("https://z.example/", header + "\"" + letters), kNearDuplicate);
  EXPECT_LE(work_of(*engine).of(Work::kDecode), 64 * body.size());
}

}  // namespace
}  // namespace nd::engine
