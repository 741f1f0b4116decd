// Names each record by a UUID of the page's own, so that a run that is repeated writes the same bytes.
#include "verdict_records.hpp"

#include <unistd.h>

#include <chrono>

#include "archives/warc_date.hpp"
#include "output_text.hpp"
#include "terminal_text.hpp"
#include "warc_writer.hpp"

namespace ndc {
namespace {

// A number drawn once: the namespace of the ids of ndc's records.
constexpr UuidBytes kRecordNamespace = {0x3b, 0xf5, 0x23, 0xfa, 0x6b, 0x81, 0x4b, 0x56,
                                        0xba, 0x4c, 0x8a, 0x29, 0x4a, 0xf8, 0x1d, 0xef};

std::string record_uri(std::string_view name) {
  return "urn:uuid:" + name_uuid(kRecordNamespace, name);
}

std::string flag_words(uint32_t flags) {
  std::string words;
  for (const std::string_view word : words_of_flags(flags))
    words.append(words.empty() ? "" : ", ").append(word);
  return words;
}

}  // namespace

RecordOrigin origin_of(const WarcRecord& record, uint64_t number) {
  const std::optional<int64_t> time = parse_warc_date(record.date);
  const bool plain = time && record.date.find_first_not_of("0123456789-T:.Z") == std::string::npos;
  return {number, record.record_id, plain ? record.date : iso_time(time.value_or(0))};
}

WarcFields VerdictRecords::block_of(const Row& row) const {
  const nd_result& result = row.result;
  WarcFields block;
  block.add("nd-verdict", verdict_word(result.verdict));
  if (result.group_id != 0) block.add("nd-group", std::to_string(result.group_id));
  if (row.founder) block.add("nd-group-url", *row.founder);
  block.add("nd-page", std::to_string(result.page_id));
  if (result.matched_page_id != 0 && row.representative) block.add("nd-matched-url", *row.representative);
  if (is_matched(result)) {
    block.add("nd-resemblance", fixed(result.resemblance, kScoreDigits));
    block.add("nd-containment", fixed(result.containment, kScoreDigits));
  }
  if (result.probability > 0) block.add("nd-probability", fixed(result.probability, kScoreDigits));
  if (result.flags != 0) block.add("nd-flags", flag_words(result.flags));
  block.add("nd-version", version_);
  return block;
}

void VerdictRecords::begin() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  WarcFields block;
  block.add("software", "ndc/" + version_);
  block.add("format", "WARC File Format 1.1");
  block.add("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
  block.add("description", "near-duplicate verdicts of ndc dedup, one metadata record for each page");
  WarcFields header;
  header.add("WARC-Type", "warcinfo");
  // Two files that are written at once have ids of their own.
  header.add_uri("WARC-Record-ID", record_uri("warcinfo\n" + std::to_string(now.count()) + "\n" +
                                              std::to_string(::getpid()) + "\n" + block.text()));
  header.add("WARC-Date", iso_time(now_ms));
  writer_.write(header, block);
}

void VerdictRecords::add(const Row& row, const RecordOrigin& origin) {
  const WarcFields block = block_of(row);
  std::string name = "metadata\n" + std::to_string(origin.number);
  for (const std::string& part : {origin.record_id, row.url, origin.date, block.text()})
    name.append("\n").append(part);
  WarcFields header;
  header.add("WARC-Type", "metadata");
  header.add_uri("WARC-Record-ID", record_uri(name));
  header.add("WARC-Date", origin.date);
  header.add("WARC-Target-URI", row.url);
  // The verdict is about that record and was made after the capture, so it is not "concurrent to" it.
  if (!origin.record_id.empty()) header.add_uri("WARC-Refers-To", origin.record_id);
  writer_.write(header, block);
}

}  // namespace ndc
