// The errors of a grouping: by the kind of the pages, and pair by pair.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"
#include "scores.hpp"
#include "table.hpp"

namespace nd::eval {

// Of the scored pages of one kind. A pair counts for both of its pages.
struct KindErrors {
  std::string kind;
  uint64_t pages = 0;
  uint64_t pages_with_wrong = 0;
  uint64_t pages_with_missed = 0;
  uint64_t wrong = 0;
  uint64_t missed = 0;
};

// In the order of the kinds' names. `groups`: by page, as score_groups() has them.
std::vector<KindErrors> errors_by_kind(std::span<const Page> pages, std::span<const uint64_t> groups);

struct ErrorPairs {
  std::vector<PagePair> wrong, missed;  // the first ones, by page; `a` before `b`
};
// So many of each at most. Cost: the pages, and the pairs that are listed.
ErrorPairs error_pairs(std::span<const Page> pages, std::span<const uint64_t> groups, size_t limit);

// Table `detector_errors`, without a row.
Table empty_errors();

// The same, with a row for each detector and kind.
class DetectorErrors {
 public:
  void add(std::string_view detector, std::string_view decide, std::span<const Page> pages,
           std::span<const uint64_t> groups);
  const Table& table() const { return table_; }

 private:
  Table table_ = empty_errors();
};

// Table `default_errors`: the wrong and the missed pairs of the default engine, with what the LCS says of the
// two pages, by themselves. Errors: those of Collection::features().
Result<Table> default_errors(Collection& collection, std::span<const uint64_t> groups);

}  // namespace nd::eval
