// Every number that decides an answer, in one place; the options of ndcapi.h set them.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "detectors/detector.hpp"
#include "detectors/mwo_terms.hpp"
#include "engine/decision_model.hpp"
#include "engine/site_templates.hpp"
#include "engine/spot_source.hpp"
#include "engine/suspected_copies_table.hpp"
#include "engine/work_budget.hpp"
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

// Who decides; numbered as the choices of option `decision`.
enum class DecisionKind : uint32_t {
  kDocument,    // by what differs as well as by how much
  kReport,      // TR2007012 section 5.4 and nothing else
  kCalibrated,  // by the probability that they are the same document (decision_model.hpp)
};

// When a page joins a group. Widths in units of the LCS partition, weighted by block.
struct DecisionParameters {
  uint32_t decision = static_cast<uint32_t>(DecisionKind::kDocument);
  // For `document`: the threshold if nothing speaks against a match, and what each exchanged word or number
  // per hundred matched tokens adds to it (docs/decision.md, "What differs").
  double document_resemblance = 0.36;
  double document_containment = 0.75;
  double exchanged_word_weight = 0.20;
  double exchanged_number_weight = 0.02;
  double exchanged_heading_weight = 0.10;  // of each word of a heading
  double young_resemblance = 0.60;         // of two pages of a site whose boilerplate is not known yet ...
  double young_passage = 0.12;             // ... if no replaced passage is this much of the smaller text,
  uint32_t young_passage_width = 400;      // ... or this wide
  // For two texts without markup, which have no page template besides their content.
  double plain_text_resemblance = 0.50;
  double plain_text_containment = 0.85;
  double plain_text_passage = 0.30;
  uint32_t plain_text_passage_width = 1000;

  double same_document = 0.50;                   // kCalibrated: probability from which on a page joins
  const DecisionModel* model = &kDecisionModel;  // another one is for measurements

  DecisionKind kind() const noexcept { return static_cast<DecisionKind>(decision); }

  double resemblance = 0.28;              // TR2007012 section 5.4
  uint32_t resemblance_width = 100;       // and at least this much in common
  uint32_t small_match_width = 300;       // less in common than this ...
  double small_match_resemblance = 0.50;  // ... requires this much
  double containment = 0.70;              // TR2007012 section 5.4
  double containment_ratio = 0.20;        // the smaller text is at least this much of the larger
  uint32_t containment_width = 400;       // and at least this long
  double part_coverage = 0.60;            // of a text that contains another one: less may be a digest
  double same_site_resemblance = 0.90;    // two pages of one site share their boilerplate
  uint32_t loose_members = 4;             // most pages of a group that are of its site and resemble it less
  double edition_containment = 0.90;      // ... unless one contains more than this of the other, and
                                          // undecided_resemblance, ...
  uint32_t edition_members = 16;          // ... as long as the group has fewer pages than these
  double undecided_resemblance = 0.60;    // from here on they may be copies, and teach no boilerplate
  uint32_t content_width = 140;           // with less main content a page is short
  double short_resemblance = 0.65;        // of all text that is not boilerplate, for short pages of two sites
  double short_same_site_resemblance = 0.95;  // ... and of one
  double short_edition_containment = 0.95;    // ... or one contains more than this, and short_resemblance
  double tiny_resemblance = 0.98;             // of all text that is not everywhere on its site
  uint32_t tiny_width = 16;
  double tiny_visible_resemblance = 0.80;  // of all visible text, of tiny pages of two sites
  uint32_t exact_width = 40;               // least visible text for ND_EXACT
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
  spotsigs::IdfBand i_match = spotsigs::kWebBand;  // SpotSigs, "Summary - Gold Set"
  spotsigs::IdfBand i_match_s = detectors::kIMatchSBand;
  uint32_t lsh_s_rows = 6;      // k; as i_match
  uint32_t lsh_s_bands = 32;    // l
  uint32_t shingle_tokens = 5;  // w of shingles and minhash (MWO, section 2)
  detectors::MwoSettings mwo;

  detectors::Method kind() const noexcept { return static_cast<detectors::Method>(method); }
  bool is_lcs() const noexcept { return kind() == detectors::Method::kLcs; }
  bool method_decides() const noexcept { return !is_lcs() && decide != 0; }
};

// FeatureHeader::description_shingle for the method.
inline uint32_t described_shingle(detectors::Method method, const MethodParameters& parameters) noexcept {
  const bool is_other = parameters.shingle_tokens != MethodParameters().shingle_tokens;
  return detectors::uses_shingles(method) && is_other ? parameters.shingle_tokens : 0;
}

// What a search for similar pages may compare. Not tuned: enough for a human reader, and at most a second of
// comparisons by the LCS for ordinary pages.
struct SimilarParameters {
  uint32_t members = 256;     // of a group, the oldest
  uint32_t pages = 2048;      // in all
  uint64_t work = 512000000;  // of all comparisons by the LCS, in steps as comparison.work_limit
};

// How a store is kept; the choices are numbered as in store/store.hpp.
struct StorageParameters {
  uint32_t durability = 2;  // journal
  bool read_only = false;
  bool recover = false;  // gives up what follows damage in the newest journal
  uint32_t verify = 1;   // lazy
  bool mmap = true;
  uint64_t journal_bytes = 24 * 1024 * 1024;  // since the last snapshot; then the next one is taken
  uint64_t page_ttl_s = 0;                    // pages not fetched for longer are removed; 0: none
  uint32_t strict_pipeline = 0;               // 1: a store whose texts another pipeline made is not opened
};

struct Parameters {
  text::PageLimits page;
  lcs::FingerprintParameters fingerprints;
  RelaxedParameters relaxed;
  spotsigs::SpotParameters spots;
  String antecedents;  // words in normal form, ascending, between single spaces; empty: the lists of ndc
  SpotSourceParameters spot_source;
  lcs::ComparisonParameters comparison;
  BudgetParameters budget;
  DecisionParameters decision;
  IndexParameters index;
  MethodParameters detector;
  TemplateParameters templates;
  MergeParameters merging;
  SimilarParameters similar;
  uint64_t memory_budget_bytes = 0;  // 0: none
  uint32_t events = 100000;          // kept
  StorageParameters storage;
  bool keep_text = false;  // keep the normalised text with the features, for explain
};

}  // namespace nd::engine
