// How the records of the archives begin that may be packed one by one.
#pragma once

#include <cstddef>
#include <string_view>

namespace ndc {

enum class RecordStart : unsigned char {
  kNone,
  kWarc,  // the version of a WARC record
  kArc,   // the line of an ARC record
  kJson,  // an object of JSON lines
};

// How many bytes show it at most.
inline constexpr size_t kRecordStartBytes = 4096;

// What begins with these bytes. Of an ARC line that is longer than kRecordStartBytes the beginning decides.
RecordStart record_start_of(std::string_view bytes);

// Whether these bytes begin as a WARC record does, of version 1 or of the drafts before it, in capitals or in
// small letters.
bool begins_warc_record(std::string_view bytes);
// The same of any version, also one that nobody has defined.
bool begins_warc_version(std::string_view bytes);
// How many bytes these tests need.
inline constexpr size_t kWarcMagicBytes = 7;

// The first place from `from` on where "WARC/" stands, in capitals or small letters; npos: there is none.
size_t find_warc_version(std::string_view bytes, size_t from = 0);

}  // namespace ndc
