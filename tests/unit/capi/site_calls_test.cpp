// What is known of a site as a value, and decisions by it without an engine.
#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;
using sample::rewritten;

using Parts = std::vector<uint64_t>;

Parts parts_of(const std::string& features) {
  size_t count = 0;
  EXPECT_EQ(nd_features_parts(features.data(), features.size(), nullptr, &count), ND_OK);
  Parts out(count);
  EXPECT_EQ(nd_features_parts(features.data(), features.size(), out.data(), &count), ND_OK);
  return out;
}

void learn(const Site& site, const std::string& features) {
  const Parts parts = parts_of(features);
  EXPECT_EQ(nd_site_model_learn(site.model, parts.data(), parts.size()), ND_OK);
}

std::string save(const Site& site) {
  Buffer bytes;
  EXPECT_EQ(nd_site_model_save(site.model, nullptr, 0, &bytes.raw), ND_OK);
  return bytes.text();
}

std::string save(const Site& site, const Parts& parts) {
  Buffer bytes;
  EXPECT_EQ(nd_site_model_save(site.model, parts.data(), parts.size(), &bytes.raw), ND_OK);
  return bytes.text();
}

nd_status merge(const Site& site, const std::string& saved) {
  return nd_site_model_merge(site.model, saved.data(), saved.size());
}

std::string on_site(const std::string& features, const std::string& saved) {
  Buffer bytes;
  EXPECT_EQ(nd_features_with_site(features.data(), features.size(), saved.data(), saved.size(), &bytes.raw),
            ND_OK)
      << nd_last_error();
  return bytes.text();
}

std::string representative(const std::string& features, const std::string& saved) {
  Buffer bytes;
  EXPECT_EQ(
      nd_features_representative(features.data(), features.size(), saved.data(), saved.size(), &bytes.raw),
      ND_OK)
      << nd_last_error();
  return bytes.text();
}

nd_result decide(const std::string& a, const std::string& b) {
  nd_result result = filled_with_garbage<nd_result>();
  EXPECT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), nullptr, &result), ND_OK)
      << nd_last_error();
  return result;
}

std::vector<double> weights(const Site& site, const std::string& features) {
  size_t count = 0;
  EXPECT_EQ(nd_site_model_weights(site.model, features.data(), features.size(), nullptr, &count), ND_OK);
  std::vector<double> out(count);
  EXPECT_EQ(nd_site_model_weights(site.model, features.data(), features.size(), out.data(), &count), ND_OK);
  return out;
}

// Every third page is an edit of the one before.
std::string framed(uint64_t page) {
  const uint64_t seed = page - (page % 3 == 2 ? 1 : 0);
  Paragraphs text = rewritten(article(seed, 12), page % 3, page);
  const Paragraphs frame = article(500, 4);
  text.insert(text.begin(), frame.begin(), frame.end());
  return html(text);
}

// Copies keep the last part of the path.
std::string address(const char* host, uint64_t page) {
  return "https://" + std::string(host) + "/" + std::to_string(page) + "/" +
         std::to_string(page - (page % 3 == 2 ? 1 : 0));
}

TEST(SiteModelTest, DecidesAsAnEngineThatKnowsTheSamePages) {
  constexpr uint64_t kPages = 18;
  nd_engine* engine = nullptr;
  ASSERT_EQ(nd_open(nullptr, nullptr, &engine), ND_OK);
  Site one, two;
  std::vector<std::string> pages;
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < kPages; ++i) {
    const bool is_first = i % 6 < 4;
    const std::string at = address(is_first ? "one.example" : "www.two.example", i), body = framed(i);
    const nd_page page = page_of(at, body);
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(engine, &page, &result), ND_OK);
    ids.push_back(result.page_id);
    pages.push_back(features_of(at, body));
    learn(is_first ? one : two, pages.back());
  }
  size_t near = 0, different = 0;
  for (size_t i = 0; i < kPages; ++i)
    pages[i] = on_site(pages[i], save(i % 6 < 4 ? one : two, parts_of(pages[i])));
  for (size_t a = 0; a < kPages; ++a) {
    for (size_t b = 0; b < kPages; ++b) {
      if (a == b) continue;
      nd_result known = ND_RESULT_INIT;
      ASSERT_EQ(nd_compare_pages(engine, ids[a], ids[b], &known), ND_OK);
      const nd_result decided = decide(pages[a], pages[b]);
      EXPECT_EQ(decided.verdict, known.verdict) << a << " " << b;
      EXPECT_EQ(decided.probability, known.probability) << a << " " << b;
      EXPECT_EQ(decided.resemblance, known.resemblance);
      EXPECT_EQ(decided.containment, known.containment);
      near += decided.verdict == ND_NEAR;
      different += decided.verdict == ND_NEW;
    }
  }
  EXPECT_GT(near, 5U);
  EXPECT_GT(different, 100U);
  EXPECT_EQ(nd_close(engine), ND_OK);
}

TEST(SiteModelTest, TheFrameOfASiteVanishesFromKeysAndWeights) {
  Site site;
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < 12; i += 3) {
    pages.push_back(features_of(address("one.example", i), framed(i)));
    learn(site, pages.back());
  }
  const auto keys = [](const std::string& features) {
    size_t count = 0;
    EXPECT_EQ(nd_features_keys(features.data(), features.size(), nullptr, &count), ND_OK);
    Parts out(count);
    EXPECT_EQ(nd_features_keys(features.data(), features.size(), out.data(), &count), ND_OK);
    return std::set<uint64_t>(out.begin(), out.end());
  };
  const auto share = [&](const std::string& a, const std::string& b) {
    const std::set<uint64_t> of_a = keys(a), of_b = keys(b);
    return std::ranges::any_of(of_a, [&](uint64_t key) { return of_b.contains(key); });
  };
  EXPECT_TRUE(share(pages[0], pages[1]));
  EXPECT_FALSE(share(on_site(pages[0], save(site)), on_site(pages[1], save(site))));
  const std::vector<double> own = weights(site, pages[0]);
  ASSERT_EQ(own.size(), 16U);
  EXPECT_LT(*std::max_element(own.begin(), own.begin() + 4), 0.05);
  EXPECT_GT(*std::min_element(own.begin() + 4, own.end()), 0.5);
}

