// Groups a whole collection at once, in the batch order of the LCS partition.
#pragma once

#include <span>

#include "core/result.hpp"
#include "engine/engine.hpp"

namespace nd::engine {

// answers[i] belongs to documents[i]: page_id = i + 1, group_id = index of its representative + 1. The keys
// and the verification are those of nd_check_page, with all documents of a site known before the first
// comparison, of each URL the last one; the order and the candidate sets are those of TR2007012 sections 3.3
// and 4.2. Errors: kInvalidArgument, with another detector.
Result<Vector<Answer>> partition_documents(std::span<const Features> documents, const Parameters& parameters);

// Compares one pair, with a as the representative. The verdict is kExactDuplicate, kNearDuplicate or kNew. If
// a method decides, both need its description; the method knows no other page, so words have no document
// frequencies.
Result<Answer> decide_pair(const Features& a, const Features& b, const Parameters& parameters);

}  // namespace nd::engine
