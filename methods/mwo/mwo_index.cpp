// Posts the prefix of a page's terms by the order of an epoch, and searches it with the filters of
// overlap_filters.hpp.
#include "mwo/mwo_index.hpp"

#include <algorithm>
#include <utility>

namespace nd::mwo {
namespace {

constexpr uint64_t kLargestShare = 8;  // a fraction of the budget: one page must not empty the index
constexpr uint64_t kDocumentBytes = 96;
constexpr uint64_t kTermBytes = sizeof(Term) + 16;  // in its document, and in its list if it is in the prefix

constexpr uint64_t bytes_of(uint64_t documents, uint64_t terms) noexcept {
  return documents * kDocumentBytes + terms * kTermBytes;
}

}  // namespace

size_t MwoIndex::prefix(std::span<const PlacedTerm> terms) const noexcept {
  return parameters_.filter == Filter::kSafe
             ? prefix_by_mass(terms, prefix_rest(least_overlap(parameters_.threshold)))
             : prefix_by_count(terms.size(), parameters_.threshold);
}

// All or nothing. Returns the sum of the shares behind the prefix.
uint32_t MwoIndex::post(uint32_t document, ShareVector terms, const TermOrder& order, Lists& lists) {
  order.arrange(terms, placed_);
  probe_count_ += terms.size();
  const size_t length = prefix(placed_);
  uint32_t behind = kShareUnit;
  size_t posted = 0;
  try {
    for (; posted < length; ++posted) {
      const PlacedTerm& term = placed_[posted];
      behind -= term.share;
      lists.add(term.hash, {document, static_cast<uint32_t>(posted + 1), term.share, behind});
    }
  } catch (...) {
    for (; posted > 0; --posted)
      lists.remove(placed_[posted - 1].hash, document);
    throw;
  }
  return behind;
}

MwoIndex::Inserted MwoIndex::insert(uint64_t id, ShareVector terms) {
  const bool too_large =
      parameters_.bytes != 0 && bytes_of(1, terms.size()) > parameters_.bytes / kLargestShare;
  if (terms.empty() || contains(id) || too_large || records_.exhausted()) {
    ++counts_.refused;
    return {false, 0};
  }
  const uint32_t number = records_.add(id, Record{{terms.begin(), terms.end()}});
  try {
    records_.record(number).behind_prefix = post(number, terms, order_, lists_);
  } catch (...) {
    records_.remove(number);
    throw;
  }
  term_count_ += terms.size();
  ++inserted_since_epoch_;
  uint64_t evicted = 0;
  while (parameters_.bytes != 0 && content_bytes() > parameters_.bytes) {
    remove_document(records_.oldest());
    ++evicted;
  }
  counts_.evicted += evicted;
  return {true, evicted};
}

bool MwoIndex::remove(uint64_t id) noexcept {
  const uint32_t number = records_.number_of(id);
  if (number == 0) return false;
  remove_document(number);
  return true;
}

// Looks up every term, because finding out which ones were posted would cost as much.
void MwoIndex::remove_document(uint32_t number) noexcept {
  const Vector<Term>& terms = records_.record(number).terms;
  for (const Term& term : terms)
    lists_.remove(term.hash, number);
  term_count_ -= terms.size();
  records_.remove(number);
}

bool MwoIndex::epoch_due() const noexcept {
  return inserted_since_epoch_ >= std::max(parameters_.epoch_documents, counts_.epoch_documents);
}

void MwoIndex::start_epoch() {
  const Vector<uint32_t> numbers = records_.numbers();
  TermOrder order(secret_, order_.by());
  for (const uint32_t number : numbers)
    order.count(records_.record(number).terms);
  probe_count_ += term_count_;
  Lists lists(secret_);
  Vector<uint32_t> behind;
  for (const uint32_t number : numbers)
    behind.push_back(post(number, records_.record(number).terms, order, lists));
  for (size_t i = 0; i < numbers.size(); ++i)
    records_.record(numbers[i]).behind_prefix = behind[i];
  order_ = std::move(order);
  probe_count_ += lists_.probe_count();
  lists_ = std::move(lists);
  ++counts_.epoch;
  counts_.epoch_documents = numbers.size();
  inserted_since_epoch_ = 0;
}

uint64_t MwoIndex::memory_bytes() const noexcept {
  return order_.memory_bytes() + records_.memory_bytes() + lists_.memory_bytes() +
         placed_.capacity() * sizeof(PlacedTerm);
}

uint64_t MwoIndex::content_bytes() const noexcept {
  return bytes_of(records_.size(), term_count_) + lists_.key_count() * Lists::kListBytes;
}

MwoCounts MwoIndex::counts() const noexcept {
  MwoCounts counts = counts_;
  counts.documents = records_.size();
  counts.postings = lists_.posting_count();
  return counts;
}

// MwoIndex::find(). The bounds: docs/mwo.md.
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

  // Finds the common terms of the prefixes, rarest first.
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

  // The newest documents first. False if the search must stop.
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

  // From the set C to the set M. Up to the last common term of the prefixes, everything that the pages share
  // has been counted. Beyond it they share at most the lesser remainder, and at most what follows the prefix
  // that ends first; which of the two that is, is not known here.
  void filter() {
    auto& hits = scratch_.hits_;
    // In the order in which they were found: the later the term, the less follows it.
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
    // Sorted so that a limit cuts off the least likely candidates.
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

  // The minimum weight overlap if it reaches the threshold, otherwise some number below it: the merge ends
  // when too little of either page is left.
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
  uint32_t behind_prefix_ = kShareUnit;  // of the query page; its whole weight if not every list was read
  MwoMatches answer_;
};

MwoMatches MwoIndex::find(ShareVector terms, MwoScratch& scratch) const {
  return Search(*this, scratch).run(terms);
}

}  // namespace nd::mwo
