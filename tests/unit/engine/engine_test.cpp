// The verdicts of an engine in memory, page by page, as docs/impl.md describes them.
#include "engine/engine.hpp"

#include <gtest/gtest.h>

#include "engine/check.hpp"
#include "unit/engine/engine_sample.hpp"
#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

TEST_F(EngineTest, TheFirstPageFoundsAGroup) {
  const Answer answer = check(url(1), article_html(1));
  EXPECT_EQ(answer.verdict, kNew);
  EXPECT_EQ(answer.flags, 0U);
  EXPECT_NE(answer.page_id, 0U);
  EXPECT_EQ(answer.group_id, answer.page_id);
  EXPECT_EQ(answer.matched_page_id, 0U);
  EXPECT_EQ(answer.resemblance, 0);
}

TEST_F(EngineTest, ACopyIsExact) {
  const Answer first = check(url(1), article_html(1));
  const Answer copy = check(url(2), article_html(1));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.group_id, first.page_id);
  EXPECT_EQ(copy.matched_page_id, first.page_id);
  EXPECT_GT(copy.page_id, first.page_id);
  EXPECT_EQ(copy.resemblance, 1);
  EXPECT_EQ(copy.containment, 1);
  EXPECT_EQ(copy.page_coverage, 1);
  EXPECT_EQ(copy.matched_coverage, 1);
}

TEST_F(EngineTest, AVariantIsNear) {
  const Answer first = check(url(1), article_html(1));
  const Answer variant = check(url(2), html(rewritten(article(1), 1, 7)));
  EXPECT_EQ(variant.verdict, kNearDuplicate);
  EXPECT_EQ(variant.group_id, first.page_id);
  EXPECT_EQ(variant.matched_page_id, first.page_id);
  EXPECT_NEAR(variant.resemblance, 5.0 / 7, 0.05);
  EXPECT_NEAR(variant.page_coverage, 5.0 / 6, 0.05);
}

TEST_F(EngineTest, AnotherArticleIsNew) {
  const Answer first = check(url(1), article_html(1));
  const Answer other = check(url(2), article_html(2));
  EXPECT_EQ(other.verdict, kNew);
  EXPECT_EQ(other.group_id, other.page_id);
  EXPECT_NE(other.page_id, first.page_id);
}

TEST_F(EngineTest, ACopyOfAMemberThatIsNotTheRepresentativeIsExact) {
  const Answer first = check(url(1), article_html(1));
  const Answer member = check(url(2), html(rewritten(article(1), 1, 7)));
  const Answer copy = check(url(3), html(rewritten(article(1), 1, 7)));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.group_id, first.page_id);
  EXPECT_EQ(copy.matched_page_id, member.page_id) << "the page whose text is equal";
  EXPECT_EQ(copy.resemblance, 1);
  EXPECT_LT(member.resemblance, 1);
}

// What the representative shares with the page is on most pages of their site by now: a page is not in the
// group of a page that it does not resemble, whichever member has the same text.
TEST_F(EngineTest, AnEqualTextOfAMemberIsNoMatchWhereTheRepresentativeIsRefused) {
  const Answer first = check("http://x.example/1", article_html(1));
  const Answer member = check("http://y.example/1", html(rewritten(article(1), 1, 7)));
  ASSERT_EQ(member.group_id, first.page_id);
  for (uint64_t number = 20; number < 30; ++number) {
    sample::Paragraphs text = article(1, 5), own = article(number, 20);
    text.insert(text.end(), own.begin(), own.end());
    check("http://x.example/" + std::to_string(number), html(text));
  }
  const Answer copy = check("http://www.x.example/2", html(rewritten(article(1), 1, 7)));
  EXPECT_EQ(copy.verdict, kNew);
  EXPECT_EQ(copy.group_id, copy.page_id);
  EXPECT_EQ(copy.related_group_id, first.page_id);
  EXPECT_EQ(check("http://www.x.example/3", html(rewritten(article(1), 1, 7))).matched_page_id, copy.page_id);
  const auto compared = engine_->compare(first.page_id, copy.page_id);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->verdict, kNew) << "it is no copy of the page that founded the group";
}

TEST_F(EngineTest, AnExactCopyOfATombstonesMemberNamesTheMember) {
  check(url(1), article_html(1));
  const Answer member = check(url(2), article_html(1));
  ASSERT_TRUE(engine_->remove(url(1)));
  const Answer copy = check(url(3), article_html(1));
  EXPECT_EQ(copy.verdict, kExactDuplicate);
  EXPECT_EQ(copy.matched_page_id, member.page_id);
}

