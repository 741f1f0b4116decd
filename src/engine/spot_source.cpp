#include "engine/spot_source.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace nd::engine {
namespace {

spotsigs::SpotIndexParameters index_parameters_of(const SpotSourceParameters& parameters) noexcept {
  spotsigs::SpotIndexParameters out;
  out.tau = parameters.threshold;
  out.candidates = parameters.candidates;
  out.postings = parameters.postings;
  out.bytes = parameters.bytes;
  return out;
}

}  // namespace

SpotSource::SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept
    : index_(secret, index_parameters_of(parameters)) {}

void SpotSource::put(uint64_t group_id, const Features& representative) noexcept {
  bool is_indexed = false;
  try {
    index_.prepare_removal(group_id);
    index_.remove(group_id);
    if (representative.spots().empty()) return;
    const spotsigs::SpotIndex::Inserted inserted = index_.insert(group_id, representative.spots());
    is_indexed = inserted.indexed;
    dropped_count_ += inserted.evicted + (is_indexed ? 0 : 1);
    if (index_.epoch_due()) index_.start_epoch();
  } catch (const std::bad_alloc&) {
    dropped_count_ += is_indexed ? 0 : 1;  // an epoch that found no memory is still due
  }
}

std::span<const spotsigs::SpotMatch> SpotSource::find(const Features& page, SpotSearch& search,
                                                      bool& limited) const {
  if (page.spots().empty()) return {};
  const spotsigs::SpotMatches found = index_.probe(page.spots(), search);
  limited = limited || found.limited;
  return found.matches;
}

void SpotSource::write_state(Vector<uint8_t>& out) const {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&dropped_count_);
  out.insert(out.end(), bytes, bytes + sizeof dropped_count_);
  index_.state().write(out);
}

Result<void> SpotSource::restore(store::Bytes state) {
  if (state.size() < sizeof dropped_count_)
    return error(Status::kCorrupt, "the state of the spot index is of an impossible size");
  const Result<spotsigs::SpotIndexState> index =
      spotsigs::SpotIndexState::parse(state.subspan(sizeof dropped_count_));
  if (!index) return index.failure();
  index_.restore(*index);
  std::memcpy(&dropped_count_, state.data(), sizeof dropped_count_);
  return {};
}

}  // namespace nd::engine
