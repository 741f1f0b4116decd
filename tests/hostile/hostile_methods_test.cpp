// What is made to be expensive for the index of a method other than the LCS: records that all have one
// description and no text in common. Each search meets all that the index holds, and nobody joins anybody, so
// each page goes in and, with a small `detector_bytes`, drives others out. The work a page stays below what
// the index may hold, however many pages came.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "decision/work_budget.hpp"
#include "hostile/hostile_records.hpp"
#include "mwo/share_vector.hpp"

namespace nd::engine {
namespace {

using detectors::Method;

constexpr uint64_t kIndexBytes = 65536;
constexpr uint32_t kTerms = 64;    // a power of two, so that shares are equal
constexpr uint32_t kPages = 1250;  // four times as many begin an epoch

template <typename T>
void append(std::vector<uint8_t>& out, T value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

// Any that the method takes.
std::vector<uint8_t> description_of(Method method) {
  std::vector<uint8_t> out;
  for (uint32_t i = 1; i <= kTerms; ++i) {
    switch (method) {
      case Method::kSpotSigs:
      case Method::kIMatchS:
      case Method::kLshS:
        append(out, make_packed_spot({i, 1}));
        break;
      case Method::kShingles:
        append(out, uint64_t{i});
        break;
      case Method::kMwo:
        append(out, uint64_t{i});
        append(out, mwo::kShareUnit / kTerms);
        break;
      case Method::kCosine:
      case Method::kIMatch:
        append(out, i);
        append(out, uint32_t{1});
        break;
      default:
        append(out, mix(i));
    }
  }
  switch (method) {
    case Method::kSimhash64:
      out.resize(8);
      break;
    case Method::kSimhash128:
    case Method::kExact:
      out.resize(16);
      break;
    case Method::kMozVector:
      out.resize(128 * sizeof(uint64_t));
      break;
    case Method::kMinHash:
      out.resize(192 * sizeof(uint64_t));
      break;
    default:
      break;
  }
  return out;
}

struct DescribedSample : FeatureSample {
  Method method{};
  std::vector<uint8_t> description;

  Features features() const {
    const Features plain = FeatureSample::features();
    FeatureHeader header = plain.header();
    header.method = static_cast<uint16_t>(method);
    return Features::build(header, {.blocks = plain.blocks(),
                                    .keys = plain.keys(),
                                    .spots = plain.spots(),
                                    .block_spots = {},
                                    .sentences = {},
                                    .symbols = plain.symbols(),
                                    .url = plain.url(),
                                    .site = plain.site(),
                                    .text = plain.text(),
                                    .description = description});
  }
};

class HostileMethodsTest : public ::testing::TestWithParam<Method> {
 protected:
  static DescribedSample page(uint32_t number) {
    DescribedSample page;
    page.method = GetParam();
    page.description = description_of(GetParam());
    page.blocks = {{own_words(number, 30)}};
    page.site = "s" + std::to_string(number) + ".example";
    return page;
  }
  static Parameters parameters(bool method_decides) {
    Parameters parameters;
    parameters.detector.method = static_cast<uint32_t>(GetParam());
    parameters.detector.decide = method_decides ? 1 : 0;
    parameters.detector.bytes = kIndexBytes;
    return parameters;
  }
};

TEST_P(HostileMethodsTest, PagesOfWhichAllHaveOneDescription) {
  WorkTally most_of_few;
  const WorkTally few = check_all(parameters(false), kPages, page, most_of_few);
  WorkTally most;
  const WorkTally many = check_all(parameters(false), 4 * kPages, page, most);
  EXPECT_LE(most.of(Work::kCandidates), most_of_few.of(Work::kCandidates) + kTerms * 24);
  for (const Work step : {Work::kCandidates, Work::kCommit}) {
    const std::string_view name = kWorkNames[static_cast<size_t>(step)];
    EXPECT_LE(most.of(step), kIndexBytes) << name;
    EXPECT_LE(many.of(step), 2 * 4 * few.of(step)) << name << ": part of the few met an index not yet full";
    EXPECT_GE(few.of(step), kPages) << name << " is counted";
  }
}

// All join the first.
TEST_P(HostileMethodsTest, VerdictsOfTheMethodAreCounted) {
  WorkTally most;
  const WorkTally work = check_all(parameters(true), 10, page, most);
  const uint64_t read = 2 * description_of(GetParam()).size() / sizeof(uint64_t);
  EXPECT_GE(work.of(Work::kComparison), 9 * read);
  const uint64_t unpacked = steps_to_unpack(page(0).features().header());
  EXPECT_LE(most.of(Work::kComparison), 2 * (read + unpacked + 1));
}

std::vector<Method> methods() {
  std::vector<Method> all;
  for (uint16_t number = 1; number < detectors::kMethods; ++number)
    all.push_back(static_cast<Method>(number));
  return all;
}

std::string name_of(const ::testing::TestParamInfo<Method>& info) {
  std::string name(detectors::info_of(info.param).name);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, HostileMethodsTest, ::testing::ValuesIn(methods()), name_of);

}  // namespace
}  // namespace nd::engine
