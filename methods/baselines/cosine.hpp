// Cosine of tf-idf vectors (Salton and Buckley, 1988), with weights frozen per epoch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "baselines/keyed_records.hpp"
#include "baselines/term_counts.hpp"

namespace nd::baselines {

struct CosineParameters {
  uint32_t threshold = 800;         // thousandths, 1..999
  uint64_t epoch_documents = 4096;  // insertions before the first epoch is due
};

// A coordinate of a vector of length one, in units of 2^-30, rounded down.
struct CosineTerm {
  uint32_t hash;
  uint32_t weight;
};

// 2^60: the product of two units.
inline constexpr uint64_t kCosineUnit = uint64_t{1} << 60;

// Sum of products, 0..kCosineUnit. It falls short of the cosine of the exact vectors by less than
// (sqrt(|a|) + sqrt(|b|) + 4) 2^-30. Integers, so that the order of summation does not matter and bounds are
// exact.
uint64_t dot_product(std::span<const CosineTerm> a, std::span<const CosineTerm> b) noexcept;

// Finds exactly the documents with dot_product() >= threshold. Before the first epoch all words weigh the
// same. Threads: as KeyedRecords.
class CosineIndex {
 public:
  CosineIndex(uint64_t secret, const CosineParameters& parameters, const Limits& limits) noexcept
      : secret_(secret), parameters_(parameters), epoch_(secret), records_(secret, limits) {}

  // (1 + ln tf) ln(1 + N / df), normalised to length 1. Words of no weight are left out.
  Vector<CosineTerm> weights(TermVector terms) const;
  // 0..1, by the weights of the current epoch.
  double score(TermVector a, TermVector b) const;

  // As KeyedRecords::insert(); a text without words is refused.
  bool insert(uint64_t id, TermVector terms);
  bool remove(uint64_t id) noexcept { return records_.remove(id); }
  Matches find(TermVector terms) const;

  bool epoch_due() const noexcept {
    return inserted_since_epoch_ >= std::max(parameters_.epoch_documents, epoch_.documents());
  }
  // Takes the current frequencies and weighs every document again. Throws std::bad_alloc and has changed
  // nothing.
  void start_epoch();
  // See detectors/method_families.hpp.
  void put_off_epoch() noexcept { inserted_since_epoch_ /= 2; }

  Counts counts() const noexcept { return records_.counts(); }
  uint64_t probe_count() const noexcept { return records_.probe_count(); }
  uint64_t memory_bytes() const noexcept { return records_.memory_bytes() + epoch_.memory_bytes(); }
  uint64_t content_bytes() const noexcept { return records_.content_bytes(); }

 private:
  struct Record {
    Vector<TermCount> terms;
    Vector<CosineTerm> weights;
    uint64_t memory_bytes() const noexcept {
      return terms.capacity() * sizeof(TermCount) + weights.capacity() * sizeof(CosineTerm);
    }
    uint64_t content_bytes() const noexcept {
      return terms.size() * (sizeof(TermCount) + sizeof(CosineTerm));
    }
    uint64_t compared_bytes() const noexcept { return weights.size() * sizeof(CosineTerm); }
  };
  static Vector<CosineTerm> weights_by(const EpochFrequencies& epoch, TermVector terms);
  Vector<uint64_t> prefix(const EpochFrequencies& epoch, std::span<const CosineTerm> weights) const;
  uint64_t least_product() const noexcept { return kCosineUnit / 1000 * parameters_.threshold; }

  uint64_t secret_;
  CosineParameters parameters_;
  EpochFrequencies epoch_;
  KeyedRecords<Record> records_;
  uint64_t inserted_since_epoch_ = 0;
};

}  // namespace nd::baselines
