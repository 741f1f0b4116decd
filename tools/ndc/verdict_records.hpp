// The verdicts of `ndc dedup` as WARC `metadata` records, one a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archives/warc_reader.hpp"
#include "row_writer.hpp"
#include "warc_writer.hpp"

namespace ndc {

// Where the page of a verdict comes from.
struct RecordOrigin {
  uint64_t number = 0;    // of the record, in the order of reading
  std::string record_id;  // its WARC-Record-ID without angle brackets; empty: it has none
  std::string date;       // its WARC-Date
};

// A date that cannot be read, or not without its zone, is rewritten; one that is missing is the beginning
// of 1970.
RecordOrigin origin_of(const WarcRecord& record, uint64_t number);

// One thread at a time.
class VerdictRecords {
 public:
  // `output` must outlive it. `compressed`: a gzip member a record. `version`: of the library.
  VerdictRecords(OutputFile& output, bool compressed, std::string_view version)
      : writer_(output, compressed), version_(version) {}

  // Whether a file of this name is compressed.
  static bool is_compressed(std::string_view path) { return path.ends_with(".gz"); }

  // The `warcinfo` record, which comes first.
  void begin();
  // The same row and origin give the same record, its id included.
  void add(const Row& row, const RecordOrigin& origin);

 private:
  WarcFields block_of(const Row& row) const;

  WarcWriter writer_;
  const std::string version_;
};

}  // namespace ndc
