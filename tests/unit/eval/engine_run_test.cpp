// Runs of every detector over known pages: equal texts are found, and a stricter threshold joins no more.
#include "engine_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "labelled_pages.hpp"
#include "unit/page_sample.hpp"

namespace nd::eval::test {
namespace {

using detectors::Method;

// An article; its text again, as other markup; with one of eight paragraphs rewritten; another article;
// nothing.
enum : size_t { kArticle, kCopy, kEdited, kOther, kEmpty, kPages };

Collection engine_sample() {
  const sample::Paragraphs article = sample::article(1, 8);
  std::string copy = sample::html(article);
  copy.replace(copy.find("<div>"), 5, "<section>").replace(copy.find("</div>"), 6, "</section>");
  return collection_of({{0, 0, sample::html(article)},
                        {0, 1, copy},
                        {0, 2, sample::html(sample::rewritten(article, 1, 7))},
                        {1, 3, sample::article_html(2, 8)},
                        {2, 4, "<html><body></body></html>"}});
}

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (uint32_t number = 0; number < detectors::kMethods; ++number)
    methods.push_back(static_cast<Method>(number));
  return methods;
}

const char* name_of_method(Method method) {
  return detectors::info_of(method).name.data();
}

// Indexed by page: the first page of its group.
std::vector<size_t> first_pages(const std::vector<uint64_t>& groups) {
  std::vector<size_t> first;
  for (const uint64_t group : groups)
    first.push_back(static_cast<size_t>(std::ranges::find(groups, group) - groups.begin()));
  return first;
}

TEST(EngineRun, TheLcsFindsTheKnownGroup) {
  const Collection collection = engine_sample();
  const Result<EngineRun> run = check_bodies(collection.pages(), parameters_of(Method::kLcs, Decider::kLcs));
  ASSERT_TRUE(run) << run.failure().message;
  EXPECT_EQ(first_pages(run->groups), (std::vector<size_t>{kArticle, kArticle, kArticle, kOther, kEmpty}));
  EXPECT_EQ(run->sizes.pages, kPages);
  EXPECT_EQ(run->sizes.groups, 3U);
  EXPECT_GE(run->candidates, 2U);
  EXPECT_GE(run->verifications, 2U);
  EXPECT_GT(run->cpu_seconds, 0);
}

TEST(EngineRun, EveryMethodFindsEqualTextAndNoOtherArticle) {
  const Collection collection = engine_sample();
  for (const Method method : all_methods()) {
    for (const Decider decider : deciders_of(method)) {
      SCOPED_TRACE(std::string(name_of_method(method)) + " " + std::string(name_of(decider)));
      const Result<EngineRun> run = check_bodies(collection.pages(), parameters_of(method, decider));
      ASSERT_TRUE(run) << run.failure().message;
      ASSERT_EQ(run->groups.size(), size_t{kPages});
      const std::vector<size_t> first = first_pages(run->groups);
      EXPECT_EQ(first[kCopy], kArticle);
      EXPECT_EQ(first[kOther], kOther);
      EXPECT_EQ(first[kEmpty], kEmpty);
    }
  }
}

TEST(EngineRun, ExactDecidesOnEqualTextOnly) {
  const Collection collection = engine_sample();
  for (const Decider decider : {Decider::kLcs, Decider::kMethod}) {
    const Result<EngineRun> run = check_bodies(collection.pages(), parameters_of(Method::kExact, decider));
    ASSERT_TRUE(run) << run.failure().message;
    EXPECT_EQ(first_pages(run->groups), (std::vector<size_t>{kArticle, kArticle, kEdited, kOther, kEmpty}));
  }
}

// A group is what its founder is like, so that a page that a stricter threshold keeps out may draw others:
// only of two pages it is sure that they do not come together again.
TEST(EngineRun, AStricterThresholdNeverJoinsTwoPages) {
  const sample::Paragraphs article = sample::article(1, 8);
  for (size_t changed = 0; changed <= article.size(); ++changed) {
    Collection collection = collection_of(
        {{0, 0, sample::html(article)}, {0, 1, sample::html(sample::rewritten(article, changed, 7))}});
    const auto records = collection.features(Method::kSimhash64);
    ASSERT_TRUE(records) << records.failure().message;
    bool together = true;
    for (uint32_t threshold = 1; threshold <= 64; ++threshold) {
      const Result<EngineRun> run =
          check_records(**records, parameters_of(Method::kSimhash64, Decider::kMethod, threshold));
      ASSERT_TRUE(run) << run.failure().message;
      const bool joined = run->groups[0] == run->groups[1];
      EXPECT_LE(joined, together) << changed << " paragraphs, " << threshold << " bits";
      together = joined;
      EXPECT_TRUE(joined || threshold != 1);
    }
    EXPECT_EQ(together, changed == 0);
  }
}

TEST(EngineRun, RecordsAreDecidedAsBodiesAre) {
  Collection collection = engine_sample();
  for (const Method method : all_methods()) {
    const auto records = collection.features(method);
    ASSERT_TRUE(records) << records.failure().message;
    for (const Decider decider : deciders_of(method)) {
      SCOPED_TRACE(std::string(name_of_method(method)) + " " + std::string(name_of(decider)));
      const engine::Parameters parameters = parameters_of(method, decider);
      const Result<EngineRun> of_records = check_records(**records, parameters);
      const Result<EngineRun> of_bodies = check_bodies(collection.pages(), parameters);
      ASSERT_TRUE(of_records) << of_records.failure().message;
      ASSERT_TRUE(of_bodies) << of_bodies.failure().message;
      EXPECT_EQ(of_records->groups, of_bodies->groups);
      EXPECT_EQ(of_records->verifications, of_bodies->verifications);
    }
    collection.forget_features(method);
  }
}

TEST(EngineRun, GroupsOfAnotherOrderAreByRecord) {
  Collection collection = engine_sample();
  const auto records = collection.features(Method::kLcs);
  ASSERT_TRUE(records) << records.failure().message;
  const engine::Parameters parameters = parameters_of(Method::kLcs, Decider::kLcs);
  const std::vector<uint32_t> backwards = {kEmpty, kOther, kEdited, kCopy, kArticle};
  const Result<EngineRun> run = check_records(**records, backwards, parameters);
  ASSERT_TRUE(run) << run.failure().message;
  EXPECT_EQ(first_pages(run->groups), (std::vector<size_t>{kArticle, kArticle, kArticle, kOther, kEmpty}));
}

TEST(EngineRun, SaysWhatTheEngineRefuses) {
  Collection collection = engine_sample();
  const auto records = collection.features(Method::kSimhash64);
  ASSERT_TRUE(records) << records.failure().message;
  const Result<EngineRun> other = check_records(**records, parameters_of(Method::kMwo, Decider::kMethod));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.failure().status, Status::kInvalidArgument);
  EXPECT_EQ(other.failure().message.find("http://site0.example/0: "), 0U) << other.failure().message;
  const Result<EngineRun> beyond =
      check_bodies(collection.pages(), parameters_of(Method::kSimhash64, Decider::kMethod, 65));
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.failure().status, Status::kInvalidArgument);
}

TEST(EngineRun, NoPagesAreNoGroups) {
  const Result<EngineRun> run = check_bodies({}, parameters_of(Method::kMwo, Decider::kLcs));
  ASSERT_TRUE(run) << run.failure().message;
  EXPECT_TRUE(run->groups.empty());
  const Result<double> seconds = reading_cpu_seconds({});
  ASSERT_TRUE(seconds);
  EXPECT_GE(*seconds, 0);
}

}  // namespace
}  // namespace nd::eval::test
