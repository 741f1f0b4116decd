#include "spotsigs/spot_index_state.hpp"

#include <algorithm>
#include <functional>

#include "spotsigs/spot_vector.hpp"

namespace nd::spotsigs {

void SpotIndexState::write(ByteWriter& out) const {
  out.number(last_sequence).number(oldest_sequence).number(posting_count).number(inserted_since_epoch);
  out.number(epoch).number(epoch_documents).number(evicted).number(refused).numbers(dropped);
}

Result<SpotIndexState> SpotIndexState::read(ByteReader& in) {
  SpotIndexState state;
  for (uint64_t* count :
       {&state.last_sequence, &state.oldest_sequence, &state.posting_count, &state.inserted_since_epoch,
        &state.epoch, &state.epoch_documents, &state.evicted, &state.refused})
    *count = in.number<uint64_t>();
  state.dropped = in.numbers();
  if (!in.ok()) return error(Status::kCorrupt, "the state of the spot index ends too early");
  if (state.last_sequence > kGreatestSequence || state.oldest_sequence == 0 ||
      state.oldest_sequence > state.last_sequence + 1)
    return error(Status::kCorrupt, "the state of the spot index has impossible sequence numbers");
  const bool ascends =
      std::ranges::adjacent_find(state.dropped, std::greater_equal<>()) == state.dropped.end();
  if (!ascends || (!state.dropped.empty() && state.dropped.back() >> kSpotHashBits != 0))
    return error(Status::kCorrupt, "the state of the spot index has impossible signatures");
  return state;
}

}  // namespace nd::spotsigs
