// Prints what a reader gave, to compare two ways of reading, and expects that every place lies in the input.
#include "fuzz/archive_reading.hpp"

#include "fuzz/expectation.hpp"

namespace nd::fuzz {
namespace {

std::string print(const ndc::InputPosition& position) {
  return std::to_string(position.file_offset) + "+" + std::to_string(position.member_offset);
}

std::string print_page(const ndc::WarcRecord& record, const ReadingLimits& limits) {
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

}  // namespace

ReadingLimits ReadingLimits::take(InputReader& input) {
  const auto block_bytes = static_cast<size_t>(input.take_number(0, UINT16_MAX));
  return {block_bytes, static_cast<size_t>(input.take_number(0, UINT16_MAX))};
}

std::string print_record(const ndc::WarcRecord& record, const ReadingLimits& limits, size_t input_bytes) {
  expect(record.block.size() <= limits.block_bytes, "a block is longer than the limit");
  expect(record.position.file_offset < input_bytes, "a record behind the end");
  return "record at " + print(record.position) + (record.block_cut ? " cut " : " ") + record.type +
         record.record_id + record.target_uri + record.date + record.content_type + record.block + "\n" +
         print_page(record, limits);
}

std::string print_damage(const ndc::RecordDamage& damage, size_t input_bytes) {
  expect(!damage.reason.empty(), "damage without a reason");
  expect(damage.position.file_offset <= input_bytes, "damage behind the end");
  return "damage at " + print(damage.position);
}

std::vector<std::string> print_all(ndc::RecordReader& reader, const ReadingLimits& limits,
                                   size_t input_bytes) {
  ndc::WarcRecord record;
  ndc::RecordDamage damage;
  std::vector<std::string> all;
  for (;;) {
    const auto outcome = reader.next(record, damage);
    if (outcome == ndc::RecordReader::Outcome::kEnd) return all;
    expect(outcome != ndc::RecordReader::Outcome::kReadError, "memory cannot be read");
    expect(all.size() <= 2 * input_bytes + 2, "more records and damages than bytes");
    all.push_back(outcome == ndc::RecordReader::Outcome::kDamaged
                      ? print_damage(damage, input_bytes)
                      : print_record(record, limits, input_bytes));
  }
}

void change_bytes(InputReader& input, std::string& bytes) {
  for (int i = 0; i < 2; ++i) {
    const size_t at = input.take_number(0, UINT16_MAX);
    const uint8_t by = input.take_byte();
    if (at < bytes.size()) bytes[at] = static_cast<char>(static_cast<uint8_t>(bytes[at]) ^ by);
  }
}

}  // namespace nd::fuzz
