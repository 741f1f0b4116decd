// A layered table from 64-bit keys to records.
#pragma once

#include <cstdint>
#include <optional>

#include "store/layered_table.hpp"

namespace nd::store {

// `Record` is what stands in memory and can be changed; `Record::View` what is read, of memory and of runs
// alike: cheap to copy, pointing into its layer. It offers
//   View view() const noexcept;
//   static std::optional<View> parse(Bytes) noexcept;  nothing if the bytes cannot be a record
//   static Record copy(const View&);
//   void write(Vector<uint8_t>& out) const;            appends what parse() reads
//   uint64_t memory_bytes() const noexcept;            beside sizeof(Record)
// Records do not move while they are in memory, and memory_bytes() of a record is asked when it comes, goes,
// and after change() by changed().
template <typename Record>
class LayeredRecords final : public LayeredTable {
 public:
  using View = typename Record::View;

  explicit LayeredRecords(uint64_t secret) noexcept;

  // Valid until the record changes, or until install().
  std::optional<View> find(uint64_t key) const noexcept;
  // The record in the memory's layer, copied there if it stood below; null if absent. Throws std::bad_alloc;
  // the table has the same content then as before.
  Record* change(uint64_t key);
  // After the record that change() or insert() gave has taken or given back memory.
  void changed(uint64_t bytes_before, uint64_t bytes_after) noexcept;
  // A key that is absent. Throws std::bad_alloc and has changed nothing.
  Record& insert(uint64_t key, Record record);
  // Does not allocate after reserve_more(1), nor where no layer below the memory's has the key.
  void erase(uint64_t key) noexcept;
  // Room for `count` insertions' keys and erasures. Throws std::bad_alloc.
  void reserve_more(size_t count);

  // visit(key, view) of all live keys from `from` on, ascending; false stops.
  template <typename Visitor>
  void for_each(uint64_t from, Visitor&& visit) const;
};

}  // namespace nd::store
