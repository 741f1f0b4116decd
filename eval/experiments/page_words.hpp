// The words of pages, in the order of their text, as spot signatures are made of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collection.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "spot_documents.hpp"

namespace nd::eval {

// Of these pages, in their order: the hashes of their words, function words too; scripts without spaces as
// the dictionary cuts them. The blocks are those that give the page's spot signatures.
Result<std::vector<Vector<uint32_t>>> page_words(Collection& collection, std::span<const uint32_t> pages,
                                                 Text text);

// The set of all runs of so many words, as a multi-set in which each is once: what can be filtered by a band
// and joined like spot signatures. SpotSigs, "Competitors": "N-gram sets".
SpotDocument shingles_of(const Vector<uint32_t>& words, uint32_t length);

}  // namespace nd::eval
