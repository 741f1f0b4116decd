#include "filter_plan.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <cstring>

#include "header_fields.hpp"
#include "http_message.hpp"

namespace ndc {

size_t PayloadHashHash::operator()(const PayloadHash& hash) const {
  size_t value = 0;
  std::memcpy(&value, hash.data(), sizeof value);
  return value;
}

PayloadHash payload_hash_of(const WarcRecord& record) {
  std::string_view payload = record.block;
  std::string reason;
  std::string dechunked;
  if (starts_with_ignoring_case(record.content_type, "application/http")) {
    const std::optional<HttpHeader> header = parse_http_header(payload, reason);
    if (header && equals_ignoring_case(trimmed(header->fields.join("Transfer-Encoding")), "chunked") &&
        decode_chunked(payload, dechunked) == Dechunking::kComplete)
      payload = dechunked;
  }
  PayloadHash hash{};
  SHA256(reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), hash.data());
  return hash;
}

bool FilterPlan::has_identical_payload(size_t index) const {
  const FilteredPage& page = pages_[index];
  const FilteredPage& kept = pages_[page.kept];
  return page.whole && kept.whole && page.payload_hash == kept.payload_hash;
}

void FilterPlan::decide(const std::vector<size_t>& kept, bool revisits) {
  for (size_t i = 0; i < pages_.size(); ++i)
    pages_[i].kept = kept[i];
  std::vector<size_t> staying;
  for (size_t i = 0; i < pages_.size(); ++i) {
    const FilteredPage& page = pages_[i];
    if (stays(i) || (revisits && has_identical_payload(i))) {
      staying.push_back(i);
    } else {
      if (!page.record_id.empty()) left_out_ids_.insert(page.record_id);
      if (!page.concurrent_to.empty()) named_by_left_out_.insert(page.concurrent_to);
    }
  }
  // One that belongs to a page that stays as well stays with it.
  for (const size_t i : staying) {
    left_out_ids_.erase(pages_[i].record_id);
    named_by_left_out_.erase(pages_[i].concurrent_to);
  }
}

bool FilterPlan::goes(std::string_view record_id, const std::vector<std::string>& belongs_to) const {
  if (named_by_left_out_.contains(std::string(record_id))) return true;
  return !belongs_to.empty() && std::all_of(belongs_to.begin(), belongs_to.end(), [&](const std::string& id) {
    return left_out_ids_.contains(id);
  });
}

}  // namespace ndc
