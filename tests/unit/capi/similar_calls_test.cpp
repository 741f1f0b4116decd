// nd_similar_pages and nd_describe_page, and what nd_explain says of another detector.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;

struct Similar {
  std::string url;
  uint64_t page_id;
  uint64_t group_id;
  double score;
};

int32_t add_similar(const nd_similar_page* similar, const char* url, size_t url_size, void* ctx) {
  EXPECT_EQ(similar->struct_size, sizeof *similar);
  static_cast<std::vector<Similar>*>(ctx)->push_back(
      {std::string(url, url_size), similar->page_id, similar->group_id, similar->score});
  return 0;
}

class SimilarCallsTest : public ::testing::Test {
 protected:
  void TearDown() override { nd_close(engine_); }
  void open(const nd_options* options) {
    nd_close(engine_);
    engine_ = nullptr;
    ASSERT_EQ(nd_open(nullptr, options, &engine_), ND_OK) << nd_last_error();
  }
  nd_result check(const std::string& url, const std::string& body) {
    const nd_page page = page_of(url, body);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
    return result;
  }
  std::vector<Similar> similar_to(uint64_t page_id, uint32_t limit) {
    std::vector<Similar> pages;
    EXPECT_EQ(nd_similar_pages(engine_, page_id, limit, add_similar, &pages), ND_OK) << nd_last_error();
    return pages;
  }
  nlohmann::json explain(uint64_t a, uint64_t b) {
    Buffer json;
    EXPECT_EQ(nd_explain(engine_, a, b, &json.raw), ND_OK) << nd_last_error();
    return nlohmann::json::parse(json.text());
  }

  nd_engine* engine_ = nullptr;
};

