// Groups a collection by equal hashes (I-Match-S), or by equal bands of min-hashes (LSH-S), and checks the
// latter's pairs.
#include "joins/competitor_joins.hpp"

#include <algorithm>
#include <compare>
#include <optional>
#include <utility>

#include "core/hash_map.hpp"

namespace nd::spotsigs {
namespace {

struct BandHash {
  uint64_t hash;
  uint32_t document;
  friend auto operator<=>(const BandHash&, const BandHash&) = default;
};

using Candidate = std::pair<uint32_t, uint32_t>;

void take_bucket(std::span<const BandHash> bucket, const LshJoinOptions& options, LshResult& result,
                 Vector<Candidate>& out) {
  if (bucket.size() > options.bucket_documents) ++result.limited;
  for (size_t second = 1; second < bucket.size(); ++second) {
    const size_t end = std::min<size_t>(second, options.bucket_documents);
    for (size_t first = 0; first < end; ++first)
      out.emplace_back(bucket[first].document, bucket[second].document);
  }
}

}  // namespace

Vector<uint32_t> i_match_s_groups(std::span<const SpotVector> documents, IdfBand band, uint64_t secret) {
  DocumentFrequencies frequencies(secret);
  for (const SpotVector spots : documents)
    frequencies.add(spots);
  const Epoch epoch = frequencies.freeze(band);

  struct First {
    uint64_t high = 0;
    uint32_t document = 0;  // plus one
    bool operator==(const First&) const = default;
  };
  HashMap<First> firsts(secret);
  Vector<uint32_t> groups(documents.size());
  for (uint32_t i = 0; i < documents.size(); ++i) {
    groups[i] = i;
    const std::optional<Hash128> hash = i_match_s(documents[i], epoch);
    if (!hash) continue;
    First& first = firsts[hash->low];
    if (first.document == 0) first = {hash->high, i + 1};
    if (first.high == hash->high) groups[i] = first.document - 1;
  }
  return groups;
}

LshResult lsh_s(std::span<const SpotVector> documents, const LshJoinOptions& options) {
  Vector<Vector<uint64_t>> bands(documents.size());
  for (size_t i = 0; i < documents.size(); ++i)
    lsh_bands(documents[i], options.lsh, bands[i]);

  LshResult result;
  Vector<Candidate> candidates;
  Vector<BandHash> hashes;
  for (size_t band = 0; band < options.lsh.bands; ++band) {
    hashes.clear();
    for (uint32_t i = 0; i < documents.size(); ++i) {
      if (!bands[i].empty()) hashes.push_back({bands[i][band], i});
    }
    std::sort(hashes.begin(), hashes.end());
    for (size_t begin = 0, end = 0; begin < hashes.size(); begin = end) {
      while (end < hashes.size() && hashes[end].hash == hashes[begin].hash)
        ++end;
      take_bucket(std::span(hashes).subspan(begin, end - begin), options, result, candidates);
    }
    // After each band, so that the list does not grow by a copy for every band.
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }
  result.candidates = candidates.size();
  for (const auto& [first, second] : candidates) {
    const Overlap both = overlap(documents[first], documents[second]);
    if (!options.verify || similar(both, options.tau)) result.pairs.push_back({first, second, both});
  }
  return result;
}

}  // namespace nd::spotsigs
