// Groups that were kept apart because their site was young become one (docs/merging.md).
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/engine/feature_sample.hpp"
#include "unit/engine/store_sample.hpp"
#include "unit/store/faulty_files.hpp"

namespace nd::engine {
namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kArticleWords = 200;

Words article_words(uint32_t article) {
  return words(article * 100000, kArticleWords);
}

// With `count` words from `begin` on exchanged for others of the edit's own.
Words edited(Words text, uint32_t begin, uint32_t count, uint32_t edit) {
  for (uint32_t i = 0; i < count && begin + i < text.size(); ++i)
    text[begin + i] = 500000000 + edit * 1000 + i;
  return text;
}

Words cut(const Words& text, size_t begin, size_t end) {
  return {text.begin() + static_cast<ptrdiff_t>(begin), text.begin() + static_cast<ptrdiff_t>(end)};
}

// Pages of words, with the keys that the text layer would give them.
class PageMaker {
 public:
  Features page(const std::string& url, const std::string& site, const Words& text, const Parameters& options,
                int64_t at_ms) {
    FeatureSample sample;
    sample.site = site;
    sample.url = url;
    sample.blocks.push_back({text});
    const Features bare = sample.features();
    Vector<uint64_t> keys;
    builder_.build(bare.blocks(), {}, bare.symbols(), key_parameters_of(options), keys);
    sample.keys.assign(keys.begin(), keys.end());
    const Features keyed = sample.features();
    FeatureHeader header = keyed.header();
    header.fetched_at_ms = at_ms;
    return Features::build(header, {.blocks = keyed.blocks(),
                                    .keys = keyed.keys(),
                                    .spots = {},
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = keyed.symbols(),
                                    .url = keyed.url(),
                                    .site = keyed.site(),
                                    .text = {},
                                    .description = {}});
  }

 private:
  KeyBuilder builder_;
};

class MergingTest : public EngineTest {
 protected:
  Answer check(const std::string& host, const std::string& path, const Words& text) {
    const std::string site = host.substr(host.find('.') + 1);
    const Result<Answer> answer = engine_->check_features(
        maker_.page("https://" + host + "/" + path, site, text, engine_->parameters(), 1000));
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
  uint64_t resolve(uint64_t group_id) {
    const Result<uint64_t> current = engine_->resolve_group(group_id);
    return current ? *current : 0;
  }
  std::vector<Event> merged() {
    std::vector<Event> out;
    for (const Event& event : events_of(*engine_, 0))
      if (event.kind == EventKind::kMerged) out.push_back(event);
    return out;
  }
  // Two groups of one young site: an article, and itself with 40 words exchanged.
  std::pair<Answer, Answer> two_groups() {
    const Answer a = check("www.young.example", "a", article_words(1));
    const Answer b = check("www.young.example", "b", edited(article_words(1), 0, 40, 1));
    EXPECT_NE(a.group_id, b.group_id) << "the site is young";
    return {a, b};
  }
  // The same article of another site, with other words exchanged.
  Answer witness() { return check("www.other.example", "w", edited(article_words(1), 180, 20, 2)); }

  PageMaker maker_;
};

TEST_F(MergingTest, AWitnessMakesTwoGroupsOne) {
  const auto [a, b] = two_groups();
  const Answer w = witness();
  EXPECT_EQ(w.group_id, a.group_id);
  EXPECT_EQ(resolve(b.group_id), a.group_id);
  EXPECT_EQ(resolve(a.group_id), a.group_id);
  EXPECT_EQ(groups().size(), 1U);
  const std::vector<uint64_t> all = {a.page_id, b.page_id, w.page_id};
  EXPECT_EQ(members(a.group_id), all);
  EXPECT_EQ(members(b.group_id), all) << "by the old id";
  const PageView moved = page("https://www.young.example/b");
  EXPECT_EQ(moved.answer.page_id, b.page_id) << "it keeps its id";
  EXPECT_EQ(moved.answer.group_id, a.group_id);
  EXPECT_EQ(moved.answer.matched_page_id, a.page_id);
  EXPECT_NEAR(moved.answer.resemblance, 160.0 / 240, .01);
  const std::vector<Event> events = merged();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].old_group_id, b.group_id);
  EXPECT_EQ(events[0].new_group_id, a.group_id);
  EXPECT_EQ(events[0].page_id, b.page_id);
  EXPECT_EQ(engine_->counters().merges, 1U);
  EXPECT_EQ(engine_->counters().merges_by_witness, 1U);
  EXPECT_EQ(engine_->sizes().unfinished_merges, 0U);
  expect_consistent();
}

