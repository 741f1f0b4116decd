// The working memory of one running call. An engine keeps a pool of them: one per running call, so that
// hundreds of crawler threads that call occasionally do not each hold one forever, as with thread_local.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "collection/candidate_search.hpp"
#include "collection/site_knowledge.hpp"
#include "collection/spot_source.hpp"
#include "core/result.hpp"
#include "core/work_tally.hpp"
#include "decision/decision.hpp"
#include "decision/verification.hpp"
#include "decision/work_budget.hpp"
#include "method/detector.hpp"
#include "page/feature_builder.hpp"
#include "page/packed_text.hpp"
#include "page/record_keys.hpp"
#include "text/document.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {

struct Scratch {
  text::PageReader reader;
  text::Document document;
  FeatureBuilder builder;
  Verifier verifier;
  CandidateSearch search;
  Vector<uint8_t> boilerplate_of_page;  // by block, a BoilerplateMark
  SpotSearch spot_search;

  // `secret`: for the tables of the verifier and of the searches. `method`: of the descriptions that features
  // receive.
  static Result<Owned<Scratch>> create(uint64_t secret, detectors::Method method = detectors::Method::kLcs);
  Owned<detectors::DetectorScratch> method_search;  // null with the LCS partition
  Decision decision;                                // empty between calls
  WorkTally work;                                   // of the running call
  WorkBudget budget;                                // of its comparisons
  PackingMemory packing;
  UnpackedTexts unpacked;  // texts that this page, or an earlier one, was compared with
  RecordKeys record_keys = {};
  CountedPair counted = {};                           // of the last comparison
  Contribution of_representative = {}, of_page = {};  // of the two pages to their sites

  // The memory of all buffers, from the decoder's to the comparison's. The parser and ICU count their own
  // memory.
  uint64_t memory_bytes() const noexcept;
  // Frees what grows with a page and with the pages that it is compared with; keeps what is expensive to
  // create. `secret`: the same as at creation.
  void shrink(uint64_t secret);
};

class ScratchPool;

// Returns its scratch when destroyed.
class ScratchLease {
 public:
  ScratchLease(ScratchPool& pool, Owned<Scratch> scratch) noexcept
      : pool_(&pool), scratch_(std::move(scratch)) {}
  ScratchLease(ScratchLease&&) noexcept = default;
  ScratchLease& operator=(ScratchLease&&) = delete;
  ~ScratchLease();
  Scratch* operator->() const noexcept { return scratch_.get(); }
  Scratch& operator*() const noexcept { return *scratch_; }

 private:
  ScratchPool* pool_;
  Owned<Scratch> scratch_;
};

// Threads: any.
class ScratchPool {
 public:
  // `limit_bytes`: what the idle scratches may hold in total; one may be kept in any case.
  ScratchPool(uint64_t secret, detectors::Method method, uint64_t limit_bytes = UINT64_MAX) noexcept
      : secret_(secret), method_(method), limit_bytes_(limit_bytes) {}
  Result<ScratchLease> lease();
  // Bytes of the idle scratches. Cost: none.
  uint64_t memory_bytes() const noexcept { return idle_bytes_.load(std::memory_order_relaxed); }

 private:
  friend class ScratchLease;
  // An idle scratch, and the memory it holds.
  struct Idle {
    Owned<Scratch> scratch;
    uint64_t bytes = 0;
  };
  void give_back(Owned<Scratch> scratch) noexcept;
  uint64_t swollen_bytes() const noexcept;

  const uint64_t secret_;
  const detectors::Method method_;
  const uint64_t limit_bytes_;
  std::mutex mutex_;
  Vector<Idle> free_;
  std::atomic<uint64_t> idle_bytes_{0};  // of free_; written under the lock
};

}  // namespace nd::engine