// A site whose first pages are removed keeps what they taught: its boilerplate never joins different
// articles.
TEST_F(EngineTest, RemovingASitesFirstPagesLeavesItsBoilerplateKnown) {
  const auto framed = [](uint64_t number) { return html(article(9000, 4)) + html(article(number, 3)); };
  for (uint64_t i = 0; i < 40; ++i)
    check("http://site.example/" + std::to_string(i), framed(i));
  for (uint64_t i = 0; i < 4; ++i)
    ASSERT_TRUE(engine_->remove("http://site.example/" + std::to_string(i)));
  for (uint64_t i = 100; i < 150; ++i) {
    EXPECT_EQ(check("http://site.example/" + std::to_string(i), framed(i)).verdict, kNew) << i;
  }
}

// B resembles A and C resembles B, but C does not resemble A: no chains.
TEST_F(EngineTest, APageJoinsByTheRepresentativeNeverThroughAChain) {
  open(report_parameters());
  const sample::Paragraphs a = article(1, 10);
  sample::Paragraphs b(a.begin() + 5, a.end());  // 5 of 10 shared
  const sample::Paragraphs more = article(2, 5);
  b.insert(b.end(), more.begin(), more.end());
  sample::Paragraphs c = more;
  const sample::Paragraphs own = article(3, 5);
  c.insert(c.end(), own.begin(), own.end());
  const Answer first = check(url(1), html(a));
  const Answer second = check(url(2), html(b));
  ASSERT_EQ(second.verdict, kNearDuplicate);
  ASSERT_EQ(second.group_id, first.page_id);
  const Answer third = check(url(3), html(c));
  EXPECT_EQ(third.verdict, kNew);
  EXPECT_EQ(third.group_id, third.page_id);
}

TEST_F(EngineTest, PagesWithoutTextAreGroupsOfTheirOwn) {
  std::set<uint64_t> groups_seen;
  for (const std::string body : {"", "<html></html>", "", "<script>var x;</script>"}) {
    const Answer answer = check(url(groups_seen.size()), body);
    EXPECT_EQ(answer.verdict, kNoText);
    EXPECT_EQ(answer.group_id, answer.page_id);
    EXPECT_EQ(answer.matched_page_id, 0U);
    groups_seen.insert(answer.group_id);
  }
  EXPECT_EQ(groups_seen.size(), 4U);
  EXPECT_EQ(check(url(0), "").verdict, kUnchanged);
  EXPECT_EQ(engine_->sizes().keys, 0U);
}

TEST_F(EngineTest, ShortPagesAreFlagged) {
  const std::string text = "<p>" + sample::paragraph(5).substr(0, 100) + "</p>";
  const Answer first = check(url(1), text);
  EXPECT_EQ(first.verdict, kNew);
  EXPECT_EQ(first.flags, uint32_t{kShortPage});
  const Answer same = check(url(2), text);
  EXPECT_EQ(same.verdict, kExactDuplicate);
  EXPECT_EQ(same.flags, uint32_t{kShortPage});
  const Answer other = check(url(3), "<p>" + sample::paragraph(6).substr(0, 100) + "</p>");
  EXPECT_EQ(other.verdict, kNew);
  EXPECT_EQ(other.flags, uint32_t{kShortPage});
}

TEST_F(EngineTest, TextBelowTheLeastWidthIsNeverExact) {
  EXPECT_EQ(check(url(1), "<p>Not found</p>").verdict, kNew);
  EXPECT_NE(check(url(2), "<p>Not found</p>").verdict, kExactDuplicate);
}

// No block has enough words for a shingle, so the pages share no key.
TEST_F(EngineTest, ExactCopiesMeetWithoutKeys) {
  Parameters parameters;
  parameters.relaxed.enabled = false;  // and no sentence is long enough for a fingerprint
  open(parameters);
  std::string list;
  sample::Random random(8);
  for (int i = 0; i < 10; ++i)
    list += "<p>" + sample::word(random) + "</p>";
  check(url(1), list);
  EXPECT_EQ(engine_->sizes().keys, 0U);
  EXPECT_EQ(check(url(2), list).verdict, kExactDuplicate);
  EXPECT_EQ(check("", list).verdict, kExactDuplicate);
  EXPECT_EQ(check("", list).verdict, kExactDuplicate);
}

TEST_F(EngineTest, ExactCopiesWithoutAUrlMeetWithoutKeys) {
  std::string list;
  sample::Random random(8);
  for (int i = 0; i < 10; ++i)
    list += "<p>" + sample::word(random) + "</p>";
  check("", list);
  EXPECT_EQ(check("", list).verdict, kExactDuplicate);
}

