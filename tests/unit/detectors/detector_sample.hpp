// Pages and their descriptions for the tests of the detectors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "baselines/shingles.hpp"
#include "baselines/term_counts.hpp"
#include "core/hash.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/method_families.hpp"
#include "detectors/spot_competitors.hpp"
#include "method/detector.hpp"
#include "moz/fingerprint_vector.hpp"
#include "mwo/share_vector.hpp"
#include "options/parameters.hpp"
#include "page/feature_builder.hpp"
#include "spotsigs/spot_vector.hpp"
#include "text/page_reader.hpp"
#include "unit/page_sample.hpp"

namespace nd::detectors {

inline std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (uint16_t number = 1; number < kMethods; ++number)
    methods.push_back(static_cast<Method>(number));
  return methods;
}

inline std::string method_test_name(const ::testing::TestParamInfo<Method>& info) {
  std::string name(info_of(info.param).name);
  std::erase(name, '-');
  return name;
}

using Bytes = std::vector<uint8_t>;

class PageDescriber {
 public:
  explicit PageDescriber(Method method, const engine::Parameters& parameters = {})
      : parameters_(parameters),
        reader_(*text::PageReader::create()),
        builder_(*engine::FeatureBuilder::create(method)) {}

  Bytes operator()(const std::string& html, const std::string& url = "http://a.example/") {
    const auto* bytes = reinterpret_cast<const uint8_t*>(html.data());
    EXPECT_TRUE(reader_.read(url, {bytes, html.size()}, "text/html; charset=utf-8", {}, document_));
    builder_.begin(document_);
    const engine::Features features =
        builder_.finish({url, 1000, html.size()}, document_, {}, parameters_, engine::RecordFor::kThisCheck);
    return {features.description().begin(), features.description().end()};
  }

 private:
  engine::Parameters parameters_;
  text::PageReader reader_;
  text::Document document_;
  engine::FeatureBuilder builder_;
};

// Articles, and others that have more or less of their text.
inline std::vector<std::string> sample_pages(uint64_t articles) {
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < articles; ++i) {
    const sample::Paragraphs text = sample::article(i, 5);
    pages.push_back(sample::html(text));
    pages.push_back(sample::html(text));
    for (size_t count = 1; count < 5; ++count)
      pages.push_back(sample::html(sample::rewritten(text, count, i + 1)));
  }
  return pages;
}

inline DetectorSettings unlimited(Method method, uint32_t threshold = 0) {
  DetectorSettings settings;
  settings.method = method;
  settings.threshold = threshold;
  settings.matches = 0;
  settings.postings = 0;
  return settings;
}

using MatchList = std::vector<std::pair<uint64_t, double>>;  // ids and scores

inline MatchList found(const Detector& detector, Description description, MethodScratch& scratch) {
  const MethodMatches answer = detector.candidates(description, scratch);
  EXPECT_FALSE(answer.limited);
  MatchList matches;
  for (const MethodMatch& match : answer.matches)
    matches.emplace_back(match.id, match.score);
  return matches;
}

// Whether the method would ever look at the pair: of two that find by bands, if a band is equal.
inline bool can_meet(Method method, Description a, Description b) {
  if (method == Method::kLshS) {
    const auto bands_of = [](Description description) {
      std::vector<spotsigs::Spot> spots;
      for (const spotsigs::PackedSpot packed : row_of<spotsigs::PackedSpot>(description))
        spots.push_back(spotsigs::spot_of(packed));
      Vector<uint64_t> bands;
      spotsigs::lsh_bands(spots, {}, bands);
      return bands;
    };
    const Vector<uint64_t> bands_a = bands_of(a);
    const Vector<uint64_t> bands_b = bands_of(b);
    for (size_t i = 0; i < bands_a.size(); ++i) {
      if (bands_a[i] == bands_b[i]) return true;
    }
    return false;
  }
  if (method == Method::kMinHash) {
    constexpr size_t kRows = baselines::MinHashParameters{}.rows;
    const Vector<uint64_t> sketch_a = row_of<uint64_t>(a);
    const Vector<uint64_t> sketch_b = row_of<uint64_t>(b);
    for (size_t i = 0; i < sketch_a.size(); i += kRows) {
      if (std::equal(&sketch_a[i], &sketch_a[i] + kRows, &sketch_b[i])) return true;
    }
    return false;
  }
  return true;
}

