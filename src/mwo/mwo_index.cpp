#include "mwo/mwo_index.hpp"

#include <algorithm>
#include <utility>

namespace nd::mwo {
namespace {

constexpr uint64_t kLargestShare = 8;  // of the budget: one page must not empty the index
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

// All or nothing. Returns the shares behind the prefix.
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

// Of every term, because which ones were posted would have to be found out again.
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
  TermOrder order(secret_);
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

}  // namespace nd::mwo
