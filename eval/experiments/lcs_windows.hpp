// Figure 6 of TR2007012: what the width of the sliding window does to the filtered sketches.
#pragma once

#include <cstdint>
#include <optional>

#include "core/result.hpp"
#include "lcs/filtered_sketch.hpp"
#include "lcs_inputs.hpp"
#include "lcs_similarity.hpp"
#include "table.hpp"

namespace nd::eval::partition {

// Of the width of both texts, the share that the filter drops: 0..1, 0 if both are empty.
double strained_away(lcs::SketchFilter& filter, const ComparedText& a, const ComparedText& b,
                     uint32_t window_width);

// The width of the trustable LCS of the sketches over `whole`, that of the whole texts. It may pass 1: other
// edits make another region. Nothing: the comparison was too long.
std::optional<double> reserved(TrustedComparer& comparer, const ComparedText& a, const ComparedText& b,
                               uint32_t window_width, uint64_t whole);

// Article pages whose sets figures 6 and 7 look at: TR2007012 section 5.2. Those alone in their set are among
// them.
inline constexpr size_t kCandidateDocuments = 100;

// Table `lcs_windows`.
Table repeat_figure_6(const Input& input);

}  // namespace nd::eval::partition
