// The batch order of TR2007012 section 4.2: documents by number of fingerprints, candidate sets that grow in
// one direction, from larger to smaller documents, and groups around representatives inside each set (section
// 3.3).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/memory.hpp"

namespace nd::lcs {

struct PartitionParameters {
  uint32_t fingerprint_limit = 10000;     // a key of more documents than this is deleted
  uint32_t site_fingerprint_limit = 400;  // a key of more than this …
  uint32_t few_sites = 8;                 // … and of at most so many sites is deleted too
  uint32_t comparisons = UINT32_MAX;      // of a document with representatives of its set
  uint32_t postings = 1024;               // read to choose these, if there are more representatives
  bool first_similar = false;             // see partition()
};

struct PartitionDocument {
  std::span<const uint64_t> keys;  // distinct; documents that share one are perhaps similar
  uint64_t site;                   // any stable number of its site
  uint32_t rank;                   // the order is descending by rank: the number of its fingerprints
};

struct PartitionCounts {
  uint64_t candidate_sets = 0;
  uint64_t comparisons = 0;
  uint64_t deleted_keys = 0;
  uint64_t groups = 0;
};

struct Partition {
  // By document: the index of its representative (its own if it founds a group).
  Vector<uint32_t> representatives;
  // By document: 1 if it was not compared with every representative of its set.
  Vector<uint8_t> limited;
  PartitionCounts counts;
};

// How well a document fits a representative: greater is better, 0 or less is "not similar".
using Similarity = std::function<double(uint32_t representative, uint32_t document)>;

// Called before a document is compared, with the number of representatives that it is compared with.
using BeginDocument = std::function<void(uint32_t document, size_t representatives)>;

// Candidate sets: documents in descending rank (ties: input order); the first that is in no set yet opens
// one. A later document joins the set if it shares a key with a document before it that is already in the
// set. Inside a set each document is compared with the representatives found so far and joins the best;
// with `first_similar` it joins the first that is similar, and is compared with no other (slides, "For higher
// performance"). If there are more than `comparisons` (the report has no such bound; a set that spans a crawl
// would take hours), those whose groups share most keys with the document are compared, rare keys counting
// more. Deterministic. Cost: O(total keys · log) + the comparisons.
Partition partition(std::span<const PartitionDocument> documents, const PartitionParameters& parameters,
                    const Similarity& similarity, const BeginDocument& begin_document = nullptr);

}  // namespace nd::lcs
