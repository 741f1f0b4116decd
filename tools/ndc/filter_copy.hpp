// The second pass of `ndc filter`: the records that stay, copied.
#pragma once

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
#include "filter_plan.hpp"
#include "progress.hpp"
#include "warc_writer.hpp"

namespace ndc {

struct FilterCounts {
  uint64_t records = 0;  // that could be read
  uint64_t copied = 0;
  uint64_t others_left_out = 0;  // requests, metadata
  uint64_t revisits = 0;         // written in the place of pages
  uint64_t notes = 0;            // metadata records in the place of pages
  uint64_t file_revisits = 0;    // written in the place of images and other files
  uint64_t bytes_read = 0;       // of records, their headers included
  uint64_t bytes_written = 0;
};

// One thread at a time.
class FilterCopy final : private RecordCopy {
 public:
  // `plan`, after decide(), `output` and `status` must outlive it. `replaces`: revisit and metadata records
  // stand where pages were, and revisits where other files were that are there before: the URL and about 250
  // bytes for each file. `version`: of the library.
  FilterCopy(const FilterPlan& plan, OutputFile& output, bool compressed, bool replaces,
             std::string_view version, StatusLine& status);

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
  bool replace_file(const WarcRecord& record);
  void copy_record(const WarcRecord& record);
  // Of a record with the payload of `kept`.
  std::string revisit_of(const FilteredPage& kept, const WarcRecord& record) const;
  void write_whole(std::string_view record);
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
  StatusLine& status_;
  size_t next_page_ = 0;
  std::vector<size_t> left_out_;
  KeyedMap<FilteredPage> files_;  // that are no pages, by payload: the first of each
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
