// What commits count of a site's pages, whether they are new, changed, fetched again or removed.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "collection/collection.hpp"
#include "unit/collection/counted_page_sample.hpp"

namespace nd::engine {
namespace {

constexpr uint32_t kPageWords = 12;

class CountedPagesTest : public ::testing::Test {
 protected:
  CountedPagesTest() { start(); }
  void start() { collection_ = make_owned<Collection>(parameters_, uint64_t{1}, counters_); }

  static FeatureSample page(uint32_t number, const std::vector<uint32_t>& blocks,
                            const std::vector<uint32_t>& title) {
    FeatureSample sample;
    sample.site = "a.example";
    sample.url = "https://a.example/" + std::to_string(number);
    for (const uint32_t block : blocks)
      sample.blocks.push_back({{block}});
    sample.title = title;
    return sample;
  }
  // `joined`: a group; 0: none.
  Answer commit(const FeatureSample& sample, uint64_t joined = 0, bool kept = true) {
    const Features features = sample.features();
    Outcome outcome;
    outcome.previous = collection_->previous_of(features, true);
    outcome.answer.verdict = !features.has_text() ? kNoText : joined == 0 ? kNew : kNearDuplicate;
    outcome.joined = joined;
    outcome.kept = kept;
    const Result<Answer> answer = collection_->commit(features, outcome);
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
  uint64_t site() const { return site_key_of("https://a.example/1", "a.example"); }
  CountedPage counts_of(const FeatureSample& sample) const {
    return counted(collection_->knowledge, site(), sample.features());
  }
  // The counts are those of the texts that the pages have.
  void expect_counts_of_texts() const {
    std::vector<uint32_t> words_counted;
    for (uint32_t word = 0; word < kPageWords; ++word)
      words_counted.push_back(word);
    std::map<uint64_t, uint32_t> with;
    uint32_t pages = 0;
    for (uint64_t id = 1; id <= collection_->last_id(); ++id) {
      const PageRef found = collection_->pages.find(id);
      if (!found) continue;
      const SharedFeatures text = collection_->texts.find(found->data->text);
      ASSERT_NE(text, nullptr);
      if (!found->data->has(kCounted)) continue;
      ASSERT_TRUE(text->has_text());
      ++pages;
      for (const uint64_t part : counted_parts(*text))
        ++with[part];
    }
    const FeatureSample all = page(1, words_counted, words_counted);
    const Features features = all.features();
    const CountedPage found = counts_of(all);
    ASSERT_EQ(found.pages, pages);
    for (size_t i = 0; i < kPageWords; ++i) {
      const Features block_alone = page(1, {words_counted[i]}, {}).features();
      ASSERT_EQ(found.blocks[i], with[counted_parts(block_alone)[0]]) << i;
      const Features title_alone = page(1, {}, {words_counted[i]}).features();
      ASSERT_EQ(found.title[i], with[counted_parts(title_alone)[0]]) << i;
    }
  }

  Counters counters_;
  Parameters parameters_;
  Owned<Collection> collection_;
};

TEST_F(CountedPagesTest, APageCountsOnceHoweverOftenItIsFetched) {
  const FeatureSample first = page(1, {1, 2}, {3});
  const Answer answer = commit(first);
  for (int64_t round = 0; round < 5; ++round) {
    ASSERT_TRUE(collection_->see_again(answer.page_id, round));
    commit(first);
  }
  EXPECT_EQ(counts_of(first).pages, 1U);
  EXPECT_EQ(counts_of(first).blocks[0], 1U);
  EXPECT_EQ(counts_of(first).title[0], 1U);
  commit(page(1, {1, 4}, {3}));
  EXPECT_EQ(counts_of(first).pages, 1U);
  EXPECT_EQ(counts_of(first).blocks[0], 1U);
  EXPECT_EQ(counts_of(first).blocks[1], 0U) << "it went with the old text";
  expect_counts_of_texts();
}

TEST_F(CountedPagesTest, ARemovedPageTakesItsCountsBack) {
  const FeatureSample first = page(1, {1, 2}, {3}), second = page(2, {1, 4}, {3});
  const Answer answer = commit(first);
  commit(second, answer.group_id);
  EXPECT_EQ(counts_of(first).pages, 2U);
  ASSERT_TRUE(collection_->remove(answer.page_id));
  EXPECT_EQ(counts_of(first).pages, 1U);
  EXPECT_EQ(counts_of(first).blocks[1], 0U);
  expect_counts_of_texts();
}

// The text is the same, so the page is unchanged; but where its record is written anew, it has the new title.
TEST_F(CountedPagesTest, ANewTitleIsCountedWhereItIsKept) {
  const FeatureSample before = page(1, {1, 2}, {3}), after = page(1, {1, 2}, {4});
  const Answer answer = commit(before);
  commit(after);
  expect_counts_of_texts();
  commit(before, 0, false);  // there was no room for it: the page is as it was
  expect_counts_of_texts();
  ASSERT_TRUE(collection_->remove(answer.page_id));
  const CountedPage found = counts_of(page(1, {1, 2}, {3, 4}));
  EXPECT_EQ(found.pages, 0U);
  EXPECT_EQ(collection_->knowledge.content_bytes(), 64U) << "no part is left";
}

// One page after the other, of its own site, of another, and with its own URL on another: each pair is
// counted as if it were the first one.
TEST_F(CountedPagesTest, APairIsCountedWithoutWhatBothHaveContributed) {
  std::mt19937 random(44);
  const auto word = [&] { return static_cast<uint32_t>(random() % kPageWords); };
  std::vector<Features> pages;
  for (uint32_t number = 0; number < 60; ++number) {
    FeatureSample sample = page(number, {word(), word(), word()}, {word()});
    if (number % 3 == 1) sample.url = "https://b.example/" + std::to_string(number);
    // Without a host in the URL a page is of the site that it names.
    if (number % 3 == 2) sample.url = "row " + std::to_string(number / 6);
    if (number % 6 == 5) sample.site = "c.example";
    pages.push_back(sample.features());
    collection_->knowledge.learn(site_key_of(pages.back().url(), pages.back().site()), pages.back());
  }
  for (const Features& page : pages) {
    Contribution of_representative, of_page;
    of_page.take(page);
    CountedPair pair;
    for (int round = 0; round < 200; ++round) {
      const Features& representative = pages[random() % pages.size()];
      if (&representative == &page) continue;
      of_representative.take(representative);
      collection_->knowledge.count_pair(representative, of_representative, page, of_page, pair);
      const uint64_t its_site = site_key_of(representative.url(), representative.site());
      const uint64_t site = site_key_of(page.url(), page.site());
      std::vector<const Features*> of_its_site = {&representative}, of_site;
      if (page.url() != representative.url()) of_site.push_back(&page);
      if (its_site == site) {
        of_its_site.insert(of_its_site.end(), of_site.begin(), of_site.end());
        of_site.push_back(&representative);
      }
      const CountedPage its_counts = counted(collection_->knowledge, its_site, representative, of_its_site);
      const CountedPage counts = counted(collection_->knowledge, site, page, of_site);
      ASSERT_EQ(pair.representative.pages, its_counts.pages);
      ASSERT_EQ(pair.representative.blocks, its_counts.blocks);
      ASSERT_EQ(pair.representative.title, its_counts.title);
      ASSERT_EQ(pair.page.pages, counts.pages);
      ASSERT_EQ(pair.page.blocks, counts.blocks);
      ASSERT_EQ(pair.page.title, counts.title);
    }
  }
}

TEST_F(CountedPagesTest, OtherDecisionsCountNothing) {
  parameters_.decision.decision = static_cast<uint32_t>(DecisionKind::kReport);
  const Answer answer = commit(page(1, {1, 2}, {3}));
  commit(page(1, {1, 4}, {3}));
  EXPECT_EQ(collection_->knowledge.table().size(), 0U);
  ASSERT_TRUE(collection_->remove(answer.page_id));
}

// While pages are settled, what was counted of them is known before the first comes: none is counted again.
TEST_F(CountedPagesTest, SettledPagesAreNotCountedAgain) {
  const FeatureSample first = page(1, {1, 2}, {3}), second = page(2, {1, 4}, {});
  commit(first);
  commit(second);
  const Owned<Collection> other = std::move(collection_);
  start();
  collection_->begin_settling(*other);
  EXPECT_TRUE(collection_->knows_all_sites());
  commit(first);
  commit(second);
  commit(page(2, {1, 5}, {}));
  EXPECT_EQ(counts_of(first).pages, 2U);
  EXPECT_EQ(counts_of(first).blocks[0], 2U);
}

// Pages come, change, move between groups, lose their text, get other titles, are seen again and go.
TEST_F(CountedPagesTest, TheCountsAreThoseOfTheTextsThatPagesHave) {
  std::mt19937_64 random(3);
  const auto some_words = [&](uint64_t most) {
    std::vector<uint32_t> out;
    for (uint64_t i = random() % (most + 1); i > 0; --i)
      out.push_back(static_cast<uint32_t>(random() % kPageWords));
    return out;
  };
  for (int round = 0; round < 3000; ++round) {
    const auto number = static_cast<uint32_t>(random() % 25);
    FeatureSample sample = page(number, some_words(3), some_words(2));
    const PageRef known = collection_->pages.find(std::string_view(sample.url));
    if (known && random() % 5 == 0) {
      ASSERT_TRUE(collection_->remove(known->data->answer.page_id));
    } else {
      uint64_t group = 0;
      if (const PageRef other = collection_->pages.find(1 + random() % (collection_->last_id() + 1));
          other && random() % 2 == 0)
        group = other->data->answer.group_id;
      commit(sample, group);
    }
    expect_counts_of_texts();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace nd::engine
