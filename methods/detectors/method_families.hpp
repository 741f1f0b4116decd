// What the families of detectors share with make_detector(): one function for each family, so that each has a
// file of its own.
#pragma once

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "baselines/keyed_records.hpp"
#include "method/detector.hpp"
#include "moz/hamming_index.hpp"
#include "mwo/mwo_index.hpp"
#include "spotsigs/spot_probe_scratch.hpp"

namespace nd::detectors {

// The scratch of all detectors.
struct MethodScratch final : DetectorScratch {
  explicit MethodScratch(uint64_t secret) noexcept : spots(secret) {}

  spotsigs::SpotProbeScratch spots;
  mwo::MwoScratch mwo;
  moz::HammingScratch hamming;
  Vector<MethodMatch> matches;

  uint64_t memory_bytes() const noexcept override {
    return spots.memory_bytes() + mwo.memory_bytes() + hamming.numbers.capacity() * sizeof(uint32_t) +
           hamming.matches.capacity() * sizeof(moz::HammingMatch) + matches.capacity() * sizeof(MethodMatch);
  }
};

inline MethodScratch& scratch_of(DetectorScratch& scratch) noexcept {
  return static_cast<MethodScratch&>(scratch);
}

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

// The insertions before the first epoch; each further epoch is due when the number of insertions has doubled.
inline constexpr uint64_t kEpochDocuments = 4096;

// An epoch that runs out of memory is put off until half as many documents again have been inserted: retried
// at every insertion, it would read all documents each time. An epoch that reads no documents stays due.
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

// What Detector::insert() returns for a baselines::KeyedRecords or an index built on it.
template <typename Index, typename... Arguments>
uint64_t insert_counted(Index& index, Arguments&&... arguments) {
  const uint64_t evicted_before = index.counts().evicted;
  const bool indexed = index.insert(std::forward<Arguments>(arguments)...);
  return index.counts().evicted - evicted_before + (indexed ? 0 : 1);
}

// Sorted by score, then by id: an order that stays the same when an index is rebuilt.
inline MethodMatches ranked(MethodScratch& scratch, bool limited, uint64_t work) {
  std::sort(scratch.matches.begin(), scratch.matches.end(), [](const MethodMatch& a, const MethodMatch& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  return {scratch.matches, limited, work};
}

inline MethodMatches take(const baselines::Matches& found, MethodScratch& scratch) {
  scratch.matches.clear();
  for (const baselines::Match& match : found.matches)
    scratch.matches.push_back({match.id, match.score});
  return ranked(scratch, found.limited || found.more, found.work);
}

// A method without epochs that finds documents by keys and compares whole descriptions.
// `Traits` has the type `Page`, as which a document is kept, and the functions
//   page_of(description), which may be empty, memory_bytes(page), content_bytes(page),
//   keys_of(page, settings, keys), in any order and perhaps repeated; the threshold is never 0, may_reach(a,
//   b, threshold), false only if score(a, b) is below the threshold, and score(a, b), 0..1.
// Threads: as Detector.
template <typename Traits>
class KeyedMethod final : public Detector {
 public:
  KeyedMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), settings_(settings), records_(secret, limits_of(settings)) {
    settings_.threshold = threshold();
  }

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    Page page = Traits::page_of(description);
    Vector<uint64_t> keys = keys_of(page);
    return insert_counted(records_, id, Record{std::move(page)}, std::move(keys));
  }
  bool remove(uint64_t id) noexcept override { return records_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
    scratch.matches.clear();
    if (description.empty()) return {};
    const Page page = Traits::page_of(description);
    const auto score_if_near = [&](const Record& record) {
      if (!Traits::may_reach(record.page, page, threshold())) return -1.0;
      const double score = Traits::score(record.page, page);
      return decide(score) ? score : -1.0;
    };
    return take(records_.find(keys_of(page), Traits::content_bytes(page), score_if_near), scratch);
  }
  double score(Description a, Description b) const override {
    return a.empty() || b.empty() ? 0 : Traits::score(Traits::page_of(a), Traits::page_of(b));
  }

  uint64_t probe_count() const noexcept override { return records_.probe_count(); }
  uint64_t document_count() const noexcept override { return records_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return records_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return records_.content_bytes(); }

 private:
  using Page = typename Traits::Page;
  struct Record {
    Page page{};
    uint64_t memory_bytes() const noexcept { return Traits::memory_bytes(page); }
    uint64_t content_bytes() const noexcept { return Traits::content_bytes(page); }
    uint64_t compared_bytes() const noexcept { return content_bytes(); }
  };

  // Without repetitions, as KeyedRecords requires.
  Vector<uint64_t> keys_of(const Page& page) const {
    Vector<uint64_t> keys;
    Traits::keys_of(page, settings_, keys);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  DetectorSettings settings_;
  baselines::KeyedRecords<Record> records_;
};

}  // namespace nd::detectors
