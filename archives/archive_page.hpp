// From a WARC record to the page in it, or to the reason why it has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "archives/input_list.hpp"
#include "archives/media_type.hpp"
#include "archives/record_reader.hpp"

namespace ndc {

struct ArchivePage {
  std::string url;
  std::string content_type;
  int64_t fetched_at_ms = 0;  // since 1970-01-01 UTC; 0: not known
  bool truncated = false;     // a part of the body is missing
  std::string_view body;      // in the record or in `storage`
  std::string storage;
  uint64_t decoded_bytes = 0;          // what all codings of the payload gave, also if no page came of it
  LeftOut left_out = LeftOut::kOther;  // with kLeftOut
};

struct PageRules {
  size_t max_page_bytes = size_t{64} << 20;  // the body's bytes beyond are left out
  bool all_statuses = false;  // HTTP responses with any status, or none, are pages too if they have a body
  WantedTypes wanted;
  InputLimits limits;
};

enum class PageOutcome {
  kPage,
  kNoPage,       // a record of another type (request, warcinfo, a name lookup, ...)
  kLeftOut,      // a style sheet, an image, a note of the archiving tool, ...
  kOtherStatus,  // an HTTP response other than 2xx, or one that has no content
  kDamaged,
};

// Whether page_from_record() can find a page in it, by the record's own header.
bool may_be_page(const WarcRecord& record);

// Pages are `response` records with an HTTP response, `resource` records and `conversion` records whose media
// type is wanted. `decodable_bytes`: what the codings of the payload may give.
// `page.body` lives as long as `record` and `page` are left alone. For kDamaged, `reason` says why.
PageOutcome page_from_record(const WarcRecord& record, const PageRules& rules, ArchivePage& page,
                             std::string& reason,
                             uint64_t decodable_bytes = std::numeric_limits<uint64_t>::max());

}  // namespace ndc
