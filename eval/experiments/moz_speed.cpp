// Times making and comparing both kinds in rounds and takes the medians.
#include "moz_speed.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "../cpu_clock.hpp"
#include "moz/fingerprint_vector.hpp"
#include "moz/simhash.hpp"
#include "pair_sample.hpp"

namespace nd::eval {
namespace {

// So that a round of few pages can be timed.
constexpr uint64_t kPairsOfARound = 20'000;
constexpr uint64_t kTokensOfARound = 5'000;

struct Prints {
  std::vector<moz::FingerprintVector> vectors;
  std::vector<uint64_t> simhashes;
  Vector<uint64_t> shingles;
  Vector<moz::WeightedFeature> features;
};

void make_vectors(std::span<const MozText> texts, Prints& prints) {
  for (size_t i = 0; i < texts.size(); ++i) {
    prints.shingles.clear();
    moz::append_shingles(texts[i].tokens, moz::kShingleTokens, prints.shingles);
    prints.vectors[i] = moz::fingerprint_vector(prints.shingles).value_or(moz::FingerprintVector{});
  }
}

void make_simhashes(std::span<const MozText> texts, Prints& prints) {
  for (size_t i = 0; i < texts.size(); ++i) {
    prints.features.clear();
    moz::append_features(texts[i].weighted, prints.features);
    prints.simhashes[i] = moz::simhash64(prints.features).value_or(0);
  }
}

template <typename Fingerprint, typename Near>
uint64_t count_near(const std::vector<Fingerprint>& all, const Near& is_near) {
  uint64_t near = 0;
  for (size_t b = 1; b < all.size(); ++b) {
    for (size_t a = 0; a < b; ++a)
      near += is_near(all[a], all[b]);
  }
  return near;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

enum Timed : size_t { kVectors, kSimhashes, kCompareAll, kCompareEarly, kCompareBits, kTimed };
// By round: nanoseconds of all pages, or of all pairs.
using Times = std::array<std::vector<double>, kTimed>;

Times take_times(std::span<const MozText> texts, uint32_t rounds, MozSpeed& speed) {
  Prints prints;
  prints.vectors.resize(texts.size());
  prints.simhashes.resize(texts.size());
  const std::array<std::function<void()>, kTimed> runs{
      [&] { make_vectors(texts, prints); },
      [&] { make_simhashes(texts, prints); },
      [&] {
        speed.near_vectors = count_near(prints.vectors, [](const auto& a, const auto& b) {
          return moz::difference(a, b) <= moz::kVectorDifference;
        });
      },
      [&] {
        speed.near_vectors_early = count_near(prints.vectors, [](const auto& a, const auto& b) {
          return moz::differ_by_at_most(a, b, moz::kVectorDifference);
        });
      },
      [&] {
        speed.near_simhashes = count_near(prints.simhashes, [](uint64_t a, uint64_t b) {
          return moz::distance(a, b) <= moz::kSimhash64Distance;
        });
      },
  };
  uint64_t tokens = 0;
  for (const MozText& text : texts)
    tokens += text.tokens.size();
  const uint64_t of_pages = std::max<uint64_t>(1, kTokensOfARound / std::max<uint64_t>(1, tokens));
  const uint64_t of_pairs = std::max<uint64_t>(1, kPairsOfARound / pair_count(texts.size()));
  make_vectors(texts, prints);
  make_simhashes(texts, prints);
  Times times;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < kTimed; ++i) {
      const size_t timed = round % 2 == 0 ? i : kTimed - 1 - i;
      const uint64_t repeats = timed <= kSimhashes ? of_pages : of_pairs;
      const double begin = process_cpu_seconds();
      for (uint64_t repeat = 0; repeat < repeats; ++repeat)
        runs[timed]();
      times[timed].push_back((process_cpu_seconds() - begin) * 1e9 / static_cast<double>(repeats));
    }
  }
  return times;
}

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out = a;
  for (size_t i = 0; i < out.size(); ++i)
    out[i] += b[i];
  return out;
}

MozStep step(const char* name, bool a_page, const std::vector<double>& vector,
             const std::vector<double>& simhash, uint64_t units) {
  std::vector<double> ratios;
  for (size_t i = 0; i < vector.size(); ++i)
    ratios.push_back(vector[i] / simhash[i]);
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  const auto whole = static_cast<double>(units);
  return {name, a_page, median(vector) / whole, median(simhash) / whole, median(ratios), *least, *most};
}

}  // namespace

MozSpeed measure_moz(std::span<const MozText> texts, uint32_t rounds) {
  if (texts.size() < 2 || rounds == 0) return {};
  MozSpeed speed;
  const Times t = take_times(texts, rounds, speed);
  const uint64_t pages = texts.size();
  const uint64_t pairs = pair_count(pages);
  const std::vector<double> both = sum(t[kSimhashes], t[kCompareBits]);
  speed.steps = {
      step("fingerprint", true, t[kVectors], t[kSimhashes], pages),
      step("comparison", false, t[kCompareAll], t[kCompareBits], pairs),
      step("comparison_early", false, t[kCompareEarly], t[kCompareBits], pairs),
      step("both", true, sum(t[kVectors], t[kCompareAll]), both, pages),
      step("both_early", true, sum(t[kVectors], t[kCompareEarly]), both, pages),
  };
  return speed;
}

}  // namespace nd::eval
