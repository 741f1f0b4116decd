// The numbers of the state, eight bytes each, checked when they are read: a snapshot may be damaged.
#include "spotsigs/spot_index_state.hpp"

#include <cstring>
#include <utility>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

constexpr size_t kCounts = 8;
constexpr size_t kWord = sizeof(uint64_t);

void append(uint64_t word, Vector<uint8_t>& out) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&word);
  out.insert(out.end(), bytes, bytes + kWord);
}

uint64_t word_at(store::Bytes bytes, size_t number) noexcept {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + number * kWord, kWord);
  return word;
}

}  // namespace

void SpotIndexState::write(Vector<uint8_t>& out) const {
  for (const uint64_t word : {last_sequence, oldest_sequence, posting_count, inserted_since_epoch, epoch,
                              epoch_documents, evicted, refused})
    append(word, out);
  for (const uint64_t hash : dropped)
    append(hash, out);
}

Result<SpotIndexState> SpotIndexState::parse(store::Bytes bytes) {
  if (bytes.size() < kCounts * kWord || bytes.size() % kWord != 0)
    return error(Status::kCorrupt, "the state of the spot index is of an impossible size");
  SpotIndexState state;
  size_t at = 0;
  for (uint64_t* count :
       {&state.last_sequence, &state.oldest_sequence, &state.posting_count, &state.inserted_since_epoch,
        &state.epoch, &state.epoch_documents, &state.evicted, &state.refused})
    *count = word_at(bytes, at++);
  if (state.last_sequence > kGreatestSequence || state.oldest_sequence == 0 ||
      state.oldest_sequence > state.last_sequence + 1)
    return error(Status::kCorrupt, "the state of the spot index has impossible sequence numbers");
  state.dropped.reserve(bytes.size() / kWord - kCounts);
  for (; at < bytes.size() / kWord; ++at) {
    const uint64_t hash = word_at(bytes, at);
    if (hash >> kSpotHashBits != 0 || (!state.dropped.empty() && state.dropped.back() >= hash))
      return error(Status::kCorrupt, "the state of the spot index has impossible signatures");
    state.dropped.push_back(hash);
  }
  return state;
}

}  // namespace nd::spotsigs
