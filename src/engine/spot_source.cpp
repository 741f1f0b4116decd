#include "engine/spot_source.hpp"

#include <algorithm>
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

spotsigs::SpotVector spots_of(const Features& features, Vector<spotsigs::Spot>& buffer) {
  buffer.clear();
  for (PackedSpot entry : features.spots())
    buffer.push_back(spot_of(entry));
  return buffer;
}

}  // namespace

SpotSource::SpotSource(uint64_t secret, const SpotSourceParameters& parameters) noexcept
    : index_(secret, index_parameters_of(parameters)) {}

void SpotSource::put(uint64_t id, const Features& representative) noexcept {
  const auto group = static_cast<uint32_t>(id);
  index_.remove(group);
  if (representative.spots().empty()) return;
  try {
    const spotsigs::SpotIndex::Inserted inserted = index_.insert(group, spots_of(representative, spots_));
    // Evicted, the group itself may be among them; refused, it is none of them.
    dropped_count_ += inserted.indexed ? inserted.evicted : std::max(inserted.evicted, 1U);
    if (index_.epoch_due()) index_.start_epoch();
  } catch (const std::bad_alloc&) {
    dropped_count_ += index_.contains(group) ? 0 : 1;
  }
}

std::span<const spotsigs::SpotMatch> SpotSource::find(const Features& page, SpotSearch& search,
                                                      bool& limited) const {
  if (page.spots().empty()) return {};
  const spotsigs::SpotMatches found = index_.probe(spots_of(page, search.spots), search.probe);
  limited = limited || found.limited;
  return found.matches;
}

}  // namespace nd::engine
