// The incremental MWO index finds the earlier pages that overlap with a given one (MWO section 3.1). With the
// safe filter it finds what brute force finds, as long as no limit is hit; docs/mwo.md has the bounds and
// their proof.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/memory.hpp"
#include "index/aged_records.hpp"
#include "index/inverted_lists.hpp"
#include "mwo/overlap_filters.hpp"
#include "mwo/share_vector.hpp"

namespace nd::mwo {

struct MwoMatch {
  uint64_t id;
  uint32_t overlap;  // MWO in units of kShareUnit
  friend bool operator==(const MwoMatch&, const MwoMatch&) = default;
};

struct MwoWork {
  uint64_t looked_up = 0;   // terms of the page, and slots examined for those of its prefix
  uint64_t postings = 0;    // looked at
  uint64_t candidates = 0;  // documents that share a term of both prefixes (the set C)
  uint64_t verified = 0;    // of them, those that pass the positional filter (the set M)
  uint64_t steps = 0;       // terms read by the verifications, of both pages
  uint64_t sum() const noexcept { return looked_up + postings + candidates + steps; }
};

struct MwoMatches {
  std::span<const MwoMatch> matches;
  bool limited = false;  // `postings` or `steps` was reached: documents that reach t may be missing
  bool more = false;     // more than `matches` of the verified documents reach t: these are the best
  MwoWork work;
};

// Keeps its largest size. Threads: one search at a time.
class MwoScratch {
 public:
  uint64_t memory_bytes() const noexcept {
    return placed_.capacity() * sizeof(PlacedTerm) + hits_.capacity() * sizeof(Hit) +
           candidates_.capacity() * sizeof(Candidate) + found_.capacity() * sizeof(Found) +
           matches_.capacity() * sizeof(MwoMatch);
  }

 private:
  friend class MwoIndex;

  // A term in the prefixes of both pages.
  struct Hit {
    uint32_t document;
    uint32_t shared;  // the smaller share
    uint32_t behind;  // what the pages can share in the terms behind it
    bool fits;        // by the positional filter as published
  };
  struct Candidate {
    uint32_t document;
    uint32_t shared;  // so far
  };
  struct Found {
    MwoMatch match;
    uint32_t document;
  };

  Vector<PlacedTerm> placed_;
  Vector<Hit> hits_;
  Vector<Candidate> candidates_;
  Vector<Found> found_;
  Vector<MwoMatch> matches_;
};

struct MwoParameters {
  uint32_t threshold = 500;  // t in thousandths, 0..1000; .5 as in the paper's experiments
  Filter filter = Filter::kSafe;
  uint64_t epoch_documents = 4096;  // insertions before the first epoch is due
  uint64_t bytes = 0;               // budget of content_bytes(); 0: none
  uint64_t postings = 1 << 16;      // that a search looks at, at most; 0: no limit
  // Terms of both pages that the verifications of a search may read; the last pair may exceed it. 0: no
  // limit.
  uint64_t steps = 1 << 21;
  uint32_t matches = 64;  // that a search returns, at most; 0: no limit
};

struct MwoCounts {
  uint64_t documents = 0;
  uint64_t postings = 0;
  uint64_t evicted = 0;          // documents, by the budget, since the beginning
  uint64_t refused = 0;          // insertions that indexed nothing
  uint64_t epoch = 0;            // 0: none yet, the order is by hash alone
  uint64_t epoch_documents = 0;  // when it began
};

// Answers depend only on the parameters and the calls, never on the secret.
//
// Threads: any number of searches, each with a scratch of its own, or one writer.
class MwoIndex {
 public:
  // `secret`: any number that the authors of pages do not know.
  MwoIndex(uint64_t secret, const MwoParameters& parameters) noexcept
      : MwoIndex(secret, parameters, TermOrder(secret)) {}
  // For a repository that is known before: its order is there from the first insertion on.
  MwoIndex(uint64_t secret, const MwoParameters& parameters, TermOrder order) noexcept
      : secret_(secret),
        parameters_(parameters),
        order_(std::move(order)),
        records_(secret),
        lists_(secret) {}

  struct Inserted {
    bool indexed;
    uint64_t evicted;  // documents removed to make room, the oldest first
  };
  // Refuses, with `indexed` false, a page without terms, an id in use, a page that would take more than an
  // eighth of the budget, and more than 2^32 - 2 insertions in all. Throws std::bad_alloc and has changed
  // nothing. Cost: O(|terms| log |terms|).
  Inserted insert(uint64_t id, ShareVector terms);
  // False if the id is unknown. Cost: a look-up for each term, and a move of the later postings of its list.
  bool remove(uint64_t id) noexcept;
  bool contains(uint64_t id) const noexcept { return records_.number_of(id) != 0; }

  // The documents with MWO >= t, best first, older first among equals. The spans are valid until the next use
  // of the scratch. Throws std::bad_alloc.
  MwoMatches find(ShareVector terms, MwoScratch& scratch) const;

  // Whether as many documents have been inserted since the last epoch as it began with.
  bool epoch_due() const noexcept;
  // Orders the terms again, by the current document frequencies, and rebuilds all lists, taking twice the
  // memory meanwhile. Throws std::bad_alloc and has changed nothing. Cost: an insertion for each document.
  void start_epoch();
  // See detectors/method_families.hpp.
  void put_off_epoch() noexcept { inserted_since_epoch_ /= 2; }

  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept;
  // What the budget counts: the same price for each document, each of its terms and each list.
  uint64_t content_bytes() const noexcept;
  MwoCounts counts() const noexcept;
  // Since the index was created: terms that changes and epochs have counted, posted and removed, and the
  // slots examined and postings moved for that.
  uint64_t probe_count() const noexcept { return probe_count_ + lists_.probe_count(); }

 private:
  class Search;

  struct Record {
    Vector<Term> terms;
    uint32_t behind_prefix = 0;  // the shares of the terms that are in no list
    uint64_t memory_bytes() const noexcept { return terms.capacity() * sizeof(Term); }
  };
  struct Posting {
    uint32_t document;
    uint32_t place;  // of the term in the document, from 1
    uint32_t share;
    uint32_t behind;  // the shares of the terms behind it
  };
  using Lists = InvertedLists<Posting>;

  size_t prefix(std::span<const PlacedTerm> terms) const noexcept;
  uint32_t post(uint32_t document, ShareVector terms, const TermOrder& order, Lists& lists);
  void remove_document(uint32_t number) noexcept;

  uint64_t secret_;
  MwoParameters parameters_;
  TermOrder order_;  // of the epoch
  AgedRecords<Record> records_;
  Lists lists_;  // of the terms in prefixes
  uint64_t term_count_ = 0;
  uint64_t inserted_since_epoch_ = 0;
  MwoCounts counts_;
  uint64_t probe_count_ = 0;   // without the lists' own count
  Vector<PlacedTerm> placed_;  // of the document that is being posted
};

}  // namespace nd::mwo
