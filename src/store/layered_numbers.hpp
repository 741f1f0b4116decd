// A layered table from 64-bit keys to numbers.
#pragma once

#include <cstdint>

#include "core/number_map.hpp"
#include "store/layered_table.hpp"

namespace nd::store {

class LayeredNumbers final : public LayeredTable {
 public:
  static constexpr uint64_t kGreatestNumber = (uint64_t{1} << 56) - 1;

  // `secret`: see NumberMap.
  explicit LayeredNumbers(uint64_t secret) noexcept;

  // 0 if absent.
  uint64_t find(uint64_t key) const noexcept;
  // `number`: 1..kGreatestNumber. Throws std::bad_alloc and has changed nothing.
  void put(uint64_t key, uint64_t number);
  // Does not allocate after reserve_more(1), nor where no layer below the memory's has the key.
  void erase(uint64_t key) noexcept;
  // Room for `count` puts and erasures that do not allocate. Throws std::bad_alloc.
  void reserve_more(size_t count);

  // visit(key, number) of all live keys, ascending; false stops. Cost: a merge of all layers.
  template <typename Visitor>
  void for_each(Visitor&& visit) const;
};

}  // namespace nd::store
