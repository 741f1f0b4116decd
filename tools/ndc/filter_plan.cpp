// Tells which records belong to the pages that are left out; ids are what strangers wrote, and need not be of
// one record.
#include "filter_plan.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <tuple>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "keep_rule.hpp"

namespace ndc {
namespace {

std::string_view without_angle_brackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') return uri.substr(1, uri.size() - 2);
  return uri;
}

std::string two_lines(std::string_view first, std::string_view second) {
  return std::string(first).append(1, '\n').append(second);
}

auto order_of(size_t input, const InputPosition& position) {
  return std::make_tuple(input, position.file_offset, position.member_offset);
}

}  // namespace

PayloadHash payload_hash_of(const WarcRecord& record) {
  std::string_view payload = record.block;
  std::string dechunked;
  if (starts_with_ignoring_case(record.content_type, "application/http")) {
    const HttpHeader header = parse_http_header(payload);
    if (equals_ignoring_case(trimmed(header.fields.join("Transfer-Encoding")), "chunked") &&
        decode_chunked(payload, dechunked) == Dechunking::kComplete)
      payload = dechunked;
  }
  PayloadHash hash{};
  SHA256(reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), hash.data());
  return hash;
}

std::string text_of(const PayloadHash& hash) {
  return std::string(hash.begin(), hash.end());
}

std::vector<std::string> ids_of(std::string_view joined) {
  std::vector<std::string> ids;
  while (!joined.empty()) {
    const std::string_view one = joined.substr(0, joined.find(','));
    joined.remove_prefix(std::min(joined.size(), one.size() + 1));
    const std::string_view id = trimmed(without_angle_brackets(trimmed(one)));
    if (!id.empty()) ids.emplace_back(id);
  }
  return ids;
}

void FilterPlan::add_reference(const ReferredRecord& referred) {
  if (!referred.record_id.empty()) referred_ids_.insert(referred.record_id);
  if (!referred.target_uri.empty()) referred_captures_.insert(two_lines(referred.target_uri, referred.date));
}

void FilterPlan::decide(const std::vector<size_t>& kept, bool revisits) {
  for (size_t i = 0; i < pages_.size(); ++i)
    pages_[i].kept = kept[i];
  std::vector<size_t> staying;
  for (size_t i = 0; i < pages_.size(); ++i) {
    const FilteredPage& page = pages_[i];
    const bool is_kept = stays(i) || (revisits && has_identical_payload(i));
    if (is_kept) {
      staying.push_back(i);
    } else if (!page.record_id.empty()) {
      left_out_ids_.insert(page.record_id);
    }
    for (const std::string& id : ids_of(page.concurrent_to)) {
      if (is_kept) {
        named_by_staying_.insert(id);
      } else {
        named_by_left_out_.insert(two_lines(id, page.target_uri));
      }
    }
  }
  // Ids are no more one of a kind than their writers make them.
  for (const size_t i : staying)
    left_out_ids_.erase(pages_[i].record_id);
}

size_t FilterPlan::page_at(const ArchivePlace& place) const {
  const auto wanted = order_of(place.input, place.position);
  const auto found = std::lower_bound(pages_.begin(), pages_.end(), wanted,
                                      [](const FilteredPage& page, const auto& sought) {
                                        return order_of(page.input, page.position) < sought;
                                      });
  if (found == pages_.end() || order_of(found->input, found->position) != wanted) return kNothingKept;
  return static_cast<size_t>(found - pages_.begin());
}

bool FilterPlan::has_identical_payload(size_t index) const {
  const FilteredPage& page = pages_[index];
  if (page.kept == kNothingKept) return false;
  const FilteredPage& kept = pages_[page.kept];
  return page.whole && kept.whole && page.payload_hash == kept.payload_hash;
}

bool FilterPlan::is_referred_to(const std::string& record_id, const std::string& target_uri,
                                const std::string& date) const {
  return referred_ids_.contains(record_id) || referred_captures_.contains(two_lines(target_uri, date)) ||
         referred_captures_.contains(two_lines(target_uri, ""));
}

bool FilterPlan::goes(const WarcRecord& record, const std::vector<std::string>& names) const {
  if (named_by_staying_.contains(record.record_id)) return false;
  if (names.empty()) return named_by_left_out_.contains(two_lines(record.record_id, record.target_uri));
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& id) { return left_out_ids_.contains(id); });
}

}  // namespace ndc