TEST(SiteModelTest, AllPartsOrThoseOfThePageMakeTheSameRecord) {
  Site site;
  for (uint64_t i = 0; i < 6; ++i)
    learn(site, features_of(address("one.example", i), framed(i)));
  const std::string page = features_of(address("one.example", 3), framed(3));
  const std::string of_page = save(site, parts_of(page));
  EXPECT_LT(of_page.size(), save(site).size());
  EXPECT_EQ(on_site(page, of_page), on_site(page, save(site)));
  EXPECT_EQ(on_site(on_site(page, save(site)), of_page), on_site(page, of_page)) << "it replaces";
  Parts unsorted = parts_of(page);
  std::ranges::reverse(unsorted);
  unsorted.push_back(unsorted.front());
  EXPECT_EQ(save(site, unsorted), of_page);
  EXPECT_EQ(save(site, {1, 2, 3}).size(), 32U) << "nothing is known of these";
  EXPECT_EQ(save(site, {}), save(site)) << "none: all";
}

TEST(SiteModelTest, AnEmptyModelThatMergesOneIsThatOne) {
  Site site, read, both;
  for (uint64_t i = 0; i < 6; ++i)
    learn(site, features_of(address("one.example", i), framed(i)));
  EXPECT_EQ(merge(read, save(site)), ND_OK);
  EXPECT_EQ(save(read), save(site));
  // The first three pages merged with the others are all of them.
  Site first, second;
  for (uint64_t i = 0; i < 6; ++i)
    learn(i < 3 ? first : second, features_of(address("one.example", i), framed(i)));
  EXPECT_EQ(merge(first, save(second)), ND_OK);
  EXPECT_EQ(save(first), save(site));
}

TEST(SiteModelTest, ARepresentativeIsDecidedByWhatItsSiteKnows) {
  Site young, grown;
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < 12; ++i) {
    pages.push_back(features_of(address("one.example", i), framed(i)));
    learn(grown, pages.back());
    if (i < 2) learn(young, pages.back());
  }
  const std::string then = save(young), now = save(grown);
  size_t moved = 0;
  for (const std::string& a : pages) {
    const std::string whole = on_site(a, now), kept = representative(a, now);
    EXPECT_EQ(representative(representative(a, then), now), kept) << "renewed";
    EXPECT_EQ(representative(whole, now), kept);
    nd_record_info info = ND_RECORD_INFO_INIT;
    EXPECT_EQ(nd_features_info(kept.data(), kept.size(), &info), ND_OK);
    EXPECT_EQ(info.site_pages, pages.size());
    EXPECT_EQ(weights(grown, kept), weights(grown, a));
    for (const std::string& b : pages) {
      const std::string page = on_site(b, now);
      const nd_result expected = decide(whole, page), result = decide(kept, page);
      EXPECT_EQ(memcmp(&result, &expected, sizeof result), 0);
      moved += result.probability != decide(representative(a, then), page).probability;
    }
  }
  EXPECT_GT(moved, 0U) << "what the site knows is asked";
}

TEST(SiteModelTest, AForgottenPageWasNeverLearned) {
  Site site, other;
  const std::string page = features_of(address("one.example", 1), framed(1));
  const std::string gone = features_of(address("one.example", 5), framed(5));
  learn(site, page);
  learn(other, page);
  learn(site, gone);
  const Parts parts = parts_of(gone);
  EXPECT_EQ(nd_site_model_forget(site.model, parts.data(), parts.size()), ND_OK);
  EXPECT_EQ(save(site).size(), save(other).size()) << "no part is left that only it had";
  EXPECT_EQ(weights(site, page), weights(other, page));
}

TEST(SiteModelTest, DamageIsTold) {
  Site site;
  learn(site, features_of(address("one.example", 1), framed(1)));
  const std::string saved = save(site), page = features_of(address("one.example", 1), framed(1));
  std::string damaged = saved, future = saved;
  damaged[30] = static_cast<char>(damaged[30] ^ 1);
  future[4] = 9;
  const struct {
    std::string bytes;
    nd_status status;
  } cases[] = {{"", ND_ERR_CORRUPT},          {"x", ND_ERR_CORRUPT},
               {page, ND_ERR_CORRUPT},        {saved.substr(0, 40), ND_ERR_CORRUPT},
               {saved + "x", ND_ERR_CORRUPT}, {saved + std::string(16, '\0'), ND_ERR_CORRUPT},
               {damaged, ND_ERR_CORRUPT},     {future, ND_ERR_UNSUPPORTED_VERSION}};
  for (const auto& [bytes, status] : cases) {
    EXPECT_EQ(merge(site, bytes), status);
    EXPECT_EQ(save(site), saved) << "as it was";
    Buffer out;
    EXPECT_EQ(nd_features_with_site(page.data(), page.size(), bytes.data(), bytes.size(), &out.raw), status);
    EXPECT_EQ(nd_features_representative(page.data(), page.size(), bytes.data(), bytes.size(), &out.raw),
              status);
    EXPECT_EQ(out.raw.size, 0U);
  }
}

}  // namespace
}  // namespace nd_test
