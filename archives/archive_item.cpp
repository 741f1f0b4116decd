// Reads an item, decodes it into a page, and counts what became of it.
#include "archives/archive_item.hpp"

#include <algorithm>
#include <numeric>

namespace ndc {
namespace {

// The memory that an item may keep for the next one; a rare huge page frees its memory.
constexpr size_t kKeptBytes = size_t{4} << 20;

void shrink(std::string& text) {
  if (text.capacity() > kKeptBytes) std::string().swap(text);
}

}  // namespace

void ArchiveCounts::add(const ArchiveItem& item) {
  if (item.readable) ++records;
  switch (item.outcome) {
    case PageOutcome::kPage:
      ++pages;
      page_bytes += item.page.body.size();
      if (item.page.truncated) ++truncated;
      break;
    case PageOutcome::kNoPage:
      ++no_page;
      break;
    case PageOutcome::kLeftOut:
      ++left_out[static_cast<size_t>(item.page.left_out)];
      break;
    case PageOutcome::kOtherStatus:
      ++other_status;
      break;
    case PageOutcome::kDamaged:
      ++damaged;
      break;
  }
}

uint64_t ArchiveCounts::all_left_out() const {
  return std::accumulate(left_out.begin(), left_out.end(), uint64_t{0});
}

bool read_item(ArchiveReader& reader, ArchiveItem& item) {
  item.page.body = {};
  shrink(item.page.storage);
  shrink(item.record.block);
  const ArchiveReader::Outcome outcome = reader.next(item.record, item.damage);
  item.readable = outcome == ArchiveReader::Outcome::kRecord;
  if (!item.readable && outcome != ArchiveReader::Outcome::kDamaged) return false;
  item.path = &reader.path();
  item.input = reader.input();
  item.decodable_bytes = reader.allowed_expansion();
  item.decoded_bytes = &reader.decoded_bytes();
  return true;
}

void decode_item(const PageRules& rules, ArchiveItem& item) {
  item.outcome = PageOutcome::kDamaged;
  if (!item.readable) return;
  const uint64_t decoded = item.decoded_bytes->load(std::memory_order_relaxed);
  const uint64_t decodable = item.decodable_bytes - std::min(item.decodable_bytes, decoded);
  item.outcome = page_from_record(item.record, rules, item.page, item.damage.reason, decodable);
  item.decoded_bytes->fetch_add(item.page.decoded_bytes, std::memory_order_relaxed);
  if (item.outcome == PageOutcome::kDamaged) item.damage.position = item.record.position;
}

bool read_page_or_damage(ArchiveReader& reader, const PageRules& rules, ArchiveItem& item,
                         ArchiveCounts& counts) {
  while (read_item(reader, item)) {
    decode_item(rules, item);
    counts.add(item);
    if (item.outcome == PageOutcome::kPage || item.outcome == PageOutcome::kDamaged) return true;
  }
  return false;
}

}  // namespace ndc