TEST_F(MergingTest, SoDoesWhatTheSiteShows) {
  const auto [a, b] = two_groups();
  for (uint32_t i = 0; i < 20; ++i)
    check("www.young.example", "p" + std::to_string(i), article_words(10 + i));
  EXPECT_EQ(resolve(b.group_id), a.group_id);
  EXPECT_EQ(engine_->counters().merges, 1U);
  EXPECT_EQ(engine_->counters().merges_by_witness, 0U);
  expect_consistent();
}

// 150 words of boilerplate make two articles of 50 words resemble each other.
TEST_F(MergingTest, WhatTurnsOutToBeBoilerplateMakesNothingOne) {
  const Words boilerplate = words(7, 150);
  const auto framed = [&](uint32_t article) {
    FeatureSample sample;
    sample.site = "young.example";
    sample.url = "https://www.young.example/" + std::to_string(article);
    sample.blocks = {{boilerplate}, {words(article * 100000, 50)}};
    sample.keys = {1, article + 2};
    const Result<Answer> answer = engine_->check_features(sample.features());
    EXPECT_TRUE(answer);
    return answer ? answer->group_id : 0;
  };
  std::vector<uint64_t> ids;
  for (uint32_t article = 1; article <= 30; ++article)
    ids.push_back(framed(article));
  for (uint64_t id : ids)
    EXPECT_EQ(resolve(id), id);
  EXPECT_EQ(engine_->counters().merges, 0U);
  EXPECT_EQ(engine_->sizes().groups, 30U);
  EXPECT_LE(engine_->counters().merge_verifications, 30U * engine_->parameters().merging.verifications);
}

TEST_F(MergingTest, AQueryMergesNothing) {
  two_groups();
  const std::string before = picture_of(*engine_);
  query("https://www.other.example/q", sample::article_html(1));
  EXPECT_EQ(picture_of(*engine_), before);
}

TEST_F(MergingTest, ADigestIsNoWitness) {
  const Words shared = words(9000, 150);
  const Words a_own = words(20000, 50);
  const Words b_own = words(30000, 50);
  const Answer a = check("www.young.example", "a", joined(shared, a_own));
  const Answer b = check("www.young.example", "b", joined(shared, b_own));
  ASSERT_NE(a.group_id, b.group_id);
  const Words digest = joined(joined(cut(shared, 0, 60), a_own), b_own);
  check("www.other.example", "digest", digest);
  EXPECT_EQ(resolve(b.group_id), b.group_id);
  EXPECT_EQ(engine_->counters().merges, 0U);
}

TEST_F(MergingTest, StrangersNeverMergeThroughAThirdPage) {
  const Words shared = words(9000, 60);
  const Words a_own = words(20000, 140);
  const Words b_own = words(30000, 140);
  const Answer a = check("www.one.example", "a", joined(shared, a_own));
  const Answer b = check("www.two.example", "b", joined(shared, b_own));
  ASSERT_NE(a.group_id, b.group_id);
  for (uint32_t i = 0; i < 30; ++i) {
    const std::string host = "www.evil" + std::to_string(i) + ".example";
    check(host, "w", joined(joined(shared, cut(a_own, 0, 70 + i)), cut(b_own, 0, 70 + i)));
  }
  EXPECT_EQ(resolve(b.group_id), b.group_id);
  EXPECT_EQ(engine_->counters().merges, 0U);
  EXPECT_EQ(engine_->counters().merge_verifications, 0U);
}

TEST_F(MergingTest, ThePagesOfTwoHostsNeedNoWitness) {
  const Answer a = check("alice.young.example", "a", article_words(1));
  const Answer b = check("bob.young.example", "b", edited(article_words(1), 0, 40, 1));
  ASSERT_NE(a.group_id, b.group_id);
  witness();
  EXPECT_EQ(resolve(b.group_id), b.group_id);
  EXPECT_EQ(engine_->counters().merges, 0U);
}

