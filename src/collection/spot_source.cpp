// Keeps representatives in the index and asks it for groups like a page.
#include "collection/spot_source.hpp"

#include <new>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

spotsigs::SpotIndexParameters index_parameters_of(const SpotSourceParameters& parameters) noexcept {
  spotsigs::SpotIndexParameters out;
  out.tau = parameters.threshold;
  out.band = parameters.band;
  out.candidates = parameters.candidates;
  out.postings = parameters.postings;
  out.bytes = parameters.bytes;
  return out;
}

}  // namespace

SpotSource::SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept
    : index_(secret, index_parameters_of(parameters)) {}

void SpotSource::put(uint64_t group_id, const Features& representative) noexcept {
  put_document(group_id, representative.spots());
}

void SpotSource::put(uint64_t group_id, const spotsigs::SharedSpots& representative) noexcept {
  put_document(group_id, representative.spots(), &representative);
}

// Replaces the previous document; adds none if there are no signatures.
void SpotSource::put_document(uint64_t group_id, spotsigs::PackedSpots spots,
                              const spotsigs::SharedSpots* shared) noexcept {
  bool is_indexed = false;
  try {
    index_.prepare_removal(group_id);
    index_.remove(group_id);
    if (spots.empty()) return;
    const spotsigs::SpotIndex::Inserted inserted = index_.insert(group_id, spots, shared);
    is_indexed = inserted.indexed;
    dropped_count_ += inserted.evicted + (is_indexed ? 0 : 1);
    if (index_.epoch_due()) index_.start_epoch();
  } catch (const std::bad_alloc&) {
    dropped_count_ += is_indexed ? 0 : 1;  // an epoch that ran out of memory is still due
  }
}

std::span<const spotsigs::SpotMatch> SpotSource::find(const Features& page, SpotSearch& search, bool& limited,
                                                      uint64_t most_steps) const {
  if (page.spots().empty()) return {};
  const spotsigs::SpotMatches found = index_.probe(page.spots(), search, most_steps);
  limited = limited || found.limited;
  return found.matches;
}

void SpotSource::write_state(Vector<uint8_t>& out) const {
  ByteWriter(out).number<uint64_t>(dropped_count_);
  index_.state().write(out);
}

Result<void> SpotSource::restore(store::Bytes state) {
  ByteReader in(state);
  const auto dropped_count = in.number<uint64_t>();
  const Result<spotsigs::SpotIndexState> index = spotsigs::SpotIndexState::parse(in.rest());
  if (!index) return index.failure();
  index_.restore(*index);
  dropped_count_ = dropped_count;
  return {};
}

}  // namespace nd::engine
