// moz_speed [ROUNDS]: the fingerprint vector against simhash, and what a search of the Hamming index costs.
// Everything on generated pages, in one thread and in turn; each figure the median of the rounds.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "moz/fingerprint_vector.hpp"
#include "moz/hamming_index.hpp"
#include "moz/simhash.hpp"

namespace {

using namespace nd::moz;

constexpr size_t kPages = 2000;  // all pairs: 2 million
constexpr size_t kTokens = 600;  // a page
constexpr size_t kNear = 5;      // pages in a row that are one text with a few words changed

struct Page {
  std::vector<uint32_t> tokens;
  std::vector<WeightedToken> weighted;
};

std::vector<Page> generated_pages() {
  std::mt19937_64 random(1);
  std::vector<Page> pages(kPages);
  for (size_t i = 0; i < kPages; ++i) {
    if (i % kNear != 0) pages[i].tokens = pages[i - i % kNear].tokens;
    pages[i].tokens.resize(kTokens);
    for (size_t at = 0; at < kTokens; at += i % kNear == 0 ? 1 : 200) {
      // Words are as frequent as their rank says, about; most are rare.
      const double share = static_cast<double>(random() >> 11) / 9007199254740992.0;
      const auto rank = static_cast<uint64_t>(50000 * share * share * share);
      pages[i].tokens[at] = static_cast<uint32_t>(nd::mix(rank + 1));
    }
    for (const uint32_t token : pages[i].tokens)
      pages[i].weighted.push_back({token, 1 + token % 4, false});
  }
  return pages;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Measured {
  const char* name;
  std::function<uint64_t()> run;
  std::vector<double> seconds;
  uint64_t result = 0;  // so that no compiler leaves it out, and to be looked at
};

// Forwards and backwards in turn, so that no one is always first.
void measure(std::vector<Measured>& all, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < all.size(); ++i) {
      Measured& one = all[round % 2 == 0 ? i : all.size() - 1 - i];
      const double start = cpu_seconds();
      one.result = one.run();
      one.seconds.push_back(cpu_seconds() - start);
    }
  }
}

std::string ratio(const Measured& slow, const Measured& fast) {
  std::vector<double> ratios;
  for (size_t i = 0; i < slow.seconds.size(); ++i)
    ratios.push_back(slow.seconds[i] / fast.seconds[i]);
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  char text[80];
  std::snprintf(text, sizeof text, "%7.1f  (%.1f .. %.1f)", median(ratios), *least, *most);
  return text;
}

template <typename Fingerprint, typename Near>
uint64_t near_pairs(const std::vector<Fingerprint>& all, const Near& near) {
  uint64_t pairs = 0;
  for (size_t i = 1; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      pairs += near(all[i], all[j]);
  }
  return pairs;
}

struct Fingerprints {
  std::vector<FingerprintVector> vectors;
  std::vector<uint64_t> simhashes;
  std::vector<nd::Hash128> wide;
};

void make_vectors(const std::vector<Page>& pages, Fingerprints& made) {
  nd::Vector<uint64_t> shingles;
  made.vectors.clear();
  for (const Page& page : pages) {
    shingles.clear();
    append_shingles(page.tokens, kShingleTokens, shingles);
    made.vectors.push_back(*fingerprint_vector(shingles));
  }
}

template <typename Hash, typename Simhash>
void make_simhashes(const std::vector<Page>& pages, const Simhash& simhash, std::vector<Hash>& made) {
  nd::Vector<WeightedFeature> features;
  made.clear();
  for (const Page& page : pages) {
    features.clear();
    append_features(page.weighted, features);
    made.push_back(*simhash(features));
  }
}

