// The numbers of the state, eight bytes each, checked when they are read: a snapshot may be damaged.
#include "spotsigs/spot_index_state.hpp"

#include <utility>

#include "core/byte_stream.hpp"
#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {
namespace {

constexpr size_t kCounts = 8;
constexpr size_t kWord = sizeof(uint64_t);

}  // namespace

void SpotIndexState::write(Vector<uint8_t>& out) const {
  ByteWriter writer(out);
  for (const uint64_t word : {last_sequence, oldest_sequence, posting_count, inserted_since_epoch, epoch,
                              epoch_documents, evicted, refused})
    writer.number(word);
  writer.raw(dropped.data(), dropped.size() * kWord);
}

Result<SpotIndexState> SpotIndexState::parse(store::Bytes bytes) {
  if (bytes.size() < kCounts * kWord || bytes.size() % kWord != 0)
    return error(Status::kCorrupt, "the state of the spot index is of an impossible size");
  SpotIndexState state;
  ByteReader in(bytes);
  for (uint64_t* count :
       {&state.last_sequence, &state.oldest_sequence, &state.posting_count, &state.inserted_since_epoch,
        &state.epoch, &state.epoch_documents, &state.evicted, &state.refused})
    *count = in.number<uint64_t>();
  if (state.last_sequence > kGreatestSequence || state.oldest_sequence == 0 ||
      state.oldest_sequence > state.last_sequence + 1)
    return error(Status::kCorrupt, "the state of the spot index has impossible sequence numbers");
  state.dropped.reserve(bytes.size() / kWord - kCounts);
  while (!in.at_end()) {
    const auto hash = in.number<uint64_t>();
    if (hash >> kSpotHashBits != 0 || (!state.dropped.empty() && state.dropped.back() >= hash))
      return error(Status::kCorrupt, "the state of the spot index has impossible signatures");
    state.dropped.push_back(hash);
  }
  return state;
}

}  // namespace nd::spotsigs
