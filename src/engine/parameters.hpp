// Every number that decides an answer, in one place; the options of ndcapi.h set them.
#pragma once

#include <cstdint>

#include "detectors/method.hpp"
#include "engine/site_templates.hpp"
#include "engine/spot_source.hpp"
#include "lcs/comparison.hpp"
#include "lcs/fingerprints.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {

// The relaxed path to candidates (docs/decision.md: the report's own Y and Z miss a quarter of the true
// pairs).
struct RelaxedParameters {
  bool enabled = true;
  uint32_t shingle_tokens = 6;        // consecutive tokens of a shingle
  uint32_t wide_shingle_tokens = 10;  // the same where it starts with a wide character
  uint32_t keys = 16;                 // smallest shingle hashes of a page
};

// When a page joins a group. Widths in units of the LCS partition, weighted by block.
struct DecisionParameters {
  double resemblance = 0.28;              // TR2007012 section 5.4
  uint32_t resemblance_width = 100;       // and at least so much in common
  uint32_t small_match_width = 300;       // less in common than this ...
  double small_match_resemblance = 0.50;  // ... asks for so much
  double containment = 0.70;              // TR2007012 section 5.4
  double containment_ratio = 0.20;        // the smaller text at least so much of the larger
  uint32_t containment_width = 400;       // and at least so long
  double same_site_resemblance = 0.90;    // two pages of one site share their frame
  uint32_t loose_members = 4;             // of a group may be of one site and resemble it by less than that
  double undecided_resemblance = 0.60;    // from here on they may be copies, and teach no frame
  uint32_t content_width = 140;           // less main content: a short page
  double short_resemblance = 0.65;        // of all text that is no frame, for short pages of two sites
  double short_same_site_resemblance = 0.95;  // ... and of one
  double tiny_resemblance = 0.98;             // of all text that is not everywhere on its site
  uint32_t tiny_width = 16;
  double tiny_visible_resemblance = 0.80;  // of all visible text, of tiny pages of two sites
  uint32_t exact_width = 40;               // visible text for ND_EXACT
  double full_coverage = 0.80;  // covered less than this by its counterpart: ND_FLAG_CONTAINS / _CONTAINED
};

struct IndexParameters {
  uint32_t hot_groups = 10000;     // a key in more groups is deleted (TR2007012 section 4.2)
  uint32_t hot_site_groups = 400;  // a key in more groups than this ...
  uint32_t hot_sites = 8;          // ... of at most so many sites too
  uint32_t candidates = 16;        // groups ranked for a page
  uint32_t verifications = 8;      // of them compared
  uint32_t postings = 1024;        // groups looked at while ranking
  uint64_t bytes = 0;              // of the key index's content; beyond it no key is added. 0: no bound
};

// The method that finds near-duplicates; the choices are numbered as in detectors/method.hpp.
struct MethodParameters {
  uint32_t method = 0;     // the LCS partition
  uint32_t threshold = 0;  // in the method's unit; 0: its default
  uint32_t decide = 0;     // 0: the LCS, whatever finds the candidates; 1: the method alone
  uint64_t bytes = 0;      // of the method's index; beyond it the oldest representatives go. 0: no bound

  detectors::Method kind() const noexcept { return static_cast<detectors::Method>(method); }
  bool is_lcs() const noexcept { return kind() == detectors::Method::kLcs; }
  bool method_decides() const noexcept { return !is_lcs() && decide != 0; }
};

// How a store is kept; the choices are numbered as in store/store.hpp.
struct StorageParameters {
  uint32_t durability = 2;  // journal
  bool read_only = false;
  uint32_t verify = 1;  // lazy
  bool mmap = true;
  uint64_t journal_bytes = 24 * 1024 * 1024;  // since the last snapshot; then the next one is taken
  uint64_t page_ttl_s = 0;                    // pages not fetched for longer are removed; 0: none
  uint32_t strict_pipeline = 0;               // 1: a store whose texts were made otherwise is not opened
};

struct Parameters {
  text::PageLimits page;
  lcs::FingerprintParameters fingerprints;
  RelaxedParameters relaxed;
  spotsigs::SpotParameters spots;
  SpotSourceParameters spot_source;
  lcs::ComparisonParameters comparison;
  DecisionParameters decision;
  IndexParameters index;
  MethodParameters detector;
  TemplateParameters templates;
  uint64_t memory_budget_bytes = 0;  // 0: none
  uint32_t events = 100000;          // kept
  StorageParameters storage;
  bool keep_text = false;  // the normalised text stays with the features, for explain
};

}  // namespace nd::engine
