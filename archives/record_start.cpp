// The beginnings of WARC, ARC and JSON records, by which a member is recognised after damage.
#include "archives/record_start.hpp"

#include <algorithm>

#include "archives/arc_line.hpp"
#include "archives/header_fields.hpp"

namespace ndc {
namespace {

constexpr std::string_view kVersionStart = "WARC/";

bool begins_url(std::string_view bytes) {
  const std::string_view scheme = bytes.substr(0, std::min(bytes.find("://"), bytes.size()));
  return !scheme.empty() && scheme.size() < bytes.size() &&
         std::all_of(scheme.begin(), scheme.end(), [](char c) { return c >= 'a' && c <= 'z'; }) &&
         std::all_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

bool begins_object(std::string_view bytes) {
  if (!bytes.starts_with('{')) return false;
  const size_t next = bytes.find_first_not_of(" \t", 1);
  return next != std::string_view::npos && (bytes[next] == '"' || bytes[next] == '}');
}

}  // namespace

RecordStart record_start_of(std::string_view bytes) {
  bytes = bytes.substr(0, kRecordStartBytes);
  if (begins_warc_record(bytes)) return RecordStart::kWarc;
  if (begins_object(bytes)) return RecordStart::kJson;
  const bool is_long = bytes.size() == kRecordStartBytes && bytes.find('\n') == std::string_view::npos;
  return begins_arc_record(bytes) || (is_long && begins_url(bytes)) ? RecordStart::kArc : RecordStart::kNone;
}

bool begins_warc_version(std::string_view bytes) {
  return bytes.size() >= kWarcMagicBytes && starts_with_ignoring_case(bytes, kVersionStart) &&
         bytes[5] >= '0' && bytes[5] <= '9' && bytes[6] == '.';
}

bool begins_warc_record(std::string_view bytes) {
  return begins_warc_version(bytes) && bytes[5] <= '1';
}

size_t find_warc_version(std::string_view bytes, size_t from) {
  constexpr size_t kSlash = kVersionStart.size() - 1;
  for (size_t at = bytes.find('/', from + kSlash); at != std::string_view::npos;
       at = bytes.find('/', at + 1)) {
    if (starts_with_ignoring_case(bytes.substr(at - kSlash), kVersionStart)) return at - kSlash;
  }
  return std::string_view::npos;
}

}  // namespace ndc
