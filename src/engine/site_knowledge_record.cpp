#include "engine/site_knowledge_record.hpp"

#include <algorithm>
#include <bit>

namespace nd::engine {
namespace {

constexpr size_t kStoredPartBytes = sizeof(uint64_t) + sizeof(CountedPart);

template <typename Stored>
void write_all(std::span<const Stored> values, Vector<uint8_t>& out) {
  static_assert(std::endian::native == std::endian::little);
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size_bytes());
}

}  // namespace

std::optional<SiteKnowledgeView> SiteKnowledgeView::parse(store::Bytes bytes) noexcept {
  if (bytes.size() < sizeof(SiteKnowledgeHeader)) return std::nullopt;
  const size_t part_bytes = bytes.size() - sizeof(SiteKnowledgeHeader);
  if (part_bytes % kStoredPartBytes != 0) return std::nullopt;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(SiteKnowledgeHeader) != 0) return std::nullopt;
  SiteKnowledgeView view;
  view.header_ = reinterpret_cast<const SiteKnowledgeHeader*>(bytes.data());
  view.part_count_ = part_bytes / kStoredPartBytes;
  return view;
}

std::span<const uint64_t> SiteKnowledgeView::hashes() const noexcept {
  return {reinterpret_cast<const uint64_t*>(header_ + 1), part_count_};
}

std::span<const CountedPart> SiteKnowledgeView::counts() const noexcept {
  return {reinterpret_cast<const CountedPart*>(hashes().data() + part_count_), part_count_};
}

const CountedPart* SiteKnowledgeView::find(uint64_t hash) const noexcept {
  if (table_ != nullptr) return table_->find(hash);
  const std::span<const uint64_t> all = hashes();
  const auto place = std::ranges::lower_bound(all, hash);
  if (place == all.end() || *place != hash) return nullptr;
  return &counts()[static_cast<size_t>(place - all.begin())];
}

SiteKnowledgeRecord SiteKnowledgeRecord::copy(const View& view) {
  SiteKnowledgeRecord record(view.header().table_secret);
  record.header = view.header();
  if (view.table_ != nullptr) {
    record.parts = *view.table_;
    return record;
  }
  record.parts.reserve_more(view.part_count());
  for (size_t i = 0; i < view.part_count(); ++i)
    record.parts[view.hashes()[i]] = view.counts()[i];
  return record;
}

void SiteKnowledgeRecord::write(Vector<uint8_t>& out) const {
  Vector<uint64_t> hashes;
  hashes.reserve(parts.size());
  parts.for_each([&](uint64_t hash, const CountedPart&) { hashes.push_back(hash); });
  std::ranges::sort(hashes);
  write_all(std::span(&header, 1), out);
  write_all(std::span<const uint64_t>(hashes), out);
  for (uint64_t hash : hashes)
    write_all(std::span<const CountedPart>(parts.find(hash), 1), out);
}

}  // namespace nd::engine
