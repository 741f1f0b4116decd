// Every number that decides an answer, in one place; the options of ndcapi.h set them.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "engine/decision_model.hpp"
#include "engine/site_knowledge.hpp"
#include "engine/spot_source.hpp"
#include "engine/work_budget.hpp"
#include "lcs/comparison.hpp"
#include "lcs/fingerprints.hpp"
#include "method/detector.hpp"
#include "method/mwo_settings.hpp"
#include "spotsigs/spot_extractor.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {

// The relaxed path to candidates (docs/decision.md: the report's own Y and Z miss a quarter of the true
// pairs).
struct RelaxedParameters {
  bool enabled = true;
  // Tokens of a shingle, and of one that starts with a wide character: chosen on the development corpora.
  uint32_t shingle_tokens = 6;
  uint32_t wide_shingle_tokens = 10;
  uint32_t keys = 16;  // smallest shingle hashes of a page
};

// Which rule decides; numbered as the choices of option `decision`.
enum class DecisionKind : uint32_t {
  kDocument,  // by the probability that they are the same document (decision_model.hpp)
  kReport,    // TR2007012 section 5.4 and nothing else
};

// With less main content a page is short: its keys are made from all of its text.
inline constexpr uint32_t kContentWidth = 140;

// When a page joins a group. Widths in units of the LCS partition.
struct DecisionParameters {
  uint32_t decision = static_cast<uint32_t>(DecisionKind::kDocument);
  double same_document = 0.50;                   // kDocument: probability from which on a page joins
  const DecisionModel* model = &kDecisionModel;  // another one is for measurements
  double resemblance = 0.28;                     // kReport: TR2007012 section 5.4
  double containment = 0.70;                     // likewise
  // Least visible text of a page with markup for ND_EXACT: a round number, the width of a short sentence.
  uint32_t exact_width = 40;
  // Covered less than this by its counterpart: ND_FLAG_CONTAINS or _CONTAINED. A round number.
  double full_coverage = 0.80;

  DecisionKind kind() const noexcept { return static_cast<DecisionKind>(decision); }
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

// The method that finds near-duplicates; the choices are numbered as in method/method.hpp.
struct MethodParameters {
  uint32_t method = 0;          // the LCS partition
  uint32_t threshold = 0;       // in the method's unit; 0: its default
  uint32_t decide = 0;          // 0: the LCS, whatever finds the candidates; 1: the method alone
  uint64_t bytes = 0;           // of the method's index; beyond it the oldest representatives go. 0: no bound
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
  bool overlay = false;  // read_only, and changes stay in memory
  bool recover = false;  // gives up what follows damage in the newest journal
  uint32_t verify = 1;   // lazy
  bool mmap = true;
  uint64_t journal_bytes = 24 * 1024 * 1024;  // since the last snapshot; then the next one is taken
  uint64_t page_ttl_s = 0;                    // pages not fetched for longer are removed; 0: none
  uint32_t strict_pipeline = 0;               // 1: a store whose texts another pipeline made is not opened
};

struct Parameters {
  text::PageLimits page;
  lcs::FingerprintParameters fingerprints{.buckets = 0};  // 0: see key_parameters_of()
  RelaxedParameters relaxed;
  spotsigs::SpotParameters spots{.signatures = 0};  // 0: see spot_parameters_of()
  String antecedents;  // words in normal form, ascending, between single spaces; empty: the lists of ndc
  SpotSourceParameters spot_source;
  lcs::ComparisonParameters comparison;
  BudgetParameters budget;
  DecisionParameters decision;
  IndexParameters index;
  MethodParameters detector;
  SiteKnowledgeLimits sites;
  SimilarParameters similar;
  uint64_t memory_budget_bytes = 0;  // 0: none
  uint32_t events = 100000;          // kept
  StorageParameters storage;
  bool keep_text = false;  // keep the normalised text with the features, for explain

  // Only the probability asks what is known about sites.
  bool asks_sites() const noexcept {
    return decision.kind() == DecisionKind::kDocument && !detector.method_decides();
  }
};

// Parameters::spots with the number of signatures that the detector needs. As a source of candidates, a
// sample of them finds what all of them find; a caller that compares nothing else needs all.
inline spotsigs::SpotParameters spot_parameters_of(const Parameters& parameters) noexcept {
  constexpr uint32_t kSample = 16;
  spotsigs::SpotParameters out = parameters.spots;
  if (out.signatures == 0)
    out.signatures = parameters.detector.is_lcs() ? kSample : spotsigs::SpotParameters{}.signatures;
  return out;
}

// Errors: kInvalidArgument for options that contradict each other, and for one that would decide answers if
// the others did not keep it from having any effect (option_needs.hpp).
Result<void> check_parameters(const Parameters& parameters);

}  // namespace nd::engine
