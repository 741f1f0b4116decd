// Section 5.4 of TR2007012, and the measure of its slides: the LCS partition against other methods.
#pragma once

#include "collection.hpp"
#include "core/result.hpp"
#include "lcs_inputs.hpp"
#include "scores.hpp"
#include "table.hpp"

namespace nd::eval::partition {

// Representatives that a page is compared with, at most: the report has no bound, and without one a set that
// spans a collection of some ten thousand pages would take hours. lcs::partition says which come first.
inline constexpr uint32_t kComparisons = 64;

struct ReportedPartition {
  std::vector<uint64_t> groups;  // by page: the number of a page in its group
  uint64_t limited = 0;          // comparisons that passed the limit of work: their texts count as different
  uint64_t bounded = 0;          // pages that kComparisons kept from some representatives of their set
};

// The report's plain partition (sections 3.3 and 4.2). `texts` and `keys` by page. Similar: is_similar() of
// the trustable LCS; of several representatives that are similar the page joins the one it resembles most.
ReportedPartition partition_as_reported(const std::vector<ComparedText>& texts,
                                        std::span<const PageKeys> keys, std::span<const uint32_t> sites,
                                        const TemplateRule& rule);

// Tables `lcs_against`, `lcs_sampled_sets`. Errors: those of the engine.
Result<std::vector<Table>> repeat_section_5_4(const Collection& collection, const Input& input);

}  // namespace nd::eval::partition
