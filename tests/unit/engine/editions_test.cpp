// Editions of an article on one host that mixes many, and forms filled on it.
#include <gtest/gtest.h>

#include "unit/engine/engine_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;

std::string at(uint64_t page) {
  return "https://www.archive.example/" + std::to_string(page);
}

Paragraphs joined(Paragraphs text, const Paragraphs& more) {
  text.insert(text.end(), more.begin(), more.end());
  return text;
}

// Cells of words: no main content.
std::string table(uint64_t seed, int rows, const std::string& more = "") {
  sample::Random random(seed);
  std::string page = "<html><body><table>";
  for (int row = 0; row < rows; ++row)
    page += "<tr><td>" + sample::word(random) + "</td><td>" + sample::word(random) + "</td></tr>";
  return page + more + "</table></body></html>";
}

class EditionsTest : public EngineTest {
 protected:
  void SetUp() override { start({}); }
  void start(const Parameters& parameters) {
    open(parameters);
    for (uint64_t page = 0; page < 12; ++page)
      check(at(1000 + page), article_html(100 + page));
  }
  // How many of the copies joined the first page.
  template <typename Page>
  int joining(Page&& page) {
    const Answer first = check(at(0), page(0));
    int count = 0;
    for (uint64_t copy = 1; copy <= 12; ++copy)
      count += check(at(copy), page(copy)).group_id == first.group_id;
    return count;
  }
  static std::string extended(uint64_t copy) {
    return html(copy == 0 ? article(1, 9) : joined(article(1, 9), article(200 + copy, 3)));
  }
  static std::string filled(uint64_t copy) { return html(joined(article(1, 9), article(200 + copy, 3))); }
};

TEST_F(EditionsTest, AllOfAHostsEditionsJoin) {
  EXPECT_EQ(joining(extended), 12);
}

TEST_F(EditionsTest, FilledFormsDoNot) {
  EXPECT_EQ(joining(filled), 4);
}

TEST_F(EditionsTest, NorDoEditionsWhereTheOptionSaysSo) {
  Parameters parameters;
  parameters.decision.edition_containment = 1;
  start(parameters);
  EXPECT_EQ(joining(extended), 4);
}

// A bare page template that was crawled first lies in all pages of its host as an article does in its
// editions.
TEST_F(EditionsTest, ABareTemplateTakesSoManyAndNoMore) {
  constexpr uint64_t kPages = 60;
  const auto page = [](uint64_t number) {
    return html(number == 0 ? article(1, 9) : joined(article(1, 9), article(200 + number, 3)));
  };
  const Answer bare = check(at(0), page(0));
  uint64_t count = 0;
  for (uint64_t number = 1; number <= kPages; ++number)
    count += check(at(number), page(number)).group_id == bare.group_id;
  const DecisionParameters decision;
  EXPECT_LE(count, decision.edition_members + decision.loose_members);
  EXPECT_GE(count, decision.edition_members - 1);
}

// A form that was empty at first: little in common, and all of it on every page.
TEST_F(EditionsTest, AnEmptyFormTakesFewFilledOnes) {
  EXPECT_EQ(joining([](uint64_t copy) {
              return html(copy == 0 ? article(1, 4) : joined(article(1, 4), article(200 + copy, 5)));
            }),
            4);
}

TEST_F(EditionsTest, AShortPageWithALineAddedJoins) {
  Parameters parameters;
  parameters.page.block_weights = text::kRuleWeights;  // by which cells are not content: the page is short
  start(parameters);
  const Answer first = check(at(1), table(7, 10));
  const std::string line = "<tr><td>zwanzig</td><td>dreissig</td><td>vierzig</td><td>fuenfzig</td></tr>";
  const Answer second = check(at(2), table(7, 10, line));
  EXPECT_EQ(second.group_id, first.group_id);
  EXPECT_LT(second.resemblance, 0.95);
  EXPECT_GT(second.containment, 0.95);
}

TEST_F(EditionsTest, AShortPageWithALineExchangedDoesNot) {
  Parameters parameters;
  parameters.page.block_weights = text::kRuleWeights;
  start(parameters);
  const Answer first =
      check(at(1), table(7, 10, "<tr><td>siebzig</td><td>achtzig</td><td>neunzig</td></tr>"));
  EXPECT_NE(check(at(2), table(7, 10, "<tr><td>zwanzig</td><td>dreissig</td><td>vierzig</td></tr>")).group_id,
            first.group_id);
}

}  // namespace
}  // namespace nd::engine
