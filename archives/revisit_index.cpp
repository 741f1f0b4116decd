// Looks a revisit up by the id that it names, else by URL and date, digest or URL; the keys are hashes of a
// fixed size.
#include "archives/revisit_index.hpp"

#include <limits>
#include <string>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/keyed_hash.hpp"
#include "archives/payload_digest.hpp"

namespace ndc {
namespace {

enum class Key : char { kId = 'i', kUrlAndDate = 'u', kUrl = 'l', kDigest = 'd', kLastText = 't' };

uint64_t hash_of(Key kind, std::string_view first, std::string_view second = {}) {
  std::string text(1, static_cast<char>(kind));
  text.append(first).append(1, '\n').append(second);
  return KeyedHash{}(text);
}

// Empty where it says nothing of a page.
std::string usable_digest(const WarcRecord& record) {
  std::string digest = canonical_digest(record.payload_digest);
  return is_digest_of_nothing(digest) ? std::string() : digest;
}

struct Payload {
  bool is_empty = false;
  bool is_text_of_url = false;  // and not what a server answers in its stead
};

Payload payload_of(const WarcRecord& record) {
  std::string_view payload = record.block;
  bool successful = true;
  if (equals_ignoring_case(record.type, "response"))
    successful = is_successful(parse_http_header(payload).status);
  return {payload.empty() && !record.block_cut, successful};
}

}  // namespace

void RevisitIndex::note(const WarcRecord& record, size_t input, size_t limit) {
  if (places_.size() >= limit || places_.size() >= std::numeric_limits<uint32_t>::max()) return;
  const Payload payload = payload_of(record);
  if (payload.is_empty) return;
  const auto number = static_cast<uint32_t>(places_.size());
  places_.push_back({input, record.position});
  // The first of several is meant.
  if (!record.record_id.empty()) by_key_.emplace(hash_of(Key::kId, record.record_id), number);
  by_key_.emplace(hash_of(Key::kUrlAndDate, record.target_uri, record.date), number);
  by_key_.emplace(hash_of(Key::kUrl, record.target_uri), number);
  if (const std::string digest = usable_digest(record); !digest.empty())
    by_key_.emplace(hash_of(Key::kDigest, digest), number);
  if (payload.is_text_of_url) last_text_[hash_of(Key::kLastText, record.target_uri)] = number;
}

void RevisitIndex::note_found(const WarcRecord& revisit) {
  if (revisit.own_status != 0 && !is_successful(revisit.own_status)) return;
  if (const std::optional<uint32_t> number = find_number(revisit))
    last_text_[hash_of(Key::kLastText, revisit.target_uri)] = *number;
}

void RevisitIndex::append(const RevisitIndex& later) {
  const auto before = static_cast<uint32_t>(places_.size());
  places_.insert(places_.end(), later.places_.begin(), later.places_.end());
  for (const auto& [key, number] : later.by_key_)
    by_key_.emplace(key, before + number);
  for (const auto& [key, number] : later.last_text_)
    last_text_[key] = before + number;
}

std::optional<ArchivePlace> RevisitIndex::find(const WarcRecord& revisit) const {
  const std::optional<uint32_t> number = find_number(revisit);
  return number ? std::optional(places_[*number]) : std::nullopt;
}

std::optional<uint32_t> RevisitIndex::find_number(const WarcRecord& revisit) const {
  const auto number_in = [](const std::unordered_map<uint64_t, uint32_t>& numbers, uint64_t key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  const auto look_up = [&](uint64_t key) { return number_in(by_key_, key); };
  const ReferredRecord& referred = revisit.refers_to;
  std::optional<uint32_t> place;
  if (!referred.record_id.empty()) place = look_up(hash_of(Key::kId, referred.record_id));
  if (!place && !referred.target_uri.empty() && !referred.date.empty())
    place = look_up(hash_of(Key::kUrlAndDate, referred.target_uri, referred.date));
  if (!place && !revisit.is_not_modified) {
    if (const std::string digest = usable_digest(revisit); !digest.empty())
      place = look_up(hash_of(Key::kDigest, digest));
  }
  if (!place && referred.date.empty() && !referred.target_uri.empty())
    place = look_up(hash_of(Key::kUrl, referred.target_uri));
  if (!place && revisit.is_not_modified)
    place = number_in(last_text_, hash_of(Key::kLastText, revisit.target_uri));
  return place;
}

bool RevisitIndex::is_meant(const WarcRecord& revisit, const WarcRecord& record) {
  const ReferredRecord& referred = revisit.refers_to;
  if (!referred.record_id.empty() && referred.record_id == record.record_id) return true;
  if (!referred.target_uri.empty() && referred.target_uri == record.target_uri &&
      (referred.date.empty() || referred.date == record.date))
    return true;
  if (revisit.is_not_modified) return revisit.target_uri == record.target_uri;
  const std::string digest = usable_digest(revisit);
  return !digest.empty() && digest == canonical_digest(record.payload_digest);
}

}  // namespace ndc
