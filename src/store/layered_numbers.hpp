// A layered table from 64-bit keys to numbers: the simplest one, for what needs no record of its own, such as
// URL to page.
#pragma once

#include <cstdint>

#include "core/hash_map.hpp"
#include "store/layered_table.hpp"

namespace nd::store {

// The value of an entry in a run is the number's little-endian bytes without leading zeros; bytes that are
// not such a number read as absent.
class LayeredNumbers final : public TableOfLayers<HashMap<uint64_t>> {
 public:
  static constexpr uint64_t kGreatestNumber = (uint64_t{1} << 56) - 1;

  // `secret`: see HashMap.
  explicit LayeredNumbers(uint64_t secret) noexcept : TableOfLayers(secret) {}

  // 0 if absent.
  uint64_t find(uint64_t key) const noexcept;
  // `number`: 1..kGreatestNumber. Throws std::bad_alloc and has changed nothing. Does not allocate after
  // reserve_more(1).
  void put(uint64_t key, uint64_t number);
  // Does nothing if the key is absent. Does not allocate after reserve_more(1), nor if no layer below the
  // memory layer has the key, nor if the memory layer has it.
  void erase(uint64_t key) noexcept;
  // Makes room for `count` puts and erasures that do not allocate. Throws std::bad_alloc.
  void reserve_more(size_t count) { active_.reserve_more(count); }

  // visit(key, number) of all live keys, ascending; false stops. Cost: a merge of all layers. Throws
  // std::bad_alloc before the first visit.
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    LayerMerge merge(ascending_keys(active_, 0), ascending_keys(frozen_, 0), runs_, 0);
    while (merge.next()) {
      const uint64_t number = number_at(merge);
      if (number != 0 && !visit(merge.key(), number)) return;
    }
  }

  // visit(key, number) of all live keys, in an order that must not influence any answer; this spares the
  // sorting of a table in memory. Throws std::bad_alloc before the first visit.
  template <typename Visitor>
  void for_each_unordered(Visitor&& visit) const {
    if (runs_.empty() && !has_frozen_) {
      active_.for_each([&](uint64_t key, uint64_t number) {
        if (live(number) != 0) visit(key, number);
      });
      return;
    }
    for_each([&](uint64_t key, uint64_t number) {
      visit(key, number);
      return true;
    });
  }

  Result<void> write_frozen(RunSink& sink) const override;

 private:
  static constexpr uint64_t kErased = UINT64_MAX;
  static uint64_t live(uint64_t number) noexcept { return number == kErased ? 0 : number; }
  uint64_t find_below(uint64_t key) const noexcept;
  uint64_t number_at(const LayerMerge& merge) const noexcept;
};

}  // namespace nd::store