TEST_F(MergingTest, APageOfTheirOwnSiteIsNoWitness) {
  Parameters parameters;
  parameters.decision.same_site_resemblance = .70;  // so that it is verified against both
  open(parameters);
  const Answer a = check("www.young.example", "a", article_words(1));
  const Answer b = check("www.young.example", "b", edited(article_words(1), 0, 40, 1));
  ASSERT_NE(a.group_id, b.group_id);
  check("www.young.example", "w", edited(article_words(1), 0, 20, 2));
  EXPECT_EQ(resolve(b.group_id), b.group_id);
}

// A page joins a group of which the very same check makes a part of another one, and does not fit there.
TEST_F(MergingTest, APageThatIsTurnedOutInItsOwnCheckSaysSo) {
  const Words base = article_words(1);
  const Words other = edited(base, 40, 40, 2);
  uint32_t turned_out = 0;
  for (uint32_t others = 0; others < 8; ++others) {  // by one of these the site is not young any more
    open(Parameters{});
    const Answer a = check("www.young.example", "a", base);
    check("www.young.example", "b", edited(base, 0, 40, 1));
    const Answer c = check("www.young.example", "c", other);
    for (uint32_t i = 0; i < others; ++i)
      check("www.young.example", "p" + std::to_string(i), article_words(10 + i));
    const Answer answer = check("www.young.example", "q", cut(other, 35, 160));
    const auto now = engine_->get_page(answer.page_id);
    ASSERT_TRUE(now) << "an id that is gone";
    EXPECT_EQ(now->answer.group_id, answer.group_id);
    EXPECT_EQ(now->answer.verdict, answer.verdict);
    if ((answer.flags & kRegrouped) == 0) continue;
    ++turned_out;
    EXPECT_EQ(answer.verdict, kNew);
    EXPECT_EQ(answer.group_id, answer.page_id);
    EXPECT_EQ(resolve(c.group_id), a.group_id);
    EXPECT_EQ(page("https://www.young.example/q").answer.page_id, answer.page_id);
  }
  EXPECT_EQ(turned_out, 1U);
}

// Members that came by another way than the older representative's text.
class MembersTest : public MergingTest {
 protected:
  // Half of the younger representative's own words and 40 of both: only the younger one takes it.
  Answer drifted(uint32_t number) {
    const Words text = cut(edited(article_words(1), 0, 40, 1), 0, 80);
    return check("www.d" + std::to_string(number) + ".example", "m",
                 edited(text, 78, number % 2, 50 + number));
  }
};

TEST_F(MembersTest, ThoseThatDoNotVerifyFormAGroupWithAFreshId) {
  const auto [a, b] = two_groups();
  const Answer first = drifted(1);
  const Answer second = drifted(2);
  ASSERT_EQ(first.group_id, b.group_id);
  ASSERT_EQ(second.group_id, b.group_id);
  const Answer w = witness();
  EXPECT_EQ(resolve(b.group_id), a.group_id);
  EXPECT_EQ(members(a.group_id), (std::vector<uint64_t>{a.page_id, b.page_id, w.page_id}));
  const PageView one = page("https://www.d1.example/m");
  const PageView other = page("https://www.d2.example/m");
  EXPECT_EQ(one.answer.group_id, other.answer.group_id) << "they go together";
  EXPECT_NE(one.answer.group_id, b.group_id) << "an alias names nothing else";
  EXPECT_GT(one.answer.page_id, w.page_id);
  EXPECT_GT(other.answer.page_id, w.page_id);
  size_t regrouped = 0;
  for (const Event& event : events_of(*engine_, 0)) {
    if (event.kind != EventKind::kRegrouped) continue;
    ++regrouped;
    EXPECT_EQ(event.old_group_id, b.group_id);
    EXPECT_EQ(event.new_group_id, one.answer.group_id);
  }
  EXPECT_EQ(regrouped, 2U);
  expect_consistent();
}

