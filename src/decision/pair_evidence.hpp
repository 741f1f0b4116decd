// What two pages have in common and what differs, in a few numbers from which decision_model.hpp makes the
// probability that they are the same document.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/memory.hpp"
#include "decision/edit_evidence.hpp"
#include "lcs/sequence.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"
#include "reading/site.hpp"

namespace nd::engine {

// The numbers of a pair. Each is symmetric in the two pages, but for what is next to text that has moved:
// kNumbers and kWords follow the order of one page. *Own* text is text weighted by how much it is
// the page's and not its site's; see own_share(). Widths are in units of the LCS partition.
enum class Evidence : uint8_t {
  kResemblance,     // of all visible text, 0..1 (TR2007012, section 5.4)
  kOwnResemblance,  // of own text, 0..1
  kOwnContainment,  // likewise
  kOwnBag,          // Jaccard of own words without their order, 0..1
  kTitle,           // Jaccard of the titles' own words, 0..1; .5 if a title says nothing
  kHeadings,        // Jaccard of the words of own headings, 0..1; .5 if a page has none
  kName,            // 1 if their URLs end in one name, 0 if in two; .5 if that says nothing
  kNumbers,         // numbers exchanged, per 100 matched tokens, 0..30; see EditEvidence
  kWords,           // words exchanged again and again, likewise
  kLargerRest,      // ln(1 + own width of the larger page that is not matched)
  kLength,          // how long the own text of the page that has less of it is, 0..1
  kKeptBlocks,      // 1 if blocks that are hardly matched have none of the own text of both pages, 0 if half
  kPlainText,       // 1 if neither has markup, else 0
  kSameHost,        // 1 if they are of one host (a leading "www." does not count), else 0
  kCount
};
inline constexpr size_t kEvidenceCount = static_cast<size_t>(Evidence::kCount);
inline constexpr std::array<std::string_view, kEvidenceCount> kEvidenceNames = {
    "resemblance", "own_resemblance", "own_containment", "own_bag", "title",       "headings",   "name",
    "numbers",     "words",           "larger_rest",     "length",  "kept_blocks", "plain_text", "same_host"};

struct PairEvidence {
  std::array<double, kEvidenceCount> values{};
  double& operator[](Evidence which) noexcept { return values[static_cast<size_t>(which)]; }
  double operator[](Evidence which) const noexcept { return values[static_cast<size_t>(which)]; }
};

// Reusable buffers. Threads: one object, one thread at a time.
class EvidenceMeter {
 public:
  // `secret` mixes the table of words, so that no page can be written to collide in it; results do not depend
  // on it.
  explicit EvidenceMeter(uint64_t secret) noexcept : secret_(secret) {}

  // The page that others are compared with from now on. It must stay in place. Cost: O(n).
  void set_page(const Features& page);
  // The pair to be measured: the page and `other`, which must stay in place, too. Cost: O(n) in the
  // tokens of `other`, and O(blocks).
  void begin(const Features& other, const SiteCounts& site_of_other, const SiteCounts& site_of_page);
  // After begin(): the own width of the page that has less of it.
  double smaller_own() const noexcept { return std::min(other_.own, page_.own); }
  // `matches`: of a comparison of `other` with the page, as in lcs::Comparison. Cost: O(n) and a sort of what
  // differs.
  PairEvidence measure(std::span<const lcs::Match> matches);

  // After measure(): the own width of what both pages have, and of the rest of each page.
  double common() const noexcept { return common_; }
  double page_rest() const noexcept { return std::max(0.0, page_.own - page_.matched_own); }
  double other_rest() const noexcept { return std::max(0.0, other_.own - other_.matched_own); }

  uint64_t memory_bytes() const noexcept;
  // Steps since the last begin().
  uint64_t work() const noexcept { return work_; }

 private:
  struct Block {
    double own;        // weight, 0..1
    uint32_t width;    // of its text
    uint32_t matched;  // of that
  };
  struct TitleWord {
    Symbol word;
    double own;
    auto operator<=>(const TitleWord&) const = default;
  };
  struct Side {
    const Features* text = nullptr;
    Vector<Block> blocks;
    Vector<FeatureBlock> own_blocks;  // those that are hardly the page's own weigh 0
    Vector<TitleWord> title;          // ascending, each word once
    double width = 0, own = 0;        // of all text
    double matched_own = 0;
  };
  // A word of the page, and the own width that it has in either text.
  struct Word {
    double page, other;
  };
  // A symbol, 0 if the slot is free, and the number of the word that it is.
  struct Slot {
    Symbol symbol;
    uint32_t number;
  };
  static size_t block_end(const Features& text, size_t block) noexcept;
  static size_t block_at(const Features& text, size_t token) noexcept;
  static void take_blocks(const Features& text, Side& side);
  void weigh(const SiteCounts& site, Side& side);
  void weigh_page(const SiteCounts& site);
  static void count_all_text(Side& side) noexcept;
  size_t slot_of(Symbol symbol) const noexcept;
  void take_matches(std::span<const lcs::Match> matches);
  void number_words(std::span<const lcs::Match> matches) noexcept;
  double bag_resemblance() noexcept;
  double title_resemblance() const noexcept;
  double headings_resemblance();
  double missing_share() const noexcept;

  uint64_t secret_;
  EvidenceCounter counter_;
  Side other_, page_;
  uint64_t host_ = 0;  // of the page, as is its name
  text::PageName name_;
  size_t slot_mask_ = 0;
  // Both texts' words by token. They keep their largest size, since each growth would be filled with zeros.
  Vector<uint32_t> word_of_token_, word_of_other_;
  Vector<Slot> table_;  // open addressing
  Vector<Word> words_;  // by number
  // What the page was last weighed with, so that it is not weighed by the same counts again.
  uint32_t weighed_pages_ = 0;
  Vector<uint32_t> weighed_blocks_, weighed_title_;
  bool is_page_weighed_ = false;
  Vector<double> weights_;  // of one side's blocks
  double common_ = 0, common_visible_ = 0;
  Vector<Symbol> headings_of_other_, headings_of_page_;
  uint64_t work_ = 0;
};

}  // namespace nd::engine