TEST_F(EngineTest, ContainmentIsFlagged) {
  const Answer small = check(url(1), html(article(1, 4)));
  sample::Paragraphs large = article(1, 4);
  const sample::Paragraphs rest = article(2, 7);
  large.insert(large.end(), rest.begin(), rest.end());
  const Answer holds = check(url(2), html(large));
  EXPECT_EQ(holds.verdict, kNearDuplicate);
  EXPECT_EQ(holds.matched_page_id, small.page_id);
  EXPECT_EQ(holds.flags, uint32_t{kContains});
  EXPECT_GT(holds.matched_coverage, 0.95);
  EXPECT_LT(holds.page_coverage, 0.5);

  open();
  check(url(2), html(large));
  const Answer held = check(url(1), html(article(1, 4)));
  EXPECT_EQ(held.verdict, kNearDuplicate);
  EXPECT_EQ(held.flags, uint32_t{kContained});
}

TEST_F(EngineTest, AnEmptyUrlIsANewPageEachTime) {
  std::set<uint64_t> ids;
  for (int i = 0; i < 5; ++i) {
    const Answer answer = check("", article_html(1));
    EXPECT_EQ(answer.flags & kRecrawl, 0U);
    EXPECT_EQ(answer.verdict, i == 0 ? kNew : kExactDuplicate);
    ids.insert(answer.page_id);
  }
  EXPECT_EQ(ids.size(), 5U);
  EXPECT_EQ(engine_->sizes().pages, 5U);
  EXPECT_FALSE(knows(""));
  EXPECT_FALSE(engine_->remove(""));
  expect_consistent();
}

TEST_F(EngineTest, UrlsAreComparedByteForByte) {
  const std::string nul("https://a.example/\0x", 20);
  const Answer first = check("https://a.example/", article_html(1));
  EXPECT_NE(check(nul, article_html(1)).page_id, first.page_id);
  EXPECT_NE(check("https://A.example/", article_html(1)).page_id, first.page_id);
  EXPECT_EQ(check("https://a.example/", article_html(1)).page_id, first.page_id);
  EXPECT_EQ(check("\xff\xfe not a url", article_html(2)).verdict, kNew);
  EXPECT_TRUE(knows("\xff\xfe not a url"));
}

TEST_F(EngineTest, IdsComeFromOneCounterAndAreNeverReused) {
  uint64_t last = 0;
  for (uint64_t i = 0; i < 20; ++i) {
    const Answer answer = check(url(i), article_html(i % 7));
    EXPECT_EQ(answer.page_id, ++last);
    if (i % 3 == 2) {
      EXPECT_TRUE(engine_->remove(url(i)));
    }
  }
}

TEST_F(EngineTest, AQueryTellsWhatACheckWouldAndChangesNothing) {
  check(url(1), article_html(1));
  check(url(2), html(rewritten(article(1), 1, 7)));
  check(url(3), article_html(3));
  const struct {
    std::string url, html;
  } pages[] = {{url(9), article_html(9)},                    // new
               {url(9), article_html(1)},                    // exact
               {url(9), html(rewritten(article(1), 2, 8))},  // near
               {url(1), article_html(1)},                    // unchanged
               {url(2), html(rewritten(article(1), 1, 7))},  // unchanged, in another's group
               {url(2), html(rewritten(article(1), 2, 9))},  // changed, stays
               {url(3), article_html(33)},                   // changed, alone
               {url(2), article_html(44)},                   // changed, leaves
               {"", article_html(1)},
               {url(9), ""}};
  for (const auto& each : pages) {
    const auto before = groups();
    const Sizes sizes = engine_->sizes();
    const Answer asked = query(each.url, each.html);
    EXPECT_EQ(groups().size(), before.size());
    EXPECT_EQ(engine_->sizes().keys, sizes.keys);
    EXPECT_EQ(engine_->sizes().bytes_features, sizes.bytes_features);
    EXPECT_EQ(engine_->sizes().bytes_pages, sizes.bytes_pages);
    EXPECT_EQ(engine_->sizes().bytes_index, sizes.bytes_index);

    const bool known = knows(each.url);
    EXPECT_EQ(asked.page_id, known ? page(each.url).answer.page_id : 0);
    const Answer done = check(each.url, each.html);
    EXPECT_EQ(asked.verdict, done.verdict);
    EXPECT_EQ(asked.flags, done.flags);
    EXPECT_EQ(asked.matched_page_id, done.matched_page_id);
    EXPECT_EQ(asked.resemblance, done.resemblance);
    EXPECT_EQ(asked.containment, done.containment);
    EXPECT_EQ(asked.page_coverage, done.page_coverage);
    EXPECT_EQ(asked.matched_coverage, done.matched_coverage);
    EXPECT_EQ(asked.group_id,
              done.group_id == done.page_id && done.page_id != asked.page_id ? 0 : done.group_id);
  }
  expect_consistent();
  EXPECT_EQ(engine_->counters().queries.load(), std::size(pages));
}

