// The detectors of make_detector(), and what they share.
#pragma once

#include <algorithm>
#include <new>
#include <tuple>

#include "baselines/matches.hpp"
#include "detectors/detector.hpp"

namespace nd::detectors {

Owned<Detector> make_spotsigs(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_i_match_s(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_lsh_s(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_moz_vector(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_simhash64(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_simhash128(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_mwo(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_shingles(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_min_hash(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_cosine(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_i_match(const DetectorSettings& settings, uint64_t secret);
Owned<Detector> make_exact(const DetectorSettings& settings, uint64_t secret);

// The insertions before the first epoch; each next one is due when as many came as there were.
inline constexpr uint64_t kEpochDocuments = 4096;

// An epoch that finds no memory is still due.
template <typename Index>
void start_due_epoch(Index& index) noexcept {
  try {
    if (index.epoch_due()) index.start_epoch();
  } catch (const std::bad_alloc&) {
    return;
  }
}

inline baselines::Limits limits_of(const DetectorSettings& settings) noexcept {
  return {settings.bytes, settings.postings, settings.matches};
}

// Index::insert() of an index upon baselines::KeyedRecords.
template <typename Index, typename Page>
uint64_t insert_counted(Index& index, uint64_t id, const Page& page) {
  const uint64_t evicted_before = index.counts().evicted;
  const bool indexed = index.insert(id, page);
  return index.counts().evicted - evicted_before + (indexed ? 0 : 1);
}

// By score, then by id: what stays the same when an index is made anew.
inline MethodMatches ranked(DetectorScratch& scratch, bool limited) {
  std::sort(scratch.matches.begin(), scratch.matches.end(), [](const MethodMatch& a, const MethodMatch& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  return {scratch.matches, limited};
}

inline MethodMatches take(const baselines::Matches& found, DetectorScratch& scratch) {
  scratch.matches.clear();
  for (const baselines::Match& match : found.matches)
    scratch.matches.push_back({match.id, match.score});
  return ranked(scratch, found.limited || found.more);
}

}  // namespace nd::detectors
