// The rules on groups of which each keeps another page, ties, and a plain oracle.
#include "keep_rule.hpp"

#include <gtest/gtest.h>
#include <ndcapi.h>

#include <random>
#include <utility>

namespace ndc::test {
namespace {

constexpr uint64_t kPage = 1;

KeepCandidate candidate(uint64_t group, uint64_t width, int64_t time, std::string url,
                        std::string canonical = {}) {
  return {group, kPage, width, time, std::move(url), std::move(canonical), true};
}

// Captures of one page are copies of each other, which needs no engine.
std::vector<size_t> kept_of(const std::vector<KeepCandidate>& candidates, int32_t prefers) {
  return choose_kept(nullptr, candidates, {prefers, false}).kept;
}

TEST(KeepRule, EachKeepsItsPage) {
  const std::vector<KeepCandidate> group = {
      candidate(1, 10, 5, "http://a.example/first"), candidate(1, 30, 1, "http://a.example/longest"),
      candidate(1, 20, 9, "http://a.example/newest"), candidate(1, 20, 2, "http://a.example/named-by-others"),
      candidate(1, 20, 2, "http://a/", "http://a.example/named-by-others")};
  EXPECT_EQ(kept_of(group, ND_KEEP_FIRST), std::vector<size_t>(5, 0));
  EXPECT_EQ(kept_of(group, ND_KEEP_LONGEST), std::vector<size_t>(5, 1));
  EXPECT_EQ(kept_of(group, ND_KEEP_NEWEST), std::vector<size_t>(5, 2));
  EXPECT_EQ(kept_of(group, ND_KEEP_CANONICAL), std::vector<size_t>(5, 3));
}

TEST(KeepRule, WordsNameTheRules) {
  EXPECT_EQ(keep_rule_named("first", false, "normal").prefers, ND_KEEP_FIRST);
  EXPECT_EQ(keep_rule_named("longest", false, "careful").prefers, ND_KEEP_LONGEST);
  EXPECT_EQ(keep_rule_named("newest", false, "equal").prefers, ND_KEEP_NEWEST);
  EXPECT_EQ(keep_rule_named("canonical", false, "normal").prefers, ND_KEEP_CANONICAL);
}

TEST(KeepRule, CanonicalFallsBackToTheShortestUrl) {
  // Links to pages of other groups and to nowhere say nothing.
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a.example/long", "http://b.example/"),
                                            candidate(1, 0, 0, "http://a.example/s", "http://none.example/"),
                                            candidate(2, 0, 0, "http://b.example/")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_CANONICAL), (std::vector<size_t>{1, 1, 2}));
}

TEST(KeepRule, AFragmentIsNoPartOfAPagesName) {
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a/", "http://a.example/x"),
                                            candidate(1, 0, 0, "http://a.example/x#top")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_CANONICAL), (std::vector<size_t>{1, 1}));
}

TEST(KeepRule, TheFirstWinsAmongEquals) {
  const std::vector<KeepCandidate> same(4, candidate(3, 7, 7, "http://a/", "http://a/"));
  for (const int32_t rule : {ND_KEEP_FIRST, ND_KEEP_LONGEST, ND_KEEP_NEWEST, ND_KEEP_CANONICAL})
    EXPECT_EQ(kept_of(same, rule), std::vector<size_t>(4, 0));
}

TEST(KeepRule, ATimeThatIsNotKnownIsOlderThanAnyOther) {
  const std::vector<KeepCandidate> pages = {candidate(1, 0, 0, "http://a/"),
                                            candidate(1, 0, -5, "http://b/")};
  EXPECT_EQ(kept_of(pages, ND_KEEP_NEWEST), (std::vector<size_t>{1, 1}));
}

TEST(KeepRule, WhatHasNoContentIsKeptOnlyWhereNothingHas) {
  std::vector<KeepCandidate> pages = {candidate(1, 50, 50, "http://a/"), candidate(1, 1, 1, "http://b/long")};
  pages[0].has_content = false;
  for (const int32_t rule : {ND_KEEP_FIRST, ND_KEEP_LONGEST, ND_KEEP_NEWEST, ND_KEEP_CANONICAL})
    EXPECT_EQ(kept_of(pages, rule), (std::vector<size_t>{1, 1}));
  pages[1].has_content = false;
  EXPECT_EQ(kept_of(pages, ND_KEEP_FIRST), (std::vector<size_t>{0, 0}));
}

