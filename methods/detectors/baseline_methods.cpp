// The baselines (docs/baselines.md): each parses the description and searches its index.
#include <string_view>
#include <utility>

#include "baselines/cosine.hpp"
#include "baselines/exact_hash.hpp"
#include "baselines/i_match.hpp"
#include "baselines/shingles.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/method_families.hpp"

namespace nd::detectors {
namespace {

using baselines::TermCount;

struct ShingleTraits {
  using Index = baselines::ShingleIndex;
  static baselines::ShingleParameters parameters(const DetectorSettings&, uint32_t threshold) {
    return {.shingles = kShinglesLimit, .threshold = threshold};
  }
  static Vector<uint64_t> page(Description description) { return row_of<uint64_t>(description); }
  static double score(const Index&, std::span<const uint64_t> a, std::span<const uint64_t> b) {
    return baselines::set_overlap(a, b).jaccard();
  }
};

struct MinHashTraits {
  using Index = baselines::MinHashIndex;
  static baselines::MinHashParameters parameters(const DetectorSettings&, uint32_t threshold) {
    return {.threshold = threshold};
  }
  static Vector<uint64_t> page(Description description) { return row_of<uint64_t>(description); }
  static double score(const Index&, std::span<const uint64_t> a, std::span<const uint64_t> b) {
    return baselines::sketch_score(a, b);
  }
};

struct CosineTraits {
  using Index = baselines::CosineIndex;
  static baselines::CosineParameters parameters(const DetectorSettings&, uint32_t threshold) {
    return {threshold, kEpochDocuments};
  }
  static Vector<TermCount> page(Description description) { return row_of<TermCount>(description); }
  static double score(const Index& index, baselines::TermVector a, baselines::TermVector b) {
    return index.score(a, b);
  }
};

struct IMatchTraits {
  using Index = baselines::IMatchIndex;
  static baselines::IMatchParameters parameters(const DetectorSettings& settings, uint32_t) {
    return {settings.i_match_band.low, settings.i_match_band.high, kEpochDocuments};
  }
  static Vector<TermCount> page(Description description) { return row_of<TermCount>(description); }
  static double score(const Index& index, baselines::TermVector a, baselines::TermVector b) {
    return index.score(a, b);
  }
};

template <typename Traits>
class BaselineMethod final : public Detector {
 public:
  BaselineMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), index_(secret, Traits::parameters(settings, threshold()), limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    if (description.empty()) return 0;
    const uint64_t left_out = insert_counted(index_, id, Traits::page(description));
    if constexpr (requires { index_.epoch_due(); }) start_due_epoch(index_);
    return left_out;
  }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
    return take(index_.find(Traits::page(description)), scratch);
  }
  double score(Description a, Description b) const override {
    return a.empty() || b.empty() ? 0 : Traits::score(index_, Traits::page(a), Traits::page(b));
  }

  uint64_t probe_count() const noexcept override { return index_.probe_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  typename Traits::Index index_;
};

// Here the description is the hash of the text.
class ExactMethod final : public Detector {
 public:
  ExactMethod(const DetectorSettings& settings, uint64_t secret) noexcept
      : Detector(settings), index_(secret, limits_of(settings)) {}

  uint64_t insert(uint64_t id, Description description) override {
    return description.empty() ? 0 : insert_counted(index_, id, text_of(description));
  }
  bool remove(uint64_t id) noexcept override { return index_.remove(id); }

  MethodMatches candidates(Description description, DetectorScratch& memory) const override {
    MethodScratch& scratch = scratch_of(memory);
    scratch.matches.clear();
    if (description.empty()) return {};
    return take(index_.find(text_of(description)), scratch);
  }
  double score(Description a, Description b) const override {
    return a.empty() ? 0 : baselines::exact_score(text_of(a), text_of(b));
  }

  uint64_t probe_count() const noexcept override { return index_.probe_count(); }
  uint64_t document_count() const noexcept override { return index_.counts().documents; }
  uint64_t memory_bytes() const noexcept override { return index_.memory_bytes(); }
  uint64_t content_bytes() const noexcept override { return index_.content_bytes(); }

 private:
  static std::string_view text_of(Description description) noexcept {
    return {reinterpret_cast<const char*>(description.data()), description.size()};
  }

  baselines::ExactHashIndex index_;
};

}  // namespace

Owned<Detector> make_shingles(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<BaselineMethod<ShingleTraits>>(settings, secret);
}

Owned<Detector> make_min_hash(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<BaselineMethod<MinHashTraits>>(settings, secret);
}

Owned<Detector> make_cosine(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<BaselineMethod<CosineTraits>>(settings, secret);
}

Owned<Detector> make_i_match(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<BaselineMethod<IMatchTraits>>(settings, secret);
}

Owned<Detector> make_exact(const DetectorSettings& settings, uint64_t secret) {
  return make_owned<ExactMethod>(settings, secret);
}

}  // namespace nd::detectors