TEST_F(MembersTest, AreVerifiedInBoundedSteps) {
  Parameters parameters;
  parameters.merging.verifications = 2;
  open(parameters);
  const auto [a, b] = two_groups();
  std::vector<Answer> later;
  for (uint32_t i = 1; i <= 9; ++i)
    later.push_back(drifted(i));
  witness();
  ASSERT_EQ(engine_->sizes().unfinished_merges, 1U);
  EXPECT_EQ(resolve(b.group_id), a.group_id) << "as soon as it is decided";
  EXPECT_TRUE(groups().contains(b.group_id)) << "with the members that it has left";
  for (uint32_t i = 0; i < 30 && engine_->sizes().unfinished_merges != 0; ++i) {
    const uint64_t before = engine_->counters().merge_verifications;
    check("www.s" + std::to_string(i) + ".example", "p", article_words(100 + i));
    EXPECT_LE(engine_->counters().merge_verifications, before + 2);
    expect_consistent();
    EXPECT_EQ(resolve(b.group_id), a.group_id);
  }
  EXPECT_EQ(engine_->sizes().unfinished_merges, 0U);
  EXPECT_FALSE(groups().contains(b.group_id));
}

TEST_F(MembersTest, OneThatIsCrawledMeanwhileIsHeldFirst) {
  Parameters parameters;
  parameters.merging.verifications = 2;
  open(parameters);
  const auto [a, b] = two_groups();
  for (uint32_t i = 1; i <= 6; ++i)
    drifted(i);
  witness();
  ASSERT_EQ(engine_->sizes().unfinished_merges, 1U);
  ASSERT_EQ(page("https://www.d1.example/m").answer.group_id, b.group_id);
  const Answer again = drifted(1);
  EXPECT_EQ(again.verdict, kUnchanged);
  EXPECT_NE(page("https://www.d1.example/m").answer.group_id, b.group_id);
  check("www.d3.example", "m", article_words(1));
  EXPECT_EQ(page("https://www.d3.example/m").answer.group_id, a.group_id);
  expect_consistent();
}

TEST_F(MembersTest, WhatIsLeftOfTheYoungerGroupOutlivesTheOlderOne) {
  Parameters parameters;
  parameters.merging.verifications = 2;
  open(parameters);
  const auto [a, b] = two_groups();
  for (uint32_t i = 1; i <= 4; ++i)
    drifted(i);
  witness();
  ASSERT_EQ(engine_->sizes().unfinished_merges, 1U);
  for (const char* url :
       {"https://www.young.example/a", "https://www.young.example/b", "https://www.other.example/w"})
    ASSERT_TRUE(engine_->remove(url));
  for (uint32_t i = 0; i < 20; ++i)
    check("www.s" + std::to_string(i) + ".example", "p", article_words(100 + i));
  EXPECT_EQ(engine_->sizes().unfinished_merges, 0U);
  EXPECT_EQ(resolve(b.group_id), 0U);
  const uint64_t left = page("https://www.d1.example/m").answer.group_id;
  EXPECT_EQ(page("https://www.d4.example/m").answer.group_id, left);
  EXPECT_GT(left, b.group_id);
  expect_consistent();
}

// Members in parts, which are named by pages.
class LargeMergeTest : public MergingTest {
 protected:
  // So many of either: the older group's, and the younger one's beside its representative. Pages without a
  // site teach nothing.
  void merge(uint32_t of_older, uint32_t of_younger) {
    const auto [a, b] = two_groups();
    for (uint32_t i = 0; i < std::max(of_older, of_younger); ++i) {
      if (i < of_older) copy("a" + std::to_string(i), article_words(1));
      if (i < of_younger) copy("b" + std::to_string(i), edited(article_words(1), 0, 40, 1));
    }
    ASSERT_EQ(members(b.group_id).size(), of_younger + 1);
    const Answer w = witness();
    ASSERT_EQ(engine_->counters().merges, 1U);
    for (uint32_t i = 0; engine_->sizes().unfinished_merges != 0 && i < of_younger; ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_consistent());
      check("www.s" + std::to_string(i) + ".example", "p", article_words(100 + i));
    }
    ASSERT_EQ(engine_->sizes().unfinished_merges, 0U);
    expect_consistent();
    EXPECT_EQ(members(a.group_id).size(), of_older + of_younger + 3);
    for (uint32_t i = 0; i < of_younger; ++i)
      EXPECT_EQ(page("m:b" + std::to_string(i)).answer.group_id, w.group_id);
  }
  void copy(const std::string& path, const Words& text) {
    ASSERT_TRUE(engine_->check_features(maker_.page("m:" + path, "", text, engine_->parameters(), 1000)));
  }
};

