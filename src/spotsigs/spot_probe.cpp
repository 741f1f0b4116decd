// SpotIndex::probe(). The bounds: docs/spotsigs.md.
#include <algorithm>

#include "spotsigs/spot_index.hpp"
#include "spotsigs/threshold.hpp"

namespace nd::spotsigs {

class SpotIndex::Probe {
 public:
  Probe(const SpotIndex& index, SpotProbeScratch& scratch) noexcept : index_(index), scratch_(scratch) {}

  SpotMatches run(SpotVector spots) {
    scratch_.compared_.clear();
    scratch_.found_.clear();
    take_signatures(spots);
    if (length_ <= UINT32_MAX) {
      search();
    } else {
      answer_.limited = true;  // no document of the index is as long
    }
    choose();
    return answer_;
  }

 private:
  // The signatures that the epoch keeps, the rarest first. A new one is in no document: it comes before all.
  void take_signatures(SpotVector spots) {
    scratch_.kept_.clear();
    scratch_.signatures_.clear();
    for (const Spot& spot : spots)
      index_.table_.prefetch(spot.hash);
    for (const Spot& spot : spots) {
      const uint32_t value = index_.table_.find(spot.hash);
      const SpotEntry entry = value == SpotTable::kAbsent ? SpotEntry::none() : SpotEntry(value);
      if (index_.dropped(entry)) continue;
      scratch_.kept_.push_back(spot);
      scratch_.signatures_.push_back({spot.hash, index_.frequency(entry), entry.bits(), spot.count});
      length_ += spot.count;
    }
    std::sort(scratch_.signatures_.begin(), scratch_.signatures_.end(), [](const auto& a, const auto& b) {
      return a.frequency != b.frequency ? a.frequency < b.frequency : a.hash < b.hash;
    });
  }

  void search() {
    const uint64_t tau = index_.parameters_.tau;
    const uint64_t least = least_length(length_, index_.parameters_.tau);
    uint64_t left = length_;  // |di| - delta1: what a document not met yet can share
    for (const SpotProbeScratch::Signature& signature : scratch_.signatures_) {
      if (left < least) return;
      // The greatest |dj| for which m = left still reaches tau (|di| + |dj| - m).
      const uint64_t greatest = (left * (kThresholdUnit + tau) - length_ * tau) / tau;
      visit_list(signature, static_cast<uint32_t>(least),
                 static_cast<uint32_t>(std::min<uint64_t>(greatest, UINT32_MAX)));
      if (answer_.limited) return;
      left -= signature.count;
    }
  }

  void visit_list(const SpotProbeScratch::Signature& signature, uint32_t least, uint32_t greatest) {
    const uint64_t touched_before = answer_.work.touched;
    const uint64_t limit = index_.parameters_.postings;
    const SpotEntry entry(signature.entry);
    // A list that the running epoch has not sorted yet: by lengths that differ so much at most.
    const bool is_stale = entry.is_list() && entry.number() >= index_.sorted_end_;
    const uint64_t slack = is_stale ? index_.greatest_slack(least, greatest) : 0;
    const uint64_t from = std::min<uint64_t>(greatest + slack, UINT32_MAX);
    index_.visit_postings(entry, posting(static_cast<uint32_t>(from), 0), [&](Posting other) {
      if (length_of(other) + slack < least) return false;
      if (limit != 0 && answer_.work.touched == limit) {
        answer_.limited = true;
        return false;
      }
      ++answer_.work.touched;
      const uint32_t length = is_stale ? index_.store_.at(slot_of(other)).length : length_of(other);
      return length < least || length > greatest || compare(slot_of(other));
    });
    answer_.work.skipped += signature.frequency - (answer_.work.touched - touched_before);
  }

  // False if the probe must not read on.
  bool compare(uint32_t slot) {
    if (!scratch_.compared_.add(slot)) return true;
    const uint64_t limit = index_.parameters_.steps;
    if (limit != 0 && answer_.work.steps >= limit) {
      answer_.limited = true;
      return false;
    }
    ++answer_.work.computed;
    const uint32_t tau = index_.parameters_.tau;
    const StoredDocument& document = index_.store_.at(slot);
    // Not negative: the lengths fit, or the posting would be outside the run.
    const uint64_t lacking = length_ - least_shared(length_, document.length, tau);
    const StoredDocument::Shared shared = document.shared(scratch_.kept_, lacking);
    answer_.work.steps += shared.steps;
    const Overlap both{shared.mass, length_ + document.length - shared.mass};
    if (similar(both, tau)) scratch_.found_.push_back({{slot, both}, document.sequence});
    return true;
  }

  void choose() {
    auto& found = scratch_.found_;
    const auto better = [](const SpotProbeScratch::Found& a, const SpotProbeScratch::Found& b) {
      const Wide left = Wide{a.match.overlap.shared} * b.match.overlap.united;
      const Wide right = Wide{b.match.overlap.shared} * a.match.overlap.united;
      return left != right ? left > right : a.sequence < b.sequence;
    };
    const size_t limit = index_.parameters_.candidates;
    const size_t kept = limit == 0 ? found.size() : std::min(limit, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(), better);
    answer_.more = kept < found.size();
    scratch_.matches_.clear();
    for (size_t i = 0; i < kept; ++i)
      scratch_.matches_.push_back(found[i].match);
    answer_.matches = scratch_.matches_;
  }

  const SpotIndex& index_;
  SpotProbeScratch& scratch_;
  uint64_t length_ = 0;  // |di|
  SpotMatches answer_;
};

SpotMatches SpotIndex::probe(SpotVector spots, SpotProbeScratch& scratch) const {
  return Probe(*this, scratch).run(spots);
}

}  // namespace nd::spotsigs
