// nd_result.probability and related_group_id, and what a store that is opened again says of them.
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::html;
using sample::Paragraphs;

// The first paragraphs of an article, with others behind them.
std::string beginning(uint64_t number, std::ptrdiff_t count, size_t others) {
  const Paragraphs text = article(number, 12);
  Paragraphs out(text.begin(), text.begin() + count);
  const Paragraphs rest = article(1000 + others, others);
  out.insert(out.end(), rest.begin(), rest.end());
  return html(out);
}

const std::string kWhole = html(article(1, 12));
const std::string kNear = beginning(1, 11, 1);
const std::string kRelated = beginning(1, 5, 14);
const std::string kOther = html(article(2, 12));

class ProbabilityTest : public CapiTest {
 protected:
  nd_result query(const std::string& url, const std::string& body) {
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_query_page(engine_, &page, &result), ND_OK) << nd_last_error();
    return result;
  }
  nd_result compare(uint64_t page_a, uint64_t page_b) {
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_compare_pages(engine_, page_a, page_b, &result), ND_OK) << nd_last_error();
    return result;
  }
};

void expect_certain(const nd_result& result, double probability) {
  EXPECT_EQ(result.probability, probability);
  EXPECT_EQ(result.related_group_id, 0U);
}

TEST_F(ProbabilityTest, FollowsFromMostVerdicts) {
  expect_certain(check("https://a.example/", kWhole), 0);
  const nd_result exact = check("https://b.example/", kWhole);
  ASSERT_EQ(exact.verdict, ND_EXACT);
  expect_certain(exact, 1);
  const nd_result unchanged = check("https://b.example/", kWhole, 2000);
  ASSERT_EQ(unchanged.verdict, ND_UNCHANGED);
  expect_certain(unchanged, 1);
  const nd_result empty = check("https://c.example/", "");
  ASSERT_EQ(empty.verdict, ND_NO_TEXT);
  expect_certain(empty, 0);
}

TEST_F(ProbabilityTest, IsThatOfTheMatch) {
  const nd_result founder = check("https://a.example/", kWhole);
  const nd_result asked = query("https://b.example/", kNear);
  const nd_result near = check("https://b.example/", kNear);
  ASSERT_EQ(near.verdict, ND_NEAR);
  EXPECT_GE(near.probability, 0.5);
  EXPECT_LT(near.probability, 1);
  EXPECT_EQ(near.related_group_id, 0U);
  EXPECT_EQ(asked.probability, near.probability);
  EXPECT_EQ(compare(founder.page_id, near.page_id).probability, near.probability);
}

TEST_F(ProbabilityTest, OfANewPageIsThatOfTheGroupThatItNearlyJoined) {
  const nd_result founder = check("https://a.example/", kWhole);
  check("https://other.example/", kOther);
  const nd_result asked = query("https://b.example/", kRelated);
  const nd_result related = check("https://b.example/", kRelated);
  for (const nd_result& result : {asked, related}) {
    ASSERT_EQ(result.verdict, ND_NEW);
    EXPECT_GT(result.probability, 0);
    EXPECT_LT(result.probability, 0.5);
    EXPECT_EQ(result.related_group_id, founder.group_id);
  }
  EXPECT_EQ(asked.probability, related.probability);
  const nd_result compared = compare(founder.page_id, related.page_id);
  EXPECT_EQ(compared.verdict, ND_NEW);
  EXPECT_EQ(compared.probability, related.probability);
  EXPECT_EQ(compared.related_group_id, 0U) << "the caller knows the group";
  Buffer json;
  ASSERT_EQ(nd_explain(engine_, founder.page_id, related.page_id, &json.raw), ND_OK) << nd_last_error();
  const auto explained = nlohmann::json::parse(json.text());
  EXPECT_NEAR(explained["probability"].get<double>(), related.probability, 1e-6);
  EXPECT_EQ(explained["decision"], "document");
}

TEST_F(ProbabilityTest, TwoBeginningsAreNoEvidence) {
  const std::string urls[] = {"https://a.example/", "https://b.example/"};
  for (const std::string& url : urls) {
    nd_page page = page_of(url, kWhole);
    page.flags = ND_PAGE_TRUNCATED;
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
    ASSERT_EQ(result.verdict, ND_NEW);
    expect_certain(result, 0);
  }
}

