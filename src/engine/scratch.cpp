#include "engine/scratch.hpp"

#include <utility>

namespace nd::engine {
namespace {

// More calls than this at once are rare; what they needed is freed.
constexpr size_t kKeptScratches = 64;

// One huge page must not swell a scratch for ever: beyond this it is not kept.
constexpr uint64_t kKeptBytes = 16 * 1024 * 1024;

}  // namespace

Result<Owned<Scratch>> Scratch::create(uint64_t secret, detectors::Method method) {
  Result<text::PageReader> reader = text::PageReader::create();
  if (!reader) return std::move(reader).failure();
  Result<FeatureBuilder> builder = FeatureBuilder::create(method);
  if (!builder) return std::move(builder).failure();
  return make_owned<Scratch>(*std::move(reader), text::Document{}, *std::move(builder), Verifier{secret},
                             CandidateSearch{}, Vector<uint8_t>{}, Vector<uint8_t>{}, SpotSearch{},
                             Vector<spotsigs::SpotMatch>{}, uint64_t{0}, detectors::DetectorScratch{},
                             Decision{});
}

ScratchLease::~ScratchLease() {
  if (scratch_ != nullptr) pool_->give_back(std::move(scratch_));
}

Result<ScratchLease> ScratchPool::lease() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Owned<Scratch> scratch = std::move(free_.back());
      free_.pop_back();
      return ScratchLease(*this, std::move(scratch));
    }
  }
  Result<Owned<Scratch>> created = Scratch::create(secret_, method_);
  if (!created) return std::move(created).failure();
  return ScratchLease(*this, *std::move(created));
}

uint64_t Scratch::memory_bytes() const noexcept {
  return sizeof *this + document.memory_bytes() + builder.memory_bytes() + search.memory_bytes() +
         spot_search.memory_bytes() + spot_matches.capacity() * sizeof(spotsigs::SpotMatch) +
         method_search.memory_bytes() + verifier.memory_bytes() + decision.memory_bytes() +
         4 * largest_body_bytes;
}

uint64_t ScratchPool::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  uint64_t sum = 0;
  for (const Owned<Scratch>& scratch : free_)
    sum += scratch->memory_bytes();
  return sum;
}

void ScratchPool::give_back(Owned<Scratch> scratch) noexcept {
  if (scratch->memory_bytes() > kKeptBytes) return;
  const std::lock_guard lock(mutex_);
  if (free_.size() >= kKeptScratches) return;
  try {
    free_.push_back(std::move(scratch));
  } catch (const std::bad_alloc&) {
    return;  // the next call builds its own
  }
}

}  // namespace nd::engine
