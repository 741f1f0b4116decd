// Any bytes as an archive, an HTTP response or what a store remembers of a run. Reading ends, stays within
// its limits, and does not depend on the pieces in which the bytes come.
//
// Input: a byte of what it is. An archive: the sizes of pieces, the limits, the bytes; with kMembers they are
// compressed here, one gzip member a record, and two bytes of that are changed: a fuzzer does not hit upon
// checksums.
#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "byte_source.hpp"
#include "dedup_mark.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "header_fields.hpp"
#include "http_message.hpp"
#include "input_stream.hpp"
#include "warc_date.hpp"
#include "warc_reader.hpp"

namespace {

using nd::fuzz::expect;
using nd::fuzz::InputReader;

enum Kind : uint8_t { kArchive, kMembers, kHttp, kTexts };

class MemorySource final : public ndc::ByteSource {
 public:
  MemorySource(std::string_view bytes, size_t piece, bool size_known)
      : left_(bytes), size_(bytes.size()), piece_(piece), size_known_(size_known) {}

  std::optional<size_t> read(char* out, size_t size) override {
    const size_t count = std::min({size, piece_, left_.size()});
    left_.copy(out, count);
    left_.remove_prefix(count);
    return count;
  }
  std::optional<uint64_t> size() const override {
    return size_known_ ? std::optional<uint64_t>(size_) : std::nullopt;
  }

 private:
  std::string_view left_;
  const size_t size_;
  const size_t piece_;
  const bool size_known_;
};

struct Limits {
  size_t block_bytes = 0;
  size_t page_bytes = 0;
};

std::string print(const ndc::InputPosition& position) {
  return std::to_string(position.file_offset) + "+" + std::to_string(position.member_offset);
}

// What is in a record, in one text.
std::string read_page(const ndc::WarcRecord& record, const Limits& limits) {
  ndc::ArchivePage page;
  std::string reason;
  ndc::PageRules rules;
  rules.max_page_bytes = limits.page_bytes;
  rules.all_statuses = record.target_uri.size() % 2 == 0;
  switch (ndc::page_from_record(record, rules, page, reason)) {
    case ndc::PageOutcome::kPage:
      expect(ndc::may_be_page(record), "a page of a record that has none");
      expect(page.body.size() <= limits.page_bytes, "a body is longer than the limit");
      expect(page.fetched_at_ms >= 0, "a negative time");
      return page.url + "\n" + page.content_type + "\n" + std::string(page.body);
    case ndc::PageOutcome::kDamaged:
      expect(!reason.empty(), "damage without a reason");
      return reason;
    default:
      return "";
  }
}

// All that a reader gives, printed.
std::vector<std::string> read_archive(std::string_view bytes, size_t piece, bool size_known,
                                      const Limits& limits) {
  MemorySource source(bytes, piece, size_known);
  ndc::InputStream stream(source);
  ndc::WarcReader reader(stream, limits.block_bytes);
  ndc::WarcRecord record;
  ndc::RecordDamage damage;
  std::vector<std::string> all;
  for (;;) {
    const auto outcome = reader.next(record, damage);
    if (outcome == ndc::WarcReader::Outcome::kEnd) return all;
    expect(outcome != ndc::WarcReader::Outcome::kReadError, "memory cannot be read");
    expect(all.size() <= 2 * bytes.size() + 2, "more records and damages than bytes");
    if (outcome == ndc::WarcReader::Outcome::kDamaged) {
      expect(!damage.reason.empty(), "damage without a reason");
      expect(damage.position.file_offset <= bytes.size(), "damage behind the end");
      all.push_back("damage at " + print(damage.position));
      continue;
    }
    expect(record.block.size() <= limits.block_bytes, "a block is longer than the limit");
    expect(record.position.file_offset < bytes.size(), "a record behind the end");
    all.push_back("record at " + print(record.position) + (record.block_cut ? " cut " : " ") + record.type +
                  record.record_id + record.target_uri + record.date + record.content_type + record.block +
                  "\n" + read_page(record, limits));
  }
}

void deflate_member(std::string_view bytes, std::string& out) {
  z_stream stream{};
  expect(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
         "no memory for zlib");
  const size_t begin = out.size();
  out.resize(begin + deflateBound(&stream, bytes.size()) + 64);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + begin);
  stream.avail_out = static_cast<uInt>(out.size() - begin);
  expect(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib needs more than it said");
  out.resize(begin + stream.total_out);
  deflateEnd(&stream);
}

// A member for what stands before the first record, and one for each record.
std::string compressed(std::string_view archive) {
  std::string out;
  while (!archive.empty()) {
    const size_t end = std::min(archive.find("WARC/1.", 1), archive.size());
    deflate_member(archive.substr(0, end), out);
    archive.remove_prefix(end);
  }
  return out;
}

void change_bytes(InputReader& input, std::string& bytes) {
  for (int i = 0; i < 2; ++i) {
    const size_t at = input.take_number(0, UINT16_MAX);
    const uint8_t by = input.take_byte();
    if (at < bytes.size()) bytes[at] = static_cast<char>(static_cast<uint8_t>(bytes[at]) ^ by);
  }
}

void check_archive(InputReader& input, bool in_members) {
  const size_t piece = 1 + input.take_byte();
  const bool size_known = input.take_flag();
  const Limits limits{static_cast<size_t>(input.take_number(0, UINT16_MAX)),
                      static_cast<size_t>(input.take_number(0, UINT16_MAX))};
  std::string bytes;
  if (in_members) {
    InputReader changes(input.take_bytes(6));
    bytes = compressed(InputReader::as_text(input.rest()));
    change_bytes(changes, bytes);
  } else {
    bytes = InputReader::as_text(input.rest());
  }
  const auto whole = read_archive(bytes, SIZE_MAX, size_known, limits);
  const auto pieces = read_archive(bytes, piece, size_known, limits);
  expect(whole == pieces, "an archive read in pieces is another one");
}

void check_http(InputReader& input) {
  const size_t limit = input.take_number(0, UINT16_MAX);
  const std::string bytes(InputReader::as_text(input.rest()));
  std::string_view message = bytes;
  std::string reason;
  std::string storage;
  const auto header = ndc::parse_http_header(message, reason);
  expect(header.has_value() || !reason.empty(), "no header, and no reason");
  if (!header) return;
  expect(header->status >= 100 && header->status <= 999, "an impossible status");
  const auto payload = ndc::decode_payload(*header, message, limit, storage, reason);
  expect(payload.has_value() || !reason.empty(), "no payload, and no reason");
  if (payload) expect(payload->bytes.size() <= limit, "a payload is longer than the limit");
}

void check_texts(InputReader& input) {
  const std::string text(InputReader::as_text(input.rest()));
  ndc::parse_warc_date(text);
  ndc::parse_decimal(text);
  if (const auto mark = ndc::parse_dedup_mark(text)) {
    const auto again = ndc::parse_dedup_mark(ndc::to_text(*mark));
    expect(again && ndc::to_text(*again) == ndc::to_text(*mark), "a mark changes when it is written");
  }
  if (const auto mark = ndc::parse_page_mark(text)) {
    const auto again = ndc::parse_page_mark(ndc::to_text(*mark));
    expect(again && ndc::to_text(*again) == ndc::to_text(*mark), "a mark changes when it is written");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InputReader input(data, size);
  switch (input.take_number(kArchive, kTexts)) {
    case kArchive:
      check_archive(input, false);
      break;
    case kMembers:
      check_archive(input, true);
      break;
    case kHttp:
      check_http(input);
      break;
    default:
      check_texts(input);
      break;
  }
  return 0;
}