void compare_fingerprints(int rounds) {
  const std::vector<Page> pages = generated_pages();
  Fingerprints held;
  const auto simhash_of = [](std::span<const WeightedFeature> features) { return simhash64(features); };
  const auto wide_of = [](std::span<const WeightedFeature> features) { return simhash128(features); };
  const auto by_difference = [](const FingerprintVector& a, const FingerprintVector& b) {
    return difference(a, b) <= kVectorDifference;
  };
  const auto by_early_end = [](const FingerprintVector& a, const FingerprintVector& b) {
    return differ_by_at_most(a, b, kVectorDifference);
  };
  const auto by_bits = [](uint64_t a, uint64_t b) { return distance(a, b) <= kSimhash64Distance; };
  const auto by_wide_bits = [](const nd::Hash128& a, const nd::Hash128& b) {
    return distance(a, b) <= kSimhash128Distance;
  };
  make_vectors(pages, held);
  make_simhashes(pages, simhash_of, held.simhashes);
  make_simhashes(pages, wide_of, held.wide);

  std::vector<Measured> all{
      {"compare: vector, all entries", [&] { return near_pairs(held.vectors, by_difference); }, {}},
      {"compare: vector, until decided", [&] { return near_pairs(held.vectors, by_early_end); }, {}},
      {"compare: simhash-64", [&] { return near_pairs(held.simhashes, by_bits); }, {}},
      {"compare: simhash-128", [&] { return near_pairs(held.wide, by_wide_bits); }, {}},
      {"fingerprint: vector", [&] { return make_vectors(pages, held), held.vectors.back()[0]; }, {}},
      {"fingerprint: simhash-64",
       [&] { return make_simhashes(pages, simhash_of, held.simhashes), held.simhashes.back(); },
       {}},
      {"fingerprint: simhash-128",
       [&] { return make_simhashes(pages, wide_of, held.wide), held.wide.back().low; },
       {}},
  };
  measure(all, rounds);
  const double pairs = static_cast<double>(kPages) * (kPages - 1) / 2;
  std::printf("%zu pages of %zu tokens, %d rounds\n", kPages, kTokens, rounds);
  for (size_t i = 0; i < 4; ++i)
    std::printf("%-32s %9.1f million pairs/s, %llu near\n", all[i].name, pairs / median(all[i].seconds) / 1e6,
                static_cast<unsigned long long>(all[i].result));
  for (size_t i = 4; i < all.size(); ++i)
    std::printf("%-32s %9.2f us per page\n", all[i].name, median(all[i].seconds) / kPages * 1e6);
  const auto sum = [&](size_t a, size_t b) {
    Measured both{"", {}, all[a].seconds};
    for (size_t i = 0; i < both.seconds.size(); ++i)
      both.seconds[i] += all[b].seconds[i];
    return both;
  };
  std::printf("vector / simhash-64, comparison alone, all entries     %s\n", ratio(all[0], all[2]).c_str());
  std::printf("vector / simhash-64, comparison alone, until decided   %s\n", ratio(all[1], all[2]).c_str());
  std::printf("vector / simhash-64, fingerprint alone                 %s\n", ratio(all[4], all[5]).c_str());
  std::printf("the same with all pairs of %zu, all entries            %s\n", kPages,
              ratio(sum(0, 4), sum(2, 5)).c_str());
  std::printf("the same with all pairs of %zu, until decided          %s\n", kPages,
              ratio(sum(1, 4), sum(2, 5)).c_str());
}

template <typename Hash>
Hash random_hash(std::mt19937_64& random) {
  Hash hash;
  static_assert(sizeof hash % sizeof(uint64_t) == 0);
  std::array<uint64_t, sizeof hash / sizeof(uint64_t)> words;
  for (uint64_t& word : words)
    word = random();
  return std::bit_cast<Hash>(words);
}

template <typename Hash>
void search(const char* name, uint32_t distance, uint64_t hashes, int rounds) {
  std::mt19937_64 random(2);
  HammingParameters parameters;
  parameters.distance = distance;
  HammingIndex<Hash> index(random(), parameters);
  std::vector<Hash> held;
  double start = cpu_seconds();
  for (uint64_t id = 0; id < hashes; ++id) {
    held.push_back(random_hash<Hash>(random));
    index.insert(id, held.back());
  }
  const double insertion = (cpu_seconds() - start) / static_cast<double>(hashes);
  HammingScratch scratch;
  const uint64_t queries =
      index.counts().tables == 0 ? std::clamp<uint64_t>(200'000'000 / hashes, 50, 1000) : 20000;
  std::vector<double> seconds;
  uint64_t comparisons = 0;
  uint64_t found = 0;
  for (int round = 0; round < rounds; ++round) {
    start = cpu_seconds();
    for (uint64_t query = 0; query < queries; ++query) {
      const HammingMatches matches =
          index.find(query % 2 == 0 ? held[random() % hashes] : random_hash<Hash>(random), distance, scratch);
      comparisons += matches.comparisons;
      found += matches.matches.size();
    }
    seconds.push_back((cpu_seconds() - start) / static_cast<double>(queries));
  }
  const double searches = static_cast<double>(queries) * rounds;
  std::printf(
      "%-12s at %2u %9llu hashes: find %9.2f us, %9.0f looked at, %.2f found; insert %.2f us; %.0f bytes "
      "each "
      "(budget: %.0f)\n",
      name, distance, static_cast<unsigned long long>(hashes), median(seconds) * 1e6,
      static_cast<double>(comparisons) / searches, static_cast<double>(found) / searches, insertion * 1e6,
      static_cast<double>(index.memory_bytes()) / static_cast<double>(hashes),
      static_cast<double>(index.content_bytes()) / static_cast<double>(hashes));
  start = cpu_seconds();
  for (uint64_t id = 0; id < hashes; ++id)
    index.remove(id);
  std::printf("%51s remove %.2f us\n", "", (cpu_seconds() - start) / static_cast<double>(hashes) * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  compare_fingerprints(rounds);
  for (const uint64_t hashes : {10000U, 100000U, 1000000U, 4000000U}) {
    search<uint64_t>("simhash-64", kSimhash64Distance, hashes, rounds);
    search<nd::Hash128>("simhash-128", kSimhash128Distance, hashes, rounds);
  }
  search<uint64_t>("simhash-64", 3, 1000000, rounds);
  search<uint64_t>("64, no table", 8, 1000000, rounds);
  return 0;
}