TEST_F(LargeMergeTest, EveryMemberHasOnePlaceWhateverTheSizes) {
  const auto expect_one_place = [this](uint32_t of_older, uint32_t of_younger) {
    open(Parameters{});
    ASSERT_NO_FATAL_FAILURE(merge(of_older, of_younger)) << of_older << " and " << of_younger;
  };
  for (uint32_t of_older = 61; of_older <= 64; ++of_older) {
    for (uint32_t of_younger : {62U, 63U, 64U, 65U, 70U})
      ASSERT_NO_FATAL_FAILURE(expect_one_place(of_older, of_younger));
  }
  ASSERT_NO_FATAL_FAILURE(expect_one_place(62, 330));
}

TEST_F(LargeMergeTest, MembersThatHaveMovedGoWithoutATrace) {
  ASSERT_NO_FATAL_FAILURE(merge(62, 70));
  for (uint32_t i = 0; i < 70; ++i) {
    ASSERT_TRUE(engine_->remove("m:b" + std::to_string(i)));
    ASSERT_NO_FATAL_FAILURE(expect_consistent());
  }
}

// What merges must not become boilerplate, on any host: not where the younger group has several pages of one,
// not where it is large, and not while it is still coming over.
class MergedLessonTest : public MergingTest {
 protected:
  static Words b_text() { return edited(article_words(1), 0, 40, 1); }
  void members_on(uint32_t hosts, uint32_t copies) {
    for (uint32_t copy = 0; copy < copies; ++copy) {
      for (uint32_t host = 0; host < hosts; ++host)
        check("www.m" + std::to_string(host) + ".example", "b" + std::to_string(copy), b_text());
    }
  }
  void settle() {
    for (uint32_t i = 0; i < 200 && engine_->sizes().unfinished_merges != 0; ++i)
      check("www.s" + std::to_string(i) + ".example", "p", article_words(100 + i));
    ASSERT_EQ(engine_->sizes().unfinished_merges, 0U);
  }
  // A near copy, with a word exchanged.
  uint64_t group_of_copy(const std::string& host, const Words& text, uint32_t edit) {
    return check(host, "n" + std::to_string(edit), edited(text, 60 + edit, 1, 700 + edit)).group_id;
  }
};

TEST_F(MergedLessonTest, SeveralPagesOfAHostTeachNoBoilerplate) {
  const auto [a, b] = two_groups();
  members_on(4, 2);
  ASSERT_EQ(members(b.group_id).size(), 9U);
  witness();
  settle();
  EXPECT_EQ(members(a.group_id).size(), 11U);
  EXPECT_EQ(group_of_copy("www.m0.example", b_text(), 1), a.group_id) << "of a host that has others";
  EXPECT_EQ(group_of_copy("www.fresh.example", b_text(), 2), a.group_id) << "of one that was just met";
}

TEST_F(MergedLessonTest, NorDoesALargeGroup) {
  const auto [a, b] = two_groups();
  members_on(70, 1);
  witness();
  settle();
  EXPECT_EQ(members(a.group_id).size(), 73U);
  EXPECT_EQ(group_of_copy("www.m3.example", b_text(), 1), a.group_id);
  EXPECT_EQ(group_of_copy("www.fresh.example", b_text(), 2), a.group_id);
}

TEST_F(MergedLessonTest, NorDoMembersThatLeaveTogether) {
  two_groups();
  const Words drifted = cut(b_text(), 0, 80);
  for (uint32_t copy = 0; copy < 3; ++copy)
    check("www.d.example", "m" + std::to_string(copy), drifted);
  members_on(70, 1);
  witness();
  settle();
  const uint64_t left = page("https://www.d.example/m0").answer.group_id;
  ASSERT_EQ(members(left).size(), 3U);
  EXPECT_EQ(group_of_copy("www.d.example", drifted, 1), left);
}

