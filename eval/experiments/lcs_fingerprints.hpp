// Figure 5 of TR2007012: how the number of fingerprints affects the perhaps-similar sets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lcs_inputs.hpp"
#include "table.hpp"

namespace nd::eval::partition {

struct SetQuality {
  // Of the pages similar to a document, the share that is in its set: mean over the documents that have any.
  std::optional<double> coverage;
  // Of a document's set, the document with it, the share that is similar to it: x / n of the report, where n
  // is the whole set. Mean over the documents; one that is alone is all of its set.
  std::optional<double> trustable;
  double set_size = 0;  // mean, the document with it
};

// `sets`: by page. `similar`: by chosen document, the pages similar to it, without itself. `counted`: by
// page; 0: as if the page did not exist, and nothing of it is reported.
SetQuality measure_sets(std::span<const uint32_t> sets, std::span<const uint32_t> chosen,
                        std::span<const std::vector<uint32_t>> similar, std::span<const uint8_t> counted);

// The same where the labels say what is similar; pages of label kNoLabel do not exist.
SetQuality measure_by_labels(std::span<const uint32_t> sets, std::span<const uint32_t> labels,
                             std::span<const uint32_t> chosen);

inline constexpr size_t kFigure5Documents = 150;  // TR2007012 section 5.1
// Pages that a document is compared with, beside the other documents: 150 of them and two extents make a
// million comparisons of texts. The report compares with all its 430 million.
inline constexpr uint32_t kComparedPages = 4000;

// Nothing: the table's "does not apply".
Cell cell_of(const std::optional<double>& value);

// Table `lcs_fingerprints`.
Table repeat_figure_5(const Input& input);

}  // namespace nd::eval::partition
