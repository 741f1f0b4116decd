// Random texts as hashes of words: few frequent words, many rare ones, and changed copies of earlier texts,
// so that there are pairs at every threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "baselines/keyed_records.hpp"
#include "core/hash.hpp"

namespace nd::baselines::sample {

using Words = std::vector<uint32_t>;

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  uint64_t below(uint64_t end) { return generator_() % end; }

  // Word i of the vocabulary with a probability that falls as 1 / i.
  uint32_t word(uint64_t vocabulary) {
    return static_cast<uint32_t>(
        mix(static_cast<uint64_t>(std::pow(static_cast<double>(vocabulary), unit()))));
  }

  Words text(uint64_t vocabulary, uint64_t longest) {
    const auto length = static_cast<size_t>(std::pow(static_cast<double>(longest), unit()));
    Words words(std::max<size_t>(length, 1));
    for (uint32_t& made : words)
      made = word(vocabulary);
    return words;
  }

  Words changed(Words words, uint64_t vocabulary) {
    const uint64_t changes = below(words.size() / 6 + 2);
    for (uint64_t i = 0; i < changes; ++i) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(below(words.size()));
      switch (below(3)) {
        case 0:
          if (words.size() > 1) words.erase(at);
          break;
        case 1:
          words.insert(at, word(vocabulary));
          break;
        default:
          *at = word(vocabulary);
      }
    }
    return words;
  }

  Words next(const std::vector<Words>& earlier, uint64_t vocabulary, uint64_t longest) {
    if (earlier.empty() || below(2) == 0) return text(vocabulary, longest);
    return changed(earlier[below(earlier.size())], vocabulary);
  }

 private:
  double unit() { return std::uniform_real_distribution<double>(0, 1)(generator_); }
  std::mt19937_64 generator_;
};

constexpr Limits kUnlimited{0, 0, 0, 0};

struct Answer {
  uint64_t id;
  double score;
  friend bool operator==(const Answer&, const Answer&) = default;
};

inline std::vector<Answer> answers(const Matches& matches) {
  std::vector<Answer> made;
  for (const Match& match : matches.matches)
    made.push_back({match.id, match.score});
  return made;
}

}  // namespace nd::baselines::sample