TEST_F(MergedLessonTest, ACopyJoinsWhileTheOthersComeOver) {
  Parameters parameters;
  parameters.merging.verifications = 2;
  open(parameters);
  const auto [a, b] = two_groups();
  members_on(8, 2);
  witness();
  ASSERT_EQ(page("https://www.m0.example/b0").answer.group_id, b.group_id) << "not yet";
  EXPECT_EQ(group_of_copy("www.m0.example", b_text(), 1), a.group_id);
  ASSERT_EQ(page("https://www.m0.example/b0").answer.group_id, b.group_id) << "not yet";
  EXPECT_EQ(group_of_copy("www.m0.example", b_text(), 2), a.group_id);
  settle();
  expect_consistent();
  EXPECT_EQ(members(a.group_id).size(), 21U);
}

TEST_F(MergingTest, IdsOfGroupsThatAreGoneAreDroppedInTime) {
  const auto [a, b] = two_groups();
  witness();
  ASSERT_EQ(engine_->sizes().aliases, 2U) << "the older group's list, and the alias";
  RemovalFilter all;
  all.fetched_before_ms = 5000;
  ASSERT_TRUE(engine_->remove_matching(all));
  EXPECT_EQ(resolve(b.group_id), 0U);
  EXPECT_EQ(resolve(a.group_id), 0U);
  for (uint32_t i = 0; i < 20; ++i)
    check("www.s" + std::to_string(i) + ".example", "p", article_words(100 + i));
  EXPECT_EQ(engine_->sizes().aliases, 0U);
}

TEST_F(MergingTest, ASiteThatAlternatesTwoTemplatesCostsLittle) {
  const Words one = words(7, 150);
  const Words two = words(8000, 150);
  uint64_t most = 0;
  for (uint32_t round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < 200; ++i) {
      FeatureSample sample;
      sample.site = "young.example";
      sample.url = "https://www.young.example/" + std::to_string(i);
      sample.blocks = {{(i + round) % 2 == 0 ? one : two}, {words((i + 1) * 100000, 50)}};
      sample.keys = {1, 2, i + 3};
      const uint64_t before = engine_->counters().merge_verifications;
      ASSERT_TRUE(engine_->check_features(sample.features()));
      most = std::max<uint64_t>(most, engine_->counters().merge_verifications - before);
    }
  }
  EXPECT_LE(most, engine_->parameters().merging.verifications);
  EXPECT_LE(engine_->counters().merge_verifications, 200U);
  EXPECT_EQ(engine_->counters().merges, 0U);
  expect_consistent();
}

TEST_F(MergingTest, WithoutTheOptionNothingMerges) {
  Parameters parameters;
  parameters.merging.enabled = false;
  open(parameters);
  const auto [a, b] = two_groups();
  witness();
  for (uint32_t i = 0; i < 20; ++i)
    check("www.young.example", "p" + std::to_string(i), article_words(10 + i));
  EXPECT_EQ(resolve(b.group_id), b.group_id);
  EXPECT_EQ(groups().size(), 22U);
}

// --- With a store.

// A random crawl in which groups part, merge, lose members and go.
class MergingCrawl {
 public:
  explicit MergingCrawl(unsigned seed) : random_(seed) {}

