// What a detector keeps of a page, as JSON (ndcapi.h, nd_describe_page).
#pragma once

#include "core/result.hpp"
#include "page/feature_parameters.hpp"
#include "page/features.hpp"
#include "text/document.hpp"

namespace nd::engine {

// `features` are those of the document, made with these parameters, and portable. Errors: kInvalidArgument,
// for detectors that keep nothing that can be read. Throws std::bad_alloc.
Result<void> write_description(const text::Document& document, const Features& features,
                               const FeatureParameters& parameters, String& json);

}  // namespace nd::engine
