// Writes each kind of change and replays it into a collection after a crash, in the order in which they were
// made.
#include "collection/journal_record.hpp"

#include <utility>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

// Bits of a page's change.
enum PageBits : uint32_t { kIsKept = 1 << 0, kIsDecidedAgain = 1 << 1 };

ByteWriter begin(ChangeKind kind, uint32_t bits, Vector<uint8_t>& out) {
  out.clear();
  ByteWriter writer(out);
  writer.number(static_cast<uint32_t>(kind)).number(bits);
  return writer;
}

void write_answer(const Answer& answer, ByteWriter& out) {
  out.number(answer.verdict).number(answer.flags);
  out.number(answer.page_id).number(answer.group_id).number(answer.matched_page_id);
  out.number(answer.resemblance).number(answer.containment);
  out.number(answer.page_coverage).number(answer.matched_coverage);
  out.number(answer.probability).number(answer.related_group_id);
}

Answer read_answer(ByteReader& in) noexcept {
  Answer answer;
  answer.verdict = in.number<int32_t>();
  answer.flags = in.number<uint32_t>();
  answer.page_id = in.number<uint64_t>();
  answer.group_id = in.number<uint64_t>();
  answer.matched_page_id = in.number<uint64_t>();
  answer.resemblance = in.number<double>();
  answer.containment = in.number<double>();
  answer.page_coverage = in.number<double>();
  answer.matched_coverage = in.number<double>();
  answer.probability = in.number<double>();
  answer.related_group_id = in.number<uint64_t>();
  return answer;
}

Error damaged() {
  return error(Status::kCorrupt, "a journal with a malformed record");
}

Result<void> replay_page(uint32_t bits, ByteReader& in, Collection& collection) {
  Outcome outcome;
  outcome.answer = read_answer(in);
  const uint64_t previous_id = in.number<uint64_t>();
  outcome.joined = in.number<uint64_t>();
  outcome.kept = (bits & kIsKept) != 0;
  if (!in.ok() || outcome.answer.verdict < kNew || outcome.answer.verdict > kNoText) return damaged();
  Result<Features> features = Features::parse(in.rest());
  if (!features) return std::move(features).failure();
  if (previous_id != 0) {
    outcome.previous = collection.previous_of(previous_id, *features, true);
    if (!outcome.previous.known) return damaged();
    outcome.previous.decided_again = (bits & kIsDecidedAgain) != 0;
  }
  const Result<Answer> answer = collection.commit(*features, outcome);
  return answer ? Result<void>{} : answer.failure();
}

}  // namespace

void write_page_change(const Features& features, const Outcome& outcome, Vector<uint8_t>& out) {
  const uint32_t bits =
      (outcome.kept ? kIsKept : 0U) | (outcome.previous.decided_again ? kIsDecidedAgain : 0U);
  ByteWriter writer = begin(ChangeKind::kPage, bits, out);
  write_answer(outcome.answer, writer);
  writer.number(outcome.previous.page_id).number(outcome.joined);
  const std::span<const uint8_t> bytes = features.bytes();
  writer.raw(bytes.data(), bytes.size());
}

void write_seen_change(uint64_t page_id, int64_t at_ms, Vector<uint8_t>& out) {
  begin(ChangeKind::kSeen, 0, out).number(page_id).number(at_ms);
}

void write_removed_change(uint64_t page_id, Vector<uint8_t>& out) {
  begin(ChangeKind::kRemoved, 0, out).number(page_id);
}

void write_elected_change(const Collection::Election& election, int64_t at_ms, Vector<uint8_t>& out) {
  begin(ChangeKind::kElected, 0, out).number(election.group_id).number(election.page_id).number(at_ms);
}

void write_bookmark_change(std::string_view name, std::span<const uint8_t> data, Vector<uint8_t>& out) {
  begin(ChangeKind::kBookmark, 0, out).text(name).bytes(data);
}

std::optional<Features> page_of_change(std::span<const uint8_t> record) {
  ByteReader in(record);
  if (static_cast<ChangeKind>(in.number<uint32_t>()) != ChangeKind::kPage) return {};
  in.number<uint32_t>();
  read_answer(in);
  in.number<uint64_t>();  // as replay_page() reads them
  in.number<uint64_t>();
  if (!in.ok()) return {};
  Result<Features> features = Features::parse(in.rest());
  return features ? std::optional<Features>(*std::move(features)) : std::nullopt;
}

Result<void> replay_change(std::span<const uint8_t> record, Collection& collection) {
  ByteReader in(record);
  const auto kind = static_cast<ChangeKind>(in.number<uint32_t>());
  const uint32_t bits = in.number<uint32_t>();
  switch (kind) {
    case ChangeKind::kPage:
      return replay_page(bits, in, collection);
    case ChangeKind::kSeen: {
      const uint64_t page_id = in.number<uint64_t>();
      const int64_t at_ms = in.number<int64_t>();
      return in.at_end() ? collection.see_again(page_id, at_ms) : damaged();
    }
    case ChangeKind::kRemoved: {
      const uint64_t page_id = in.number<uint64_t>();
      return in.at_end() ? collection.remove(page_id) : damaged();
    }
    case ChangeKind::kElected: {
      Collection::Election election;
      election.group_id = in.number<uint64_t>();
      election.page_id = in.number<uint64_t>();
      const int64_t at_ms = in.number<int64_t>();
      return in.at_end() ? collection.reelect(election, at_ms) : damaged();
    }
    case ChangeKind::kBookmark: {
      const std::string_view name = in.text();
      const std::span<const uint8_t> data = in.bytes();
      if (!in.at_end()) return damaged();
      if (Result<void> possible = collection.bookmarks.check(name, data); !possible) return damaged();
      collection.bookmarks.set(name, data);
      return {};
    }
  }
  return damaged();
}

}  // namespace nd::engine
