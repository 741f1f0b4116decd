// Each method behind the interface finds what its score says, whatever comes and goes.
#include "method/detector.hpp"

#include <gtest/gtest.h>

#include <map>

#include "unit/detectors/detector_sample.hpp"

namespace nd::detectors {
namespace {

class DetectorTest : public ::testing::TestWithParam<Method> {
 protected:
  std::vector<Bytes> descriptions(uint64_t articles) {
    PageDescriber describe(GetParam());
    std::vector<Bytes> out;
    for (const std::string& page : sample_pages(articles))
      out.push_back(describe(page));
    return out;
  }
};

INSTANTIATE_TEST_SUITE_P(All, DetectorTest, ::testing::ValuesIn(all_methods()), method_test_name);

TEST_P(DetectorTest, EqualsBruteForceWhateverComesAndGoes) {
  const std::vector<Bytes> pages = descriptions(8);
  const MethodInfo& info = info_of(GetParam());
  std::vector<uint32_t> thresholds = {0};
  if (info.most != 0) thresholds.insert(thresholds.end(), {info.most / 4, info.threshold - info.whole / 50});
  for (const uint32_t threshold : thresholds) {
    const Owned<Detector> detector = make_detector(unlimited(GetParam(), threshold), 7);
    const Owned<Detector> other_secret = make_detector(unlimited(GetParam(), threshold), 8);
    MethodScratch scratch(1);
    std::map<uint64_t, Bytes> in;
    std::mt19937 random(threshold + 1);
    size_t found_count = 0;
    for (int step = 0; step < 250; ++step) {
      const uint64_t page = random() % pages.size();
      const uint64_t id = 5 * page + 3;
      const uint64_t action = random() % 10;
      if (action < 5 && !in.contains(id)) {
        EXPECT_EQ(detector->insert(id, pages[page]), 0U);
        EXPECT_EQ(other_secret->insert(id, pages[page]), 0U);
        in[id] = pages[page];
      } else if (action == 5 && !in.empty()) {
        const uint64_t gone = std::next(in.begin(), static_cast<std::ptrdiff_t>(random() % in.size()))->first;
        detector->prepare_removal(gone);
        EXPECT_TRUE(detector->remove(gone));
        EXPECT_FALSE(detector->remove(gone));
        EXPECT_TRUE(other_secret->remove(gone));
        in.erase(gone);
      } else {
        const MatchList answer = found(*detector, pages[page], scratch);
        EXPECT_EQ(answer, by_brute_force(GetParam(), *detector, in, pages[page]));
        EXPECT_EQ(found(*other_secret, pages[page], scratch), answer) << "the secret shows";
        found_count += answer.size();
      }
      EXPECT_EQ(detector->document_count(), in.size());
    }
    EXPECT_GT(found_count, 0U) << threshold;
    while (!in.empty()) {
      EXPECT_TRUE(detector->remove(in.begin()->first));
      in.erase(in.begin());
    }
    EXPECT_EQ(detector->document_count(), 0U);
    EXPECT_EQ(detector->content_bytes(), 0U);
  }
}

TEST_P(DetectorTest, EqualTextScoresOneAndOtherTextIsTold) {
  const std::vector<Bytes> pages = descriptions(2);
  const Owned<Detector> detector = make_detector(unlimited(GetParam()), 1);
  ASSERT_FALSE(pages[0].empty());
  EXPECT_EQ(pages[0], pages[1]);
  // A cosine is rounded down.
  EXPECT_NEAR(detector->score(pages[0], pages[1]), 1, 1e-6);
  EXPECT_TRUE(detector->decide(detector->score(pages[0], pages[1])));
  EXPECT_FALSE(detector->decide(detector->score(pages[0], pages[6]))) << "two articles";
  EXPECT_FALSE(detector->decide(0));
}

TEST_P(DetectorTest, PagesWithoutTextAreLikeNoOther) {
  PageDescriber describe(GetParam());
  const Bytes nothing = describe("<html><title>Title</title><body></body></html>");
  EXPECT_TRUE(nothing.empty());
  const Owned<Detector> detector = make_detector(unlimited(GetParam()), 1);
  MethodScratch scratch(1);
  EXPECT_EQ(detector->insert(1, nothing), 0U);
  EXPECT_EQ(detector->document_count(), 0U);
  EXPECT_TRUE(found(*detector, nothing, scratch).empty());
  EXPECT_EQ(detector->score(nothing, nothing), 0);
  const Bytes page = describe(sample::article_html(1));
  EXPECT_EQ(detector->score(page, nothing), 0);
  EXPECT_EQ(detector->score(nothing, page), 0);
  EXPECT_FALSE(detector->remove(1));
}

TEST_P(DetectorTest, KeepsItsBudgetAndCountsWhatItLeavesOut) {
  const std::vector<Bytes> pages = descriptions(8);
  DetectorSettings settings = unlimited(GetParam());
  {
    const Owned<Detector> free = make_detector(settings, 1);
    for (size_t i = 0; i < pages.size(); ++i)
      free->insert(i + 1, pages[i]);
    settings.bytes = free->content_bytes() / 2;
    EXPECT_GT(free->memory_bytes(), 0U);
  }
  const Owned<Detector> detector = make_detector(settings, 1);
  uint64_t left_out = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    left_out += detector->insert(i + 1, pages[i]);
    EXPECT_LE(detector->content_bytes(), settings.bytes);
  }
  EXPECT_GT(left_out, 0U);
  EXPECT_EQ(detector->document_count() + left_out, pages.size());
}

TEST_P(DetectorTest, TellsWhenALimitCut) {
  const std::vector<Bytes> pages = descriptions(1);
  DetectorSettings settings = unlimited(GetParam());
  settings.matches = 2;
  const Owned<Detector> detector = make_detector(settings, 1);
  for (uint64_t id = 1; id <= 4; ++id)
    detector->insert(id, pages[0]);
  MethodScratch scratch(1);
  const MethodMatches answer = detector->candidates(pages[0], scratch);
  EXPECT_EQ(answer.matches.size(), 2U);
  EXPECT_TRUE(answer.limited);
}

TEST(MethodTest, NumbersAndNamesNeverChange) {
  const char* names[] = {"lcs", "spotsigs", "i-match-s", "lsh-s",  "moz-vector", "simhash64", "simhash128",
                         "mwo", "shingles", "minhash",   "cosine", "i-match",    "exact"};
  ASSERT_EQ(std::size(names), size_t{kMethods});
  for (uint16_t number = 0; number < kMethods; ++number)
    EXPECT_EQ(info_of(static_cast<Method>(number)).name, names[number]);
  EXPECT_TRUE(is_method(12));
  EXPECT_FALSE(is_method(13));
}

TEST(MethodTest, ThresholdsHaveTheirRanges) {
  EXPECT_TRUE(check_threshold(Method::kSimhash64, 64));
  const Result<void> wide = check_threshold(Method::kSimhash64, 65);
  ASSERT_FALSE(wide);
  EXPECT_EQ(
      std::string(wide.failure().message),
      "option detector_threshold: detector simhash64 takes 1..64 equal bits of 64, or 0 for its default, 59");
  EXPECT_TRUE(check_threshold(Method::kExact, 0));
  EXPECT_FALSE(check_threshold(Method::kExact, 1));
  EXPECT_FALSE(check_threshold(Method::kLcs, 1));
  EXPECT_FALSE(check_threshold(Method::kCosine, 1000));
  for (const Method method : all_methods())
    EXPECT_TRUE(check_threshold(method, info_of(method).most));
}

// The thresholds as the sources say them.
TEST(MethodTest, DecidesAtTheThresholdAndNotBelow) {
  const auto decides = [](Method method, double score) {
    return make_detector(unlimited(method), 1)->decide(score);
  };
  EXPECT_TRUE(decides(Method::kSimhash64, 1 - 5.0 / 64));
  EXPECT_FALSE(decides(Method::kSimhash64, 1 - 6.0 / 64));
  EXPECT_TRUE(decides(Method::kSimhash128, 97.0 / 128));
  EXPECT_FALSE(decides(Method::kSimhash128, 96.0 / 128));
  EXPECT_TRUE(decides(Method::kMozVector, 1 - 6.0 / 128));
  EXPECT_FALSE(decides(Method::kMozVector, 1 - 7.0 / 128));
  EXPECT_TRUE(decides(Method::kSpotSigs, 11.0 / 25));
  EXPECT_FALSE(decides(Method::kSpotSigs, 439.0 / 1000));
  EXPECT_TRUE(decides(Method::kExact, 1));
  EXPECT_FALSE(decides(Method::kExact, 0));
}

}  // namespace
}  // namespace nd::detectors
