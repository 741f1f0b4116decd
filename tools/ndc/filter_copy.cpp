// Copies records byte by byte, or writes revisits in place of those that are left out, with the records that
// refer to them.
#include "filter_copy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/revisit_index.hpp"
#include "keep_rule.hpp"
#include "terminal_text.hpp"
#include "warc_writer.hpp"

namespace ndc {
namespace {

constexpr std::string_view kRecordEnd = "\r\n\r\n";
constexpr size_t kCopiedBytes = size_t{64} << 10;
// A number drawn once: the namespace of the ids of these records.
constexpr UuidBytes kNoteNamespace = {0x8c, 0x1e, 0x56, 0x0d, 0x2f, 0x9a, 0x4b, 0x7c,
                                      0x93, 0x44, 0xd1, 0x60, 0x7b, 0xe5, 0x38, 0xa2};
// The fields that a revisit has of its own; all other fields of the record it replaces stay.
constexpr std::array<std::string_view, 11> kReplacedFields = {"WARC-Type",
                                                              "WARC-Profile",
                                                              "WARC-Refers-To",
                                                              "WARC-Refers-To-Target-URI",
                                                              "WARC-Refers-To-Date",
                                                              "WARC-Payload-Digest",
                                                              "WARC-Block-Digest",
                                                              "WARC-Truncated",
                                                              "WARC-Identified-Payload-Type",
                                                              "Content-Type",
                                                              "Content-Length"};

bool is_replaced(std::string_view name) {
  return std::any_of(kReplacedFields.begin(), kReplacedFields.end(),
                     [name](std::string_view each) { return equals_ignoring_case(name, each); });
}

// Version line and fields without those that are replaced, each with its continuation lines.
std::string kept_fields(std::string_view header) {
  std::string kept;
  bool keeps = true;  // the version line
  while (!header.empty()) {
    const std::string_view with_end = header.substr(0, std::min(header.find('\n'), header.size() - 1) + 1);
    header.remove_prefix(with_end.size());
    const std::string_view line = trimmed(with_end);
    if (line.empty()) break;
    const bool continues = with_end.front() == ' ' || with_end.front() == '\t';
    if (!continues && !kept.empty()) {
      const size_t colon = line.find(':');
      keeps = colon != std::string_view::npos && !is_replaced(trimmed(line.substr(0, colon)));
    }
    if (keeps) kept.append(continues ? " " : "").append(line).append("\r\n");
  }
  return kept;
}

std::string digest_text(const PayloadHash& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "sha256:";
  for (const uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

FilterCopy::FilterCopy(const FilterPlan& plan, OutputFile& output, bool compressed, bool replaces,
                       std::string_view version, StatusLine& status)
    : plan_(plan),
      writer_(output, compressed),
      output_(output),
      replaces_(replaces),
      version_(version),
      status_(status) {}

bool FilterCopy::copy(size_t input, ByteSource& source, size_t max_block_bytes, uint64_t max_expansion) {
  InputStream stream(source, 0, {}, max_expansion);
  WarcReader reader(stream, max_block_bytes, this);
  WarcRecord record;
  RecordDamage damage;
  while (error_.empty() && output_.ok()) {
    const RecordReader::Outcome outcome = reader.next(record, damage);
    if (outcome == RecordReader::Outcome::kEnd) break;
    if (outcome == RecordReader::Outcome::kReadError) error_ = stream.read_error();
    if (outcome == RecordReader::Outcome::kRecord) handle(input, record);
  }
  if (error_.empty()) error_ = output_.error();
  return error_.empty();
}

void FilterCopy::write_info(const WarcFields& block, const std::string& date) {
  WarcFields header;
  header.add("WARC-Type", "warcinfo");
  header.add_uri("WARC-Record-ID", "urn:uuid:" + name_uuid(kNoteNamespace, date + "\n" + block.text()));
  header.add("WARC-Date", date);
  write_fields(header, block);
}

bool FilterCopy::finish() {
  if (error_.empty() && next_page_ != plan_.pages().size()) error_ = "an input has changed while it was read";
  return error_.empty();
}

void FilterCopy::take_header(std::string_view header, const HeaderFields& fields) {
  header_.assign(header);
  std::string named = fields.join("WARC-Concurrent-To");
  if (equals_ignoring_case(fields.find("WARC-Type"), "metadata"))
    named.append(",").append(fields.join("WARC-Refers-To"));
  names_ = ids_of(named);
  is_segment_ = fields.has("WARC-Segment-Number");
  rest_.reset();
  rest_bytes_ = 0;
}

// Only its end shows whether the record is whole; until then it waits in a file without a name.
void FilterCopy::take_rest(std::string_view piece) {
  if (!rest_) rest_.reset(std::tmpfile());
  if (!rest_ || std::fwrite(piece.data(), 1, piece.size(), rest_.get()) != piece.size())
    fail("cannot write a temporary file: ");
  rest_bytes_ += piece.size();
}

void FilterCopy::handle(size_t input, const WarcRecord& record) {
  ++counts_.records;
  status_.update([&](double) { return "writing: " + counted(counts_.records, "record"); });
  counts_.bytes_read += header_.size() + record.block.size() + rest_bytes_ + kRecordEnd.size();
  if (next_page_ < plan_.pages().size()) {
    const FilteredPage& page = plan_.pages()[next_page_];
    if (page.input == input && page.position.file_offset == record.position.file_offset &&
        page.position.member_offset == record.position.member_offset) {
      handle_page(next_page_++, record);
      return;
    }
  }
  if (goes_with_page(record)) {
    ++counts_.others_left_out;
  } else if (!replaces_ || !replace_file(record)) {
    copy_record(record);
  }
}

// A record that is no page, or not all of one, and whose payload has been copied before. False: it stays.
bool FilterCopy::replace_file(const WarcRecord& record) {
  const bool has_http = equals_ignoring_case(record.type, "response") &&
                        starts_with_ignoring_case(record.content_type, "application/http");
  if (!has_http && !equals_ignoring_case(record.type, "resource")) return false;
  if (is_segment_ || record.block_cut || record.truncated) return false;
  FilteredPage file;
  file.payload_hash = payload_hash_of(record);
  const auto [entry, is_first] = files_.try_emplace(text_of(file.payload_hash));
  if (is_first) {
    file.record_id = record.record_id;
    file.target_uri = record.target_uri;
    file.date = record.date;
    file.payload_digest = record.payload_digest;
    entry->second = std::move(file);
    return false;
  }
  // A revisit of a revisit would lead nowhere.
  if (plan_.is_referred_to(record)) return false;
  const std::string revisit = revisit_of(entry->second, record);
  if (revisit.size() >= header_.size() + record.block.size() + kRecordEnd.size()) return false;
  ++counts_.file_revisits;
  write_whole(revisit);
  return true;
}

bool FilterCopy::goes_with_page(const WarcRecord& record) const {
  if (!equals_ignoring_case(record.type, "request") && !equals_ignoring_case(record.type, "metadata"))
    return false;
  return !is_segment_ && plan_.goes(record, names_);
}

void FilterCopy::handle_page(size_t index, const WarcRecord& record) {
  const FilteredPage& page = plan_.pages()[index];
  // Otherwise the other segments of a record would be left without their beginning.
  if (plan_.stays(index) || is_segment_) {
    copy_record(record);
    return;
  }
  if (page.kept == kNothingKept) {
    left_out_.push_back(index);
    return;
  }
  const FilteredPage& kept = plan_.pages()[page.kept];
  WarcRecord kept_record;
  kept_record.record_id = kept.record_id;
  kept_record.target_uri = kept.target_uri;
  kept_record.date = kept.date;
  kept_record.payload_digest = kept.payload_digest;
  if (replaces_ && record.is_revisit && RevisitIndex::is_meant(record, kept_record)) {
    copy_record(record);
    return;
  }
  left_out_.push_back(index);
  if (!replaces_) return;
  if (plan_.has_identical_payload(index)) {
    ++counts_.revisits;
    write_whole(revisit_of(kept, record));
  } else {
    write_note(page, kept);
  }
}

void FilterCopy::append(std::string_view piece) {
  counts_.bytes_written += piece.size();
  writer_.append(piece);
}

void FilterCopy::copy_record(const WarcRecord& record) {
  ++counts_.copied;
  writer_.begin_record();
  append(header_);
  append(record.block);
  if (rest_) {
    if (std::fflush(rest_.get()) != 0 || std::fseek(rest_.get(), 0, SEEK_SET) != 0)
      fail("cannot write a temporary file: ");
    std::string piece(kCopiedBytes, '\0');
    while (const size_t count = std::fread(piece.data(), 1, piece.size(), rest_.get()))
      append(std::string_view(piece).substr(0, count));
    if (std::ferror(rest_.get()) != 0) fail("cannot read a temporary file: ");
  }
  append(kRecordEnd);
  writer_.end_record();
}

// In place of the record and under its id, so that concurrent records remain concurrent to it.
std::string FilterCopy::revisit_of(const FilteredPage& kept, const WarcRecord& record) const {
  std::string_view http;
  const bool has_http = starts_with_ignoring_case(record.content_type, "application/http");
  if (has_http) {
    std::string_view body = record.block;
    parse_http_header(body);
    http = std::string_view(record.block).substr(0, record.block.size() - body.size());
  }
  std::string header = kept_fields(header_);
  const std::string_view version = header.starts_with("WARC/1.1") ? "1.1" : "1.0";
  WarcFields fields;
  fields.add("WARC-Type", "revisit");
  fields.add("WARC-Profile", std::string("http://netpreserve.org/warc/")
                                 .append(version)
                                 .append("/revisit/identical-payload-digest"));
  fields.add("WARC-Payload-Digest",
             kept.payload_digest.empty() ? digest_text(kept.payload_hash) : kept.payload_digest);
  if (!kept.record_id.empty()) fields.add_uri("WARC-Refers-To", kept.record_id);
  if (!kept.target_uri.empty()) fields.add("WARC-Refers-To-Target-URI", kept.target_uri);
  if (!kept.date.empty()) fields.add("WARC-Refers-To-Date", kept.date);
  if (has_http) fields.add("Content-Type", record.content_type);
  fields.add("Content-Length", std::to_string(http.size()));
  return header.append(fields.text()).append("\r\n").append(http).append(kRecordEnd);
}

void FilterCopy::write_whole(std::string_view record) {
  writer_.begin_record();
  append(record);
  writer_.end_record();
}

// A revisit of a text that is not the same would be shown as if it were.
void FilterCopy::write_note(const FilteredPage& page, const FilteredPage& kept) {
  WarcFields block;
  block.add("nd-profile", "near-duplicate");
  if (!page.record_id.empty()) block.add("nd-record-id", page.record_id);
  if (!kept.record_id.empty()) block.add("nd-kept-record-id", kept.record_id);
  block.add("nd-kept-target-uri", kept.target_uri);
  block.add("nd-kept-date", kept.date);
  block.add("nd-version", version_);
  std::string name = std::to_string(page.input);
  for (const std::string& part :
       {std::to_string(page.position.file_offset), std::to_string(page.position.member_offset),
        page.target_uri, page.date, block.text()})
    name.append("\n").append(part);
  WarcFields fields;
  fields.add("WARC-Type", "metadata");
  fields.add_uri("WARC-Record-ID", "urn:uuid:" + name_uuid(kNoteNamespace, name));
  fields.add("WARC-Date", page.date.empty() ? "1970-01-01T00:00:00Z" : page.date);
  fields.add("WARC-Target-URI", page.target_uri);
  ++counts_.notes;
  write_fields(fields, block);
}

void FilterCopy::write_fields(const WarcFields& header, const WarcFields& block) {
  WarcFields fields = header;
  fields.add("Content-Type", "application/warc-fields");
  fields.add("Content-Length", std::to_string(block.text().size()));
  writer_.begin_record();
  append("WARC/1.1\r\n");
  append(fields.text());
  append("\r\n");
  append(block.text());
  append(kRecordEnd);
  writer_.end_record();
}

void FilterCopy::fail(const char* what) {
  if (error_.empty()) error_ = what + std::generic_category().message(errno);
}

}  // namespace ndc
