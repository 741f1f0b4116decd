// MwoIndex::find(). The bounds: docs/mwo.md.
#include <algorithm>

#include "mwo/mwo_index.hpp"

namespace nd::mwo {

class MwoIndex::Search {
 public:
  Search(const MwoIndex& index, MwoScratch& scratch) noexcept
      : index_(index), scratch_(scratch), least_(least_overlap(index.parameters_.threshold)) {}

  MwoMatches run(ShareVector terms) {
    collect(terms);
    filter();
    verify(terms);
    rank();
    return answer_;
  }

 private:
  bool is_safe() const noexcept { return index_.parameters_.filter == Filter::kSafe; }

  // Where the prefixes meet, the rarest terms first.
  void collect(ShareVector terms) {
    scratch_.hits_.clear();
    index_.order_.arrange(terms, scratch_.placed_);
    answer_.work.looked_up = terms.size();
    const size_t length = index_.prefix(scratch_.placed_);
    uint32_t behind = kShareUnit;
    for (size_t i = 0; i < length; ++i) {
      behind -= scratch_.placed_[i].share;
      if (!visit_list(scratch_.placed_[i], i + 1, behind)) return;
    }
    behind_prefix_ = behind;
  }

  // The newest first. False if the search must not read on.
  bool visit_list(const PlacedTerm& term, size_t place, uint32_t behind) {
    const std::span<const Posting> postings = index_.lists_.find(term.hash, answer_.work.looked_up);
    const uint64_t limit = index_.parameters_.postings;
    for (size_t i = postings.size(); i > 0; --i) {
      if (limit != 0 && answer_.work.postings == limit) {
        answer_.limited = true;
        return false;
      }
      ++answer_.work.postings;
      const Posting& posting = postings[i - 1];
      const bool fits = is_safe() || places_fit(scratch_.placed_.size(), place,
                                                index_.records_.record(posting.document).terms.size(),
                                                posting.place, index_.parameters_.threshold);
      scratch_.hits_.push_back(
          {posting.document, std::min(term.share, posting.share), std::min(behind, posting.behind), fits});
    }
    return true;
  }

  // From the set C to the set M. Up to the last common term of the prefixes, all that the pages share has
  // been met; behind it they can share no more than the lesser rest, nor more than stands behind the prefix
  // that ends first. Which one does is not known here.
  void filter() {
    auto& hits = scratch_.hits_;
    // In the order in which they were met: behind the later term there is less.
    std::sort(hits.begin(), hits.end(), [](const MwoScratch::Hit& a, const MwoScratch::Hit& b) {
      return a.document != b.document ? a.document < b.document : a.behind > b.behind;
    });
    scratch_.candidates_.clear();
    for (size_t i = 0; i < hits.size();) {
      MwoScratch::Candidate candidate{hits[i].document, 0};
      uint32_t behind = 0;
      bool fits = false;
      for (; i < hits.size() && hits[i].document == candidate.document; ++i) {
        candidate.shared += hits[i].shared;
        behind = hits[i].behind;
        fits = fits || hits[i].fits;
      }
      ++answer_.work.candidates;
      const uint32_t unseen =
          std::max(behind_prefix_, index_.records_.record(candidate.document).behind_prefix);
      const bool in_reach = !is_safe() || candidate.shared + std::min(behind, unseen) >= least_;
      if (fits && in_reach) scratch_.candidates_.push_back(candidate);
    }
    // So that what a limit cuts is the least likely.
    std::sort(scratch_.candidates_.begin(), scratch_.candidates_.end(),
              [](const MwoScratch::Candidate& a, const MwoScratch::Candidate& b) {
                return a.shared != b.shared ? a.shared > b.shared : a.document < b.document;
              });
  }

  void verify(ShareVector terms) {
    scratch_.found_.clear();
    const uint64_t limit = index_.parameters_.steps;
    for (const MwoScratch::Candidate& candidate : scratch_.candidates_) {
      if (limit != 0 && answer_.work.steps >= limit) {
        answer_.limited = true;
        return;
      }
      ++answer_.work.verified;
      const uint32_t overlap = overlap_with(terms, index_.records_.record(candidate.document).terms);
      if (overlap >= least_) {
        scratch_.found_.push_back({{index_.records_.id_of(candidate.document), overlap}, candidate.document});
      }
    }
  }

  // The minimum weight overlap if it reaches the threshold, else some number below it: the merge ends when
  // either page has too little left.
  uint32_t overlap_with(ShareVector a, ShareVector b) noexcept {
    uint32_t overlap = 0;
    uint32_t left_a = kShareUnit;
    uint32_t left_b = kShareUnit;
    size_t i = 0;
    size_t k = 0;
    while (i < a.size() && k < b.size() && overlap + std::min(left_a, left_b) >= least_) {
      const bool next_a = a[i].hash <= b[k].hash;
      const bool next_b = b[k].hash <= a[i].hash;
      if (next_a && next_b) overlap += std::min(a[i].share, b[k].share);
      if (next_a) left_a -= a[i++].share;
      if (next_b) left_b -= b[k++].share;
    }
    answer_.work.steps += i + k;
    return overlap;
  }

  void rank() {
    auto& found = scratch_.found_;
    const size_t limit = index_.parameters_.matches;
    const size_t kept = limit == 0 ? found.size() : std::min(limit, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                      [](const MwoScratch::Found& a, const MwoScratch::Found& b) {
                        return a.match.overlap != b.match.overlap ? a.match.overlap > b.match.overlap
                                                                  : a.document < b.document;
                      });
    answer_.more = kept < found.size();
    scratch_.matches_.clear();
    for (size_t i = 0; i < kept; ++i)
      scratch_.matches_.push_back(found[i].match);
    answer_.matches = scratch_.matches_;
  }

  const MwoIndex& index_;
  MwoScratch& scratch_;
  const uint32_t least_;
  uint32_t behind_prefix_ = kShareUnit;  // of the page that asks; all of it if not every list was read
  MwoMatches answer_;
};

MwoMatches MwoIndex::find(ShareVector terms, MwoScratch& scratch) const {
  return Search(*this, scratch).run(terms);
}

}  // namespace nd::mwo