class SimilarPagesTest : public SimilarCallsTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, SimilarPagesTest,
                         ::testing::Values("lcs", "spotsigs", "lsh-s", "moz-vector", "simhash64",
                                           "simhash128", "mwo", "shingles", "minhash", "cosine"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

std::string url_of(uint64_t article, uint64_t copy) {
  return "http://site" + std::to_string(copy) + ".example/" + std::to_string(article);
}

// The list is that of a plain loop over all pages of the groups concerned, each pair scored by nd_explain.
TEST_P(SimilarPagesTest, RanksTheMembersOfTheGroupsByTheirOwnScores) {
  open(OptionSet{{"detector", GetParam()}});
  std::vector<uint64_t> ids;
  for (uint64_t copy = 0; copy < 5; ++copy) {
    for (uint64_t number = 1; number < 4; ++number) {
      const std::string body =
          copy < 2 ? article_html(number, 14) : html(rewritten(article(number, 14), copy - 1, copy));
      ids.push_back(check(url_of(number, copy), body).page_id);
    }
  }
  for (size_t place = 0; place < ids.size(); ++place) {
    const uint64_t id = ids[place];
    const std::vector<Similar> found = similar_to(id, 100);
    std::vector<std::pair<double, uint64_t>> ranked;
    for (const Similar& similar : found) {
      EXPECT_NE(similar.page_id, id);
      const nlohmann::json explained = explain(similar.page_id, id);
      const std::string field = std::string(GetParam()) == "lcs" ? "resemblance" : "score";
      EXPECT_NEAR(similar.score, explained[field].get<double>(), 1e-6);
      EXPECT_EQ(explained["a"]["url"], similar.url);
      ranked.emplace_back(-similar.score, similar.page_id);
    }
    EXPECT_TRUE(std::is_sorted(ranked.begin(), ranked.end())) << "best first, the older among equals";
    const bool has_twin = place < 6;
    if (has_twin) {
      ASSERT_FALSE(found.empty());
      EXPECT_NEAR(found.front().score, 1, 1e-6);
      EXPECT_EQ(found.front().page_id, ids[place < 3 ? place + 3 : place - 3]);
    }
    // All members of its own group are there.
    nd_page_info info = ND_PAGE_INFO_INIT;
    ASSERT_EQ(nd_get_page(engine_, id, &info, nullptr, nullptr), ND_OK);
    const auto own = static_cast<size_t>(std::ranges::count(found, info.group_id, &Similar::group_id));
    size_t members = 0;
    const auto count = [](const nd_page_info*, const char*, size_t, void* ctx) {
      ++*static_cast<size_t*>(ctx);
      return int32_t{0};
    };
    ASSERT_EQ(nd_each_page(engine_, info.group_id, count, &members), ND_OK);
    EXPECT_EQ(own + 1, members);
    // A smaller limit gives the beginning of the list.
    const std::vector<Similar> first = similar_to(id, 1);
    ASSERT_EQ(first.size(), found.empty() ? 0U : 1U);
    if (!found.empty()) {
      EXPECT_EQ(first[0].page_id, found[0].page_id);
    }
  }
}

// The second page joins the first, and the third is like the second alone: no index has it, and a group is
// found by its representative.
TEST_F(SimilarCallsTest, FindsMembersThatTheirRepresentativeDoesNotLeadTo) {
  open(OptionSet{{"detector", "spotsigs"}, {"decide", "method"}, {"detector_threshold", "400"}});
  const auto text = [](int first, int last) {
    std::string body = "<p>";
    for (int i = first; i < last; ++i)
      body += "the alpha" + std::to_string(i) + " beta" + std::to_string(i) + " ";
    return body + "</p>";
  };
  const uint64_t a = check("http://a.example/", text(0, 10)).page_id;
  const nd_result member = check("http://b.example/", text(4, 14));
  EXPECT_EQ(member.group_id, a);
  const nd_result other = check("http://c.example/", text(8, 18));
  EXPECT_NE(other.group_id, a);
  const std::vector<Similar> found = similar_to(other.page_id, 10);
  ASSERT_EQ(found.size(), 1U);  // 6 of 14 are shared; with the representative 2 of 18
  EXPECT_EQ(found[0].page_id, member.page_id);
}

// The same of the LCS: no key of the third page is one of the representative, and some are of the member.
TEST_F(SimilarCallsTest, FindsMembersOfTheLcsByTheirKeys) {
  open(OptionSet{{"spotsigs", "false"}, {"x_relaxed_keys", "64"}});
  const auto text = [](size_t first, size_t last) {
    sample::Paragraphs all;
    for (size_t part = first; part < last; ++part)
      all.push_back(article(100 + part, 1).front());
    return html(all);
  };
  const uint64_t a = check("http://a.example/", text(0, 12)).page_id;
  const nd_result member = check("http://b.example/", text(2, 14));
  ASSERT_EQ(member.group_id, a);
  const nd_result other = check("http://c.example/", text(13, 24));
  ASSERT_EQ(other.verdict, ND_NEW);
  const uint64_t stranger = check("http://d.example/", article_html(7, 12)).page_id;
  const std::vector<Similar> found = similar_to(other.page_id, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].page_id, member.page_id);
  EXPECT_EQ(found[0].group_id, a);
  const nlohmann::json explained = explain(member.page_id, other.page_id);
  EXPECT_NEAR(found[0].score, explained["resemblance"].get<double>(), 1e-6);
  EXPECT_EQ(explain(a, other.page_id)["shared_keys"], 0);
  EXPECT_TRUE(similar_to(stranger, 10).empty());
}

TEST_P(SimilarPagesTest, HasNothingForAPageWithoutTextOrNeighbours) {
  open(OptionSet{{"detector", GetParam()}});
  const uint64_t empty = check("http://a.example/", "").page_id;
  const uint64_t alone = check("http://b.example/", article_html(1)).page_id;
  EXPECT_TRUE(similar_to(empty, 10).empty());
  EXPECT_TRUE(similar_to(alone, 10).empty());
  EXPECT_EQ(nd_similar_pages(engine_, alone + 1, 10, add_similar, nullptr), ND_ERR_NOT_FOUND);
  EXPECT_EQ(nd_similar_pages(engine_, 0, 10, add_similar, nullptr), ND_ERR_NOT_FOUND);
}

