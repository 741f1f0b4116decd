// The complete join against brute force, on one thread and on several.
#include "engine/complete_join.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "engine/batch.hpp"
#include "page/feature_builder.hpp"
#include "page/record_keys.hpp"
#include "page/site_model.hpp"
#include "text/page_reader.hpp"
#include "unit/engine/pair_oracle.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

using detectors::Method;
using namespace pair_oracle;

// Articles, copies with some paragraphs rewritten, and pages without text or with a few words.
std::vector<std::string> random_pages(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::string> pages;
  for (size_t i = 0; i < count; ++i) {
    switch (random() % 12) {
      case 0:
        pages.emplace_back("<html><body></body></html>");
        break;
      case 1:
        pages.push_back("<p>Only " + sample::word(random) + " here.</p>");
        break;
      case 2:
        pages.push_back(pages.empty() ? "<p>The same.</p>" : pages[random() % pages.size()]);
        break;
      default: {
        const sample::Paragraphs text = sample::article(seed * 100 + random() % 5, 3 + random() % 4);
        pages.push_back(sample::html(sample::rewritten(text, random() % 4, random() % 100)));
      }
    }
  }
  return pages;
}

std::vector<Features> features_of(const std::vector<std::string>& pages, const Parameters& parameters,
                                  size_t sites = 3) {
  text::PageReader reader = *text::PageReader::create();
  FeatureBuilder builder = *FeatureBuilder::create(parameters.detector.kind());
  std::vector<Features> out;
  for (size_t i = 0; i < pages.size(); ++i) {
    const std::string url = "http://site" + std::to_string(i % sites) + ".example/" + std::to_string(i);
    text::Document document;
    EXPECT_TRUE(reader.read(url, {reinterpret_cast<const uint8_t*>(pages[i].data()), pages[i].size()},
                            "text/html; charset=utf-8", parameters.page, document));
    builder.begin(document);
    out.push_back(
        builder.finish({url, 1, pages[i].size(), false}, document, {}, parameters, RecordFor::kElsewhere));
  }
  return out;
}

TEST(CompleteJoinTest, PagesAreDescribedAlike) {
  Parameters parameters = parameters_of(Method::kSpotSigs);
  const std::vector<std::string> pages = random_pages(1, 2);
  Result<Owned<CompleteJoin>> join = make_complete_join(parameters, 440);
  ASSERT_TRUE(join);
  ASSERT_TRUE((*join)->add(std::move(features_of(pages, parameters)[0])));
  parameters.antecedents = "article the";
  const Result<void> other = (*join)->add(std::move(features_of(pages, parameters)[1]));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.failure().status, Status::kInvalidArgument);
}

TEST(CompleteJoinTest, FindsThePairsOfBruteForce) {
  for (const Method method : kJoinMethods) {
    const Parameters parameters = parameters_of(method);
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<Features> pages = features_of(random_pages(seed, 50), parameters);
      for (const uint32_t threshold : {0U, 1U, 300U, 500U, 703U, 950U, 1000U}) {
        const Pairs expected = brute_force(pages, parameters, threshold);
        found += expected.size();
        EXPECT_EQ(joined(pages, pages.size(), parameters, threshold), expected)
            << detectors::info_of(method).name << ' ' << seed << ' ' << threshold;
        Pairs with_first = expected;
        std::erase_if(with_first, [](const auto& pair) { return std::get<1>(pair) >= 20; });
        EXPECT_EQ(joined(pages, 20, parameters, threshold), with_first) << "as blocks of a larger collection";
      }
    }
    EXPECT_GT(found, 500U) << detectors::info_of(method).name;
  }
}

TEST(CompleteJoinTest, WhatTheRecordsCarryOfTheirSiteCounts) {
  // Twenty pages of one site: a frame, and little of their own.
  const sample::Paragraphs frame = sample::article(7, 8);
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < 20; ++i) {
    sample::Paragraphs page = frame;
    page.push_back(sample::article(100 + i, 1).front());
    pages.push_back(sample::html(page));
  }
  const Parameters parameters;
  std::vector<Features> records = features_of(pages, parameters, 1);
  EXPECT_EQ(joined(records, records.size(), parameters, 500).size(), 190U) << "nothing is known of the site";
  SiteModel site(1);
  for (const Features& record : records)
    site.learn(counted_parts(record), SiteModel::kPartsLimit);
  RecordKeys keys;
  std::vector<Features> known;
  for (const Features& record : records)
    known.push_back(*keys.with_site(record, site.view()));
  EXPECT_TRUE(joined(known, known.size(), parameters, 500).empty());
  const Pairs all = joined(known, known.size(), parameters, 0);
  for (const auto& [later, earlier, score] : all)
    EXPECT_EQ(score, decide_pair(known[earlier], known[later], parameters)->resemblance);
}

