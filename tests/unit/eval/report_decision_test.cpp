// decision=report against the report's own partition, which knows nothing of the engine's candidates, blocks
// and sites, over the bundled sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/batch.hpp"
#include "engine_run.hpp"
#include "lcs_against.hpp"
#include "lcs_similarity.hpp"
#include "options/options.hpp"
#include "page/feature_builder.hpp"
#include "text/page_reader.hpp"

namespace nd::eval {
namespace {

using partition::Extent;

Collection sample_pages() {
  Result<Collection> collection =
      Collection::read({{NDC_SOURCE_DIR "/data/sample/documentation.warc.gz"}, "-", 0});
  EXPECT_TRUE(collection);
  return *std::move(collection);
}

engine::Parameters report_with(std::initializer_list<std::pair<const char*, const char*>> more) {
  engine::Options options;
  EXPECT_TRUE(options.set("decision", "report"));
  // As many comparisons as the plain partition makes, none cut short by the bytes of its page.
  EXPECT_TRUE(options.set("x_verifications_limit", "64"));
  EXPECT_TRUE(options.set("check_work_limit", "0"));
  for (const auto& [key, value] : more)
    EXPECT_TRUE(options.set(key, value)) << key;
  return options.parameters();
}

std::vector<engine::Features> features_of(std::span<const Page> pages, const engine::Parameters& parameters) {
  text::PageReader reader = *text::PageReader::create();
  engine::FeatureBuilder builder = *engine::FeatureBuilder::create(parameters.detector.kind());
  std::vector<engine::Features> made;
  for (const Page& page : pages) {
    text::Document document;
    EXPECT_TRUE(reader.read(page.url, {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                            page.content_type, parameters.page, document));
    builder.begin(document);
    made.push_back(builder.finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated}, document,
                                  {}, parameters, engine::RecordFor::kElsewhere));
  }
  return made;
}

std::vector<engine::Features> features_of(const Collection& collection,
                                          const engine::Parameters& parameters) {
  return features_of(collection.pages(), parameters);
}

// By page: the number of its representative.
std::vector<uint64_t> groups_of(std::span<const engine::Features> features,
                                const engine::Parameters& parameters) {
  const Result<Vector<engine::Answer>> answers = engine::partition_documents(features, parameters);
  EXPECT_TRUE(answers);
  std::vector<uint64_t> groups;
  for (const engine::Answer& answer : *answers) {
    EXPECT_EQ(answer.flags & engine::kLimit, 0U) << "a bound of ndc's own";
    EXPECT_NE(answer.verdict, engine::kExactDuplicate) << "the report has no digest";
    groups.push_back(answer.group_id - 1);
  }
  return groups;
}

std::vector<uint64_t> groups_of(const Collection& collection, const engine::Parameters& parameters) {
  return groups_of(features_of(collection, parameters), parameters);
}

size_t differing(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += a[i] != b[i];
  return count;
}

struct Reported {
  std::vector<partition::ComparedText> texts;
  std::vector<partition::PageKeys> keys;
  partition::ReportedPartition partition;
};

Reported as_reported(Collection& collection, partition::Unit unit) {
  const auto documents = collection.documents();
  EXPECT_TRUE(documents);
  Reported out{{}, partition::fingerprint_pages(**documents, Extent::kAll), {}};
  std::vector<uint32_t> sites;
  for (const text::Document& document : **documents)
    out.texts.push_back(partition::text_of(document, Extent::kAll, unit));
  for (const Page& page : collection.pages())
    sites.push_back(page.site);
  out.partition = partition::partition_as_reported(out.texts, out.keys, sites, partition::kReportedRule);
  EXPECT_EQ(out.partition.limited + out.partition.bounded, 0U);
  return out;
}

// The groups, each named by its first page.
std::vector<uint64_t> by_first_page(const std::vector<uint64_t>& groups) {
  std::vector<uint64_t> named;
  for (const uint64_t group : groups)
    named.push_back(static_cast<uint64_t>(std::ranges::find(groups, group) - groups.begin()));
  return named;
}

size_t joined_in(const std::vector<uint64_t>& groups) {
  size_t count = 0;
  const std::vector<uint64_t> named = by_first_page(groups);
  for (size_t i = 0; i < named.size(); ++i)
    count += named[i] != i;
  return count;
}

TEST(ReportDecisionTest, IsThePartitionOfTheReportAndNothingElse) {
  Collection collection = sample_pages();
  const auto [texts, keys, reported] = as_reported(collection, partition::Unit::kTokens);
  const std::vector<uint64_t> groups = groups_of(collection, report_with({}));
  EXPECT_EQ(differing(groups, reported.groups), 0U);
  size_t joined = 0, without_fingerprints = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    joined += groups[i] != i;
    if (!keys[i].keys.empty()) continue;
    ++without_fingerprints;
    EXPECT_EQ(groups[i], i) << "kept, where the report leaves it out";
  }
  EXPECT_GT(joined, 20U);
  EXPECT_GT(without_fingerprints, 0U);
  // Each of what it leaves out changes groups, so that its absence is seen.
  for (const auto& [key, value] : {std::pair{"x_relaxed", "true"},
                                   {"block_weights", "learned"},
                                   {"x_fingerprint_buckets", "1"},
                                   {"x_trustable", "false"},
                                   {"x_rounds", "8"}})
    EXPECT_GT(differing(groups_of(collection, report_with({{key, value}})), groups), 0U) << key;
}

