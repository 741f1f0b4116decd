// What an engine takes of a features record that was made elsewhere, with options of its own: what it can
// compare with the records that it makes itself.
#pragma once

#include <span>

#include "core/result.hpp"
#include "method/description.hpp"
#include "page/feature_parameters.hpp"
#include "page/features.hpp"

namespace nd::engine {

// What the method needs of the record; signatures as in spots_taken(). Errors: kInvalidArgument if the
// record lacks it, or if it was made with options that do not agree with these.
Result<detectors::Description> description_taken(const Features& features,
                                                 const FeatureParameters& parameters);

// The signatures that can be compared with those made by `parameters`: none if their chains were made
// differently; if there are too many, those with the smallest hashes, as for a page read here. Records
// this in the header.
std::span<const PackedSpot> spots_taken(std::span<const PackedSpot> spots,
                                        const FeatureParameters& parameters, FeatureHeader& header);

}  // namespace nd::engine
