// Section 5.4 of TR2007012: the LCS partition against simhash and cosine.
#pragma once

#include "collection.hpp"
#include "core/result.hpp"
#include "lcs_inputs.hpp"
#include "scores.hpp"
#include "table.hpp"

namespace nd::eval::partition {

// By page: its group by the report's plain partition (sections 3.3 and 4.2), a number of a page in it.
// `texts` and `keys` by page. Similar: is_similar() of the trustable LCS; of several representatives that are
// similar the page joins the one it resembles most.
std::vector<uint64_t> partition_as_reported(const std::vector<Text>& texts, std::span<const PageKeys> keys,
                                            std::span<const uint32_t> sites, const TemplateRule& rule);

// Table `lcs_against`. Errors: those of the engine.
Result<Table> repeat_section_5_4(Collection& collection, const Input& input);

}  // namespace nd::eval::partition