TEST_F(ProbabilityTest, AnotherDecisionHasNone) {
  reopen({{"decision", "report"}, {"x_relaxed", "true"}});
  const nd_result founder = check("https://a.example/", kWhole);
  const nd_result near = check("https://b.example/", kNear);
  ASSERT_EQ(near.verdict, ND_NEAR);
  expect_certain(near, 0);
  const nd_result other = check("https://c.example/", kOther);
  ASSERT_EQ(other.verdict, ND_NEW);
  expect_certain(other, 0);
  const nd_result copy = check("https://d.example/", kWhole);
  ASSERT_EQ(copy.verdict, ND_NEAR) << "equal texts are compared like others";
  expect_certain(copy, 0);
  expect_certain(compare(founder.page_id, near.page_id), 0);
}

TEST_F(ProbabilityTest, WithoutAnEngine) {
  const OptionSet report{{"decision", "report"}};
  const std::string a = features_of("https://a.example/", kWhole);
  const auto compared = [&](const std::string& b, const nd_options* asked) {
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), asked, &result), ND_OK);
    return result;
  };
  const std::string related = features_of("https://b.example/", kRelated);
  const nd_result different = compared(related, nullptr);
  EXPECT_EQ(different.verdict, ND_NEW);
  EXPECT_GT(different.probability, 0);
  EXPECT_EQ(different.related_group_id, 0U);
  expect_certain(compared(related, report), 0);
  expect_certain(compared(features_of("https://c.example/", kWhole), nullptr), 1);

  const nd_bytes pages[] = {{a.data(), a.size()}, {related.data(), related.size()}};
  nd_result results[] = {ND_RESULT_INIT, ND_RESULT_INIT};
  ASSERT_EQ(nd_partition_features(pages, 2, nullptr, results), ND_OK) << nd_last_error();
  ASSERT_EQ(results[0].verdict, ND_NEW);
  ASSERT_EQ(results[1].verdict, ND_NEW);
  // The page with more keys founds the first group.
  const nd_result& later = results[0].related_group_id != 0 ? results[0] : results[1];
  EXPECT_GT(later.probability, 0);
  EXPECT_NE(later.related_group_id, 0U);
  EXPECT_NE(later.related_group_id, later.group_id);
}

// Neither field is kept.
class ProbabilityStoreTest : public CapiStoreTest {
 protected:
  enum class Between { kNothing, kSnapshot, kReplay };

  // The answers about some pages, with this between every two of them.
  std::vector<nd_result> answers(Between between) {
    const Settings settings = {{"durability", "journal"}};
    const std::pair<std::string, const std::string*> pages[] = {
        {"https://a.example/", &kWhole},   {"https://b.example/", &kRelated}, {"https://c.example/", &kNear},
        {"https://b.example/", &kRelated}, {"https://c.example/", &kRelated}, {"https://b.example/", &kNear},
        {"https://d.example/", &kOther}};
    std::vector<nd_result> out;
    open(settings);
    for (const auto& [url, body] : pages) {
      const nd_page page = page_of(url, *body);
      out.push_back(nd_result ND_RESULT_INIT);
      EXPECT_EQ(nd_check_page(engine_, &page, &out.back()), ND_OK) << nd_last_error();
      if (between == Between::kNothing) continue;
      const std::string copy = folder_ + "/copy";
      std::filesystem::copy(path_, copy);  // with all in its journal
      close();
      if (between == Between::kReplay) {
        std::filesystem::remove_all(path_);
        std::filesystem::rename(copy, path_);
      }
      std::filesystem::remove_all(copy);
      open(settings);
    }
    close();
    std::filesystem::remove_all(path_);
    return out;
  }
};

TEST_F(ProbabilityStoreTest, AStoreThatIsOpenedAgainGivesTheSameAnswers) {
  const std::vector<nd_result> expected = answers(Between::kNothing);
  EXPECT_EQ(expected[1].related_group_id, expected[0].group_id);
  EXPECT_EQ(expected[2].verdict, ND_NEAR);
  for (const Between between : {Between::kSnapshot, Between::kReplay}) {
    const std::vector<nd_result> again = answers(between);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(memcmp(&again[i], &expected[i], sizeof(nd_result)), 0) << i;
  }
}

}  // namespace
}  // namespace nd_test