// The results of score() and decide() for every page in the detector.
inline MatchList by_brute_force(Method method, const Detector& detector,
                                const std::map<uint64_t, Bytes>& pages, Description description) {
  MatchList matches;
  for (const auto& [id, page] : pages) {
    const double score = detector.score(page, description);
    EXPECT_GE(score, 0);
    EXPECT_LE(score, 1);
    EXPECT_EQ(score, detector.score(description, page));
    if (detector.decide(score) && can_meet(method, page, description)) matches.emplace_back(id, score);
  }
  std::sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return matches;
}

// Descriptions made by hand, small, such that pairs of them stand about the default thresholds.
class RandomDescriptions {
 public:
  RandomDescriptions(Method method, uint32_t seed) : method_(method), random_(seed) {}

  uint64_t below(uint64_t end) { return random_() % end; }

  Bytes next() {
    Vector<uint8_t> out;
    switch (method_) {
      case Method::kMozVector:
        append_numbers(moz::kVectorEntries, random_() % 12, out);
        break;
      case Method::kMinHash:
        append_numbers(192, random_() % 160, out);
        break;
      case Method::kSimhash64:
        append_bits(1, 8, out);
        break;
      case Method::kSimhash128:
        append_bits(2, 40, out);
        break;
      case Method::kExact:
        append_bits(2, 1, out);
        break;
      default:
        append_hashes(out);
    }
    return {out.begin(), out.end()};
  }

 private:
  static constexpr uint64_t kFamilies = 200;

  // The numbers of a family of pages, `changes` of them, or fewer, others.
  void append_numbers(size_t count, size_t changes, Vector<uint8_t>& out) {
    const uint64_t family = random_() % kFamilies;
    std::vector<uint64_t> numbers(count);
    for (size_t i = 0; i < count; ++i)
      numbers[i] = mix(family * count + i);
    for (size_t i = 0; i < changes; ++i)
      numbers[random_() % count] = random_();
    append_row(std::span<const uint64_t>(numbers), out);
  }

  void append_bits(size_t words, size_t most_flipped, Vector<uint8_t>& out) {
    const uint64_t family = random_() % kFamilies;
    std::vector<uint64_t> hash(words);
    for (size_t i = 0; i < words; ++i)
      hash[i] = mix(family * words + i);
    const size_t flipped = random_() % (most_flipped + 1);
    for (size_t i = 0; i < flipped; ++i)
      hash[random_() % words] ^= uint64_t{1} << random_() % 64;
    append_row(std::span<const uint64_t>(hash), out);
  }

  void append_hashes(Vector<uint8_t>& out) {
    std::set<uint32_t> hashes;
    const size_t count = 3 + random_() % 4;
    while (hashes.size() < count)
      hashes.insert(static_cast<uint32_t>(random_() % 300) * (random_() % 3 == 0 ? 1 : 40) + 1);
    uint32_t left = mwo::kShareUnit;
    size_t place = 0;
    for (const uint32_t hash : hashes) {
      const uint64_t wide = hash;
      if (uses_spots(method_)) {
        const uint64_t packed = spotsigs::make_packed_spot({hash, 1 + hash % 2});
        append_row(std::span<const uint64_t>(&packed, 1), out);
      } else if (method_ == Method::kMwo) {
        const uint32_t share = ++place == count ? left : mwo::kShareUnit / 8;
        left -= share;
        append_row(std::span<const uint64_t>(&wide, 1), out);
        append_row(std::span<const uint32_t>(&share, 1), out);
      } else if (method_ == Method::kShingles) {
        append_row(std::span<const uint64_t>(&wide, 1), out);
      } else {
        const baselines::TermCount term{hash, 1 + hash % 3};
        append_row(std::span<const baselines::TermCount>(&term, 1), out);
      }
    }
  }

  Method method_;
  std::mt19937_64 random_;
};

}  // namespace nd::detectors
