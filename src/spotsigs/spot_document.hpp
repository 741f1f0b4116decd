// A document of the spot index, as a record of a layered table.
#pragma once

#include <cstdint>
#include <optional>

#include "core/memory.hpp"
#include "spotsigs/shared_spots.hpp"
#include "spotsigs/spot_vector.hpp"
#include "store/run.hpp"

namespace nd::spotsigs {

struct SpotDocument {
  struct View {
    uint64_t id;  // the caller's
    PackedSpots spots;
  };

  uint64_t id;
  SharedSpots spots;
  bool is_sharing = false;  // with another holder, who lives longer and counts their bytes

  View view() const noexcept { return {id, spots.spots()}; }
  // Id and signatures, eight bytes each; there is at least one. The signatures of a damaged file may be any.
  static std::optional<View> parse(store::Bytes bytes) noexcept {
    const bool is_aligned = reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint64_t) == 0;
    if (bytes.size() < 2 * sizeof(uint64_t) || bytes.size() % sizeof(uint64_t) != 0 || !is_aligned)
      return std::nullopt;
    const auto* words = reinterpret_cast<const uint64_t*>(bytes.data());
    return View{words[0], {words + 1, bytes.size() / sizeof(uint64_t) - 1}};
  }
  static SpotDocument copy(const View& view) { return {view.id, SharedSpots(view.spots)}; }
  void write(Vector<uint8_t>& out) const {
    const auto* id_bytes = reinterpret_cast<const uint8_t*>(&id);
    const PackedSpots packed = spots.spots();
    const auto* spot_bytes = reinterpret_cast<const uint8_t*>(packed.data());
    out.insert(out.end(), id_bytes, id_bytes + sizeof id);
    out.insert(out.end(), spot_bytes, spot_bytes + packed.size_bytes());
  }
  uint64_t memory_bytes() const noexcept { return is_sharing ? 0 : spots.memory_bytes(); }
};

}  // namespace nd::spotsigs
