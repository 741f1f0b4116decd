// What a collection must not count twice: a text that is not kept again.
#include "collection/collection.hpp"

#include <gtest/gtest.h>

#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

// What a journal's record can be made to say again and again: the page that is known, with the text that it
// has, of which nothing is kept. If its text were read for each, replay would not be linear in the journal.
TEST(CollectionTest, ATextThatIsNotKeptAgainTeachesNothingAgain) {
  Counters counters;
  const Parameters parameters;
  Collection collection(parameters, 1, counters);
  FeatureSample sample;
  sample.url = "https://a.example/1";
  sample.site = "a.example";
  for (uint32_t block = 0; block < 2000; ++block)
    sample.blocks.push_back({words(block * 3, 3)});
  const Features page = sample.features();
  Outcome outcome;
  outcome.answer.verdict = kNew;
  outcome.kept = true;
  const Result<Answer> first = collection.commit(page, outcome);
  ASSERT_TRUE(first);

  outcome.previous = collection.previous_of(page, true);
  ASSERT_TRUE(outcome.previous.unchanged && outcome.previous.represents);
  ASSERT_TRUE(collection.pages.find(first->page_id)->data->has(kCounted));
  outcome.kept = false;
  const uint64_t before = collection.work().of(Work::kTemplates);
  for (int round = 0; round < 50; ++round) {
    const Result<Answer> again = collection.commit(page, outcome);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->page_id, first->page_id);
  }
  EXPECT_LT(collection.work().of(Work::kTemplates) - before, 50U * 10);
  // It still is what it taught.
  outcome.kept = true;
  ASSERT_TRUE(collection.commit(page, outcome));
  EXPECT_GE(collection.work().of(Work::kTemplates) - before, 2000U);
}

}  // namespace
}  // namespace nd::engine
