// The terms of an MWO description, how they are written, and the settings that make them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "detectors/description.hpp"
#include "mwo/share_vector.hpp"
#include "mwo/term_extractor.hpp"
#include "text/document.hpp"

namespace nd::detectors {

// The options of MWO: which words of a page count. The choices have the numbers of the enumerations in
// src/mwo/.
struct MwoSettings {
  uint32_t fields = static_cast<uint32_t>(mwo::Fields::kMain);
  uint32_t stemming = static_cast<uint32_t>(mwo::Stemming::kLight);

  mwo::TermParameters term_parameters() const noexcept;
};

inline Vector<mwo::Term> mwo_terms_of(Description description) {
  Vector<mwo::Term> terms(description.size() / kMwoTermBytes);
  for (size_t i = 0; i < terms.size(); ++i) {
    std::memcpy(&terms[i].hash, description.data() + i * kMwoTermBytes, sizeof terms[i].hash);
    std::memcpy(&terms[i].share, description.data() + i * kMwoTermBytes + sizeof terms[i].hash,
                sizeof terms[i].share);
  }
  return terms;
}

inline double mwo_score(uint32_t overlap) noexcept {
  return static_cast<double>(overlap) / mwo::kShareUnit;
}

// One name per occurrence in the page, in no particular order. Throws std::bad_alloc. Cost: that of a
// description.
Result<Vector<mwo::TermName>> mwo_term_names(std::string_view url, const text::Document& document,
                                             const MwoSettings& settings);

}  // namespace nd::detectors