TEST(KeepRule, APageOfNoKnownGroupStays) {
  const std::vector<KeepCandidate> pages(2, candidate(0, 7, 7, "http://a/"));
  const KeepChoice choice = choose_kept(nullptr, pages, {});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(choice.preferred, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(choice.counts.left_out + choice.counts.also_kept(), 0U);
}

// Pages of one group in an engine.
class KeepInEngineTest : public ::testing::Test {
 protected:
  KeepInEngineTest() { EXPECT_EQ(nd_open(nullptr, nullptr, &engine_), ND_OK); }
  ~KeepInEngineTest() override { nd_close(engine_); }

  static std::vector<std::string> sentences(uint32_t seed, size_t count) {
    std::mt19937 random(seed);
    std::vector<std::string> text(count);
    for (std::string& sentence : text) {
      for (int word = 0; word < 12; ++word)
        sentence += (word == 4 ? "of " : "w" + std::to_string(random() % 100000) + " ");
      sentence += ". ";
    }
    return text;
  }

  void add(const std::string& url, const std::vector<std::vector<std::string>>& parts) {
    std::string body;
    for (const auto& part : parts) {
      for (const std::string& sentence : part)
        body += "<p>" + sentence;
    }
    nd_page page = ND_PAGE_INIT;
    page.url = url.data(), page.url_size = url.size();
    page.body = body.data(), page.body_size = body.size();
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(engine_, &page, &result), ND_OK);
    EXPECT_EQ(result.group_id, 1U) << url;
    KeepCandidate& added = pages_.emplace_back();
    added.group_id = result.group_id;
    added.page_id = result.page_id;
    added.text_width = body.size();
    added.url = url;
  }

  nd_engine* engine_ = nullptr;
  std::vector<KeepCandidate> pages_;
  const std::vector<std::string> head_ = sentences(1, 12), middle_ = sentences(2, 24),
                                 tail_ = sentences(3, 12);
};

// As much of 48 sentences may differ: APageStaysWithoutACopyThatIsKept.
TEST_F(KeepInEngineTest, APageWithLittleTextStaysUnlessItIsVeryProbablyACopy) {
  const std::vector<std::string> head = sentences(1, 5), middle = sentences(2, 10), tail = sentences(3, 5);
  add("http://a.example/", {head, middle, tail});
  add("http://b.example/", {sentences(4, 6), middle, tail});
  add("http://c.example/", {head, middle, tail, {"one more"}});
  const KeepChoice choice = choose_kept(engine_, pages_, {});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 1, 0}));
  EXPECT_EQ(choice.counts.uncertain, 1U);
}

TEST_F(KeepInEngineTest, EachTextStaysOnceHoweverManyDiffer) {
  constexpr size_t kTexts = 12;
  for (size_t text = 0; text < kTexts; ++text) {
    const std::vector<std::vector<std::string>> parts = {
        head_, middle_, tail_, {"number w" + std::to_string(text)}};
    add("http://a" + std::to_string(text) + ".example/", parts);
    add("http://b" + std::to_string(text) + ".example/", parts);
  }
  const KeepChoice choice = choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, Caution::kEqual});
  for (size_t text = 0; text < kTexts; ++text) {
    EXPECT_EQ(choice.kept[2 * text], 2 * text);
    EXPECT_EQ(choice.kept[2 * text + 1], 2 * text);
  }
  EXPECT_EQ(choice.counts.left_out, kTexts);
}

TEST_F(KeepInEngineTest, APageStaysWithoutACopyThatIsKept) {
  add("http://a.example/", {head_, middle_, tail_});
  add("http://b.example/", {sentences(4, 14), middle_, tail_});
  add("http://c.example/", {head_, middle_, sentences(5, 12)});
  add("http://d.example/", {head_, middle_, sentences(5, 12)});
  EXPECT_EQ(choose_kept(engine_, pages_, {}).kept, std::vector<size_t>(4, 0));
  const KeepChoice choice = choose_kept(engine_, pages_, {ND_KEEP_LONGEST, false});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{1, 1, 2, 2}));
  EXPECT_EQ(choice.preferred, std::vector<size_t>{1});
  EXPECT_EQ(choice.counts.left_out, 2U);
  EXPECT_EQ(choice.counts.others, 1U);
  EXPECT_EQ(choice.counts.parts, 0U);
  EXPECT_EQ(also_kept_in_words(choice.counts), "; also kept: 1 other document");
}

TEST_F(KeepInEngineTest, PartsAreLeftOutOnRequest) {
  add("http://a.example/", {head_, middle_, tail_});
  add("http://b.example/", {head_, middle_, tail_, sentences(6, 60)});
  add("http://c.example/", {middle_});
  add("http://d.example/", {head_, middle_, tail_, sentences(6, 60)});
  const KeepChoice choice = choose_kept(engine_, pages_, {});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 1, 2, 1})) << "a copy of a part is a copy";
  EXPECT_EQ(choice.counts.parts, 2U);
  EXPECT_EQ(also_kept_in_words(choice.counts), "; also kept: 2 with much more or less text");
  EXPECT_EQ(choose_kept(engine_, pages_, {ND_KEEP_FIRST, true}).kept, std::vector<size_t>(4, 0));
}

