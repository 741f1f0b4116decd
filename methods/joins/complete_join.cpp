// The complete join of records, by the LCS or by the descriptions of another method.
#include "engine/complete_join.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "collection/method_source.hpp"
#include "core/hash.hpp"
#include "decision/verification.hpp"
#include "engine/store_identity.hpp"
#include "joins/description_join.hpp"
#include "page/site_model.hpp"

namespace nd::engine {
namespace {

constexpr uint64_t kMostPages = UINT32_MAX - 1;

// Calls visit(key) for each candidate key, and for one key of the whole text, so that equal texts too short
// for any other key are still compared.
template <typename Visitor>
void each_key(const Features& features, Visitor&& visit) {
  for (const uint64_t key : features.keys())
    visit(key);
  visit(mix(features.digest().low));
}

class JoinOfMethod final : public CompleteJoin {
 public:
  JoinOfMethod(const Parameters& parameters, uint32_t threshold, uint64_t secret);

  Result<void> add(Features features) override;
  Result<void> find_earlier(uint64_t page, Vector<JoinMatch>& out) override;
  Result<void> find(const Features& features, Vector<JoinMatch>& out) override;
  uint64_t content_bytes() const noexcept override;

 private:
  struct Scratch {
    explicit Scratch(uint64_t secret) noexcept : verifier(secret) {}
    detectors::JoinScratch method;
    Verifier verifier;
    RecordCounts counts;
    Vector<uint32_t> candidates;  // pages, each once
    Vector<uint32_t> met;         // by page: the last search that met it
    uint32_t search = 0;          // number of the current search
  };
  // A key and one of its pages.
  struct KeyedPage {
    uint64_t key;
    uint32_t page;
  };
  class Lease;

  Result<void> check(const Features& features) const;
  void index_once();
  void keep_keys(const Features& features, uint32_t page);
  void search_lcs(const Features& features, uint32_t before, Scratch& scratch, Vector<JoinMatch>& out) const;

