// Every method's index against brute force on random descriptions, many enough for epochs, with removals.
#include <gtest/gtest.h>

#include "unit/detectors/detector_sample.hpp"

namespace nd::detectors {
namespace {

class ExactnessTest : public ::testing::TestWithParam<Method> {
 protected:
  void insert_next() {
    const Bytes page = descriptions_.next();
    ASSERT_TRUE(check_description(GetParam(), page));
    EXPECT_EQ(detector_->insert(++last_id_, page), 0U);
    in_[last_id_] = page;
  }
  void remove_any() {
    const auto gone = std::next(in_.begin(), static_cast<std::ptrdiff_t>(descriptions_.below(in_.size())));
    detector_->prepare_removal(gone->first);
    EXPECT_TRUE(detector_->remove(gone->first));
    in_.erase(gone);
  }
  // Returns how many were found.
  size_t compare_with_brute_force() {
    size_t count = 0;
    for (int query = 0; query < 12; ++query) {
      const auto kept = std::next(in_.begin(), static_cast<std::ptrdiff_t>(descriptions_.below(in_.size())));
      const Bytes page = query % 2 == 0 ? kept->second : descriptions_.next();
      const MatchList expected = by_brute_force(GetParam(), *detector_, in_, page);
      EXPECT_EQ(found(*detector_, page, scratch_), expected);
      count += expected.size();
    }
    EXPECT_EQ(detector_->document_count(), in_.size());
    return count;
  }

  RandomDescriptions descriptions_{GetParam(), 4};
  Owned<Detector> detector_ = make_detector(unlimited(GetParam()), 3);
  MethodScratch scratch_{1};
  std::map<uint64_t, Bytes> in_;
  uint64_t last_id_ = 0;
};

INSTANTIATE_TEST_SUITE_P(All, ExactnessTest, ::testing::ValuesIn(all_methods()), method_test_name);

// Epochs begin at 4,096 insertions and when as many more have come.
TEST_P(ExactnessTest, EqualsBruteForceBeforeAndBehindEpochsWhateverGoes) {
  for (const uint64_t insertions : {1000U, 4095U, 4096U, 4500U, 8191U, 8192U, 8600U}) {
    while (last_id_ < insertions) {
      insert_next();
      if (last_id_ % 4 == 0) remove_any();
    }
    EXPECT_GT(compare_with_brute_force(), 5U) << insertions;
    ASSERT_FALSE(HasFailure()) << insertions;
  }
  while (!in_.empty())
    remove_any();
  EXPECT_EQ(detector_->document_count(), 0U);
  EXPECT_EQ(detector_->content_bytes(), 0U);
}

// A page that no IDF band kept when it was inserted is found once a band keeps it.
TEST(IdfBandTest, APageOutsideOfTheBandWaitsForItsEpoch) {
  for (const Method method : {Method::kIMatch, Method::kIMatchS}) {
    const Owned<Detector> detector = make_detector(unlimited(method), 3);
    const auto page_of = [&](std::initializer_list<uint32_t> hashes) {
      Vector<uint8_t> out;
      for (const uint32_t hash : hashes) {
        if (uses_spots(method)) {
          const uint64_t packed = spotsigs::make_packed_spot({hash, 1});
          append_row(std::span<const uint64_t>(&packed, 1), out);
        } else {
          const baselines::TermCount term{hash, 1};
          append_row(std::span<const baselines::TermCount>(&term, 1), out);
        }
      }
      return Bytes(out.begin(), out.end());
    };
    constexpr uint32_t kCommon = 1;
    const Bytes common = page_of({kCommon});
    uint64_t id = 0;
    for (; id < 4096; ++id)
      detector->insert(id + 1, page_of({kCommon, 100 + static_cast<uint32_t>(id / 4)}));
    ASSERT_EQ(detector->score(common, common), 0) << "too common for the band";
    const uint64_t waiting = ++id;
    EXPECT_EQ(detector->insert(waiting, common), 0U);
    MethodScratch scratch(1);
    EXPECT_TRUE(found(*detector, common, scratch).empty());
    // Then most of what made the word common goes, and others come.
    for (uint64_t gone = 1; gone <= 4096; ++gone)
      EXPECT_TRUE(detector->remove(gone));
    while (id < 2 * 4096 + 1) {
      ++id;
      detector->insert(id,
                       page_of({static_cast<uint32_t>(1000 + id % 1000), static_cast<uint32_t>(9000 + id)}));
      if (id % 300 == 0) detector->insert(id + 100000, page_of({kCommon, static_cast<uint32_t>(9000 + id)}));
    }
    ASSERT_EQ(detector->score(common, common), 1) << "the second epoch keeps it";
    const MatchList answer = found(*detector, common, scratch);
    EXPECT_NE(std::find(answer.begin(), answer.end(), std::pair(waiting, 1.0)), answer.end());
  }
}

}  // namespace
}  // namespace nd::detectors