// More groups than x_candidates_limit are listed, as many as are requested, and a callback may stop the
// listing.
TEST_F(SimilarCallsTest, GivesAsManyAsAreAskedFor) {
  open(OptionSet{{"detector", "exact"}, {"decide", "method"}, {"x_candidates_limit", "2"}});
  uint64_t first = 0;
  for (uint64_t copy = 0; copy < 40; ++copy) {
    const uint64_t id = check(url_of(1, copy), article_html(1)).page_id;
    if (copy == 0) first = id;
  }
  const std::vector<Similar> found = similar_to(first, 30);
  ASSERT_EQ(found.size(), 30U);
  for (size_t i = 1; i < found.size(); ++i)
    EXPECT_LT(found[i - 1].page_id, found[i].page_id);
  size_t calls = 0;
  const auto stop = [](const nd_similar_page*, const char*, size_t, void* ctx) {
    return static_cast<int32_t>(++*static_cast<size_t*>(ctx) == 3);
  };
  EXPECT_EQ(nd_similar_pages(engine_, first, 30, stop, &calls), ND_OK);
  EXPECT_EQ(calls, 3U);
}

// Only the oldest 256 members of a group; every row says that others were left out.
TEST_F(SimilarCallsTest, TellsWhenAGroupWasCut) {
  open(OptionSet{});
  uint64_t first = 0;
  for (uint64_t copy = 0; copy < 300; ++copy) {
    const uint64_t id = check(url_of(1, copy), article_html(1, 4)).page_id;
    if (copy == 0) first = id;
  }
  size_t flagged = 0;
  const auto count = [](const nd_similar_page* similar, const char*, size_t, void* ctx) {
    *static_cast<size_t*>(ctx) += similar->flags == ND_FLAG_LIMIT ? 1 : 0;
    return int32_t{0};
  };
  EXPECT_EQ(nd_similar_pages(engine_, first, 1000, count, &flagged), ND_OK);
  EXPECT_EQ(flagged, 256U);
}

// Each bound of the search is an option, and a list that it cut says so.
TEST_F(SimilarCallsTest, ItsBoundsAreOptions) {
  struct Bound {
    const char* key;
    const char* value;
    size_t rows;
  };
  // The work of one comparison is more than the least that can be set, so the search ends after the first.
  for (const Bound& bound :
       {Bound{"x_similar_members_limit", "3", 3}, Bound{"x_similar_pages_limit", "5", 5},
        Bound{"x_similar_work_limit", "1000", 1}, Bound{"x_similar_pages_limit", "9", 9}}) {
    open(OptionSet{{bound.key, bound.value}});
    uint64_t first = 0;
    for (uint64_t copy = 0; copy < 10; ++copy) {
      const uint64_t id = check(url_of(1, copy), html(rewritten(article(1, 40), 1, copy + 1))).page_id;
      if (copy == 0) first = id;
    }
    std::vector<uint32_t> flags;
    const auto add = [](const nd_similar_page* similar, const char*, size_t, void* ctx) {
      static_cast<std::vector<uint32_t>*>(ctx)->push_back(similar->flags);
      return int32_t{0};
    };
    EXPECT_EQ(nd_similar_pages(engine_, first, 100, add, &flags), ND_OK);
    EXPECT_EQ(flags.size(), bound.rows) << bound.key << '=' << bound.value;
    const uint32_t expected = bound.rows == 9 ? 0 : ND_FLAG_LIMIT;
    EXPECT_EQ(std::ranges::count(flags, expected), static_cast<ptrdiff_t>(bound.rows)) << bound.key;
  }
}