  std::string step(Engine& engine) {
    at_ms_ += 1000;
    const uint64_t kind = random_() % 25;
    const std::string site = "s" + std::to_string(random_() % 12) + ".example";
    const std::string url = "https://www." + site + "/" + std::to_string(random_() % 12);
    const uint32_t article = 1 + static_cast<uint32_t>(random_() % 3);
    const uint32_t begin = static_cast<uint32_t>(random_() % 5) * 40;
    const uint32_t count = 20 + static_cast<uint32_t>(random_() % 3) * 15;
    const uint32_t edit = static_cast<uint32_t>(random_() % 1000);
    const bool is_short = random_() % 4 == 0;
    if (kind == 0) return engine.remove(url) ? "removed" : "unknown";
    if (kind == 1 && edit % 8 == 0) {
      RemovalFilter filter;
      filter.site = site;
      filter.purge = edit % 16 == 0;
      const Result<uint64_t> removed = engine.remove_matching(filter);
      return removed ? std::to_string(*removed) : "failed";
    }
    Words text = edited(article_words(article), begin, count, edit);
    if (is_short) text = cut(text, 0, 90);
    const Result<Answer> answer =
        engine.check_features(maker_.page(url, site, text, engine.parameters(), at_ms_));
    if (!answer) return "failed: " + std::string(answer.failure().message);
    last_id_ = std::max(last_id_, answer->page_id);
    expect_to_tell(engine, *answer, url);
    return std::to_string(answer->page_id) + " " + std::to_string(answer->group_id) + " " +
           std::to_string(answer->verdict) + " " + std::to_string(answer->flags) + " " +
           std::to_string(answer->matched_page_id);
  }
  uint64_t last_id() const { return last_id_; }

 private:
  // Whatever has merged in the same call.
  static void expect_to_tell(const Engine& engine, const Answer& answer, const std::string& url) {
    const Result<PageView> page = engine.get_page(answer.page_id);
    ASSERT_TRUE(page) << "an id that is gone";
    EXPECT_EQ(text_of(page->url), url);
    EXPECT_EQ(page->answer.group_id, answer.group_id);
    EXPECT_EQ(page->answer.matched_page_id, answer.matched_page_id);
    if (answer.verdict == kUnchanged) return;
    EXPECT_EQ(page->answer.verdict, answer.verdict);
  }

  std::mt19937 random_;
  PageMaker maker_;
  int64_t at_ms_ = 1'000'000;
  uint64_t last_id_ = 0;
};

std::string ids_of(const Engine& engine, uint64_t last_id) {
  std::string out;
  for (uint64_t id = 1; id <= last_id; ++id) {
    const Result<uint64_t> current = engine.resolve_group(id);
    out += std::to_string(current ? *current : 0) + " ";
  }
  return out;
}

// Every group that an event reports as merged leads to where the naive chain of events leads.
void expect_events_to_hold(const Engine& engine, uint64_t& merges) {
  std::map<uint64_t, uint64_t> parent;
  for (const Event& event : events_of(engine, 0)) {
    if (event.kind != EventKind::kMerged) continue;
    EXPECT_TRUE(parent.emplace(event.old_group_id, event.new_group_id).second) << "once";
    EXPECT_LT(event.new_group_id, event.old_group_id);
  }
  std::set<uint64_t> alive;
  for (const GroupView& group : groups_of(engine))
    alive.insert(group.id);
  for (const auto& [id, to] : parent) {
    uint64_t current = to;
    while (parent.contains(current))
      current = parent[current];
    const Result<uint64_t> resolved = engine.resolve_group(id);
    EXPECT_EQ(resolved ? *resolved : 0, alive.contains(current) ? current : 0) << id;
  }
  merges = parent.size();
}

class MergingStoreTest : public StoreTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(MergingStoreTest, KillingItAtAnyMomentChangesNoAnswer) {
  const Options options =
      options_of({{"merge_verifications_limit", GetParam()}, {"loose_members_limit", "100"}});
  uint64_t merges = 0;
  uint64_t unfinished = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::filesystem::remove_all(store());
    Owned<Engine> reference = *Engine::open(options.parameters());
    Owned<Engine> engine = open(options);
    MergingCrawl expected(seed);
    MergingCrawl crawl(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 1500; ++i) {
      const uint64_t before = reference->counters().merge_verifications;
      ASSERT_EQ(crawl.step(*engine), expected.step(*reference)) << "step " << i << " of " << seed;
      ASSERT_LE(reference->counters().merge_verifications - before,
                reference->parameters().merging.verifications);
      ASSERT_EQ(engine->sizes().unfinished_merges, reference->sizes().unfinished_merges) << "step " << i;
      unfinished += engine->sizes().unfinished_merges;
      if (random() % 40 == 0) {
        ASSERT_TRUE(engine->snapshot());
      }
      if (random() % 30 != 0) continue;
      if (random() % 3 == 0) {
        ASSERT_TRUE(engine->close());
      }
      engine.reset();
      engine = open(options);
      ASSERT_NE(engine, nullptr);
    }
    EXPECT_EQ(picture_of(*engine), picture_of(*reference));
    EXPECT_EQ(ids_of(*engine, crawl.last_id()), ids_of(*reference, crawl.last_id()));
    uint64_t merged = 0;
    expect_events_to_hold(*engine, merged);
    merges += merged;
  }
  if (std::string(GetParam()) == "2") {
    EXPECT_GT(unfinished, 0U);
  }
  EXPECT_GT(merges, 5U) << "or the crawl shows nothing";
}

