// Pages that hold the texts of several groups, and strangers on one domain.
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::html;
using sample::Paragraphs;
using sample::url;

Paragraphs joined(std::initializer_list<Paragraphs> texts) {
  Paragraphs all;
  for (const Paragraphs& text : texts)
    all.insert(all.end(), text.begin(), text.end());
  return all;
}

class DigestTest : public EngineTest {
 protected:
  Answer check_article(uint64_t number, uint64_t at, int64_t at_ms = 1000) {
    return check(url(at), html(article(number)), at_ms);
  }
  uint64_t digests() const { return engine_->counters().digests.load(); }

  const std::string digest_ = html(joined({article(1), article(2), article(3), article(4)}));
};

TEST_F(DigestTest, ADigestThatComesLastFoundsAGroup) {
  for (uint64_t number = 1; number <= 4; ++number)
    EXPECT_EQ(check_article(number, number).verdict, kNew);
  EXPECT_EQ(check(url(100), digest_).verdict, kNew);
  EXPECT_EQ(digests(), 1U);
}

TEST_F(DigestTest, ADigestThatComesFirstCollectsNothing) {
  const Answer digest = check(url(100), digest_);
  EXPECT_EQ(check_article(1, 1).group_id, digest.group_id) << "nobody can know yet";
  for (uint64_t number = 2; number <= 4; ++number)
    EXPECT_EQ(check_article(number, number).verdict, kNew) << number;
  EXPECT_EQ(digests(), 3U);
  // The one that joined is looked at again when it is crawled again.
  const Answer first = check_article(1, 1, 2000);
  EXPECT_EQ(first.verdict, kUnchanged);
  EXPECT_NE(first.group_id, digest.group_id);
  EXPECT_TRUE(first.flags & kRegrouped);
  EXPECT_EQ(members(digest.group_id), (std::vector<uint64_t>{digest.page_id}));
  // Copies of the sources find these, not the digest.
  EXPECT_EQ(check_article(1, 11).group_id, first.group_id);
  EXPECT_NE(check_article(3, 13).group_id, digest.group_id);
  expect_consistent();
}

TEST_F(DigestTest, ATombstoneOfADigestCollectsNothing) {
  const Answer digest = check(url(100), digest_);
  EXPECT_EQ(check_article(1, 1).group_id, digest.group_id);
  ASSERT_TRUE(engine_->remove(url(100)));
  for (uint64_t number = 2; number <= 4; ++number)
    EXPECT_NE(check_article(number, number).group_id, digest.group_id) << number;
}

TEST_F(DigestTest, ACopyWithMuchAddedStillJoins) {
  const Answer extended = check(url(100), html(joined({article(1), article(90, 9)})));
  for (uint64_t copy = 1; copy <= 5; ++copy)
    EXPECT_EQ(check_article(1, copy).group_id, extended.group_id) << copy;
  EXPECT_EQ(digests(), 0U);
}

TEST_F(DigestTest, ACopyWithMuchAddedJoinsWhatItHolds) {
  const Answer plain = check_article(1, 1);
  check(url(2), html(sample::rewritten(article(1), 2, 77)));
  EXPECT_EQ(check(url(100), html(joined({article(1), article(90, 9)}))).group_id, plain.group_id);
  EXPECT_EQ(digests(), 0U);
}

// Parts of an article of twelve paragraphs. Two that overlap are excerpts of it, not the texts of a digest.
TEST_F(DigestTest, OverlappingExcerptsOfOneArticleAreItsCopies) {
  const Paragraphs whole = article(1, 12);
  const Answer full = check(url(100), html(whole));
  EXPECT_EQ(check(url(1), html({whole.begin(), whole.begin() + 6})).group_id, full.group_id);
  EXPECT_EQ(check(url(2), html({whole.begin() + 4, whole.begin() + 10})).group_id, full.group_id);
  EXPECT_EQ(digests(), 0U);
}

TEST_F(DigestTest, IsNotLookedAtWhereTheOptionIsZero) {
  Parameters parameters;
  parameters.decision.part_coverage = 0;
  open(parameters);
  const Answer digest = check(url(100), digest_);
  for (uint64_t number = 1; number <= 4; ++number)
    EXPECT_EQ(check_article(number, number).group_id, digest.group_id);
}

class StrangersTest : public EngineTest {
 protected:
  static std::string at(const std::string& host, uint64_t page) {
    return "https://" + host + ".blogs.example/" + std::to_string(page);
  }
  static std::string post(const Paragraphs& theme, const Paragraphs& text) {
    return html(joined({theme, text}));
  }
  void blog(const std::string& host, const Paragraphs& theme, uint64_t first_article) {
    for (uint64_t page = 0; page < 10; ++page)
      check(at(host, 100 + page), post(theme, article(first_article + page)));
  }
  // Four pages that quote all of a victim's text, among text of their own.
  void poison(const std::string& host, const Paragraphs& theme, const Paragraphs& victim) {
    for (uint64_t page = 0; page < 4; ++page)
      check(at(host, 500 + page), post(theme, joined({victim, article(800 + page, 24)})));
  }

  const Paragraphs theme_ = article(901, 3), evil_theme_ = article(902, 3), victim_ = article(1, 6);
};

TEST_F(StrangersTest, FourPagesOfAStrangerDoNotMakeAnArticleBoilerplate) {
  blog("victim", theme_, 20);
  const Answer original = check(at("victim", 1), post(theme_, victim_));
  poison("evil", evil_theme_, victim_);
  const Answer copy = check("https://news.example/1", html(victim_));
  EXPECT_EQ(copy.group_id, original.group_id);
  EXPECT_GT(copy.resemblance, 0.9);
}

TEST_F(StrangersTest, NorDoTheyInTheVictimsOwnPageTemplate) {
  blog("victim", theme_, 20);
  const Answer original = check(at("victim", 1), post(theme_, victim_));
  for (const std::string host : {"evil", "evil2", "evil3"}) {
    blog(host, theme_, 40);
    poison(host, theme_, victim_);
  }
  EXPECT_EQ(check("https://news.example/1", html(victim_)).group_id, original.group_id);
}

// A host that nobody knows is judged by what others have as boilerplate; but one domain is one voice, however
// many hosts it has.
TEST_F(StrangersTest, NorDoManyHostsOfOneDomainForAYoungHost) {
  for (const bool victim_first : {true, false}) {
    SetUp();
    const auto publish = [&] { return check("https://www.victim.example/1", html(victim_)); };
    Answer original;
    if (victim_first) original = publish();
    for (const std::string host : {"evil", "evil2", "evil3", "evil4"})
      poison(host, evil_theme_, victim_);
    if (!victim_first) original = publish();
    for (uint64_t copy = 0; copy < 5; ++copy) {
      const std::string at = "https://news" + std::to_string(copy) + ".example/1";
      const Answer answer = check(at, html(sample::rewritten(victim_, 1, 77 + copy)));
      EXPECT_EQ(answer.group_id, original.group_id) << victim_first << copy;
      EXPECT_GT(answer.resemblance, 0.6);
    }
  }
}

}  // namespace
}  // namespace nd::engine
