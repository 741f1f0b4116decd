// SpotIndex::probe(). The bounds: docs/spotsigs.md.
#include <algorithm>

#include "spotsigs/spot_index.hpp"
#include "spotsigs/spot_posting.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

// So many documents are asked for at once: each is three loads away, none of which is in a cache.
constexpr size_t kDocumentsAhead = 16;

// Skipping a posting costs a small fraction of a similarity, but it is not free.
constexpr uint64_t kSkippedPerPosting = 64;

}  // namespace

class SpotIndex::Probe {
 public:
  Probe(const SpotIndex& index, SpotProbeScratch& scratch, uint64_t most_steps) noexcept
      : index_(index), scratch_(scratch), most_steps_(most_steps) {
    if (const uint64_t limit = index.parameters_.steps; limit != 0)
      most_steps_ = std::min(most_steps_, limit);
  }

  SpotMatches run(PackedSpots spots) {
    scratch_.hits_.clear();
    scratch_.found_.clear();
    take_signatures(spots);
    search();
    compare_met();
    choose();
    scratch_.work_ = spots.size() + looked_at_ + scratch_.hits_.probes() + scratch_.hits_.all().size() +
                     answer_.work.touched + answer_.work.skipped + answer_.work.steps;
    return answer_;
  }

 private:
  // The signatures that count, rarest first. New ones, which are in no document, come before all others.
  void take_signatures(PackedSpots spots) {
    scratch_.kept_.clear();
    scratch_.signatures_.clear();
    index_.prefetch(spots);
    for (const PackedSpot packed : spots) {
      const Spot spot = spot_of(packed);
      if (index_.dropped_.contains(spot.hash)) continue;
      const store::PostingTable::List documents = index_.postings_.find(spot.hash);
      looked_at_ += documents.probes();
      if (documents.size() < index_.least_frequency_) continue;
      scratch_.kept_.push_back(packed);
      scratch_.signatures_.push_back({documents, spot.hash, spot.count});
      length_ += spot.count;
    }
    std::sort(scratch_.signatures_.begin(), scratch_.signatures_.end(), [](const auto& a, const auto& b) {
      const size_t frequency_a = a.documents.size();
      const size_t frequency_b = b.documents.size();
      return frequency_a != frequency_b ? frequency_a < frequency_b : a.hash < b.hash;
    });
  }

  void search() {
    const uint64_t least = least_length(length_, index_.parameters_.tau);
    left_ = length_;
    for (const SpotProbeScratch::Signature& signature : scratch_.signatures_) {
      if (left_ < least || !visit_list(signature, least)) return;
      left_ -= signature.count;
    }
  }

  // The newest documents first. False if the probe must stop.
  bool visit_list(const SpotProbeScratch::Signature& signature, uint64_t least) {
    const std::span<const uint64_t> postings = signature.documents.numbers();
    const uint64_t limit = index_.parameters_.postings;
    const uint64_t least_told = std::min(least, kPostingLengthLimit);
    for (size_t i = postings.size(); i > 0; --i) {
      const uint64_t posting = postings[i - 1];
      const bool is_short = length_of(posting) < least_told;
      uint64_t& count = is_short ? answer_.work.skipped : answer_.work.touched;
      if (limit != 0 && count == (is_short ? limit * kSkippedPerPosting : limit)) {
        answer_.limited = true;
        return false;
      }
      ++count;
      if (!is_short) scratch_.hits_.add(posting, signature.count);
    }
    return true;
  }

  // Compares the documents found in the lists that can reach tau according to the lists.
  void compare_met() {
    const uint32_t tau = index_.parameters_.tau;
    const bool keeps_all = index_.keeps_all();
    const uint64_t least = least_length(length_, tau);
    scratch_.met_.clear();
    for (const SpotProbeScratch::Hit& hit : scratch_.hits_.all()) {
      const uint64_t needed = keeps_all ? least_shared(length_, length_of(hit.posting), tau) : least;
      if (hit.shared + left_ >= std::max(needed, least)) scratch_.met_.push_back(sequence_of(hit.posting));
    }
    for (std::span<const uint64_t> left = scratch_.met_; !left.empty();) {
      const std::span<const uint64_t> next = left.first(std::min(left.size(), kDocumentsAhead));
      left = left.subspan(next.size());
      for (const uint64_t sequence : next)
        index_.documents_.prefetch(sequence);
      for (const uint64_t sequence : next)
        index_.documents_.prefetch_record(sequence);
      for (const uint64_t sequence : next)
        index_.documents_.prefetch_content(sequence);
      for (const uint64_t sequence : next) {
        if (!compare(sequence)) return;
      }
    }
  }

  // False if the probe must stop.
  bool compare(uint64_t sequence) {
    if (answer_.work.steps >= most_steps_) {
      answer_.limited = true;
      return false;
    }
    const std::optional<SpotDocument::View> document = index_.documents_.find(sequence);
    if (!document) return true;
    ++answer_.work.computed;
    const Overlap both = overlap_with(document->spots);
    if (similar(both, index_.parameters_.tau)) scratch_.found_.push_back({{document->id, both}, sequence});
    return true;
  }

  Overlap overlap_with(PackedSpots other) noexcept {
    return index_.keeps_all() ? overlap_of<true>(other) : overlap_of<false>(other);
  }

  // Over the signatures that count. Ends early if tau is out of reach: the fraction is then too large, but
  // still below tau.
  //
  // Which vector has the next smaller hash cannot be predicted, so the loop that merges both does not branch
  // on it but multiplies by 0 or 1.
  template <bool kKeepsAll>
  Overlap overlap_of(PackedSpots other) noexcept {
    const PackedSpots own = scratch_.kept_;
    const uint64_t tau = index_.parameters_.tau;
    const uint64_t margin = length_ * (kThresholdUnit - tau);
    uint64_t own_lacked = 0;    // of `own`, not in `other`
    uint64_t other_lacked = 0;  // and vice versa
    const auto spent = [&] { return own_lacked * kThresholdUnit + other_lacked * tau; };
    size_t i = 0;
    size_t k = 0;
    while (spent() <= margin && i < own.size() && k < other.size()) {
      const Spot a = spot_of(own[i]);
      const Spot b = spot_of(other[k]);
      const uint64_t takes_own = a.hash <= b.hash;
      const uint64_t takes_other = b.hash <= a.hash;
      i += takes_own;
      k += takes_other;
      const uint64_t own_count = a.count * takes_own;
      uint64_t other_count = b.count * takes_other;
      if (!kKeepsAll && takes_own == 0 && !index_.keeps(b.hash)) other_count = 0;
      const uint64_t shared = std::min(own_count, other_count);
      own_lacked += own_count - shared;
      other_lacked += other_count - shared;
    }
    for (; spent() <= margin && i < own.size(); ++i)
      own_lacked += spot_of(own[i]).count;
    for (; spent() <= margin && k < other.size(); ++k) {
      const Spot spot = spot_of(other[k]);
      if (kKeepsAll || index_.keeps(spot.hash)) other_lacked += spot.count;
    }
    answer_.work.steps += i + k;
    return {length_ - own_lacked, length_ + other_lacked};
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
  uint64_t most_steps_;
  uint64_t length_ = 0;     // |di|
  uint64_t left_ = 0;       // |di| - delta1: what lists that were not read to their end can add
  uint64_t looked_at_ = 0;  // slots examined for the signatures
  SpotMatches answer_;
};

SpotMatches SpotIndex::probe(PackedSpots spots, SpotProbeScratch& scratch, uint64_t most_steps) const {
  return Probe(*this, scratch, most_steps).run(spots);
}

}  // namespace nd::spotsigs
