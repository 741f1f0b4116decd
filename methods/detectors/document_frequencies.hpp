// Document frequencies, for the methods of SpotSigs that leave out signatures by the IDF band.
#pragma once

#include <cstdint>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "spotsigs/idf_band.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

// A snapshot (N, df) of a collection, and the filter that follows from it. An unknown signature is kept: with
// df taken as 1, idf would be 1 and every band that ends below 1 would drop it, but signatures that are new
// since the snapshot distinguish new documents. In batch every signature is known, so the band is the
// paper's. Threads: immutable, any number of readers.
class Epoch {
 public:
  explicit Epoch(uint64_t secret) noexcept : frequencies_(secret) {}

  uint64_t documents() const noexcept { return documents_; }
  uint64_t frequency(uint64_t hash) const noexcept;  // 0 if unknown
  bool keeps(uint64_t hash) const noexcept;
  void filter(SpotVector spots, Vector<Spot>& out) const;  // replaces `out`

 private:
  friend class DocumentFrequencies;
  HashMap<uint32_t> frequencies_;
  uint64_t documents_ = 0;
  FrequencyRange range_{0, UINT64_MAX};
};

// Counted as documents are added and removed. Threads: as a standard container. Throws only std::bad_alloc,
// having changed nothing.
class DocumentFrequencies {
 public:
  explicit DocumentFrequencies(uint64_t secret) noexcept : secret_(secret), frequencies_(secret) {}

  void add(SpotVector spots);
  void remove(SpotVector spots) noexcept;  // a document that was added
  Epoch freeze(IdfBand band) const;

  uint64_t documents() const noexcept { return documents_; }
  uint64_t frequency(uint64_t hash) const noexcept;
  uint64_t signature_count() const noexcept { return frequencies_.size(); }
  uint64_t memory_bytes() const noexcept { return frequencies_.memory_bytes(); }

 private:
  void drop(SpotVector spots) noexcept;

  uint64_t secret_;
  HashMap<uint32_t> frequencies_;
  uint64_t documents_ = 0;
};

}  // namespace nd::spotsigs
