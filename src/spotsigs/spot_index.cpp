// Posts a document by the part of its signatures that the length bounds require, and removes it again;
// docs/spotsigs.md proves that nothing is lost.
#include "spotsigs/spot_index.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <optional>
#include <utility>

#include "spotsigs/spot_posting.hpp"

namespace nd::spotsigs {
namespace {

constexpr uint64_t kLargestShare = 8;  // a fraction of the budget: one page must not empty the index
// What a document is charged without its signatures: its record and its two entries.
constexpr uint64_t kDocumentBytes = 64;
constexpr uint64_t kSignatureBytes = sizeof(PackedSpot) + 16;  // in its document's vector, and in its list
// Sequence numbers looked at one by one; beyond it, the next document is searched for in the whole table.
constexpr uint64_t kSequenceWalk = 1024;
// The same before each insertion, which uses one.
constexpr size_t kPassedAtOnce = 4;

constexpr uint64_t bytes_of(uint64_t documents, uint64_t postings) noexcept {
  return documents * kDocumentBytes + postings * kSignatureBytes;
}

}  // namespace

bool SpotIndex::keeps(uint64_t hash) const noexcept {
  return !dropped_.contains(hash) && (least_frequency_ == 0 || frequency(hash) >= least_frequency_);
}

Overlap SpotIndex::similarity(PackedSpots a, PackedSpots b) const noexcept {
  Overlap both{0, 0};
  for (size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    // The end is a hash that no signature has.
    const Spot own = i < a.size() ? spot_of(a[i]) : Spot{UINT64_MAX, 0};
    const Spot other = k < b.size() ? spot_of(b[k]) : Spot{UINT64_MAX, 0};
    const uint64_t hash = std::min(own.hash, other.hash);
    const uint32_t own_count = own.hash == hash ? own.count : 0;
    const uint32_t other_count = other.hash == hash ? other.count : 0;
    i += own.hash == hash;
    k += other.hash == hash;
    if (!keeps(hash)) continue;
    both.shared += std::min(own_count, other_count);
    both.united += std::max(own_count, other_count);
  }
  return both;
}

void SpotIndex::post(uint64_t id, PackedSpots spots) noexcept {
  assert(posted_.sequence == 0);
  if (!may_insert(id, spots)) return;
  try {
    posted_.spots.assign(spots.begin(), spots.end());
    posted_.left.clear();
    posted_.left.reserve(spots.size());
    posted_.frequent.clear();
    posted_.frequent.reserve(spots.size());
  } catch (const std::bad_alloc&) {
    return;
  }
  posted_.id = id;
  posted_.sequence = last_sequence_ + 1;
  posted_.posting = make_posting(posted_.sequence, length(spots));
  prefetch_for_change(spots);
  for (const PackedSpot packed : spots) {
    const uint64_t hash = spot_of(packed).hash;
    const std::optional<size_t> document_count = postings_.add_concurrently(hash, posted_.posting);
    if (!document_count) {
      posted_.left.push_back(packed);
    } else if (*document_count == parameters_.frequent_documents) {
      posted_.frequent.push_back(hash);
    }
  }
}

void SpotIndex::unpost() noexcept {
  if (posted_.sequence == 0) return;
  remove_postings(posted_.spots, posted_.posting);
  posted_.sequence = 0;
}

// If true, the next sequence number is free.
bool SpotIndex::may_insert(uint64_t id, PackedSpots spots) noexcept {
  // In a damaged store the counter may lag behind the documents.
  while (last_sequence_ < kGreatestSequence && documents_.find(last_sequence_ + 1))
    ++last_sequence_;
  return !spots.empty() && !contains(id) && !too_large(spots) && last_sequence_ != kGreatestSequence;
}

SpotIndex::Inserted SpotIndex::insert(uint64_t id, PackedSpots spots, const SharedSpots* shared) {
  if (!is_posted(id)) unpost();
  if (!may_insert(id, spots)) {
    ++counts_.refused;
    return {false, 0};
  }
  pass_absent();
  uint64_t oldest = oldest_sequence_;
  Vector<uint64_t> going;
  try {
    // Signatures that were already posted are counted in content_bytes().
    going = prepare_eviction(bytes_of(1, is_posted(id) ? posted_.left.size() : spots.size()), oldest);
    add_document(last_sequence_ + 1,
                 shared == nullptr ? SpotDocument{id, SharedSpots(spots)} : SpotDocument{id, *shared, true});
  } catch (...) {
    unpost();
    throw;
  }
  ++last_sequence_;
  ++inserted_since_epoch_;
  for (const uint64_t sequence : going)
    remove_document(sequence);
  oldest_sequence_ = oldest;
  counts_.evicted += going.size();
  return {true, going.size()};
}

// All or nothing.
void SpotIndex::add_document(uint64_t sequence, SpotDocument document) {
  const auto [id, spots] = documents_.insert(sequence, std::move(document)).view();
  const uint64_t posting = make_posting(sequence, length(spots));
  probe_count_ += spots.size();
  try {
    sequences_.put(id, sequence);
    add_postings(is_posted(id) ? PackedSpots(posted_.left) : spots, posting);
    if (is_posted(id)) {
      for (const uint64_t hash : posted_.frequent)
        frequent_.put(hash, 1);
    }
  } catch (...) {
    remove_postings(spots, posting);
    if (contains(id)) sequences_.erase(id);
    documents_.erase(sequence);
    throw;
  }
  posted_.sequence = 0;
}

void SpotIndex::add_postings(PackedSpots spots, uint64_t posting) {
  for (const PackedSpot packed : spots) {
    const uint64_t hash = spot_of(packed).hash;
    if (postings_.add(hash, posting) == parameters_.frequent_documents) frequent_.put(hash, 1);
  }
}

// The postings just added are in memory, so removing them needs none.
void SpotIndex::remove_postings(PackedSpots spots, uint64_t posting) noexcept {
  for (const PackedSpot packed : spots)
    postings_.remove(spot_of(packed).hash, posting);
}

void SpotIndex::prepare_removal(uint64_t id) {
  const uint64_t sequence = sequences_.find(id);
  if (sequence == 0) return;
  sequences_.put(id, sequence);
  prepare(sequence);
}

bool SpotIndex::remove(uint64_t id) noexcept {
  const uint64_t sequence = sequences_.find(id);
  if (sequence == 0) return false;
  remove_document(sequence);
  sequences_.erase(id);  // if the document could not be read
  return true;
}

// Removing entries from the memory layer does not allocate.
void SpotIndex::prepare(uint64_t sequence) {
  const SpotDocument* document = documents_.change(sequence);
  if (document == nullptr) return;
  if (sequences_.find(document->id) == sequence) sequences_.put(document->id, sequence);
  for (const PackedSpot packed : document->spots.spots()) {
    const uint64_t hash = spot_of(packed).hash;
    postings_.prepare_change(hash);
    if (2 * frequency(hash) >= parameters_.frequent_documents && frequent_.find(hash) != 0)
      frequent_.put(hash, 1);
  }
}

void SpotIndex::remove_document(uint64_t sequence) noexcept {
  const std::optional<SpotDocument::View> document = documents_.find(sequence);
  if (!document) return;
  const uint64_t posting = make_posting(sequence, length(document->spots));
  probe_count_ += document->spots.size();
  for (const PackedSpot packed : document->spots) {
    const uint64_t hash = spot_of(packed).hash;
    if (!postings_.remove(hash, posting)) continue;
    const uint64_t left = frequency(hash);
    // Only when it falls below half of the limit, so that a signature whose frequency hovers around the limit
    // is not added and removed again and again.
    if (2 * left < parameters_.frequent_documents && 2 * (left + 1) >= parameters_.frequent_documents)
      frequent_.erase(hash);
  }
  if (sequences_.find(document->id) == sequence) sequences_.erase(document->id);
  documents_.erase(sequence);
}

bool SpotIndex::too_large(PackedSpots spots) const noexcept {
  return parameters_.bytes != 0 && bytes_of(1, spots.size()) > parameters_.bytes / kLargestShare;
}

// Skips numbers that no document has any more, faster than they can accumulate before an eviction looks for
// one.
void SpotIndex::pass_absent() noexcept {
  for (size_t i = 0; i < kPassedAtOnce && oldest_sequence_ <= last_sequence_; ++i, ++oldest_sequence_) {
    ++probe_count_;
    if (documents_.find(oldest_sequence_)) return;
  }
}

// The least sequence number of a document that is at least `from`; kGreatestSequence + 1 if there is none.
uint64_t SpotIndex::first_document(uint64_t from) {
  for (uint64_t sequence = from; sequence < from + kSequenceWalk; ++sequence) {
    ++probe_count_;
    if (sequence > last_sequence_) return kGreatestSequence + 1;
    if (documents_.find(sequence)) return sequence;
  }
  probe_count_ += documents_.size();
  uint64_t first = kGreatestSequence + 1;
  documents_.for_each(from + kSequenceWalk, [&](uint64_t sequence, const SpotDocument::View&) {
    first = std::min(first, sequence);
    return false;
  });
  return first;
}

// Finds the oldest documents whose eviction makes room for `added_bytes`: all documents below `oldest`.
Vector<uint64_t> SpotIndex::prepare_eviction(uint64_t added_bytes, uint64_t& oldest) {
  Vector<uint64_t> going;
  if (parameters_.bytes == 0) return going;
  uint64_t content = content_bytes() + added_bytes;
  while (content > parameters_.bytes) {
    const uint64_t sequence = first_document(oldest);
    if (sequence > last_sequence_) break;
    oldest = sequence + 1;
    prepare(sequence);
    const std::optional<SpotDocument::View> document = documents_.find(sequence);
    if (!document) continue;
    going.push_back(sequence);
    content -= std::min(content, bytes_of(1, document->spots.size()));
  }
  return going;
}

bool SpotIndex::epoch_due() const noexcept {
  return inserted_since_epoch_ >= std::max(parameters_.epoch_documents, counts_.epoch_documents);
}

void SpotIndex::start_epoch() {
  const FrequencyRange range = frequency_range(parameters_.band, documents_.size());
  Vector<uint64_t> dropped;
  frequent_.for_each_unordered([&](uint64_t hash, uint64_t) {
    ++probe_count_;
    const uint64_t documents = frequency(hash);
    if (documents > range.greatest && documents >= parameters_.frequent_documents) dropped.push_back(hash);
  });
  std::ranges::sort(dropped);
  dropped_ = SignatureSet(std::move(dropped));
  ++counts_.epoch;
  counts_.epoch_documents = documents_.size();
  inserted_since_epoch_ = 0;
  decide_least_frequency();
}

// A signature of no document yet counts, unless the band leaves out signatures of a single document.
void SpotIndex::decide_least_frequency() noexcept {
  const uint64_t least = frequency_range(parameters_.band, counts_.epoch_documents).least;
  least_frequency_ = counts_.epoch == 0 || least <= 1 ? 0 : least;
}

uint64_t SpotIndex::memory_bytes() const noexcept {
  return documents_.memory_bytes() + sequences_.memory_bytes() + postings_.memory_bytes() +
         frequent_.memory_bytes() + dropped_.memory_bytes();
}

uint64_t SpotIndex::content_bytes() const noexcept {
  return bytes_of(documents_.size(), postings_.number_count());
}

SpotIndexCounts SpotIndex::counts() const noexcept {
  SpotIndexCounts counts = counts_;
  counts.documents = documents_.size();
  counts.signatures = postings_.size();
  counts.dropped = dropped_.size();
  return counts;
}

SpotIndexState SpotIndex::state() const {
  SpotIndexState state;
  state.last_sequence = last_sequence_;
  state.oldest_sequence = oldest_sequence_;
  state.posting_count = postings_.number_count();
  state.inserted_since_epoch = inserted_since_epoch_;
  state.epoch = counts_.epoch;
  state.epoch_documents = counts_.epoch_documents;
  state.evicted = counts_.evicted;
  state.refused = counts_.refused;
  state.dropped.assign(dropped_.hashes().begin(), dropped_.hashes().end());
  return state;
}

void SpotIndex::restore(const SpotIndexState& state) {
  dropped_ = SignatureSet(state.dropped);
  last_sequence_ = state.last_sequence;
  oldest_sequence_ = state.oldest_sequence;
  postings_.restore_counts(0, state.posting_count);
  inserted_since_epoch_ = state.inserted_since_epoch;
  counts_.epoch = state.epoch;
  counts_.epoch_documents = state.epoch_documents;
  counts_.evicted = state.evicted;
  counts_.refused = state.refused;
  decide_least_frequency();
}

}  // namespace nd::spotsigs
