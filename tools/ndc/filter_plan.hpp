// What `ndc filter` has decided about the records of its inputs before it copies any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "keep_rule.hpp"
#include "record_reader.hpp"

namespace ndc {

using PayloadHash = std::array<uint8_t, 32>;  // SHA-256

struct PayloadHashHash {
  size_t operator()(const PayloadHash& hash) const;
};

// Of what the record carries: its block, or that of its HTTP response without chunks. Content codings stay.
PayloadHash payload_hash_of(const WarcRecord& record);

// A record with a page.
struct FilteredPage {
  size_t input = 0;  // index of its file
  InputPosition position;
  std::string record_id;
  std::string target_uri;
  std::string date;
  std::string payload_digest;
  std::string concurrent_to;
  PayloadHash payload_hash{};
  bool whole = true;  // the hash is of all of it
  size_t kept = 0;    // index of the page that stays in its place; its own if it stays itself
};

// Built page by page, then looked at by any thread.
class FilterPlan {
 public:
  // In the order of reading.
  void add(FilteredPage page) { pages_.push_back(std::move(page)); }
  // `kept`: of each page, as choose_kept() gives it. `revisits`: pages with identical payloads leave a
  // revisit record.
  void decide(const std::vector<size_t>& kept, bool revisits);

  const std::vector<FilteredPage>& pages() const { return pages_; }
  bool stays(size_t index) const { return pages_[index].kept == index; }
  bool has_identical_payload(size_t index) const;

  // Whether a request or metadata record that belongs to these records goes with a page that is left out.
  bool goes(std::string_view record_id, const std::vector<std::string>& belongs_to) const;

 private:
  std::vector<FilteredPage> pages_;
  std::unordered_set<std::string> left_out_ids_;
  std::unordered_set<std::string> named_by_left_out_;
};

}  // namespace ndc
