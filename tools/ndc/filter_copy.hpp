// The second pass of `ndc filter`: the records that stay, copied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archives/byte_source.hpp"
#include "archives/keyed_hash.hpp"
#include "archives/record_reader.hpp"
#include "archives/warc_reader.hpp"
#include "keep_rule.hpp"
#include "warc_writer.hpp"

namespace ndc {

// What `ndc filter` has decided about the records of its inputs before it copies any.

using PayloadHash = std::array<uint8_t, 32>;  // SHA-256

// The hash of what the record carries: its block, or that of its HTTP response without chunks. Content
// codings stay.
PayloadHash payload_hash_of(const WarcRecord& record);

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

  // Whether a request or metadata record, which names these records, goes with the pages that are left out:
  // all that it names are such pages; or, if it names none, such a page names it, and both have one URL. What
  // a page that stays names never goes: a stranger may name any record.
  bool goes(const WarcRecord& record, const std::vector<std::string>& names) const;

 private:
  std::vector<FilteredPage> pages_;
  KeyedSet left_out_ids_;
  KeyedSet named_by_left_out_;  // with the URL of the page
  KeyedSet named_by_staying_;
};

struct FilterCounts {
  uint64_t records = 0;  // that could be read
  uint64_t copied = 0;
  uint64_t others_left_out = 0;  // requests, metadata
  uint64_t revisits = 0;         // written in the place of pages
  uint64_t notes = 0;            // metadata records in the place of pages
  uint64_t bytes_read = 0;       // of records, their headers included
  uint64_t bytes_written = 0;
};

// One thread at a time.
class FilterCopy final : private RecordCopy {
 public:
  // `plan`, after decide(), and `output` must outlive it. `replaces`: revisit and metadata records stand
  // where pages were. `version`: of the library.
  FilterCopy(const FilterPlan& plan, OutputFile& output, bool compressed, bool replaces,
             std::string_view version);

  // A first record, which says what is in the file. The same block and date give the same bytes.
  void write_info(const WarcFields& block, const std::string& date);

  // Reads the file from its start, as the plan was made of it: input by input, with the same limits. False:
  // error() says why.
  bool copy(size_t input, ByteSource& source, size_t max_block_bytes, uint64_t max_expansion);
  // After the last one. False: pages of the plan were not met, error() says so.
  bool finish();

  const FilterCounts& counts() const { return counts_; }
  // Indices of the plan's pages that are not in the output, in their order.
  const std::vector<size_t>& left_out() const { return left_out_; }
  const std::string& error() const { return error_; }

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void take_header(std::string_view header, const HeaderFields& fields) override;
  void take_rest(std::string_view piece) override;
  void handle(size_t input, const WarcRecord& record);
  void handle_page(size_t index, const WarcRecord& record);
  void copy_record(const WarcRecord& record);
  void write_revisit(const FilteredPage& page, const FilteredPage& kept, const WarcRecord& record);
  void write_note(const FilteredPage& page, const FilteredPage& kept);
  void write_fields(const WarcFields& header, const WarcFields& block);
  bool goes_with_page(const WarcRecord& record) const;
  void append(std::string_view piece);
  void fail(const char* what);

  const FilterPlan& plan_;
  WarcWriter writer_;
  const OutputFile& output_;
  const bool replaces_;
  const std::string version_;
  size_t next_page_ = 0;
  std::vector<size_t> left_out_;
  // The header of the record at hand.
  std::string header_;
  std::vector<std::string> names_;
  bool is_segment_ = false;
  std::unique_ptr<std::FILE, Closing> rest_;  // what a long block has behind the reader's limit
  uint64_t rest_bytes_ = 0;
  FilterCounts counts_;
  std::string error_;
};

}  // namespace ndc
