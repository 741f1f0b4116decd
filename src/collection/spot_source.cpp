// Posts representatives and the signatures that members add, and asks the index for groups like a page.
#include "collection/spot_source.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace nd::engine {
namespace {

// A match by fewer signatures is worth less than one key that no other group has (CandidateSearch), but costs
// a document of the index all the same.
constexpr uint64_t kLeastAddedSignatures = 8;

// Calls `take` with the signatures of which `spots` has more than `known`; both ascend.
template <typename Take>
void for_each_beyond(spotsigs::PackedSpots spots, spotsigs::PackedSpots known, Take&& take) {
  auto at = known.begin();
  for (const PackedSpot packed : spots) {
    spotsigs::Spot spot = spotsigs::spot_of(packed);
    while (at != known.end() && spotsigs::spot_of(*at).hash < spot.hash)
      ++at;
    if (at != known.end() && spotsigs::spot_of(*at).hash == spot.hash)
      spot.count -= std::min(spot.count, spotsigs::spot_of(*at).count);
    if (spot.count != 0) take(spot);
  }
}

// Returns nothing if there are too few.
Vector<PackedSpot> spots_beyond(spotsigs::PackedSpots spots, spotsigs::PackedSpots known) {
  uint64_t mass = 0;
  size_t count = 0;
  for_each_beyond(spots, known, [&](const spotsigs::Spot& spot) {
    mass += spot.count;
    ++count;
  });
  Vector<PackedSpot> beyond;
  if (mass < kLeastAddedSignatures) return beyond;
  beyond.reserve(count);
  for_each_beyond(spots, known,
                  [&](const spotsigs::Spot& spot) { beyond.push_back(spotsigs::make_packed_spot(spot)); });
  return beyond;
}

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

void SpotSource::post_member(uint64_t page_id, const Features& member,
                             spotsigs::PackedSpots representative) noexcept {
  try {
    posted_spots_ = spots_beyond(member.spots(), representative);
  } catch (const std::bad_alloc&) {
    return;
  }
  posted_member_ = page_id;
  index_.post(page_id | SpotOwner::kMember, posted_spots_);
}

bool SpotSource::put_posted_member(uint64_t page_id) noexcept {
  if (posted_member_ == 0 || posted_member_ != page_id) return false;
  posted_member_ = 0;
  put_document(page_id | SpotOwner::kMember, posted_spots_);
  return true;
}

void SpotSource::put_member(uint64_t page_id, const Features& member,
                            spotsigs::PackedSpots representative) noexcept {
  Vector<PackedSpot> added;
  try {
    added = spots_beyond(member.spots(), representative);
  } catch (const std::bad_alloc&) {
    ++dropped_count_;
  }
  put_document(page_id | SpotOwner::kMember, added);
}

// Replaces the previous document; adds none if there are no signatures.
void SpotSource::put_document(uint64_t document_id, spotsigs::PackedSpots spots,
                              const spotsigs::SharedSpots* shared) noexcept {
  bool is_indexed = false;
  try {
    index_.prepare_removal(document_id);
    index_.remove(document_id);
    if (spots.empty()) return;
    const spotsigs::SpotIndex::Inserted inserted = index_.insert(document_id, spots, shared);
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
  const uint64_t dropped_count = dropped_count_;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&dropped_count);
  out.insert(out.end(), bytes, bytes + sizeof dropped_count);
  index_.state().write(out);
}

Result<void> SpotSource::restore(store::Bytes state) {
  uint64_t dropped_count = 0;
  if (state.size() < sizeof dropped_count)
    return error(Status::kCorrupt, "the state of the spot index is of an impossible size");
  const Result<spotsigs::SpotIndexState> index =
      spotsigs::SpotIndexState::parse(state.subspan(sizeof dropped_count));
  if (!index) return index.failure();
  index_.restore(*index);
  std::memcpy(&dropped_count, state.data(), sizeof dropped_count);
  dropped_count_ = dropped_count;
  return {};
}

}  // namespace nd::engine