TEST_F(SimilarCallsTest, AnExplanationCountsWhatTheDetectorCounts) {
  for (const char* decide : {"lcs", "method"}) {
    open(OptionSet{{"detector", "mwo"}, {"decide", decide}, {"detector_threshold", "400"}});
    const uint64_t a = check("http://a.example/", article_html(1, 12)).page_id;
    const uint64_t b = check("http://b.example/", html(rewritten(article(1, 12), 2, 5))).page_id;
    const uint64_t c = check("http://c.example/", article_html(2, 12)).page_id;
    const nlohmann::json near = explain(a, b);
    EXPECT_EQ(near["detector"], "mwo");
    EXPECT_EQ(near["asked"], 0.4);
    EXPECT_EQ(near["compared"]["unit"], "terms");
    const uint64_t shared = near["compared"]["shared"];
    EXPECT_GT(shared, 0U);
    EXPECT_LT(shared, std::min(near["compared"]["a"].get<uint64_t>(), near["compared"]["b"].get<uint64_t>()));
    if (std::string(decide) == "lcs") {
      EXPECT_TRUE(near.contains("decision"));
      continue;
    }
    EXPECT_EQ(near["decided_by"]["option"], "detector_threshold");
    EXPECT_EQ(near["decided_by"]["asked"], 0.4);
    EXPECT_EQ(near["decided_by"]["found"], near["score"]);
    const nlohmann::json different = explain(a, c);
    EXPECT_EQ(different["verdict"], "different");
    EXPECT_LT(different["decided_by"]["found"], different["decided_by"]["asked"]);
  }
  open(OptionSet{{"detector", "simhash64"}, {"decide", "method"}});
  const uint64_t a = check("http://a.example/", article_html(1, 12)).page_id;
  const nlohmann::json itself = explain(a, a);
  EXPECT_EQ(itself["compared"], nlohmann::json::parse(R"({"unit":"bits","a":64,"b":64,"shared":64})"));
}

nlohmann::json description_of(const char* detector, const std::string& body,
                              const char* antecedents = "default") {
  const OptionSet options{{"detector", detector}, {"x_antecedents", antecedents}};
  const std::string url = "http://a.example/";
  const nd_page page = page_of(url, body);
  Buffer json;
  EXPECT_EQ(nd_describe_page(&page, options, &json.raw), ND_OK) << nd_last_error();
  return nlohmann::json::parse(json.text());
}

// SpotSigs, figure 2: "a" and "the" begin chains of two content words, and stop words between are passed
// over.
TEST(DescribePageTest, SpotSignaturesHaveTheirWords) {
  const nlohmann::json page = description_of(
      "spotsigs", "<p>At a rally to kick off a weeklong campaign the rally was to kick off.</p>");
  std::vector<std::string> signatures;
  for (const auto& spot : page["spot_signatures"]) {
    std::string joined;
    for (const auto& word : spot["words"])
      joined += (joined.empty() ? "" : ":") + word.get<std::string>();
    EXPECT_EQ(spot["hash"].get<std::string>().size(), 16U);
    EXPECT_GE(spot["count"], 1);
    signatures.push_back(joined);
  }
  EXPECT_TRUE(std::ranges::count(signatures, "a:rally:kick")) << page;
  EXPECT_TRUE(std::ranges::count(signatures, "a:weeklong:campaign")) << page;
  EXPECT_EQ(std::ranges::count(signatures, ""), 0) << "each hash has its words";
}

// "weeklong" is not a stop word: it begins a signature, and is in the chain of "rally".
TEST(DescribePageTest, SignaturesOfAntecedentsOfOnesOwnHaveTheirWordsToo) {
  const nlohmann::json page =
      description_of("spotsigs", "<p>The rally was a weeklong campaign event.</p>", "rally weeklong");
  std::set<nlohmann::json> words;
  for (const auto& spot : page["spot_signatures"])
    words.insert(spot["words"]);
  EXPECT_EQ(words,
            (std::set<nlohmann::json>{{"rally", "weeklong", "campaign"}, {"weeklong", "campaign", "event"}}))
      << page;
}

// TR2007012 section 4.2: a page without seven sentences in a bucket has fewer than the 112 fingerprints.
TEST(DescribePageTest, TheLcsKeepsFingerprintsAndShingles) {
  const std::string url = "http://a.example/", body = article_html(1, 60);
  const nd_page page = page_of(url, body);
  Buffer json, extracted;
  ASSERT_EQ(nd_describe_page(&page, nullptr, &json.raw), ND_OK) << nd_last_error();
  ASSERT_EQ(nd_extract(&page, nullptr, &extracted.raw), ND_OK);
  const nlohmann::json keys = nlohmann::json::parse(json.text());
  const nlohmann::json extract = nlohmann::json::parse(extracted.text());
  EXPECT_EQ(keys["detector"], "lcs");
  EXPECT_EQ(keys["fingerprints"].size(), extract["fingerprints"].get<size_t>());
  EXPECT_GT(keys["fingerprints"].size(), 7U);
  EXPECT_LE(keys["fingerprints"].size(), 112U);
  EXPECT_EQ(keys["fingerprints"].size() + keys["shingles"].size(), extract["keys"].get<size_t>());
}

