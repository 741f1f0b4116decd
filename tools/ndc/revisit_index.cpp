#include "revisit_index.hpp"

#include <functional>
#include <limits>
#include <string>

namespace ndc {
namespace {

enum class Key : char { kId = 'i', kUrlAndDate = 'u', kUrl = 'l', kDigest = 'd' };

uint64_t hash_of(Key kind, std::string_view first, std::string_view second = {}) {
  std::string text(1, static_cast<char>(kind));
  text.append(first).append(1, '\n').append(second);
  return std::hash<std::string>{}(text);
}

}  // namespace

void RevisitIndex::note(const WarcRecord& record, size_t input, size_t limit) {
  if (places_.size() >= limit || places_.size() >= std::numeric_limits<uint32_t>::max()) return;
  const auto number = static_cast<uint32_t>(places_.size());
  places_.push_back({input, record.position});
  // The first of several is meant.
  if (!record.record_id.empty()) by_key_.emplace(hash_of(Key::kId, record.record_id), number);
  by_key_.emplace(hash_of(Key::kUrlAndDate, record.target_uri, record.date), number);
  by_key_.emplace(hash_of(Key::kUrl, record.target_uri), number);
  if (!record.payload_digest.empty()) by_key_.emplace(hash_of(Key::kDigest, record.payload_digest), number);
}

std::optional<ArchivePlace> RevisitIndex::find(const WarcRecord& revisit) const {
  const auto look_up = [this](uint64_t key) -> std::optional<ArchivePlace> {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return std::nullopt;
    return places_[found->second];
  };
  const ReferredRecord& referred = revisit.refers_to;
  std::optional<ArchivePlace> place;
  if (!referred.record_id.empty()) place = look_up(hash_of(Key::kId, referred.record_id));
  if (!place && !referred.target_uri.empty() && !referred.date.empty())
    place = look_up(hash_of(Key::kUrlAndDate, referred.target_uri, referred.date));
  if (!place && !revisit.payload_digest.empty())
    place = look_up(hash_of(Key::kDigest, revisit.payload_digest));
  if (!place && referred.date.empty() && !referred.target_uri.empty())
    place = look_up(hash_of(Key::kUrl, referred.target_uri));
  return place;
}

bool RevisitIndex::is_meant(const WarcRecord& revisit, const WarcRecord& record) {
  const ReferredRecord& referred = revisit.refers_to;
  if (!referred.record_id.empty() && referred.record_id == record.record_id) return true;
  if (!referred.target_uri.empty() && referred.target_uri == record.target_uri &&
      (referred.date.empty() || referred.date == record.date))
    return true;
  return !revisit.payload_digest.empty() && revisit.payload_digest == record.payload_digest;
}

}  // namespace ndc