// The list of docs/decision.md, "TR2007012 alone", in its order: of the 150 pages of the sample, how many
// each departure puts into another group than the report would, or how many it is about.
TEST(ReportDecisionTest, EachDepartureIsCounted) {
  Collection collection = sample_pages();
  const auto [texts, keys, reported] = as_reported(collection, partition::Unit::kTokens);
  const std::vector<uint64_t> groups = by_first_page(reported.groups);
  const engine::Parameters parameters = report_with({});
  const std::vector<engine::Features> records = features_of(collection, parameters);

  // Tokens: no group is another, though what a page shares with its representative is.
  const Reported characters = as_reported(collection, partition::Unit::kCharacters);
  EXPECT_EQ(differing(by_first_page(characters.partition.groups), groups), 0U);
  partition::TrustedComparer comparer;
  size_t joined = 0, of_another_width = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const uint64_t representative = reported.groups[i];
    if (representative == i) continue;
    ++joined;
    of_another_width += comparer.trusted_width(texts[representative], texts[i], {}) !=
                        comparer.trusted_width(characters.texts[representative], characters.texts[i], {});
  }
  EXPECT_EQ(joined, 46U);
  EXPECT_EQ(of_another_width, 46U);

  // Pages without fingerprints.
  EXPECT_EQ(std::ranges::count_if(keys, [](const auto& page) { return page.keys.empty(); }), 2);

  // Order: the same groups, and other pages represent them.
  const Result<EngineRun> online = check_records(records, parameters);
  ASSERT_TRUE(online);
  EXPECT_EQ(differing(by_first_page(online->groups), groups), 0U);
  std::vector<uint64_t> representatives;
  for (const uint64_t group : online->groups)
    representatives.push_back(group - 1);
  EXPECT_EQ(differing(representatives, reported.groups), 24U);

  // Bounds: every page that they keep from a comparison is flagged.
  engine::Options bounded;
  EXPECT_TRUE(bounded.set("decision", "report"));
  EXPECT_TRUE(bounded.set("check_work_limit", "4000"));
  EXPECT_TRUE(bounded.set("x_check_work_per_byte", "0"));
  const Result<Vector<engine::Answer>> answers = engine::partition_documents(records, bounded.parameters());
  ASSERT_TRUE(answers);
  size_t flagged = 0, apart = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const engine::Answer& answer = (*answers)[i];
    flagged += (answer.flags & engine::kLimit) != 0;
    if (answer.group_id - 1 == reported.groups[i]) continue;
    ++apart;
    EXPECT_NE(answer.flags & engine::kLimit, 0U) << i;
  }
  EXPECT_EQ(flagged, 62U);
  EXPECT_EQ(apart, 43U);

  // Wide texts, whose trustable regions have wider blocks.
  const lcs::TrustableParameters trust;
  EXPECT_EQ(std::ranges::count_if(
                texts, [&](const auto& text) { return text.width > trust.block_width * trust.blocks_limit; }),
            0);

  // The first similar representative: no page here is like two.
  EXPECT_EQ(differing(by_first_page(groups_of(records, report_with({{"x_first_similar", "true"}}))), groups),
            0U);
}

// Those that copies and pages fetched again show.
TEST(ReportDecisionTest, EachDepartureOfEqualPagesIsCounted) {
  const Collection collection = sample_pages();
  const engine::Parameters parameters = report_with({});
  const std::vector<engine::Features> records = features_of(collection, parameters);

  // Hot keys: the copies of one page, on one site, are one group.
  const engine::Parameters few =
      report_with({{"x_hot_groups_limit", "2"}, {"x_hot_site_groups_limit", "2"}, {"x_hot_sites", "1"}});
  const auto longest =
      std::ranges::max_element(records, {}, [](const auto& record) { return record.fingerprints().size(); });
  const Page copied = collection.pages()[static_cast<size_t>(longest - records.begin())];
  const auto copies_of = [&](bool truncated) {
    std::vector<Page> copies;
    for (int i = 0; i < 6; ++i) {
      copies.push_back(copied);
      copies.back().url += "?" + std::to_string(i);
      copies.back().truncated = truncated;
    }
    return copies;
  };
  const std::vector<engine::Features> copies = features_of(copies_of(false), few);
  const Result<EngineRun> hot = check_records(copies, few);
  ASSERT_TRUE(hot);
  EXPECT_EQ(joined_in(hot->groups), 5U);
  EXPECT_EQ(joined_in(groups_of(copies, few)), 0U) << "where pages are counted, as in the report";

  // Two cut bodies.
  EXPECT_EQ(joined_in(groups_of(copies, parameters)), 5U);
  EXPECT_EQ(joined_in(groups_of(features_of(copies_of(true), parameters), parameters)), 0U);

  // Pages known by their URLs, which nothing compares.
  std::vector<engine::Features> twice = features_of(collection, parameters);
  const size_t once = twice.size();
  for (engine::Features& record : features_of(collection, parameters))
    twice.push_back(std::move(record));
  const Result<EngineRun> fresh = check_records(records, parameters),
                          known = check_records(twice, parameters);
  ASSERT_TRUE(fresh && known);
  EXPECT_EQ(known->verifications, fresh->verifications);
  EXPECT_TRUE(std::equal(known->groups.begin() + static_cast<ptrdiff_t>(once), known->groups.end(),
                         known->groups.begin()));
}

}  // namespace
}  // namespace nd::eval