TEST_F(KeepInEngineTest, WhatCannotBeComparedStays) {
  add("http://a.example/", {head_, middle_, tail_});
  add("http://b.example/", {head_, middle_, tail_});
  pages_[1].page_id = 99;
  const KeepChoice choice = choose_kept(engine_, pages_, {});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(choice.counts.others, 1U);
}

TEST_F(KeepInEngineTest, CautionKeepsWhatIsNotSure) {
  add("http://a.example/", {head_, middle_, tail_});
  add("http://b.example/", {head_, middle_, tail_});
  add("http://c.example/", {head_, middle_, sentences(7, 12)});
  EXPECT_EQ(choose_kept(engine_, pages_, {}).kept, std::vector<size_t>(3, 0));
  for (const Caution caution : {Caution::kCareful, Caution::kEqual}) {
    const KeepChoice choice = choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, caution});
    EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 0, 2}));
    EXPECT_EQ(also_kept_in_words(choice.counts), "; also kept: 1 too uncertain");
    EXPECT_EQ(choice.reasons[1].why, DropReason::Why::kEqualText);
  }
  // Two words more in 48 sentences are hardly any text.
  add("http://d.example/", {head_, middle_, tail_, {"nothing more ."}});
  EXPECT_EQ(choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, Caution::kCareful}).kept,
            (std::vector<size_t>{0, 0, 2, 0}));
  // In a narrow page two words may be what it is about.
  const uint64_t width = std::exchange(pages_[3].text_width, 1999);
  EXPECT_EQ(choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, Caution::kCareful}).kept,
            (std::vector<size_t>{0, 0, 2, 3}));
  pages_[3].text_width = width;
  const KeepChoice equal = choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, Caution::kEqual});
  EXPECT_EQ(equal.kept, (std::vector<size_t>{0, 0, 2, 3}));
}

TEST_F(KeepInEngineTest, JudgementsComeBeforeComparisons) {
  for (const char* url : {"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"})
    add(url, {head_, middle_, tail_});
  pages_[0].judgement = pages_[3].judgement = Judgement::kLeaveOut;
  pages_[2].judgement = Judgement::kKeep;
  KeepChoice choice = choose_kept(engine_, pages_, {});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{1, 1, 2, 1}));
  EXPECT_EQ(choice.reasons[3].why, DropReason::Why::kJudged);
  EXPECT_EQ(choice.counts.left_out, 2U);
  EXPECT_EQ(also_kept_in_words(choice.counts), "; also kept: 1 by judgement");
  for (KeepCandidate& page : pages_)
    page.judgement = Judgement::kLeaveOut;
  choice = choose_kept(engine_, pages_, {});
  EXPECT_EQ(choice.kept, std::vector<size_t>(4, kNothingKept));
  EXPECT_EQ(also_kept_in_words(choice.counts), "; no page is left of 1 group");
}

TEST_F(KeepInEngineTest, LabelsSayWhatIsTheSameDocument) {
  add("http://a.example/", {head_, middle_, tail_});
  add("http://b.example/", {head_, middle_, tail_});
  add("http://c.example/", {head_, middle_, sentences(7, 12)});
  pages_[0].document = pages_[2].document = 1;
  pages_[1].document = 2;
  const KeepChoice choice = choose_kept(engine_, pages_, {ND_KEEP_FIRST, false, Caution::kEqual});
  EXPECT_EQ(choice.kept, (std::vector<size_t>{0, 1, 0}));
}

TEST(KeepRule, IsThatOfAPlainSearch) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<KeepCandidate> pages;
    for (int i = 0; i < 60; ++i)
      pages.push_back(
          candidate(random() % 12 + 1, random() % 5, static_cast<int64_t>(random() % 5) + 1, "http://a/"));
    const std::vector<size_t> longest = kept_of(pages, ND_KEEP_LONGEST);
    const std::vector<size_t> newest = kept_of(pages, ND_KEEP_NEWEST);
    for (size_t i = 0; i < pages.size(); ++i) {
      size_t most = i, last = i;
      for (size_t j = pages.size(); j-- > 0;) {
        if (pages[j].group_id != pages[i].group_id) continue;
        if (pages[j].text_width >= pages[most].text_width) most = j;
        if (pages[j].fetched_at_ms >= pages[last].fetched_at_ms) last = j;
      }
      EXPECT_EQ(longest[i], most);
      EXPECT_EQ(newest[i], last);
    }
  }
}

}  // namespace
}  // namespace ndc::test