TEST_F(EngineTest, ATraceTellsTheCandidatesOfACheck) {
  const Answer first = check(url(1), article_html(1));
  check(url(2), article_html(2));
  // Most of the one, a paragraph of the other: both are candidates, one is refused.
  sample::Paragraphs mixed = article(1, 4);
  mixed.push_back(article(2)[0]);
  mixed.push_back(article(2)[1]);
  CheckTrace trace;
  const std::string mixed_html = html(mixed);
  const Result<Answer> answer = engine_->check_traced(page_input(url(3), mixed_html), trace);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->group_id, first.group_id);
  ASSERT_EQ(trace.candidates.size(), 2U);
  EXPECT_EQ(trace.candidates.size(), engine_->counters().candidates);
  for (const CandidateTrace& candidate : trace.candidates) {
    EXPECT_TRUE(candidate.verified);
    EXPECT_FALSE(candidate.same_text);
    EXPECT_EQ(candidate.verification.similar, candidate.group_id == first.group_id);
  }
  // A copy is clear at once: the rest is not compared. The same page again has no candidates.
  const std::string copy = article_html(1);
  ASSERT_TRUE(engine_->check_traced(page_input(url(4), copy), trace));
  ASSERT_FALSE(trace.candidates.empty());
  EXPECT_EQ(trace.candidates[0].group_id, first.group_id);
  EXPECT_TRUE(trace.candidates[0].same_text);
  EXPECT_EQ(trace.candidates[0].verification.rule, Rule::kExact);
  ASSERT_TRUE(engine_->check_traced(page_input(url(4), copy), trace));
  EXPECT_TRUE(trace.candidates.empty());
}

TEST_F(EngineTest, CountersTellWhatHappened) {
  check(url(1), article_html(1));
  check(url(2), article_html(1));
  check(url(3), html(rewritten(article(1), 1, 7)));
  check(url(4), "");
  check(url(1), article_html(1));
  check(url(3), article_html(30));
  ASSERT_TRUE(engine_->remove(url(4)));
  const Counters& counters = engine_->counters();
  EXPECT_EQ(counters.checks.load(), 6U);
  EXPECT_EQ(counters.verdicts[kNew].load(), 2U);
  EXPECT_EQ(counters.verdicts[kExactDuplicate].load(), 1U);
  EXPECT_EQ(counters.verdicts[kNearDuplicate].load(), 1U);
  EXPECT_EQ(counters.verdicts[kNoText].load(), 1U);
  EXPECT_EQ(counters.verdicts[kUnchanged].load(), 1U);
  EXPECT_EQ(counters.recrawls.load(), 2U);
  EXPECT_EQ(counters.changed.load(), 1U);
  EXPECT_EQ(counters.regrouped.load(), 1U);
  EXPECT_EQ(counters.removed.load(), 1U);
  EXPECT_GE(counters.verifications.load(), 3U);
  EXPECT_EQ(counters.body_bytes.load(),
            3 * article_html(1).size() + html(rewritten(article(1), 1, 7)).size() + article_html(30).size());
}

TEST_F(EngineTest, TheSameInputGivesTheSameAnswers) {
  const auto run = [this] {
    open();
    std::vector<Answer> answers;
    sample::Random random(3);
    for (int step = 0; step < 150; ++step) {
      const uint64_t seed = random() % 12;
      const std::string at = url(random() % 40);
      if (random() % 8 == 0) {
        Answer removal;
        removal.verdict = static_cast<bool>(engine_->remove(at)) ? 100 : 101;
        answers.push_back(removal);
      } else {
        answers.push_back(check(at, html(rewritten(article(seed), random() % 4, random() % 20))));
      }
    }
    expect_consistent();
    return answers;
  };
  const std::vector<Answer> first = run();
  const std::vector<Answer> second = run();
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].verdict, second[i].verdict) << i;
    EXPECT_EQ(first[i].flags, second[i].flags) << i;
    EXPECT_EQ(first[i].page_id, second[i].page_id) << i;
    EXPECT_EQ(first[i].group_id, second[i].group_id) << i;
    EXPECT_EQ(first[i].matched_page_id, second[i].matched_page_id) << i;
    EXPECT_EQ(first[i].resemblance, second[i].resemblance) << i;
  }
}

