// Inverts the signatures and counts what each document shares with all before it.
#include "all_pairs.hpp"

#include <algorithm>

#include "spotsigs/spot_vector.hpp"

namespace nd::eval {
namespace {

using spotsigs::SimilarPair;
using spotsigs::SpotVector;

struct Posting {
  uint32_t document;
  uint32_t count;
};

// The documents of every signature, in ascending order.
struct InvertedLists {
  Vector<size_t> begins;  // by number of the signature, and the end
  Vector<Posting> postings;
  Vector<uint32_t> numbers;        // of the signatures of all documents, one document after the other
  Vector<size_t> document_begins;  // in numbers, and the end
};

InvertedLists invert(std::span<const SpotVector> documents) {
  Vector<uint64_t> hashes;
  for (const SpotVector document : documents) {
    for (const spotsigs::Spot& spot : document)
      hashes.push_back(spot.hash);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());

  InvertedLists lists;
  lists.begins.resize(hashes.size() + 1);
  lists.document_begins.push_back(0);
  for (const SpotVector document : documents) {
    auto at = hashes.begin();
    for (const spotsigs::Spot& spot : document) {
      at = std::lower_bound(at, hashes.end(), spot.hash);
      lists.numbers.push_back(static_cast<uint32_t>(at - hashes.begin()));
      ++lists.begins[lists.numbers.back() + 1];
    }
    lists.document_begins.push_back(lists.numbers.size());
  }
  for (size_t i = 1; i < lists.begins.size(); ++i)
    lists.begins[i] += lists.begins[i - 1];
  lists.postings.resize(lists.numbers.size());
  Vector<size_t> next(lists.begins.begin(), lists.begins.end());
  for (uint32_t document = 0; document < documents.size(); ++document) {
    for (size_t i = 0; i < documents[document].size(); ++i) {
      const uint32_t number = lists.numbers[lists.document_begins[document] + i];
      lists.postings[next[number]++] = {document, documents[document][i].count};
    }
  }
  return lists;
}

}  // namespace

AllPairs all_pairs(std::span<const SpotVector> documents, std::span<const uint32_t> thresholds,
                   size_t limit) {
  const InvertedLists lists = invert(documents);
  Vector<uint64_t> lengths;
  for (const SpotVector document : documents)
    lengths.push_back(spotsigs::length(document));
  Vector<uint64_t> shared(documents.size());
  AllPairs found{{}, thresholds.front()};
  for (uint32_t second = 0; second < documents.size(); ++second) {
    std::fill_n(shared.begin(), second, 0);
    for (size_t i = 0; i < documents[second].size(); ++i) {
      const uint32_t number = lists.numbers[lists.document_begins[second] + i];
      const uint32_t count = documents[second][i].count;
      for (const Posting* posting = &lists.postings[lists.begins[number]]; posting->document < second;
           ++posting)
        shared[posting->document] += std::min(posting->count, count);
    }
    for (uint32_t first = 0; first < second; ++first) {
      const spotsigs::Overlap overlap{shared[first], lengths[first] + lengths[second] - shared[first]};
      if (spotsigs::similar(overlap, found.least)) found.pairs.push_back({first, second, overlap});
    }
    while (found.pairs.size() > limit) {
      const auto next = std::upper_bound(thresholds.begin(), thresholds.end(), found.least);
      found.least = next == thresholds.end() ? spotsigs::kThresholdUnit + 1 : *next;
      std::erase_if(found.pairs, [&found](const SimilarPair& pair) {
        return !spotsigs::similar(pair.overlap, found.least);
      });
    }
  }
  return found;
}

}  // namespace nd::eval
