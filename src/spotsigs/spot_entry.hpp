// What the spot index knows of a signature, in 32 bits.
#pragma once

#include <cstdint>

namespace nd::spotsigs {

// Its only document, and whether the epoch leaves it out ("dropped"); or the number of the list of its
// documents; or neither, for a signature that is in no document.
class SpotEntry {
 public:
  static constexpr uint32_t kGreatestNumber = (1U << 30) - 3;

  explicit SpotEntry(uint32_t bits) noexcept : bits_(bits) {}
  static SpotEntry document(uint32_t slot) noexcept { return SpotEntry(slot); }
  static SpotEntry list(uint32_t number) noexcept { return SpotEntry(kList | number); }
  static SpotEntry none() noexcept { return SpotEntry(kList | kNoNumber); }
  SpotEntry with_dropped(bool dropped) const noexcept {
    return SpotEntry(dropped ? bits_ | kDropped : bits_ & ~kDropped);
  }

  bool is_none() const noexcept { return bits_ == (kList | kNoNumber); }
  bool is_list() const noexcept { return (bits_ & kList) != 0 && !is_none(); }
  bool dropped() const noexcept { return (bits_ & kDropped) != 0; }
  uint32_t number() const noexcept { return bits_ & kNumber; }  // of the document or the list
  uint32_t bits() const noexcept { return bits_; }              // never UINT32_MAX

 private:
  static constexpr uint32_t kList = 1U << 31;
  static constexpr uint32_t kDropped = 1U << 30;
  static constexpr uint32_t kNumber = kDropped - 1;
  static constexpr uint32_t kNoNumber = kGreatestNumber + 1;
  uint32_t bits_;
};

}  // namespace nd::spotsigs
