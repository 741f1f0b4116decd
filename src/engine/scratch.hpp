// The working memory of one running call. An engine keeps a pool of them: one a call in flight, so that
// hundreds of crawler threads that call now and then do not each hold one for ever, as thread_local would.
#pragma once

#include <mutex>

#include "core/result.hpp"
#include "detectors/detector.hpp"
#include "engine/candidate_search.hpp"
#include "engine/decision.hpp"
#include "engine/feature_builder.hpp"
#include "engine/spot_source.hpp"
#include "engine/verification.hpp"
#include "text/document.hpp"
#include "text/page_reader.hpp"

namespace nd::engine {

struct Scratch {
  text::PageReader reader;
  text::Document document;
  FeatureBuilder builder;
  Verifier verifier;
  CandidateSearch search;
  Vector<uint8_t> frame_of_page;  // by block; see SiteTemplates::mark_frame
  Vector<uint8_t> frame_of_representative;
  SpotSearch spot_search;
  Vector<spotsigs::SpotMatch> spot_matches;  // that hold at this look

  // `secret`: for the tables of the verifier. `method`: of the descriptions that features get.
  static Result<Owned<Scratch>> create(uint64_t secret, detectors::Method method = detectors::Method::kLcs);
  uint64_t largest_body_bytes = 0;  // of the pages it has read
  detectors::DetectorScratch method_search;
  Decision decision;  // empty between calls

  // What the buffers of the document, of the search, of the spot signatures and of the comparison hold, and
  // what decoder and prefilter may hold at most: three bytes and one for each of the largest body. The
  // parser's and ICU's own memory is theirs to count.
  uint64_t memory_bytes() const noexcept;
};

class ScratchPool;

// Gives its scratch back when it goes.
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
  ScratchPool(uint64_t secret, detectors::Method method) noexcept : secret_(secret), method_(method) {}
  Result<ScratchLease> lease();
  // Of the scratches that wait for a call.
  uint64_t memory_bytes() const;

 private:
  friend class ScratchLease;
  void give_back(Owned<Scratch> scratch) noexcept;

  const uint64_t secret_;
  const detectors::Method method_;
  mutable std::mutex mutex_;
  Vector<Owned<Scratch>> free_;
};

}  // namespace nd::engine
