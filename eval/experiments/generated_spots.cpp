// Collections of spot vectors with the lengths and overlaps of a web crawl, where no crawl of that size is at
// hand.
#include <algorithm>
#include <random>

#include "detectors/document_frequencies.hpp"
#include "even_draw.hpp"
#include "spotsigs_experiments.hpp"

namespace nd::eval {
namespace {

using spotsigs::Spot;

class Generator {
 public:
  Generator(const std::vector<SpotDocument>& documents, uint64_t seed) : random_(seed) {
    spotsigs::DocumentFrequencies frequencies(seed);
    for (const SpotDocument& document : documents) {
      if (document.empty()) continue;
      frequencies.add(document);
      sizes_.push_back(document.size());
    }
    for (const SpotDocument& document : documents) {
      for (const Spot& spot : document)
        pool_.push_back({spot, frequencies.frequency(spot.hash) == 1});
    }
  }
  bool empty() const { return pool_.empty(); }

  SpotDocument new_document() {
    SpotDocument made;
    const size_t size = sizes_[below(sizes_.size())];
    for (size_t i = 0; i < size; ++i) {
      const Drawn& drawn = pool_[below(pool_.size())];
      made.push_back({drawn.rare ? new_hash() : drawn.spot.hash, drawn.spot.count});
    }
    std::sort(made.begin(), made.end(), [](const Spot& a, const Spot& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.count < b.count;
    });
    made.erase(
        std::unique(made.begin(), made.end(), [](const Spot& a, const Spot& b) { return a.hash == b.hash; }),
        made.end());
    return made;
  }

  SpotDocument copy_of(const SpotDocument& document) {
    const uint64_t gone_of_thousand = below(kMostGone + 1);
    SpotDocument made;
    for (const Spot& spot : document) {
      if (below(1000) >= gone_of_thousand) made.push_back(spot);
    }
    return made;
  }

  uint64_t below(uint64_t end) { return draw_below(end, random_); }

 private:
  static constexpr uint64_t kMostGone = 500;  // thousandths
  struct Drawn {
    Spot spot;
    bool rare;
  };

  uint64_t new_hash() { return random_() >> (64 - spotsigs::kSpotHashBits); }

  std::mt19937_64 random_;
  std::vector<Drawn> pool_;    // every signature of every document
  std::vector<size_t> sizes_;  // of the documents that have one
};

}  // namespace

std::vector<SpotDocument> generated_spots(const std::vector<SpotDocument>& documents, size_t count,
                                          uint64_t seed) {
  Generator generator(documents, seed);
  std::vector<SpotDocument> made;
  if (generator.empty()) return made;
  while (made.size() < count) {
    const bool is_copy = !made.empty() && generator.below(4) == 0;
    made.push_back(is_copy ? generator.copy_of(made[generator.below(made.size())])
                           : generator.new_document());
  }
  return made;
}

}  // namespace nd::eval
