// All pairs by brute force, each score by its definition over maps; and the same pairs by the join.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "decision/verification.hpp"
#include "engine/complete_join.hpp"
#include "page/site_model.hpp"

namespace nd::engine::pair_oracle {

using detectors::Description;
using detectors::Method;

inline constexpr std::array<Method, 7> kJoinMethods{
    Method::kLcs,        Method::kSpotSigs,  Method::kMwo,     Method::kSimhash64,
    Method::kSimhash128, Method::kMozVector, Method::kShingles};

// Later page, earlier page, score.
using Pairs = std::vector<std::tuple<uint64_t, uint64_t, double>>;

inline Parameters parameters_of(Method method) {
  Parameters parameters;
  parameters.detector.method = static_cast<uint32_t>(method);
  return parameters;
}

template <typename Value>
std::map<uint64_t, Value> read_map(Description description, size_t step) {
  std::map<uint64_t, Value> out;
  for (size_t at = 0; at < description.size(); at += step) {
    uint64_t key = 0;
    std::memcpy(&key, description.data() + at, sizeof key);
    Value value{};
    if (step > sizeof key) {
      std::memcpy(&value, description.data() + at + sizeof key, sizeof value);
      out[key] = value;
    } else {
      out[key >> 8] = static_cast<Value>(key & 255);
    }
  }
  return out;
}

template <typename Value>
uint64_t shared_mass(const std::map<uint64_t, Value>& a, const std::map<uint64_t, Value>& b) {
  uint64_t sum = 0;
  for (const auto& [key, value] : a) {
    if (const auto found = b.find(key); found != b.end()) sum += std::min(value, found->second);
  }
  return sum;
}

template <typename Value>
uint64_t mass(const std::map<uint64_t, Value>& a) {
  uint64_t sum = 0;
  for (const auto& [key, value] : a)
    sum += value;
  return sum;
}

inline double jaccard(Description a, Description b) {
  const auto spots_a = read_map<uint32_t>(a, 8), spots_b = read_map<uint32_t>(b, 8);
  const uint64_t shared = shared_mass(spots_a, spots_b);
  return static_cast<double>(shared) / static_cast<double>(mass(spots_a) + mass(spots_b) - shared);
}

inline double weight_overlap(Description a, Description b) {
  return static_cast<double>(shared_mass(read_map<uint32_t>(a, 12), read_map<uint32_t>(b, 12))) / (1 << 30);
}

inline double equal_bits(Description a, Description b) {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i)
    equal += 8 - static_cast<size_t>(std::popcount(static_cast<uint8_t>(a[i] ^ b[i])));
  return static_cast<double>(equal) / static_cast<double>(8 * a.size());
}

inline std::vector<uint64_t> numbers_of(Description description) {
  std::vector<uint64_t> numbers(description.size() / 8);
  std::memcpy(numbers.data(), description.data(), 8 * numbers.size());
  return numbers;
}

inline double equal_entries(Description a, Description b) {
  const std::vector<uint64_t> entries = numbers_of(a), others = numbers_of(b);
  size_t equal = 0;
  for (size_t i = 0; i < entries.size(); ++i)
    equal += entries[i] == others[i];
  return static_cast<double>(equal) / 128;
}

inline double set_jaccard(Description a, Description b) {
  const std::vector<uint64_t> numbers = numbers_of(a), others = numbers_of(b);
  std::set<uint64_t> united(numbers.begin(), numbers.end());
  united.insert(others.begin(), others.end());
  return static_cast<double>(numbers.size() + others.size() - united.size()) /
         static_cast<double>(united.size());
}

inline double lcs_score(const Features& earlier, const Features& later, const Parameters& parameters) {
  const std::set<uint64_t> keys(earlier.keys().begin(), earlier.keys().end());
  const bool share = std::ranges::any_of(later.keys(), [&](uint64_t key) { return keys.contains(key); });
  if (!earlier.has_text() || !later.has_text() || (!share && earlier.digest() != later.digest())) return 0;
  Verifier verifier(5);
  verifier.set_page(later);
  return verifier.verify_fully(earlier, {}, parameters).resemblance;
}

inline double score_of(const Features& earlier, const Features& later, const Parameters& parameters) {
  const Description a = earlier.description(), b = later.description();
  switch (parameters.detector.kind()) {
    case Method::kLcs:
      return lcs_score(earlier, later, parameters);
    case Method::kSpotSigs:
      return a.empty() || b.empty() ? 0 : jaccard(a, b);
    case Method::kMwo:
      return a.empty() || b.empty() ? 0 : weight_overlap(a, b);
    case Method::kMozVector:
      return a.empty() || b.empty() ? 0 : equal_entries(a, b);
    case Method::kShingles:
      return a.empty() || b.empty() ? 0 : set_jaccard(a, b);
    default:
      return a.empty() || b.empty() ? 0 : equal_bits(a, b);
  }
}

inline Pairs brute_force(const std::vector<Features>& pages, const Parameters& parameters,
                         uint32_t threshold) {
  Pairs pairs;
  for (size_t later = 0; later < pages.size(); ++later) {
    for (size_t earlier = 0; earlier < later; ++earlier) {
      const double score = score_of(pages[earlier], pages[later], parameters);
      if (score > 0 && score * 1000 >= threshold - 1e-9) pairs.push_back({later, earlier, score});
    }
  }
  return pairs;
}

inline Owned<CompleteJoin> join_of(const std::vector<Features>& pages, size_t count,
                                   const Parameters& parameters, uint32_t threshold) {
  Owned<CompleteJoin> join = *make_complete_join(parameters, threshold);
  for (size_t i = 0; i < count; ++i)
    EXPECT_TRUE(join->add(pages[i].copy()));
  return join;
}

inline void append(uint64_t page, const Vector<JoinMatch>& matches, Pairs& pairs) {
  for (const JoinMatch& match : matches)
    pairs.push_back({page, match.document, match.score});
}

// The first `count` pages in the join, the others asked from outside; only pairs with an added page.
inline Pairs joined(const std::vector<Features>& pages, size_t count, const Parameters& parameters,
                    uint32_t threshold) {
  const Owned<CompleteJoin> join = join_of(pages, count, parameters, threshold);
  Pairs pairs;
  Vector<JoinMatch> matches;
  for (size_t i = 0; i < pages.size(); ++i) {
    EXPECT_TRUE(i < count ? join->find_earlier(i, matches) : join->find(pages[i], matches));
    append(i, matches, pairs);
  }
  return pairs;
}

}  // namespace nd::engine::pair_oracle
