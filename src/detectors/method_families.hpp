// The detectors of make_detector(), and what they share.
#pragma once

#include <algorithm>
#include <new>
#include <utility>

#include "baselines/keyed_records.hpp"
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

// An epoch that finds no memory is put off until half as many came again: tried with every insertion, it
// would read all documents each time. One that reads no documents is still due.
template <typename Index>
void start_due_epoch(Index& index) noexcept {
  try {
    if (index.epoch_due()) index.start_epoch();
  } catch (const std::bad_alloc&) {
    if constexpr (requires { index.put_off_epoch(); }) index.put_off_epoch();
  }
}

inline baselines::Limits limits_of(const DetectorSettings& settings) noexcept {
  baselines::Limits limits{settings.bytes, settings.postings, settings.matches};
  if (settings.postings == 0) limits.compared_bytes = 0;
  return limits;
}

// What Detector::insert() returns, of an index upon baselines::KeyedRecords, or of these themselves.
template <typename Index, typename... Arguments>
uint64_t insert_counted(Index& index, Arguments&&... arguments) {
  const uint64_t evicted_before = index.counts().evicted;
  const bool indexed = index.insert(std::forward<Arguments>(arguments)...);
  return index.counts().evicted - evicted_before + (indexed ? 0 : 1);
}

// By score, then by id: what stays the same when an index is made anew.
inline MethodMatches ranked(DetectorScratch& scratch, bool limited, uint64_t work) {
  std::sort(scratch.matches.begin(), scratch.matches.end(), [](const MethodMatch& a, const MethodMatch& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  return {scratch.matches, limited, work};
}

inline MethodMatches take(const baselines::Matches& found, DetectorScratch& scratch) {
  scratch.matches.clear();
  for (const baselines::Match& match : found.matches)
    scratch.matches.push_back({match.id, match.score});
  return ranked(scratch, found.limited || found.more, found.work);
}

}  // namespace nd::detectors
