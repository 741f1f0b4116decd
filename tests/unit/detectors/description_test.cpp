// Descriptions may come from anywhere: what is impossible is refused before a detector sees it.
#include "method/description.hpp"

#include <gtest/gtest.h>

#include "baselines/term_counts.hpp"
#include "mwo/share_vector.hpp"
#include "unit/detectors/detector_sample.hpp"

namespace nd::detectors {
namespace {

template <typename T>
Bytes bytes_of(const std::vector<T>& row) {
  Vector<uint8_t> out;
  append_row(std::span<const T>(row), out);
  return {out.begin(), out.end()};
}

bool passes(Method method, const Bytes& bytes) {
  const Result<void> checked = check_description(method, bytes);
  if (!checked) {
    EXPECT_EQ(checked.failure().status, Status::kCorrupt);
  }
  return static_cast<bool>(checked);
}

class DescriptionTest : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(All, DescriptionTest, ::testing::ValuesIn(all_methods()), method_test_name);

TEST_P(DescriptionTest, OfAPagePassesAndDependsOnThePageAlone) {
  PageDescriber describe(GetParam());
  const Bytes page = describe(sample::article_html(1));
  EXPECT_FALSE(page.empty());
  EXPECT_TRUE(passes(GetParam(), page));
  EXPECT_TRUE(passes(GetParam(), {}));
  describe(sample::article_html(2));
  EXPECT_EQ(describe(sample::article_html(1)), page);
  EXPECT_EQ(PageDescriber(GetParam())(sample::article_html(1)), page);
}

TEST_P(DescriptionTest, CutOrLongerIsImpossible) {
  Bytes page = PageDescriber(GetParam())(sample::article_html(1));
  page.pop_back();
  EXPECT_FALSE(passes(GetParam(), page));
  page.assign(page.size() + 2, 0);
  EXPECT_FALSE(passes(GetParam(), page));
  EXPECT_FALSE(passes(GetParam(), {1}));
}

// Whatever the bytes are, they pass or do not; what passes can be scored.
TEST_P(DescriptionTest, RandomDamageIsNoHarm) {
  const Bytes page = PageDescriber(GetParam())(sample::article_html(1));
  const Owned<Detector> detector = make_detector({.method = GetParam()}, 1);
  MethodScratch scratch(1);
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    Bytes damaged = page;
    for (uint32_t k = 0; k <= random() % 4; ++k)
      damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1U << random() % 8);
    if (!check_description(GetParam(), damaged)) continue;
    EXPECT_LE(detector->score(page, damaged), 1);
    detector->insert(static_cast<uint64_t>(i) + 1, damaged);
    EXPECT_LE(detector->candidates(damaged, scratch).matches.size(), size_t{64});
  }
}

TEST(DescriptionTest, RowsAscendAndHaveCounts) {
  EXPECT_TRUE(passes(Method::kSpotSigs, bytes_of<uint64_t>({0x101, 0x201})));
  EXPECT_FALSE(passes(Method::kSpotSigs, bytes_of<uint64_t>({0x201, 0x101})));
  EXPECT_FALSE(passes(Method::kLshS, bytes_of<uint64_t>({0x101, 0x102}))) << "one hash twice";
  EXPECT_FALSE(passes(Method::kIMatchS, bytes_of<uint64_t>({0x100}))) << "a signature that does not occur";
  EXPECT_TRUE(passes(Method::kShingles, bytes_of<uint64_t>({1, 2})));
  EXPECT_FALSE(passes(Method::kShingles, bytes_of<uint64_t>({2, 2})));
  using baselines::TermCount;
  EXPECT_TRUE(passes(Method::kCosine, bytes_of<TermCount>({{1, 1}, {2, 1}})));
  EXPECT_FALSE(passes(Method::kCosine, bytes_of<TermCount>({{2, 1}, {1, 1}})));
  EXPECT_FALSE(passes(Method::kIMatch, bytes_of<TermCount>({{1, 0}})));
}

TEST(DescriptionTest, SharesAreAWhole) {
  const auto terms = [](std::initializer_list<std::pair<uint64_t, uint32_t>> rows) {
    Bytes bytes;
    for (const auto& [hash, share] : rows) {
      for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<uint8_t>(hash >> shift));
      for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<uint8_t>(share >> shift));
    }
    return bytes;
  };
  constexpr uint32_t kHalf = mwo::kShareUnit / 2;
  EXPECT_TRUE(passes(Method::kMwo, terms({{1, kHalf}, {2, kHalf}})));
  EXPECT_FALSE(passes(Method::kMwo, terms({{1, kHalf}, {2, kHalf - 1}})));
  EXPECT_FALSE(passes(Method::kMwo, terms({{1, mwo::kShareUnit}, {2, 0}})));
  EXPECT_FALSE(passes(Method::kMwo, terms({{2, kHalf}, {1, kHalf}})));
}

TEST(DescriptionTest, IsNoLongerThanAPageCanMakeIt) {
  const auto ascending = [](size_t count, uint64_t step) {
    std::vector<uint64_t> row;
    for (size_t i = 1; i <= count; ++i)
      row.push_back(i * step + 1);
    return bytes_of(row);
  };
  EXPECT_TRUE(passes(Method::kShingles, ascending(kShinglesLimit, 1)));
  EXPECT_FALSE(passes(Method::kShingles, ascending(kShinglesLimit + 1, 1)));
  EXPECT_TRUE(passes(Method::kSpotSigs, ascending(kSpotsLimit, 256)));
  EXPECT_FALSE(passes(Method::kSpotSigs, ascending(kSpotsLimit + 1, 256)));
}

TEST(DescriptionTest, ALcsRecordHasNone) {
  EXPECT_TRUE(passes(Method::kLcs, {}));
  EXPECT_FALSE(passes(Method::kLcs, {1}));
}

// The same text in different surroundings: the boilerplate of a page does not count.
TEST(DescriberTest, FramesDoNotCount) {
  const std::string text = "<p>" + sample::paragraph(1) + "</p><p>" + sample::paragraph(2) + "</p><p>" +
                           sample::paragraph(3) + "</p>";
  const std::string menu = "<ul><li><a href=/a>Alpha</a></li><li><a href=/b>Beta</a></li></ul>";
  for (const Method method : all_methods()) {
    if (method == Method::kExact || method == Method::kMwo) continue;  // all text; links
    PageDescriber describe(method);
    EXPECT_EQ(describe("<body><nav>" + menu + "</nav>" + text + "</body>"),
              describe("<body>" + text + "</body>"))
        << info_of(method).name;
  }
}

TEST(DescriberTest, ChineseIsDescribed) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text +=
        "<p>"
        "市议会决定在春天之前重建港口上方的老灯塔。目前还没有人知道这笔钱由谁来出。港务长说灯还可以修好，看守"
        "人希望留下来。</p>";
  for (const Method method : all_methods()) {
    PageDescriber describe(method);
    EXPECT_FALSE(describe("<html lang=zh><meta charset=utf-8><body>" + text + "</body>").empty())
        << info_of(method).name;
  }
}

}  // namespace
}  // namespace nd::detectors