  const Parameters parameters_;
  const double least_score_;
  const uint64_t secret_;
  uint64_t page_count_ = 0;
  FeatureHeader first_{};  // for a method: of the first page; the others must match it
  Owned<detectors::DescriptionJoin> descriptions_;  // null: the method is the LCS
  Vector<Features> pages_;                          // of the LCS
  Vector<KeyedPage> keyed_;                         // for the LCS; once indexed, sorted by key, then page
  uint64_t feature_bytes_ = 0;
  std::mutex mutex_;
  std::atomic<bool> indexed_{false};
  Vector<Owned<Scratch>> free_;  // under the mutex
};

// A scratch for one search, returned when destroyed.
class JoinOfMethod::Lease {
 public:
  explicit Lease(JoinOfMethod& join) : join_(join) {
    {
      const std::lock_guard lock(join_.mutex_);
      if (!join_.free_.empty()) {
        scratch_ = std::move(join_.free_.back());
        join_.free_.pop_back();
      }
    }
    if (!scratch_) scratch_ = make_owned<Scratch>(join_.secret_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    const std::lock_guard lock(join_.mutex_);
    try {
      join_.free_.push_back(std::move(scratch_));
    } catch (const std::bad_alloc&) {  // the next search creates a new one
    }
  }
  Scratch& operator*() const noexcept { return *scratch_; }

 private:
  JoinOfMethod& join_;
  Owned<Scratch> scratch_;
};

JoinOfMethod::JoinOfMethod(const Parameters& parameters, uint32_t threshold, uint64_t secret)
    : parameters_(parameters),
      least_score_(static_cast<double>(threshold) / detectors::kJoinThresholdUnit),
      secret_(secret) {
  if (!parameters_.detector.is_lcs())
    descriptions_ = detectors::make_description_join(parameters_.detector.kind(), threshold, secret);
}

Result<void> JoinOfMethod::check(const Features& features) const {
  const detectors::Method method = parameters_.detector.kind();
  if (method == detectors::Method::kLcs) return {};
  if (features.method() == method) {
    if (page_count_ != 0 && !describes_alike(first_, features.header())) return described_otherwise();
    return {};
  }
  const std::string_view name = detectors::info_of(method).name;
  return error(Status::kInvalidArgument, "features that were not made for detector ", name,
               "; compute them with option detector=", name);
}

Result<void> JoinOfMethod::add(Features features) {
  if (Result<void> fitting = check(features); !fitting) return fitting;
  if (indexed_.load(std::memory_order_relaxed))
    return error(Status::kInvalidArgument, "a join that was searched takes no more pages");
  if (page_count_ == kMostPages) return error(Status::kLimit, "too many pages for one join");
  if (descriptions_) {
    descriptions_->add(features.description());
    if (page_count_ == 0) first_ = features.header();
  } else {
    const auto page = static_cast<uint32_t>(page_count_);
    const size_t keys_before = keyed_.size();
    try {
      keep_keys(features, page);
      const uint64_t bytes = features.memory_bytes();
      pages_.push_back(std::move(features));
      feature_bytes_ += bytes;
    } catch (...) {
      keyed_.resize(keys_before);
      throw;
    }
  }
  ++page_count_;
  return {};
}

void JoinOfMethod::keep_keys(const Features& features, uint32_t page) {
  if (!features.has_text()) return;
  each_key(features, [&](uint64_t key) { keyed_.push_back({key, page}); });
}

uint64_t JoinOfMethod::content_bytes() const noexcept {
  return descriptions_ ? descriptions_->content_bytes() : feature_bytes_ + keyed_.size() * sizeof(KeyedPage);
}

void JoinOfMethod::index_once() {
  if (indexed_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  if (indexed_.load(std::memory_order_relaxed)) return;
  if (descriptions_) {
    descriptions_->index();
  } else {
    std::sort(keyed_.begin(), keyed_.end(), [](const KeyedPage& a, const KeyedPage& b) {
      return a.key != b.key ? a.key < b.key : a.page < b.page;
    });
  }
  indexed_.store(true, std::memory_order_release);
}

Result<void> JoinOfMethod::find_earlier(uint64_t page, Vector<JoinMatch>& out) {
  if (page >= page_count_) return error(Status::kInvalidArgument, "no page of the join has this number");
  index_once();
  const Lease scratch(*this);
  const auto number = static_cast<uint32_t>(page);
  if (descriptions_) {
    descriptions_->find_earlier(number, (*scratch).method, out);
  } else {
    search_lcs(pages_[number], number, *scratch, out);
  }
  return {};
}

Result<void> JoinOfMethod::find(const Features& features, Vector<JoinMatch>& out) {
  if (Result<void> fitting = check(features); !fitting) return fitting;
  index_once();
  const Lease scratch(*this);
  const auto before = static_cast<uint32_t>(page_count_);
  if (descriptions_) {
    descriptions_->find(features.description(), before, (*scratch).method, out);
  } else {
    search_lcs(features, before, *scratch, out);
  }
  return {};
}

void JoinOfMethod::search_lcs(const Features& features, uint32_t before, Scratch& scratch,
                              Vector<JoinMatch>& out) const {
  out.clear();
  scratch.candidates.clear();
  if (!features.has_text()) return;
  if (scratch.met.size() < pages_.size() || scratch.search == UINT32_MAX) {
    scratch.met.assign(pages_.size(), 0);
    scratch.search = 0;
  }
  ++scratch.search;
  each_key(features, [&](uint64_t key) {
    auto at = std::lower_bound(keyed_.begin(), keyed_.end(), key,
                               [](const KeyedPage& keyed, uint64_t wanted) { return keyed.key < wanted; });
    for (; at != keyed_.end() && at->key == key && at->page < before; ++at) {
      if (std::exchange(scratch.met[at->page], scratch.search) != scratch.search)
        scratch.candidates.push_back(at->page);
    }
  });
  std::sort(scratch.candidates.begin(), scratch.candidates.end());
  scratch.verifier.set_page(features);
  for (const uint32_t candidate : scratch.candidates) {
    const Features& earlier = pages_[candidate];
    const PairCounts counts = scratch.counts.of(earlier, features);
    const Verification pair = scratch.verifier.verify_fully(earlier, counts, parameters_);
    if (pair.resemblance > 0 && pair.resemblance >= least_score_)
      out.push_back({candidate, pair.resemblance, pair.containment});
  }
}

}  // namespace

Result<Owned<CompleteJoin>> make_complete_join(const Parameters& parameters, uint32_t threshold) {
  if (threshold > detectors::kJoinThresholdUnit)
    return error(Status::kInvalidArgument, "the threshold of a join is 0..1000 thousandths");
  if (Result<void> possible = check_parameters(parameters); !possible) return std::move(possible).failure();
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  return Owned<CompleteJoin>(make_owned<JoinOfMethod>(parameters, threshold, *secret));
}

}  // namespace nd::engine
