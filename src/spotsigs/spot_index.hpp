// The incremental SpotSigs index: which documents so far are similar to this one. Exact as long as no limit
// is hit; docs/spotsigs.md has the bounds and their proof.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "spotsigs/document_frequencies.hpp"
#include "spotsigs/posting_lists.hpp"
#include "spotsigs/spot_entry.hpp"
#include "spotsigs/spot_probe_scratch.hpp"
#include "spotsigs/spot_store.hpp"
#include "spotsigs/spot_table.hpp"

namespace nd::spotsigs {

struct SpotIndexParameters {
  uint32_t tau = 440;  // thousandths, 1..1000
  // Signatures outside it count for nothing from the first epoch on. Above, it is open: in a crawl most pages
  // have few copies, and N^(1 - .85) is the number of copies below which the paper's band would lose them.
  IdfBand band{200, 1000};
  uint64_t epoch_documents = 4096;  // insertions before the first epoch is due
  uint64_t bytes = 0;               // budget of budget_bytes(); 0: none
  uint64_t postings = 1 << 14;      // a probe touches at most; 0: no limit
  uint32_t candidates = 64;         // a probe returns at most; 0: no limit
  // Signatures that the similarities of a probe read, of both documents; a probe whose similarities have read
  // as many computes no other, so it reads at most one pair of documents more. 0: no limit.
  uint64_t steps = 1 << 21;
};

struct SpotIndexCounts {
  uint64_t documents = 0;
  uint64_t signatures = 0;       // distinct
  uint64_t evicted = 0;          // documents, by the budget, since the beginning
  uint64_t refused = 0;          // insertions that indexed nothing
  uint64_t epoch = 0;            // 0: none yet, every signature counts
  uint64_t epoch_documents = 0;  // when it began
  uint64_t dropped = 0;          // signatures that the epoch leaves out
};

// Answers are a function of the parameters and of the calls, slots included: where `postings` or `steps` cut,
// documents of one length are looked at by ascending slot. So who wants the same answers from the same pages
// must choose slots by the history of calls alone (no addresses, no clock, no random numbers), and who stores
// and loads must keep the slots, the order of age and the epochs.
//
// Threads: any number of probes, each with a scratch of its own, or one writer.
class SpotIndex {
 public:
  static constexpr uint32_t kGreatestSlot = SpotEntry::kGreatestNumber;

  // `secret`: any number that the authors of pages do not know; no answer depends on it.
  SpotIndex(uint64_t secret, const SpotIndexParameters& parameters) noexcept
      : parameters_(parameters), table_(secret) {}

  struct Inserted {
    bool indexed;
    uint32_t evicted;  // documents, the oldest first, that made room
  };
  // Refused, `indexed` false: an empty vector; a slot in use or above kGreatestSlot; 2^32 signatures or more;
  // a document that would take more than an eighth of the budget. Throws std::bad_alloc and has changed
  // no document. Cost: O(|spots|) table look-ups, each with the move of one block of a list, and a step of
  // the epoch that runs.
  Inserted insert(uint32_t slot, SpotVector spots);

  // False if the slot was free.
  bool remove(uint32_t slot) noexcept;
  bool contains(uint32_t slot) const noexcept { return store_.contains(slot); }

  // The documents with sim >= tau over the signatures that the epoch keeps, best first, older first among
  // equals. The spans live in the scratch until its next use. Throws std::bad_alloc.
  SpotMatches probe(SpotVector spots, SpotProbeScratch& scratch) const;

  // Whether as many documents were inserted since the last epoch as it began with, and its pass is over.
  bool epoch_due() const noexcept;
  // Begins a pass over the signatures, which the insertions that follow carry on: those outside the band, by
  // N of now and df when the pass comes to them, count for nothing until the next pass does, later ones
  // count. A pass that still runs is ended first, in one go. Throws std::bad_alloc before anything has
  // changed. Cost: a pass over the documents' heads; over the table too if the band leaves out what is in one
  // document.
  void start_epoch();
  // Carries the pass on until about so many lists and postings are done; one list is done in one go. Throws
  // std::bad_alloc between two lists. False if none runs any more.
  bool advance_epoch(uint64_t work);

  uint64_t memory_bytes() const noexcept;  // exact; depends on the secret
  // What the budget counts: memory_bytes() with the table at its emptiest. The same for every secret, and
  // never below memory_bytes(), which is therefore within the budget after each insertion; during one it may
  // be exceeded by the document that comes.
  uint64_t budget_bytes() const noexcept;
  SpotIndexCounts counts() const noexcept;

 private:
  class Probe;

  uint64_t frequency(SpotEntry entry) const noexcept;
  template <typename Visitor>
  void visit_postings(SpotEntry entry, Posting from, Visitor&& visit) const;
  bool dropped(SpotEntry entry) const noexcept;
  Posting posting_in(uint32_t number, const StoredDocument& document, uint32_t slot) const noexcept;
  void add_posting(uint64_t hash, const StoredDocument& document, uint32_t slot);
  void remove_posting(uint64_t hash, const StoredDocument& document, uint32_t slot) noexcept;
  void remove_postings(const StoredDocument& document, uint32_t slot, uint32_t count) noexcept;
  bool too_large(SpotVector spots) const noexcept;
  uint32_t evict() noexcept;
  bool epoch_running() const noexcept { return sorted_end_ != UINT32_MAX; }
  void drop_single_signatures() noexcept;
  uint64_t decide_list(uint32_t number) noexcept;
  uint64_t sort_list(uint32_t number);
  void note_slack(const StoredDocument& document) noexcept;
  void change_length(StoredDocument& document, uint64_t hash, bool drops) noexcept;
  uint64_t greatest_slack(uint32_t least, uint32_t greatest) const noexcept;
  uint64_t hash_of_list(uint32_t number, uint64_t& searched) const noexcept;

  SpotIndexParameters parameters_;
  SpotTable table_;  // values are SpotEntry
  SpotStore store_;
  PostingLists lists_;
  uint64_t inserted_since_epoch_ = 0;
  SpotIndexCounts counts_;

  // The running epoch: docs/spotsigs.md.
  FrequencyRange range_{0, UINT64_MAX};
  uint32_t decided_end_ = 0;          // lists below it are decided
  uint32_t sorted_end_ = UINT32_MAX;  // lists below it are sorted by the length, the others by sorted_length
  bool single_dropped_ = false;       // the last epoch left out what was in one document
  bool changed_ = false;              // a length differs from sorted_length
  uint32_t slack_[33] = {};           // by the bit width of a length: the most that sorted_length differs
  Vector<Posting> buffer_;            // of the list that is sorted
};

template <typename Visitor>
void SpotIndex::visit_postings(SpotEntry entry, Posting from, Visitor&& visit) const {
  if (entry.is_none()) return;
  if (entry.is_list()) return lists_[entry.number()].visit_from(from, visit);
  const Posting only = posting(store_.at(entry.number()).length, entry.number());
  if (only >= from) visit(only);
}

}  // namespace nd::spotsigs
