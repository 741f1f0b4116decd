// What a page's features depend on, apart from the page.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
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

// With less main content a page is short: its keys are made from all of its text.
inline constexpr uint32_t kContentWidth = 140;

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

struct FeatureParameters {
  text::PageLimits page;
  lcs::FingerprintParameters fingerprints{.buckets = 0};  // 0: see key_parameters_of()
  RelaxedParameters relaxed;
  spotsigs::SpotParameters spots{.signatures = 0};  // 0: see spot_parameters_of()
  String antecedents;  // words in normal form, ascending, between single spaces; empty: the lists of ndc
  MethodParameters detector;
  bool keep_text = false;  // keep the normalised text with the features, for explain
};

// FeatureParameters::spots with the number of signatures that the detector needs. As a source of candidates,
// a sample of them finds what all of them find; a caller that compares nothing else needs all.
inline spotsigs::SpotParameters spot_parameters_of(const FeatureParameters& parameters) noexcept {
  constexpr uint32_t kSample = 8;
  spotsigs::SpotParameters out = parameters.spots;
  if (out.signatures == 0)
    out.signatures = parameters.detector.is_lcs() ? kSample : spotsigs::SpotParameters{}.signatures;
  return out;
}

}  // namespace nd::engine
