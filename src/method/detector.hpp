// One interface for all methods but the LCS partition: finds the earlier documents that are similar to a
// given one, and scores the similarity of two.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "method/description.hpp"
#include "method/method.hpp"
#include "method/mwo_settings.hpp"
#include "spotsigs/idf_band.hpp"

namespace nd::detectors {

// The lower end is that of SpotSigs, "Summary - Gold Set". The upper end, .75 in the slides, is open here:
// their band is meant for whole collections, copies included. Among representatives most signatures occur in
// one page only, and .75 would drop those that distinguish pages.
inline constexpr spotsigs::IdfBand kIMatchSBand{spotsigs::kWebBand.low, 1000};

struct DetectorSettings {
  Method method = Method::kSimhash64;  // not kLcs
  uint32_t threshold = 0;              // in the method's unit; 0: its default
  uint64_t bytes = 0;                  // budget of content_bytes(); 0: none
  uint32_t matches = 64;               // that a search returns, at most; 0: no limit
  // That a search looks at, at most; what comparisons read has a limit of its own. 0: neither limit.
  uint64_t postings = 1 << 16;
  // For spotsigs, i-match and i-match-s.
  spotsigs::IdfBand spot_band = spotsigs::kOpenBand;
  spotsigs::IdfBand i_match_band = spotsigs::kWebBand;
  spotsigs::IdfBand i_match_s_band = kIMatchSBand;
  // k and l of lsh-s (SpotSigs, "Summary - Gold Set").
  uint32_t lsh_rows = 6;
  uint32_t lsh_bands = 32;
  MwoSettings mwo{};
};

struct MethodMatch {
  uint64_t id;
  double score;
};

struct MethodMatches {
  std::span<const MethodMatch> matches;  // best first, the smaller id first among equals
  bool limited = false;                  // a limit was reached: some may be missing
  // Keys looked up, slots of tables looked at, postings and hashes read, and what comparisons read, eight
  // bytes at a time.
  uint64_t work = 0;
};

// The working memory of a search. Threads: one search at a time.
class DetectorScratch {
 public:
  virtual ~DetectorScratch() = default;
  virtual uint64_t memory_bytes() const noexcept = 0;
};

// All descriptions have passed check_description() of the method. Answers depend only on the settings and the
// calls, never on the secret, unless a search of simhash is limited. Threads: any number of readers, or one
// writer.
class Detector {
 public:
  virtual ~Detector() = default;

  // Precondition: the id is not in use. Returns how many documents are left out for lack of room: those
  // evicted, the oldest first, and this one if it does not fit. An empty description is left out and not
  // counted. Begins an epoch if one is due, which reads every document. Throws std::bad_alloc and has changed
  // nothing.
  virtual uint64_t insert(uint64_t id, Description description) = 0;
  // Loads into memory what remove() of the id will change. Throws std::bad_alloc.
  virtual void prepare_removal(uint64_t id) { static_cast<void>(id); }
  // False if the id is unknown. Does not allocate after prepare_removal() of the id.
  virtual bool remove(uint64_t id) noexcept = 0;

  // The documents that decide() accepts, with their scores; valid until the next use of the scratch. By
  // design lsh-s and minhash miss some. Throws std::bad_alloc.
  // `scratch`: of make_detector_scratch().
  virtual MethodMatches candidates(Description description, DetectorScratch& scratch) const = 0;
  // 0..1, by the current epoch; 0 if either is empty. Throws std::bad_alloc. Cost: O(|a| + |b|).
  virtual double score(Description a, Description b) const = 0;
  bool decide(double score) const noexcept { return score > 0 && score >= least_score_; }

  // Since the object was created: keys that insertions, removals and epochs have looked up, and what they
  // have read or moved for them.
  virtual uint64_t probe_count() const noexcept = 0;
  virtual uint64_t document_count() const noexcept = 0;
  // Exact, without what the allocator adds.
  virtual uint64_t memory_bytes() const noexcept = 0;
  // What the budget counts.
  virtual uint64_t content_bytes() const noexcept = 0;

 protected:
  explicit Detector(const DetectorSettings& settings) noexcept;
  uint32_t threshold() const noexcept { return threshold_; }  // never 0

 private:
  uint32_t threshold_;
  double least_score_;
};

// `secret`: any number that the authors of pages do not know. Throws std::bad_alloc. The threshold has passed
// check_threshold(). Null for kLcs.
Owned<Detector> make_detector(const DetectorSettings& settings, uint64_t secret);
// Null for kLcs.
Owned<DetectorScratch> make_detector_scratch(Method method, uint64_t secret);

}  // namespace nd::detectors
