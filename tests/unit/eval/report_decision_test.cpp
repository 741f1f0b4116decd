// decision=report against the report's own partition, which knows nothing of the engine's candidates, blocks
// and sites, over the bundled sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/batch.hpp"
#include "lcs_against.hpp"
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

std::vector<engine::Features> features_of(const Collection& collection,
                                          const engine::Parameters& parameters) {
  text::PageReader reader = *text::PageReader::create();
  engine::FeatureBuilder builder = *engine::FeatureBuilder::create(parameters.detector.kind());
  std::vector<engine::Features> made;
  for (const Page& page : collection.pages()) {
    text::Document document;
    EXPECT_TRUE(reader.read(page.url, {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                            page.content_type, parameters.page, document));
    builder.begin(document);
    made.push_back(builder.finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated}, document,
                                  {}, parameters, true));
  }
  return made;
}

// By page: the number of its representative.
std::vector<uint64_t> groups_of(const Collection& collection, const engine::Parameters& parameters) {
  const std::vector<engine::Features> features = features_of(collection, parameters);
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

size_t differing(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += a[i] != b[i];
  return count;
}

TEST(ReportDecisionTest, IsThePartitionOfTheReportAndNothingElse) {
  Collection collection = sample_pages();
  const auto documents = collection.documents();
  ASSERT_TRUE(documents);
  std::vector<partition::ComparedText> texts;
  std::vector<uint32_t> sites;
  for (const text::Document& document : **documents)
    texts.push_back(partition::text_of(document, Extent::kAll, partition::Unit::kTokens));
  for (const Page& page : collection.pages())
    sites.push_back(page.site);
  const std::vector<partition::PageKeys> keys = partition::fingerprint_pages(**documents, Extent::kAll);
  const partition::ReportedPartition reported =
      partition::partition_as_reported(texts, keys, sites, partition::kReportedRule);
  EXPECT_EQ(reported.limited + reported.bounded, 0U);

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

}  // namespace
}  // namespace nd::eval
