// Features that carry the description of a method: read as written, impossible, and of another version.
#include <gtest/gtest.h>

#include <cstring>

#include "unit/page/feature_sample.hpp"

namespace nd::engine {
namespace {

using detectors::Method;

// A record with a checksum that fits, whatever is in it.
Features described(uint16_t method, std::span<const uint8_t> description) {
  const Features plain = one_block(words(1, 40));
  FeatureHeader header = plain.header();
  header.method = method;
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

Status status_of(const Features& features) {
  const Result<Features> parsed = Features::parse(features.bytes());
  const Result<Features> viewed = Features::view(features.bytes(), nullptr);
  EXPECT_EQ(static_cast<bool>(parsed), static_cast<bool>(viewed));
  return parsed ? Status::kOk : parsed.failure().status;
}

constexpr std::array<uint8_t, 8> kHash = {1, 2, 3, 4, 5, 6, 7, 8};

TEST(FeatureDescriptionTest, IsReadAsItWasWritten) {
  const Features written = described(static_cast<uint16_t>(Method::kSimhash64), kHash);
  const Result<Features> read = Features::parse(written.bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->method(), Method::kSimhash64);
  EXPECT_TRUE(std::ranges::equal(read->description(), kHash));
  EXPECT_TRUE(std::ranges::equal(read->symbols(), written.symbols()));
}

TEST(FeatureDescriptionTest, WithoutAMethodThereIsNone) {
  const Features plain = one_block(words(1, 40));
  EXPECT_EQ(plain.method(), Method::kLcs);
  EXPECT_TRUE(plain.description().empty());
  EXPECT_EQ(status_of(plain), Status::kOk);
}

TEST(FeatureDescriptionTest, EmptyMeansThatTheMethodFoundNothing) {
  EXPECT_EQ(status_of(described(static_cast<uint16_t>(Method::kSimhash64), {})), Status::kOk);
}

TEST(FeatureDescriptionTest, ImpossibleOnesAreCorrupt) {
  for (uint16_t number = 1; number < detectors::kMethods; ++number)
    EXPECT_EQ(status_of(described(number, std::span(kHash).first(3))), Status::kCorrupt) << number;
  EXPECT_EQ(status_of(described(0, kHash)), Status::kCorrupt) << "a description of no method";
}

TEST(FeatureDescriptionTest, AMethodOfAnotherVersionIsSaidToBe) {
  EXPECT_EQ(status_of(described(detectors::kMethods, kHash)), Status::kUnsupportedVersion);
  EXPECT_EQ(status_of(described(UINT16_MAX, kHash)), Status::kUnsupportedVersion);
}

TEST(FeatureDescriptionTest, ASizeThatDoesNotAddUpIsCorrupt) {
  const Features written = described(static_cast<uint16_t>(Method::kSimhash64), kHash);
  for (const uint32_t size : {0U, 7U, 9U, 0xffffffU}) {
    Vector<uint64_t> words_of_record((written.bytes().size() + 7) / 8);
    auto* bytes = reinterpret_cast<uint8_t*>(words_of_record.data());
    std::memcpy(bytes, written.bytes().data(), written.bytes().size());
    FeatureHeader header = written.header();
    header.description_size = size & 0xffffff;
    std::memcpy(bytes, &header, sizeof header);
    const Result<Features> parsed = Features::parse({bytes, written.bytes().size()});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.failure().status, Status::kCorrupt);
  }
}

}  // namespace
}  // namespace nd::engine
