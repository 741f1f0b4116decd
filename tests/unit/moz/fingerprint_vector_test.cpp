// Fingerprint vectors against plain minima, and that their permutations are what they claim.
#include "moz/fingerprint_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "unit/moz/moz_sample.hpp"

namespace nd::moz {
namespace {

using Shingles = std::vector<uint64_t>;

FingerprintVector plain_vector(const Shingles& shingles) {
  FingerprintVector vector;
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] = UINT64_MAX;
    for (const uint64_t shingle : shingles)
      vector[i] = std::min(vector[i], mix(shingle) * permutation(i).factor + permutation(i).offset);
  }
  return vector;
}

// Two sets of `each` shingles, `shared` of them in both.
std::pair<Shingles, Shingles> sets(size_t each, size_t shared, sample::Random& random) {
  Shingles a(each);
  for (uint64_t& shingle : a)
    shingle = random.number();
  Shingles b = a;
  for (size_t i = shared; i < each; ++i)
    b[i] = random.number();
  return {a, b};
}

Vector<uint64_t> keys_of(const FingerprintVector& vector, uint32_t most = kVectorDifference) {
  Vector<uint64_t> keys;
  part_keys(vector, most, keys);
  return keys;
}

// From a program that shares no code with the library.
TEST(FingerprintVectorTest, IsStable) {
  const FingerprintVector vector =
      *fingerprint_vector(Shingles{0x61f9ed32cc098e94, 0x16a5ee9d046bd59e, 0xf4b7f3dc70fb226c});
  EXPECT_EQ(vector[0], 0x5f59603c67d2bdbaU);
  EXPECT_EQ(vector[1], 0x19ae2f0ab94777f7U);
  EXPECT_EQ(vector[127], 0x0d29b4b5fef7e1f8U);
  EXPECT_EQ(keys_of(vector).front(), 0x0ff1d2f4dea76ac1U);
  EXPECT_EQ(keys_of(vector).back(), 0x4c373b2d99b0e5d6U);
}

TEST(FingerprintVectorTest, EqualsThePlainMinima) {
  sample::Random random(1);
  for (const size_t size : {1U, 2U, 7U, 8U, 255U, 256U, 257U, 511U, 512U, 513U, 3000U}) {
    Shingles shingles(size);
    for (uint64_t& shingle : shingles)
      shingle = random.number();
    EXPECT_EQ(fingerprint_vector(shingles), plain_vector(shingles)) << size;
  }
  EXPECT_EQ(fingerprint_vector(Shingles{0}), plain_vector({0}));
  EXPECT_EQ(fingerprint_vector(Shingles{UINT64_MAX}), plain_vector({UINT64_MAX}));
}

TEST(FingerprintVectorTest, PermutationsAreDifferentBijections) {
  std::set<uint64_t> factors;
  std::set<uint64_t> offsets;
  for (size_t i = 0; i < kVectorEntries; ++i) {
    EXPECT_EQ(permutation(i).factor % 2, 1U);
    factors.insert(permutation(i).factor);
    offsets.insert(permutation(i).offset);
  }
  EXPECT_EQ(factors.size(), kVectorEntries);
  EXPECT_EQ(offsets.size(), kVectorEntries);
}

// mix(0) is 0: without the offsets this shingle would be the least everywhere, in any page.
TEST(FingerprintVectorTest, NoShingleWinsEverywhere) {
  sample::Random random(9);
  Shingles shingles = sets(100, 0, random).first;
  const FingerprintVector before = *fingerprint_vector(shingles);
  shingles.push_back(0);
  EXPECT_LE(difference(before, *fingerprint_vector(shingles)), 10U);
}

TEST(FingerprintVectorTest, OfNothingIsNone) {
  EXPECT_EQ(fingerprint_vector({}), std::nullopt);
}

TEST(FingerprintVectorTest, DependsOnTheSetAlone) {
  sample::Random random(2);
  Shingles shingles = sets(300, 0, random).first;
  const auto expected = fingerprint_vector(shingles);
  shingles.insert(shingles.end(), shingles.begin(), shingles.begin() + 100);
  std::shuffle(shingles.begin(), shingles.end(), std::mt19937(7));
  EXPECT_EQ(fingerprint_vector(shingles), expected);
  shingles.resize(5000, 77);
  EXPECT_EQ(difference(*fingerprint_vector(shingles), *expected),
            difference(*fingerprint_vector(Shingles(shingles.begin(), shingles.begin() + 401)), *expected));
  for (size_t i = 400; i < shingles.size(); ++i)
    shingles[i] = random.number();
  EXPECT_NE(fingerprint_vector(shingles), expected);
}