TEST(DescribePageTest, TermsAreHeaviestFirst) {
  const nlohmann::json page =
      description_of("mwo", "<html lang=en><p>Mills, mills, mills and rivers.</p></html>");
  ASSERT_EQ(page["terms"].size(), 2U) << page;
  EXPECT_EQ(page["terms"][0]["term"], "mill");
  EXPECT_NEAR(page["terms"][0]["share"].get<double>(), 0.75, 1e-6);
  EXPECT_EQ(page["terms"][1]["term"], "river");
}

TEST(DescribePageTest, NumbersAreHexadecimal) {
  EXPECT_EQ(description_of("simhash64", article_html(1))["simhash"].get<std::string>().size(), 16U);
  EXPECT_EQ(description_of("simhash128", article_html(1))["simhash"].get<std::string>().size(), 32U);
  EXPECT_EQ(description_of("moz-vector", article_html(1))["vector"].size(), 128U);
  EXPECT_EQ(description_of("simhash64", "")["simhash"], "");
  EXPECT_TRUE(description_of("moz-vector", "")["vector"].empty());
  const OptionSet shingles{{"detector", "shingles"}};
  const std::string url = "http://a.example/", body = article_html(1);
  const nd_page page = page_of(url, body);
  Buffer json;
  EXPECT_EQ(nd_describe_page(&page, shingles, &json.raw), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("shingles"), std::string::npos);
  EXPECT_EQ(json.text(), "");
}

// Thousands of antecedents in a row without a word behind them: one look each.
TEST(DescribePageTest, HostileTextIsDescribedToo) {
  std::string text = "<p>";
  for (int i = 0; i < 60000; ++i)
    text += "the ";
  EXPECT_TRUE(description_of("spotsigs", text + "</p>")["spot_signatures"].empty());
  EXPECT_EQ(description_of("spotsigs", text + "mill river</p>")["spot_signatures"].size(), 1U);
}

TEST(MwoOptionsTest, OptionsSayWhatCounts) {
  const std::string url = "http://a.example/";
  const std::string body =
      "<html lang=en><title>Titles</title><p>Mills stand by running rivers in the valleys of the "
      "north.</p></html>";
  const auto terms = [&](std::initializer_list<std::pair<const char*, const char*>> more) {
    std::vector<std::string> out;
    OptionSet options{{"detector", "mwo"}};
    for (const auto& [key, value] : more)
      EXPECT_EQ(nd_options_set(options, key, value), ND_OK) << nd_last_error();
    const nd_page page = page_of(url, body);
    Buffer json;
    EXPECT_EQ(nd_describe_page(&page, options, &json.raw), ND_OK) << nd_last_error();
    const nlohmann::json description = nlohmann::json::parse(json.text());
    for (const auto& term : description["terms"])
      out.push_back(term["term"]);
    return out;
  };
  const auto has = [](const std::vector<std::string>& all, const char* term) {
    return std::ranges::count(all, term) == 1;
  };
  const auto main = terms({});
  EXPECT_TRUE(has(main, "mill") && has(main, "running") && has(main, "valley") && !has(main, "title"));
  const auto all = terms({{"x_mwo_fields", "all"}});
  EXPECT_TRUE(has(all, "mill") && has(all, "title"));
  const auto full = terms({{"x_mwo_stemming", "full"}});
  EXPECT_TRUE(has(full, "mill") && has(full, "run"));
  const auto none = terms({{"x_mwo_stemming", "none"}});
  EXPECT_TRUE(has(none, "mills") && has(none, "running"));
}

}  // namespace
}  // namespace nd_test
