// I-Match (Chowdhury, Frieder, Grossman, McCabe, 2002): documents are duplicates if they have the same set of
// words inside a band of IDF; one hash represents the set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "baselines/keyed_records.hpp"
#include "baselines/term_counts.hpp"
#include "core/hash.hpp"

namespace nd::baselines {

struct IMatchParameters {
  // A word counts if low <= log(N / df) / log N <= high, in thousandths: [.4, .75] for I-Match (SpotSigs,
  // "Summary - Gold Set").
  uint32_t low = 400;
  uint32_t high = 750;
  uint64_t epoch_documents = 4096;  // insertions before the first epoch is due
};

// Before the first epoch every word counts. Threads: as KeyedRecords.
class IMatchIndex {
 public:
  IMatchIndex(uint64_t secret, const IMatchParameters& parameters, const Limits& limits) noexcept
      : secret_(secret), parameters_(parameters), epoch_(secret), records_(secret, limits) {}

  // The hash of the distinct words in the band, whatever their counts. Nothing if no word is in the band:
  // such a page matches nothing. Stable within an epoch.
  std::optional<Hash128> hash(TermVector terms) const;
  // 1 or 0.
  double score(TermVector a, TermVector b) const;

  // As KeyedRecords::insert(); a text without words is refused. One without a word in the band is kept, and
  // found when a later epoch has one.
  bool insert(uint64_t id, TermVector terms);
  bool remove(uint64_t id) noexcept { return records_.remove(id); }
  Matches find(TermVector terms) const;

  bool epoch_due() const noexcept {
    return inserted_since_epoch_ >= std::max(parameters_.epoch_documents, epoch_.documents());
  }
  // Takes the current frequencies and hashes every document again. Throws std::bad_alloc and has changed
  // nothing.
  void start_epoch();
  // See detectors/method_families.hpp.
  void put_off_epoch() noexcept { inserted_since_epoch_ /= 2; }

  Counts counts() const noexcept { return records_.counts(); }
  uint64_t probe_count() const noexcept { return records_.probe_count(); }
  uint64_t memory_bytes() const noexcept { return records_.memory_bytes() + epoch_.memory_bytes(); }
  uint64_t content_bytes() const noexcept { return records_.content_bytes(); }

 private:
  struct Record {
    Vector<TermCount> terms;
    uint64_t high = 0;  // half of the hash
    uint64_t memory_bytes() const noexcept { return terms.capacity() * sizeof(TermCount); }
    uint64_t content_bytes() const noexcept { return terms.size() * sizeof(TermCount); }
    static uint64_t compared_bytes() noexcept { return sizeof high; }
  };
  std::optional<Hash128> hash_by(const EpochFrequencies& epoch, TermVector terms) const;

  uint64_t secret_;
  IMatchParameters parameters_;
  EpochFrequencies epoch_;
  KeyedRecords<Record> records_;
  uint64_t inserted_since_epoch_ = 0;
};

}  // namespace nd::baselines
