#include "spotsigs/spot_store.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace nd::spotsigs {
namespace {

bool needs_wide(SpotVector spots) noexcept {
  return std::any_of(spots.begin(), spots.end(), [](const Spot& spot) { return spot.count > UINT8_MAX; });
}

uint64_t bytes_of(uint64_t distinct, bool wide) noexcept {
  return distinct * (sizeof(uint64_t) + (wide ? sizeof(uint32_t) : sizeof(uint8_t)));
}

}  // namespace

uint32_t StoredDocument::count_of(uint64_t hash) const noexcept {
  const uint64_t* end = hashes_ + distinct_;
  const uint64_t* found = std::lower_bound(static_cast<const uint64_t*>(hashes_), end, hash);
  return found == end || *found != hash ? 0 : count(static_cast<uint32_t>(found - hashes_));
}

template <typename Count>
StoredDocument::Shared StoredDocument::shared_with(SpotVector other, uint64_t lacking,
                                                   const Count* counts) const noexcept {
  Shared out;
  size_t i = 0;
  size_t k = 0;
  while (i < other.size() && k < distinct_) {
    const uint64_t a = other[i].hash;
    const uint64_t b = hashes_[k];
    if (a <= b) {
      const uint32_t both = a == b ? std::min<uint32_t>(other[i].count, counts[k]) : 0;
      const uint32_t lacks = other[i].count - both;
      out.mass += both;
      ++i;
      if (lacks > lacking) break;
      lacking -= lacks;
    }
    k += b <= a;
  }
  out.steps = i + k;
  return out;
}

StoredDocument::Shared StoredDocument::shared(SpotVector other, uint64_t lacking) const noexcept {
  return wide_ ? shared_with(other, lacking, wide_counts()) : shared_with(other, lacking, narrow_counts());
}

SpotStore::~SpotStore() {
  for (uint32_t number = 0; number < documents_.size(); ++number) {
    if (documents_[number] == nullptr) continue;
    for (uint32_t i = 0; i < kPage; ++i)
      release_bytes(documents_[number][i].hashes_);
    release_page(number);
  }
}

bool SpotStore::contains(uint32_t slot) const noexcept {
  const uint32_t number = slot / kPage;
  return number < documents_.size() && documents_[number] != nullptr && at(slot).hashes_ != nullptr;
}

uint64_t SpotStore::vector_bytes(SpotVector spots) noexcept {
  return bytes_of(spots.size(), needs_wide(spots));
}

uint64_t SpotStore::memory_bytes() const noexcept {
  return documents_.capacity() * sizeof(StoredDocument*) + used_.capacity() * sizeof(uint32_t) +
         pages_ * kPage * sizeof(StoredDocument) + vector_bytes_;
}

StoredDocument& SpotStore::add(uint32_t slot, SpotVector spots) {
  const uint32_t number = slot / kPage;
  if (number >= documents_.size()) {
    used_.resize(number + size_t{1});
    documents_.resize(number + size_t{1});
  }
  const bool wide = needs_wide(spots);
  auto* hashes = static_cast<uint64_t*>(allocate_bytes(bytes_of(spots.size(), wide)));
  if (documents_[number] == nullptr) {
    try {
      documents_[number] = static_cast<StoredDocument*>(allocate_bytes(kPage * sizeof(StoredDocument)));
    } catch (...) {
      release_bytes(hashes);
      throw;
    }
    std::uninitialized_default_construct_n(documents_[number], kPage);
    ++pages_;
  }
  for (size_t i = 0; i < spots.size(); ++i) {
    hashes[i] = spots[i].hash;
    if (wide) {
      reinterpret_cast<uint32_t*>(hashes + spots.size())[i] = spots[i].count;
    } else {
      reinterpret_cast<uint8_t*>(hashes + spots.size())[i] = static_cast<uint8_t>(spots[i].count);
    }
  }
  StoredDocument& document = at(slot);
  document.hashes_ = hashes;
  document.distinct_ = static_cast<uint32_t>(spots.size());
  document.wide_ = wide;
  document.sequence = next_sequence_++;
  document.older_ = newest_;
  document.newer_ = kNone;
  (newest_ == kNone ? oldest_ : at(newest_).newer_) = slot;
  newest_ = slot;
  ++used_[number];
  ++size_;
  vector_bytes_ += bytes_of(spots.size(), wide);
  return document;
}

void SpotStore::remove(uint32_t slot) noexcept {
  StoredDocument& document = at(slot);
  (document.older_ == kNone ? oldest_ : at(document.older_).newer_) = document.newer_;
  (document.newer_ == kNone ? newest_ : at(document.newer_).older_) = document.older_;
  vector_bytes_ -= bytes_of(document.distinct_, document.wide_);
  release_bytes(document.hashes_);
  document = StoredDocument();
  --size_;
  const uint32_t number = slot / kPage;
  if (--used_[number] == 0) release_page(number);
}

void SpotStore::release_page(uint32_t number) noexcept {
  release_bytes(documents_[number]);
  documents_[number] = nullptr;
  --pages_;
}

}  // namespace nd::spotsigs
