// Decides of a record whether it is a page that the command wants, and names the reason if not.
#include "archives/archive_page.hpp"

#include <algorithm>
#include <optional>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/warc_date.hpp"

namespace ndc {
namespace {

bool is_http_response(const WarcRecord& record) {
  const std::string type = declared_type(record.content_type);
  // Without a type, the scheme decides; name lookups ("dns:") are recorded as responses as well.
  return type == "application/http" || (type.empty() && starts_with_ignoring_case(record.target_uri, "http"));
}

PageOutcome leave_out(LeftOut reason, ArchivePage& page) {
  page.left_out = reason;
  return PageOutcome::kLeftOut;
}

PageOutcome take_wanted(const PageRules& rules, ArchivePage& page) {
  const std::string type = media_type(page.content_type, page.body);
  return rules.wanted.includes(type) ? PageOutcome::kPage : leave_out(category_of(type), page);
}

PageOutcome take_response(const WarcRecord& record, const PageRules& rules, ArchivePage& page,
                          std::string& reason, uint64_t decodable_bytes) {
  std::string_view message = record.block;
  const HttpHeader header = parse_http_header(message);
  const int status = record.is_revisit && record.own_status != 0 ? record.own_status : header.status;
  if (!is_successful(status) && (!rules.all_statuses || trimmed(message).empty()))
    return PageOutcome::kOtherStatus;
  page.content_type = header.fields.join("Content-Type");
  page.body = {};
  // Most of an archive's bytes are images and scripts, which need no decoding.
  if (is_settled(page.content_type)) {
    const PageOutcome outcome = take_wanted(rules, page);
    if (outcome != PageOutcome::kPage) return outcome;
  }
  if (!header.ended && parse_decimal(header.fields.find("Content-Length")) != 0) {
    reason = "the HTTP header has no end";
    return PageOutcome::kDamaged;
  }
  uint64_t left = decodable_bytes;
  const std::optional<HttpPayload> payload =
      decode_payload(header, message, rules.max_page_bytes, left, page.storage, reason);
  page.decoded_bytes = decodable_bytes - left;
  if (!payload) return PageOutcome::kDamaged;
  if (payload->too_costly) return leave_out(LeftOut::kCostlyCodings, page);
  page.body = payload->bytes;
  page.truncated = page.truncated || payload->cut;
  return take_wanted(rules, page);
}

bool has_payload_only(const WarcRecord& record) {
  return equals_ignoring_case(record.type, "resource") || equals_ignoring_case(record.type, "conversion");
}

}  // namespace

bool may_be_page(const WarcRecord& record) {
  return equals_ignoring_case(record.type, "response") || has_payload_only(record);
}

PageOutcome page_from_record(const WarcRecord& record, const PageRules& rules, ArchivePage& page,
                             std::string& reason, uint64_t decodable_bytes) {
  page.decoded_bytes = 0;
  if (record.type.empty()) {
    reason = "the record has no WARC-Type";
    return PageOutcome::kDamaged;
  }
  if (equals_ignoring_case(record.type, "revisit")) {
    if (record.own_status != 0 && !is_successful(record.own_status)) return PageOutcome::kOtherStatus;
    return leave_out(record.too_costly ? LeftOut::kCostlyRevisit : LeftOut::kLostRevisit, page);
  }
  if (record.type == kNotFollowedType) return leave_out(LeftOut::kNotFollowed, page);
  if (!may_be_page(record)) return PageOutcome::kNoPage;
  const bool response = !has_payload_only(record);
  if (record.target_uri.empty()) {
    reason = "the record has no WARC-Target-URI";
    return PageOutcome::kDamaged;
  }
  if (response && !is_http_response(record)) return PageOutcome::kNoPage;
  if (is_archive_note(record.target_uri)) return leave_out(LeftOut::kArchiveNotes, page);

  page.url = record.target_uri;
  // 0 stands for an unknown time; nothing on the web is older.
  page.fetched_at_ms = std::max<int64_t>(parse_warc_date(record.date).value_or(0), 0);
  page.truncated = record.truncated || record.block_cut;
  if (response) return take_response(record, rules, page, reason, decodable_bytes);
  page.content_type = record.content_type;
  page.body = std::string_view(record.block).substr(0, rules.max_page_bytes);
  page.truncated = page.truncated || page.body.size() < record.block.size();
  return take_wanted(rules, page);
}

}  // namespace ndc
