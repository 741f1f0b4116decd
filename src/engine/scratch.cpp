// Lends scratches to calls and frees what one huge page has left behind in them.
#include "engine/scratch.hpp"

#include <algorithm>
#include <utility>

namespace nd::engine {
namespace {

// More simultaneous calls than this are rare; the scratches of further calls are freed.
constexpr size_t kKeptScratches = 64;

// One huge page must not enlarge a scratch for good: beyond this size it is shrunk.
constexpr uint64_t kKeptBytes = 16 * 1024 * 1024;

// Less is not worth shrinking, however small the pool's limit. Not tuned.
constexpr uint64_t kOrdinaryBytes = 2 * 1024 * 1024;

}  // namespace

Result<Owned<Scratch>> Scratch::create(uint64_t secret, detectors::Method method) {
  Result<text::PageReader> reader = text::PageReader::create();
  if (!reader) return std::move(reader).failure();
  Result<FeatureBuilder> builder = FeatureBuilder::create(method);
  if (!builder) return std::move(builder).failure();
  return make_owned<Scratch>(*std::move(reader), text::Document{}, *std::move(builder), Verifier{secret},
                             CandidateSearch(secret), Vector<uint8_t>{}, SpotSearch(secret),
                             detectors::make_detector_scratch(method, secret), Decision{}, WorkTally{},
                             WorkBudget{}, PackingMemory{}, UnpackedTexts{});
}

ScratchLease::~ScratchLease() {
  if (scratch_ != nullptr) pool_->give_back(std::move(scratch_));
}

Result<ScratchLease> ScratchPool::lease() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Owned<Scratch> scratch = std::move(free_.back().scratch);
      idle_bytes_.fetch_sub(free_.back().bytes, std::memory_order_relaxed);
      free_.pop_back();
      return ScratchLease(*this, std::move(scratch));
    }
  }
  Result<Owned<Scratch>> created = Scratch::create(secret_, method_);
  if (!created) return std::move(created).failure();
  return ScratchLease(*this, *std::move(created));
}

uint64_t Scratch::memory_bytes() const noexcept {
  return sizeof *this + reader.memory_bytes() + document.memory_bytes() + builder.memory_bytes() +
         record_keys.memory_bytes() + search.memory_bytes() + boilerplate_of_page.capacity() +
         counted.memory_bytes() + of_page.memory_bytes() + of_representative.memory_bytes() +
         spot_search.memory_bytes() + (method_search ? method_search->memory_bytes() : 0) +
         verifier.memory_bytes() + decision.memory_bytes() + packing.size + unpacked.memory_bytes();
}

void Scratch::shrink(uint64_t secret) {
  reader.release();
  builder.release();
  record_keys = {};
  static_cast<void>(
      std::exchange(document, text::Document{}));  // assigning would keep the memory of its strings
  verifier = Verifier{secret};
  search = CandidateSearch(secret);
  spot_search = SpotSearch(secret);
  Vector<uint8_t>().swap(boilerplate_of_page);
  counted = {};
  of_page = {};
  of_representative = {};
  if (method_search) method_search = detectors::make_detector_scratch(builder.method(), secret);
  decision = Decision{};
  packing = PackingMemory{};
  unpacked.clear();
}

uint64_t ScratchPool::swollen_bytes() const noexcept {
  return std::min(kKeptBytes, std::max(limit_bytes_, kOrdinaryBytes));
}

void ScratchPool::give_back(Owned<Scratch> scratch) noexcept {
  try {
    uint64_t bytes = scratch->memory_bytes();
    if (bytes > swollen_bytes()) {
      scratch->shrink(secret_);
      bytes = scratch->memory_bytes();
    }
    if (bytes > kKeptBytes) return;
    const std::lock_guard lock(mutex_);
    const bool has_room = idle_bytes_ < limit_bytes_ && bytes <= limit_bytes_ - idle_bytes_;
    if (free_.size() >= kKeptScratches || (!has_room && !free_.empty())) return;
    free_.push_back({std::move(scratch), bytes});
    idle_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  } catch (const std::bad_alloc&) {
    return;  // the next call builds its own
  }
}

}  // namespace nd::engine