// The page shares half of its text with either of two groups and verifies with none; one of them may be
// looked at.
TEST_F(EngineTest, WorkThatWasCutIsFlaggedWhereItMayMatter) {
  for (const bool few_candidates : {true, false}) {
    Parameters parameters = report_parameters();
    parameters.decision.resemblance = 0.9;
    parameters.decision.containment = 0.95;
    (few_candidates ? parameters.index.candidates : parameters.verifications) = 1;
    open(parameters);
    sample::Paragraphs first = article(1, 10), second = article(2, 10);
    const sample::Paragraphs page = article(3, 10);
    std::copy(page.begin(), page.begin() + 5, first.begin());
    std::copy(page.begin() + 5, page.end(), second.begin());
    check(url(1), html(first));
    check(url(2), html(second));
    EXPECT_EQ(engine_->counters().limit_candidates.load() + engine_->counters().limit_verifications.load(),
              0U);
    const Answer cut = check(url(3), html(page));
    EXPECT_EQ(cut.verdict, kNew);
    EXPECT_EQ(cut.flags, uint32_t{kLimit});
    EXPECT_EQ(engine_->counters().limit_candidates.load(), few_candidates ? 1U : 0U);
    EXPECT_EQ(engine_->counters().limit_verifications.load(), few_candidates ? 0U : 1U);
    // A page that found its group missed nothing.
    EXPECT_EQ(check(url(4), html(page)).flags, 0U);
  }
}

TEST_F(EngineTest, UnknownPagesAndGroupsAreNotFound) {
  EXPECT_EQ(engine_->find_page("https://nowhere.example/").failure().status, Status::kNotFound);
  EXPECT_EQ(engine_->get_page(1).failure().status, Status::kNotFound);
  EXPECT_EQ(engine_->get_page(0).failure().status, Status::kNotFound);
  EXPECT_EQ(engine_->pages_of_group(1).failure().status, Status::kNotFound);
  EXPECT_EQ(engine_->remove("https://nowhere.example/").failure().status, Status::kNotFound);
  String json;
  EXPECT_EQ(engine_->explain(1, 2, json).failure().status, Status::kNotFound);
}

TEST_F(EngineTest, FetchTimesAreKept) {
  check(url(1), article_html(1), 500);
  check(url(1), article_html(1), 900);
  check(url(1), article_html(1), 700);  // an older fetch that arrives late
  EXPECT_EQ(page(url(1)).first_fetched_at_ms, 500);
  EXPECT_EQ(page(url(1)).last_fetched_at_ms, 900);
  const auto before = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  check(url(2), article_html(2), 0);
  EXPECT_GE(page(url(2)).first_fetched_at_ms, before);
  Features features =
      FeatureSample{{{words(0, 50)}}, "a.example", "https://a.example/", {}, {}, {}, 0}.features();
  ASSERT_TRUE(engine_->check_features(std::move(features)));
  EXPECT_GE(page("https://a.example/").first_fetched_at_ms, before);
}

TEST_F(EngineTest, TruncatedPagesAreNeverExact) {
  const auto cut = [&](const std::string& name, const std::string& body) {
    PageInput input = page_input(name, body);
    input.truncated = true;
    const Result<Answer> answer = engine_->check(input);
    EXPECT_TRUE(answer);
    return *answer;
  };
  // Two beginnings of pages are no evidence: each founds a group.
  EXPECT_EQ(cut(url(1), article_html(1)).verdict, kNew);
  EXPECT_EQ(cut(url(2), article_html(1)).verdict, kNew);
  EXPECT_EQ(cut(url(2), article_html(1)).verdict, kUnchanged);
  // A whole page with the same text is near to one of them; whole pages find each other nevertheless.
  const Answer whole = check(url(3), article_html(1));
  EXPECT_EQ(whole.verdict, kNearDuplicate);
  EXPECT_EQ(check(url(4), article_html(1)).verdict, kExactDuplicate);
  // When the page to which the exact text led is removed, a complete one takes its place.
  ASSERT_TRUE(engine_->remove(url(3)));
  const Answer last = check(url(5), article_html(1));
  EXPECT_EQ(last.verdict, kExactDuplicate);
  EXPECT_EQ(last.group_id, whole.group_id);
}

}  // namespace
}  // namespace nd::engine
