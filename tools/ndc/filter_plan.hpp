// What `ndc filter` has decided about the records of its inputs before it copies any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archives/keyed_hash.hpp"
#include "archives/record_reader.hpp"

namespace ndc {

using PayloadHash = std::array<uint8_t, 32>;  // SHA-256

// The hash of what the record carries: its block, or that of its HTTP response without chunks. Content
// codings stay.
PayloadHash payload_hash_of(const WarcRecord& record);

// As the key of a table.
std::string text_of(const PayloadHash& hash);

// All ids of a field that may come more than once, `joined` by commas.
std::vector<std::string> ids_of(std::string_view joined);

// A record with a page.
struct FilteredPage {
  size_t input = 0;  // index of its file
  InputPosition position;
  std::string record_id;
  std::string target_uri;
  std::string date;
  std::string payload_digest;
  std::string concurrent_to;  // as WarcRecord has it
  PayloadHash payload_hash{};
  bool whole = true;  // the hash is of all of it
  size_t kept = 0;    // as KeepChoice has it
};

// Built record by record, then looked at by any thread.
class FilterPlan {
 public:
  // In the order of reading.
  void add(FilteredPage page) { pages_.push_back(std::move(page)); }
  // What a revisit without content refers to, so that it is neither left out nor replaced by another revisit.
  void add_reference(const ReferredRecord& referred);
  // `kept`: of each page, as choose_kept() gives it. `revisits`: pages with identical payloads leave a
  // revisit record.
  void decide(const std::vector<size_t>& kept, bool revisits);

  const std::vector<FilteredPage>& pages() const { return pages_; }
  // The number of the page that begins there; kNothingKept: there is none.
  size_t page_at(const ArchivePlace& place) const;
  bool stays(size_t index) const { return pages_[index].kept == index; }
  bool has_identical_payload(size_t index) const;
  // Whether such a revisit names this record.
  bool is_referred_to(const WarcRecord& record) const {
    return is_referred_to(record.record_id, record.target_uri, record.date);
  }
  bool is_referred_to(const FilteredPage& page) const {
    return is_referred_to(page.record_id, page.target_uri, page.date);
  }

  // Whether a request or metadata record, which names these records, goes with the pages that are left out:
  // all that it names are such pages; or, if it names none, such a page names it, and both have one URL. What
  // a page that stays names never goes: a stranger may name any record.
  bool goes(const WarcRecord& record, const std::vector<std::string>& names) const;

 private:
  bool is_referred_to(const std::string& record_id, const std::string& target_uri,
                      const std::string& date) const;

  std::vector<FilteredPage> pages_;
  KeyedSet referred_ids_;
  KeyedSet referred_captures_;  // URL and date
  KeyedSet left_out_ids_;
  KeyedSet named_by_left_out_;  // with the URL of the page
  KeyedSet named_by_staying_;
};

}  // namespace ndc
