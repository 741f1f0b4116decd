// What two pages have in common and what differs, in a few numbers from which decision_model.hpp makes the
// probability that they are the same document.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "engine/edit_evidence.hpp"
#include "engine/features.hpp"
#include "engine/site_counts.hpp"
#include "lcs/sequence.hpp"

namespace nd::engine {

// The numbers of a pair, in the order of the tables. Each is symmetric in the two pages.
enum class Evidence : uint8_t {
  kResemblance,       // of all visible text, 0..1
  kOwnResemblance,    // of what is not the sites' (see own_share()), 0..1
  kOwnContainment,    // likewise
  kFadedResemblance,  // ...
  kIdfResemblance,
  kRareContainment,
  kBag,
  kOwnBag,
  kTitle,
  kTitleOnly,
  kHeadings,
  kAllHeadings,
  kNumbers,
  kWords,
  kLargerRest,
  kSmallerOwn,
  kOwnShare,
  kReplaced,
  kReplacedShare,
  kWholeBlocks,
  kMissingBlocks,
  kLinked,
  kPlainText,
  kPages,
  kPriorResemblance,
  kCount
};
inline constexpr size_t kEvidenceCount = static_cast<size_t>(Evidence::kCount);
extern const std::array<std::string_view, kEvidenceCount> kEvidenceNames;

struct PairEvidence {
  std::array<double, kEvidenceCount> values{};
  double& operator[](Evidence which) noexcept { return values[static_cast<size_t>(which)]; }
  double operator[](Evidence which) const noexcept { return values[static_cast<size_t>(which)]; }
};

// Reusable buffers. Threads: one object, one thread at a time.
class EvidenceMeter {
 public:
  // `matches`: of a comparison of the two texts, as in lcs::Comparison. Cost: O(n log n) in the tokens of both
  // pages.
  PairEvidence measure(const Features& a, const SiteCounts& site_of_a, const Features& b,
                       const SiteCounts& site_of_b, std::span<const lcs::Match> matches);

  uint64_t memory_bytes() const noexcept;
  // Steps of the last measure().
  uint64_t work() const noexcept { return work_; }

 private:
  // What counts as text, and how much of it.
  enum Text : uint8_t { kVisible, kOwn, kIdf, kFaded, kRare, kPrior, kTexts };
  using Weights = std::array<double, kTexts>;
  struct Block {
    Weights weights;
    uint32_t width;
    uint32_t matched;  // width
  };
  struct Side {
    const Features* page = nullptr;
    const SiteCounts* site = nullptr;
    Vector<Block> blocks;
    Vector<uint32_t> block_of;         // by token
    Vector<FeatureBlock> own_blocks;   // with the weights of kOwn
    Weights mass{};                    // of all its text
    Weights matched{};                 // of the text that is matched
    Vector<std::pair<Symbol, float>> words;
    Vector<std::pair<Symbol, double>> title;
  };
  void take(const Features& page, const SiteCounts& site, Side& side);
  void take_matches(std::span<const lcs::Match> matches);
  void measure_bags(PairEvidence& out);
  void measure_titles(PairEvidence& out);
  static void take_title(Side& side);
  double absent_title_words(const Side& side, const Side& other);
  double heading_resemblance(uint8_t most_level);
  void measure_replaced(std::span<const lcs::Match> matches, double smaller, PairEvidence& out);

  EvidenceCounter counter_;
  Side a_, b_;
  Weights common_{};
  Vector<Symbol> headings_a_, headings_b_;
  uint64_t work_ = 0;
};

}  // namespace nd::engine