// An entry is unequal with probability 1 - J. Numbers in a row are hashes as bad as a caller can have.
TEST(FingerprintVectorTest, DifferenceTellsTheJaccardSimilarity) {
  constexpr size_t kPairs = 150;
  constexpr size_t kEach = 200;
  sample::Random random(3);
  for (const size_t shared : {100U, 160U, 180U, 190U, 198U}) {
    for (const bool in_a_row : {false, true}) {
      double sum = 0;
      double squares = 0;
      for (size_t pair = 0; pair < kPairs; ++pair) {
        auto [a, b] = sets(kEach, shared, random);
        for (size_t i = 0; in_a_row && i < kEach; ++i) {
          a[i] = pair * 1000 + i;
          b[i] = pair * 1000 + i + kEach - shared;
        }
        const double unequal = difference(*fingerprint_vector(a), *fingerprint_vector(b));
        sum += unequal;
        squares += unequal * unequal;
      }
      const double jaccard = static_cast<double>(shared) / static_cast<double>(2 * kEach - shared);
      const double expected = kVectorEntries * (1 - jaccard);
      const double variance = expected * jaccard;
      const double mean = sum / kPairs;
      EXPECT_NEAR(mean, expected, 4 * std::sqrt(variance / kPairs)) << shared << in_a_row;
      // Entries of one vector are as good as independent.
      EXPECT_NEAR((squares / kPairs - mean * mean) / variance, 1, 0.5) << shared << in_a_row;
    }
  }
}

TEST(FingerprintVectorTest, DifferenceCountsUnequalEntries) {
  sample::Random random(4);
  FingerprintVector a;
  for (uint64_t& entry : a)
    entry = random.number();
  FingerprintVector b = a;
  std::vector<size_t> places(kVectorEntries);
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = i;
  std::shuffle(places.begin(), places.end(), std::mt19937(5));
  for (uint32_t unequal = 0;; ++unequal) {
    EXPECT_EQ(difference(a, b), unequal);
    for (const uint32_t most : {0U, 1U, kVectorDifference, 64U, 127U, 128U, 1000U})
      EXPECT_EQ(differ_by_at_most(a, b, most), unequal <= most);
    if (unequal == kVectorEntries) break;
    sample::flip(b[places[unequal]], random.below(64));
  }
}

// Moz: duplicates up to 6 unequal entries. No choice of 6 spoils all seven parts.
TEST(FingerprintVectorTest, NearDuplicatesShareAPart) {
  sample::Random random(6);
  FingerprintVector a;
  for (uint64_t& entry : a)
    entry = random.number();
  for (int round = 0; round < 2000; ++round) {
    FingerprintVector b = a;
    // Every other round one entry of each part but one.
    for (size_t i = 0; i < kVectorDifference; ++i)
      b[round % 2 == 0 ? random.below(kVectorEntries) : (i + 1) * kVectorEntries / 7 + random.below(18)] = 1;
    ASSERT_LE(difference(a, b), kVectorDifference);
    const Vector<uint64_t> of_a = keys_of(a);
    const Vector<uint64_t> of_b = keys_of(b);
    size_t shared = 0;
    for (size_t part = 0; part < of_a.size(); ++part)
      shared += of_a[part] == of_b[part];
    ASSERT_GE(shared, 1U);
  }
  // Every entry belongs to a part.
  for (size_t i = 0; i < kVectorEntries; ++i) {
    FingerprintVector b = a;
    ++b[i];
    size_t unequal = 0;
    for (size_t part = 0; part < keys_of(a).size(); ++part)
      unequal += keys_of(a)[part] != keys_of(b)[part];
    EXPECT_EQ(unequal, 1U) << i;
  }
  for (uint32_t most = 0; most < kVectorEntries; ++most)
    EXPECT_EQ(keys_of(a, most).size(), most + 1);
  // The same numbers in another part are another key.
  a.fill(9);
  const Vector<uint64_t> keys = keys_of(a);
  EXPECT_EQ(std::set<uint64_t>(keys.begin(), keys.end()).size(), keys.size());
}

}  // namespace
}  // namespace nd::moz
