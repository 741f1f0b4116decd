// Where the pages are that `revisit` records refer to, since a revisit has no text of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archives/record_reader.hpp"

namespace ndc {

// Memory: about 200 bytes per record that is noted.
class RevisitIndex {
 public:
  // Notes a record that a revisit may refer to; the beginning of its block is enough. One without a payload
  // is not noted: nothing is no page that could be found again. Beyond `limit` records none is noted.
  void note(const WarcRecord& record, size_t input, size_t limit);

  // Notes that the URL of `revisit` has the text that find() gives.
  void note_found(const WarcRecord& revisit);

  // As if what `later` has noted had been noted after what stands here.
  void append(const RevisitIndex& later);

  // Where the record is that `revisit` names: by its id, or by its URL and date; else, by its payload's
  // digest, unless the server has only said that nothing is new, and never by the digest of nothing; and
  // where it has said so, the last text under the URL of the revisit. Different records may look alike:
  // is_meant() tells.
  std::optional<ArchivePlace> find(const WarcRecord& revisit) const;

  // Whether `record` may be what `revisit` refers to.
  static bool is_meant(const WarcRecord& revisit, const WarcRecord& record);

 private:
  std::optional<uint32_t> find_number(const WarcRecord& revisit) const;

  std::vector<ArchivePlace> places_;
  // By keyed hashes.
  std::unordered_map<uint64_t, uint32_t> by_key_;     // the first record of several
  std::unordered_map<uint64_t, uint32_t> last_text_;  // by URL
};

}  // namespace ndc
