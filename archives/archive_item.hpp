// One thing read from archives: a record, perhaps with a page in it, or damage. Reading and decoding are two
// steps, so that decoding can run on another thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"

namespace ndc {

struct ArchiveItem {
  PageOutcome outcome = PageOutcome::kNoPage;
  ArchivePage page;                   // with kPage
  RecordDamage damage;                // with kDamaged
  const std::string* path = nullptr;  // of the file; lives as long as the reader
  size_t input = 0;                   // index of the file
  bool readable = false;              // there is a record
  uint64_t decodable_bytes = 0;       // what the codings of the payloads may have given, up to this one
  std::atomic<uint64_t>* decoded_bytes = nullptr;  // what they gave; of the reader
  WarcRecord record;
};

// The totals of the items of a run.
struct ArchiveCounts {
  uint64_t records = 0;  // that could be read, of any type
  uint64_t pages = 0;
  uint64_t page_bytes = 0;  // of the pages' decoded bodies
  uint64_t truncated = 0;   // pages
  uint64_t no_page = 0;
  uint64_t other_status = 0;
  uint64_t damaged = 0;  // or refused: records that were skipped
  std::array<uint64_t, kLeftOutReasons> left_out{};

  uint64_t all_left_out() const;

  void add(const ArchiveItem& item);
};

// The first step: the next item of the reader, damage included. False at the end, or if reader.error() is not
// empty. The item's memory is reused.
bool read_item(ArchiveReader& reader, ArchiveItem& item);

// The second step: sets `outcome` and `page`, or `damage`. Any thread. Of an archive whose payloads decode to
// more than `max_expansion` allows, which of them are left out may depend on the threads.
void decode_item(const PageRules& rules, ArchiveItem& item);

// Both steps until an item with a page or damage comes; counts everything on the way.
bool read_page_or_damage(ArchiveReader& reader, const PageRules& rules, ArchiveItem& item,
                         ArchiveCounts& counts);

}  // namespace ndc
