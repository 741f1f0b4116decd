// Copies records byte by byte, or writes revisits in place of those that are left out, with the records that
// refer to them.
#include "filter_copy.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "archives/header_fields.hpp"
#include "archives/http_message.hpp"
#include "archives/revisit_index.hpp"
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

std::string_view without_angle_brackets(std::string_view uri) {
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') return uri.substr(1, uri.size() - 2);
  return uri;
}

// All ids of a field that may come more than once.
std::vector<std::string> ids_of(std::string_view joined) {
  std::vector<std::string> ids;
  while (!joined.empty()) {
    const std::string_view one = joined.substr(0, joined.find(','));
    joined.remove_prefix(std::min(joined.size(), one.size() + 1));
    const std::string_view id = trimmed(without_angle_brackets(trimmed(one)));
    if (!id.empty()) ids.emplace_back(id);
  }
  return ids;
}

std::string id_and_url(std::string_view id, std::string_view url) {
  return std::string(id).append(1, '\n').append(url);
}

}  // namespace

PayloadHash payload_hash_of(const WarcRecord& record) {
  std::string_view payload = record.block;
  std::string dechunked;
  if (starts_with_ignoring_case(record.content_type, "application/http")) {
    const HttpHeader header = parse_http_header(payload);
    if (equals_ignoring_case(trimmed(header.fields.join("Transfer-Encoding")), "chunked") &&
        decode_chunked(payload, dechunked) == Dechunking::kComplete)
      payload = dechunked;
  }
  PayloadHash hash{};
  SHA256(reinterpret_cast<const unsigned char*>(payload.data()), payload.size(), hash.data());
  return hash;
}

bool FilterPlan::has_identical_payload(size_t index) const {
  const FilteredPage& page = pages_[index];
  if (page.kept == kNothingKept) return false;
  const FilteredPage& kept = pages_[page.kept];
  return page.whole && kept.whole && page.payload_hash == kept.payload_hash;
}

void FilterPlan::decide(const std::vector<size_t>& kept, bool revisits) {
  for (size_t i = 0; i < pages_.size(); ++i)
    pages_[i].kept = kept[i];
  std::vector<size_t> staying;
  for (size_t i = 0; i < pages_.size(); ++i) {
    const FilteredPage& page = pages_[i];
    const bool is_kept = stays(i) || (revisits && has_identical_payload(i));
    if (is_kept) {
      staying.push_back(i);
    } else if (!page.record_id.empty()) {
      left_out_ids_.insert(page.record_id);
    }
    for (const std::string& id : ids_of(page.concurrent_to)) {
      if (is_kept) {
        named_by_staying_.insert(id);
      } else {
        named_by_left_out_.insert(id_and_url(id, page.target_uri));
      }
    }
  }
  // Ids are no more one of a kind than their writers make them.
  for (const size_t i : staying)
    left_out_ids_.erase(pages_[i].record_id);
}

bool FilterPlan::goes(const WarcRecord& record, const std::vector<std::string>& names) const {
  if (named_by_staying_.contains(record.record_id)) return false;
  if (names.empty()) return named_by_left_out_.contains(id_and_url(record.record_id, record.target_uri));
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& id) { return left_out_ids_.contains(id); });
}

FilterCopy::FilterCopy(const FilterPlan& plan, OutputFile& output, bool compressed, bool replaces,
                       std::string_view version)
    : plan_(plan), writer_(output, compressed), output_(output), replaces_(replaces), version_(version) {}

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
  } else {
    copy_record(record);
  }
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
    write_revisit(page, kept, record);
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

// Written in place of the page's record and under its id, so that concurrent records remain concurrent to it.
void FilterCopy::write_revisit(const FilteredPage& page, const FilteredPage& kept, const WarcRecord& record) {
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
             kept.payload_digest.empty() ? digest_text(page.payload_hash) : kept.payload_digest);
  if (!kept.record_id.empty()) fields.add_uri("WARC-Refers-To", kept.record_id);
  if (!kept.target_uri.empty()) fields.add("WARC-Refers-To-Target-URI", kept.target_uri);
  if (!kept.date.empty()) fields.add("WARC-Refers-To-Date", kept.date);
  if (has_http) fields.add("Content-Type", record.content_type);
  fields.add("Content-Length", std::to_string(http.size()));
  header.append(fields.text()).append("\r\n");
  ++counts_.revisits;
  writer_.begin_record();
  append(header);
  append(http);
  append(kRecordEnd);
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