INSTANTIATE_TEST_SUITE_P(All, MergingStoreTest, ::testing::Values("2", "3", "8"));

// The page is answered, the merge is not there, and it is logged.
TEST_F(StoreTest, AMergeThatCannotBeWrittenFailsNoCheckAndIsReported) {
  store::FaultyFiles files(store::system_files());
  files.reserve_nothing();  // so that each record is written before its change
  PageMaker maker;
  uint64_t reported = 0;
  uint64_t unmerged = 0;
  for (uint64_t append = 1; append <= 4; ++append) {
    const std::string path = (folder_ / std::to_string(append)).string();
    Result<Owned<Engine>> engine = Engine::open(path, Options{}, files);
    ASSERT_TRUE(engine);
    std::string log;
    (*engine)->set_logger({[](int32_t, const char* message, size_t size, void* context) {
                             static_cast<std::string*>(context)->append(message, size);
                           },
                           &log});
    const auto check = [&](const std::string& site, const std::string& page, const Words& text) {
      const std::string url = "https://www." + site + "/" + page;
      return (*engine)->check_features(maker.page(url, site, text, (*engine)->parameters(), 1000));
    };
    ASSERT_TRUE(check("young.example", "a", article_words(1)));
    ASSERT_TRUE(check("young.example", "b", edited(article_words(1), 0, 40, 1)));
    files.fail(store::FaultyFiles::kAppend, append);
    const Result<Answer> witness = check("other.example", "w", edited(article_words(1), 180, 20, 2));
    const bool failed = files.failures() != 0;
    files.fail_no_more();
    const Counters& counters = (*engine)->counters();
    EXPECT_EQ(counters.merge_failures, witness && failed ? 1U : 0U);
    if (!failed) {
      EXPECT_EQ(counters.merges, 1U);
    }
    unmerged += witness && counters.merges == 0 ? 1 : 0;
    EXPECT_EQ(log.find("No space left on device") != std::string::npos, witness && failed) << log;
    reported += counters.merge_failures;
  }
  EXPECT_GT(reported, unmerged) << "or the sweep misses a later step";
  EXPECT_EQ(unmerged, 1U) << "or the sweep misses the record of the merge";
}

using MergingOptionTest = StoreTest;

TEST_F(MergingOptionTest, AStoreMadeWithoutMergingStaysSo) {
  const Options off = options_of({{"merging", "false"}});
  EXPECT_TRUE(open(off)->close());
  const Owned<Engine> engine = open();
  ASSERT_NE(engine, nullptr);
  EXPECT_FALSE(engine->parameters().merging.enabled) << "though the default is another one";
}

TEST_F(MergingOptionTest, AStoreKeepsWhatItWasMadeWith) {
  EXPECT_TRUE(open()->close());
  {
    const Owned<Engine> engine = open();
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(engine->parameters().merging.enabled);
  }
  const Result<Owned<Engine>> off =
      Engine::open(store(), options_of({{"merging", "false"}}), store::system_files());
  ASSERT_FALSE(off);
  EXPECT_EQ(off.failure().status, Status::kInvalidArgument);
}

TEST_F(MergingOptionTest, AndOneMadeWithoutMergingRefusesIt) {
  EXPECT_TRUE(open(options_of({{"merging", "false"}}))->close());
  const Result<Owned<Engine>> on =
      Engine::open(store(), options_of({{"merging", "true"}}), store::system_files());
  ASSERT_FALSE(on);
  EXPECT_EQ(on.failure().status, Status::kInvalidArgument);
}

}  // namespace
}  // namespace nd::engine
