// Records one after the other, whatever kind of file they come from. Files that are not WARC are presented in
// WARC's terms: a line of JSON or a file is a `resource` record, a record of an ARC file a `response` record.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "archives/input_stream.hpp"

namespace ndc {

// Where a record begins.
struct ArchivePlace {
  size_t input = 0;  // index of its file
  InputPosition position;
};

// What a revisit record says of the page that it found again.
struct ReferredRecord {
  std::string record_id;   // WARC-Refers-To without angle brackets
  std::string target_uri;  // WARC-Refers-To-Target-URI without angle brackets
  std::string date;        // WARC-Refers-To-Date as written
};

struct WarcRecord {
  std::string type;          // WARC-Type as written; empty if missing
  std::string record_id;     // WARC-Record-ID without angle brackets; empty if missing
  std::string target_uri;    // without angle brackets; empty if missing
  std::string date;          // WARC-Date as written
  std::string content_type;  // of the record
  bool truncated = false;    // has a WARC-Truncated field
  std::string block;         // at most the reader's limit
  bool block_cut = false;    // the block was longer than the limit
  bool is_separate = false;  // it ended by itself, and not because another one or the end of the file came
  InputPosition position;
  bool is_revisit = false;       // also once it has the type and the content of what it refers to
  bool too_costly = false;       // a revisit whose content is there, but would take too much reading again
  bool is_not_modified = false;  // a revisit by which the server has only said that there is nothing new
  int own_status = 0;  // of a revisit, by the HTTP header that it has itself; 0: none that says anything
  ReferredRecord refers_to;                // of a revisit
  std::optional<ArchivePlace> content_at;  // of a revisit that has the content of the record there
  std::string payload_digest;              // WARC-Payload-Digest
  std::string concurrent_to;               // all WARC-Concurrent-To as written, separated by commas
};

// Something that could not be read.
struct RecordDamage {
  InputPosition position;
  std::string reason;  // without a full stop
};

// One thread at a time.
class RecordReader {
 public:
  enum class Outcome { kRecord, kDamaged, kEnd, kReadError };

  RecordReader() = default;
  virtual ~RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  // Reads on. `record` is set for kRecord (its strings' memory is reused), `damage` for kDamaged.
  virtual Outcome next(WarcRecord& record, RecordDamage& damage) = 0;
};

}  // namespace ndc
