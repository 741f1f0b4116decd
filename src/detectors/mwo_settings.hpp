// What the options of MWO set: which words of a page count, how much, and how pages are looked up.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "mwo/overlap_filters.hpp"
#include "mwo/share_vector.hpp"
#include "mwo/term_extractor.hpp"

namespace nd::detectors {

// The choices are numbered as the enumerations of src/mwo/.
struct MwoSettings {
  uint32_t fields = static_cast<uint32_t>(mwo::Fields::kMain);
  uint32_t stemming = static_cast<uint32_t>(mwo::Stemming::kLight);
  uint32_t filter = static_cast<uint32_t>(mwo::Filter::kSafe);
  uint32_t light = mwo::ShareParameters{}.light;  // thousandths of a page's weight, 0..999
  mwo::FieldWeights weights;

  mwo::TermParameters term_parameters() const noexcept;
};

// Errors: kInvalidArgument if no field that is read has a weight.
Result<void> check_mwo_settings(const MwoSettings& settings);

}  // namespace nd::detectors
