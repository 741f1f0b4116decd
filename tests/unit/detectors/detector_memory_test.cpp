// The memory of detectors, what their budgets count, and the state after memory runs out.
#include <gtest/gtest.h>

#include <new>

#include "unit/detectors/detector_sample.hpp"
#include "unit/spotsigs/counted_memory.hpp"

namespace nd::detectors {
namespace {

using spotsigs::sample::CountedMemory;

class DetectorMemoryTest : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(All, DetectorMemoryTest, ::testing::ValuesIn(all_methods()), method_test_name);

TEST_P(DetectorMemoryTest, MemoryBytesIsWhatIsHeldAndFailuresChangeNothing) {
  RandomDescriptions descriptions(GetParam(), 9);
  CountedMemory memory;
  {
    std::map<uint64_t, Bytes> in;
    MethodScratch scratch(1);
    const Owned<Detector> detector = make_detector(unlimited(GetParam()), 5);
    const uint64_t beside = memory.held_bytes() - detector->memory_bytes();
    uint64_t failures = 0;
    for (uint64_t id = 1; id <= 60; ++id) {
      const Bytes page = descriptions.next();
      for (uint64_t left = 0;; ++left) {
        memory.fail_after(left, true);
        try {
          detector->insert(id, page);
          memory.stop_failing();
          break;
        } catch (const std::bad_alloc&) {
          EXPECT_TRUE(memory.stop_failing());
          ++failures;
          ASSERT_EQ(detector->document_count(), in.size());
        }
      }
      in[id] = page;
      EXPECT_EQ(memory.held_bytes() - beside - scratch.memory_bytes(), detector->memory_bytes());
      if (id % 3 == 0) {
        const uint64_t gone = std::next(in.begin(), static_cast<std::ptrdiff_t>(id / 3 % in.size()))->first;
        detector->prepare_removal(gone);
        memory.fail_after(0, true);
        EXPECT_TRUE(detector->remove(gone));
        EXPECT_FALSE(memory.stop_failing()) << "a removal took memory";
        in.erase(gone);
      }
      for (uint64_t left = 0;; ++left) {
        memory.fail_after(left, true);
        try {
          detector->candidates(page, scratch);
          memory.stop_failing();
          break;
        } catch (const std::bad_alloc&) {
          EXPECT_TRUE(memory.stop_failing());
        }
      }
      EXPECT_EQ(found(*detector, page, scratch), by_brute_force(GetParam(), *detector, in, page));
    }
    EXPECT_GT(failures, 10U);
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

// Of those whose epochs read all documents: with each insertion one would be tried, and read all, again.
TEST(EpochMemoryTest, AnEpochThatFindsNoMemoryIsPutOff) {
  for (const Method method : {Method::kIMatch, Method::kIMatchS, Method::kMwo, Method::kCosine}) {
    RandomDescriptions descriptions(method, 9);
    CountedMemory memory;
    const Owned<Detector> detector = make_detector(unlimited(method), 5);
    constexpr uint64_t kEnough = 1500;  // allocations, for an insertion
    for (uint64_t id = 1; id <= 4096 + 2048; ++id) {
      memory.fail_after(kEnough, true);
      EXPECT_EQ(detector->insert(id, descriptions.next()), 0U);
      EXPECT_EQ(memory.stop_failing(), id == 4096 || id == 4096 + 2048) << info_of(method).name << ' ' << id;
    }
  }
}

// Pages that share nothing take most: a list for each key. Budgets must mean the memory of these too.
TEST_P(DetectorMemoryTest, ABudgetIsAboutWhatIsHeld) {
  const Owned<Detector> detector = make_detector(unlimited(GetParam()), 5);
  const auto row_of_page = [](uint64_t page, uint64_t count) {
    Vector<uint64_t> row;
    for (uint64_t i = 0; i < count; ++i)
      row.push_back((mix(page * count + i) << 16 | 1) & ~uint64_t{0xfe});
    std::sort(row.begin(), row.end());
    return row;
  };
  for (uint64_t page = 1; page <= 300; ++page) {
    Vector<uint8_t> out;
    switch (GetParam()) {
      case Method::kMozVector:
        append_row(std::span<const uint64_t>(row_of_page(page, 128)), out);
        break;
      case Method::kSimhash64:
        append_row(std::span<const uint64_t>(row_of_page(page, 1)), out);
        break;
      case Method::kSimhash128:
      case Method::kExact:
        append_row(std::span<const uint64_t>(row_of_page(page, 2)), out);
        break;
      case Method::kMinHash:
        append_row(std::span<const uint64_t>(row_of_page(page, 192)), out);
        break;
      case Method::kMwo:
        for (const uint64_t hash : row_of_page(page, 256)) {
          const uint32_t share = mwo::kShareUnit / 256;
          append_row(std::span<const uint64_t>(&hash, 1), out);
          append_row(std::span<const uint32_t>(&share, 1), out);
        }
        break;
      case Method::kCosine:
      case Method::kIMatch:
        for (uint32_t i = 0; i < 256; ++i) {
          const baselines::TermCount term{static_cast<uint32_t>(page) * 256 + i, 1};
          append_row(std::span<const baselines::TermCount>(&term, 1), out);
        }
        break;
      default:
        append_row(std::span<const uint64_t>(row_of_page(page, 256)), out);
    }
    ASSERT_TRUE(check_description(GetParam(), {out.data(), out.size()}));
    ASSERT_EQ(detector->insert(page, {out.data(), out.size()}), 0U);
  }
  const auto held = static_cast<double>(detector->memory_bytes());
  const auto counted = static_cast<double>(detector->content_bytes());
  RecordProperty("held_per_counted", std::to_string(held / counted));
  if (GetParam() == Method::kSpotSigs) return;  // docs/spotsigs.md: the tables of the engine's own index
  EXPECT_LT(held, 1.7 * counted);
  EXPECT_GT(held, 0.4 * counted);
}

}  // namespace
}  // namespace nd::detectors
