// Perhaps-similar sets, and samples of what is in them (TR2007012 section 4.2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "lcs/fingerprints.hpp"
#include "lcs/partition.hpp"
#include "lcs_text.hpp"

namespace nd::eval::partition {

// The distinct fingerprints of a page, in the order of the rotations.
struct PageKeys {
  std::vector<uint64_t> keys;
  std::array<uint32_t, lcs::kRotations> counts{};  // [r]: so many of them come from the rotations 0..r

  std::span<const uint64_t> of_rotations(uint32_t rotations) const {
    return std::span(keys).first(counts[rotations - 1]);
  }
};

std::vector<PageKeys> fingerprint_pages(std::span<const text::Document> documents, Extent extent);

// Fingerprints of boilerplate: one on more than `pages` pages, all of at most `sites` sites, is deleted.
struct TemplateRule {
  uint32_t pages;
  uint32_t sites;

  lcs::PartitionParameters parameters() const;
};
// TR2007012 section 4.2, for 430 million pages; how many sites are few is the library's choice.
inline constexpr TemplateRule kReportedRule = {lcs::PartitionParameters{}.site_fingerprint_limit,
                                               lcs::PartitionParameters{}.few_sites};
// A departure from the report, for some thousand pages with tens of a site, where no boilerplate comes to
// 400: under the report's numbers the boilerplate of a site makes one set of it (table `lcs_templates` has
// both rules). Chosen on reframed-en and reframed-zh themselves (13 and 51 pages per site, mean), so what is
// measured there with it is rather too good; other small numbers give other figures.
inline constexpr TemplateRule kSmallRule = {4, 1};
// What a table made under the rule says of it, after a colon: the rule, and how it departs from the report.
std::string about(const TemplateRule& rule);

// By page: a number of its perhaps-similar set (a page in it). The report's rule, by lcs::partition: pages in
// descending number of fingerprints; the first that is in no set opens one, and draws in what shares a
// fingerprint with it or with a page that was drawn in before and stands further up. Every page is in one
// set. `rotations`: 1..16, seven fingerprints each. `sites`: a number by page.
std::vector<uint32_t> candidate_sets(std::span<const PageKeys> pages, std::span<const uint32_t> sites,
                                     uint32_t rotations, const TemplateRule& rule);

// `wanted` of the items (all, if they are fewer), drawn at random, in the order they are drawn.
std::vector<uint32_t> draw(std::span<const uint32_t> items, size_t wanted, uint64_t seed);

struct CandidatePair {
  uint32_t a;  // a chosen page
  uint32_t b;  // another of its set
  bool same;   // by the labels
};

// Each chosen page with all others of its set; pages of label kNoLabel are left out.
std::vector<CandidatePair> pairs_within(std::span<const uint32_t> sets, std::span<const uint32_t> labels,
                                        std::span<const uint32_t> chosen);
// At most `wanted` of the pairs, drawn at random.
std::vector<CandidatePair> draw_pairs(std::span<const CandidatePair> pairs, size_t wanted, uint64_t seed);
// At most `wanted` of each page `a`, whose pairs stand together, in that order of pages.
std::vector<CandidatePair> draw_pairs_by_page(std::span<const CandidatePair> pairs, size_t wanted,
                                              uint64_t seed);
// Those that are the same by the labels, or are not.
std::vector<CandidatePair> pairs_that_are(bool same, std::span<const CandidatePair> pairs);

}  // namespace nd::eval::partition