TEST(CompleteJoinTest, TheContainmentIsThatOfThePair) {
  sample::Paragraphs longer = sample::article(1, 10);
  const sample::Paragraphs part(longer.begin(), longer.begin() + 4);
  const Parameters parameters;
  const std::vector<Features> pages = features_of(
      {sample::html(longer), sample::html(part), sample::html(sample::article(2, 6))}, parameters);
  const Owned<CompleteJoin> join = join_of(pages, pages.size(), parameters, 0);
  Vector<JoinMatch> matches;
  ASSERT_TRUE(join->find_earlier(1, matches));
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_NEAR(matches[0].containment, 1, 1e-9) << "L / min(|A|, |B|)";
  EXPECT_LT(matches[0].score, 0.5);
  EXPECT_EQ(matches[0].containment, decide_pair(pages[0], pages[1], parameters)->containment);
}

TEST(CompleteJoinTest, WithoutShingleKeysTheCandidatesAreThoseOfTheReport) {
  Parameters parameters;
  parameters.relaxed.enabled = false;
  const std::vector<Features> pages = features_of(random_pages(9, 60), parameters);
  for (const Features& page : pages)
    EXPECT_EQ(page.keys().size(), page.fingerprints().size());
  const Pairs expected = brute_force(pages, parameters, 300);
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(joined(pages, pages.size(), parameters, 300), expected);
}

TEST(CompleteJoinTest, ThreadsSeeTheSameAnswers) {
  for (const Method method : kJoinMethods) {
    const Parameters parameters = parameters_of(method);
    const std::vector<Features> pages = features_of(random_pages(4, 60), parameters);
    const Pairs expected = joined(pages, pages.size(), parameters, 300);
    const Owned<CompleteJoin> join = join_of(pages, pages.size(), parameters, 300);
    std::vector<Pairs> found(pages.size());
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        Vector<JoinMatch> matches;
        for (size_t page = thread; page < pages.size(); page += 4) {
          EXPECT_TRUE(join->find_earlier(page, matches));
          append(page, matches, found[page]);
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    Pairs together;
    for (const Pairs& of_page : found)
      together.insert(together.end(), of_page.begin(), of_page.end());
    EXPECT_EQ(together, expected) << detectors::info_of(method).name;
  }
}

TEST(CompleteJoinTest, WhatDoesNotFitIsRefused) {
  EXPECT_FALSE(make_complete_join(Parameters{}, 1001));
  const std::vector<Features> plain = features_of(random_pages(1, 4), Parameters{});
  const Owned<CompleteJoin> join = *make_complete_join(parameters_of(Method::kMwo), 500);
  Vector<JoinMatch> matches;
  EXPECT_FALSE(join->add(plain[0].copy()));
  EXPECT_FALSE(join->find(plain[0], matches));
  EXPECT_FALSE(join->find_earlier(0, matches));

  const Owned<CompleteJoin> lcs = join_of(plain, 2, Parameters{}, 500);
  EXPECT_FALSE(lcs->find_earlier(2, matches));
  EXPECT_TRUE(lcs->find_earlier(1, matches));
  EXPECT_FALSE(lcs->add(plain[2].copy())) << "it was searched";
  EXPECT_FALSE(lcs->find_earlier(2, matches));
}

TEST(CompleteJoinTest, EveryMethodHasOne) {
  const std::vector<std::string> same(2, sample::html(sample::article(1, 30)));
  for (uint32_t number = 0; number < detectors::kMethods; ++number) {
    const Parameters parameters = parameters_of(static_cast<Method>(number));
    const Pairs pairs = joined(features_of(same, parameters), 2, parameters, 600);
    ASSERT_EQ(pairs.size(), 1U) << number;
    EXPECT_GT(std::get<2>(pairs[0]), .6);
  }
}

TEST(CompleteJoinTest, ContentGrowsWithPagesAndNotWithPairs) {
  constexpr uint32_t kThreshold = 600;  // MWO sees that the URLs differ
  for (const Method method : kJoinMethods) {
    const Parameters parameters = parameters_of(method);
    const std::vector<std::string> same(200, sample::html(sample::article(1, 4)));
    const std::vector<Features> pages = features_of(same, parameters);
    const Owned<CompleteJoin> half = join_of(pages, 100, parameters, kThreshold);
    const Owned<CompleteJoin> all = join_of(pages, 200, parameters, kThreshold);
    // URLs of the second half have a digit more, for which a record may grow by eight bytes.
    EXPECT_LE(all->content_bytes(), 2 * half->content_bytes() + uint64_t{100} * 8);
    Vector<JoinMatch> matches;
    const uint64_t before = all->content_bytes();
    EXPECT_TRUE(all->find_earlier(199, matches));
    EXPECT_EQ(matches.size(), 199U) << detectors::info_of(method).name << ": no list is cut";
    EXPECT_LE(all->content_bytes(), before) << "the order of the terms may spare postings";
  }
}

}  // namespace
}  // namespace nd::engine
