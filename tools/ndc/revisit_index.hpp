// Where the pages are that `revisit` records refer to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record_reader.hpp"

namespace ndc {

// Where a record begins.
struct ArchivePlace {
  size_t input = 0;  // index of its file
  InputPosition position;
};

// Memory: about 150 bytes per record that is noted.
class RevisitIndex {
 public:
  // Notes a record that a revisit may refer to. Beyond `limit` records none is noted.
  void note(const WarcRecord& record, size_t input, size_t limit);

  // Where the record is that `revisit` names by its id, by its URL and date, or by its payload's digest, in
  // this order. Different records may look alike: is_meant() tells.
  std::optional<ArchivePlace> find(const WarcRecord& revisit) const;

  // Whether `record` is what `revisit` refers to.
  static bool is_meant(const WarcRecord& revisit, const WarcRecord& record);

 private:
  std::vector<ArchivePlace> places_;
  std::unordered_map<uint64_t, uint32_t> by_key_;
};

}  // namespace ndc
