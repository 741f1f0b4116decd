#include "engine/journal_record.hpp"

#include <utility>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

// Bits of a page's change.
enum PageBits : uint32_t { kIsLoose = 1 << 0, kIsKept = 1 << 1, kTemplateChanged = 1 << 2 };
// Bits of a comparison of two groups, and of a step.
enum MergeBits : uint32_t {
  kIsLooseMember = 1 << 0,
  kIsMerged = 1 << 1,
  kIsForgotten = 1 << 2,
  kIsLifted = 1 << 3,
  kIsWitnessed = 1 << 4,
  kIsUndecided = 1 << 5,
};

ByteWriter begin(ChangeKind kind, uint32_t bits, Vector<uint8_t>& out) {
  out.clear();
  ByteWriter writer(out);
  writer.number(static_cast<uint32_t>(kind)).number(bits);
  return writer;
}

void write_answer(const RecordedAnswer& answer, ByteWriter& out) {
  out.number(answer.verdict).number(answer.flags);
  out.number(answer.page_id).number(answer.group_id).number(answer.matched_page_id);
  out.number(answer.resemblance).number(answer.containment);
  out.number(answer.page_coverage).number(answer.matched_coverage);
}

RecordedAnswer read_answer(ByteReader& in) noexcept {
  RecordedAnswer answer;
  answer.verdict = in.number<int32_t>();
  answer.flags = in.number<uint32_t>();
  answer.page_id = in.number<uint64_t>();
  answer.group_id = in.number<uint64_t>();
  answer.matched_page_id = in.number<uint64_t>();
  answer.resemblance = in.number<double>();
  answer.containment = in.number<double>();
  answer.page_coverage = in.number<double>();
  answer.matched_coverage = in.number<double>();
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
  outcome.model_version = in.number<uint64_t>();
  outcome.suspected_copies = in.numbers();
  outcome.loose = (bits & kIsLoose) != 0;
  outcome.kept = (bits & kIsKept) != 0;
  if (!in.ok() || outcome.answer.verdict < kNew || outcome.answer.verdict > kNoText) return damaged();
  Result<Features> features = Features::parse(in.rest());
  if (!features) return std::move(features).failure();
  if (previous_id != 0) {
    outcome.previous = collection.previous_of(previous_id, *features, true);
    if (!outcome.previous.known) return damaged();
    outcome.previous.template_changed = (bits & kTemplateChanged) != 0;
  }
  const Result<RecordedAnswer> answer = collection.commit(*features, outcome);
  return answer ? Result<void>{} : answer.failure();
}

// The journal determines what happens to pages, so an answer that no check can give is damage.
bool is_possible(const RecordedAnswer& answer) noexcept {
  return answer.verdict >= kNew && answer.verdict <= kNoText;
}

Result<void> replay_comparison(uint32_t bits, ByteReader& in, Collection& collection) {
  MergeTrial trial;
  trial.site = in.number<uint64_t>();
  trial.noted_older = in.number<uint64_t>();
  trial.noted_younger = in.number<uint64_t>();
  trial.older = in.number<uint64_t>();
  trial.younger = in.number<uint64_t>();
  trial.witnessed = (bits & kIsWitnessed) != 0;
  MergeVerdict verdict;
  verdict.merged = (bits & kIsMerged) != 0;
  verdict.forgotten = (bits & kIsForgotten) != 0;
  verdict.lifted = (bits & kIsLifted) != 0;
  verdict.loose = (bits & kIsLooseMember) != 0;
  verdict.version = in.number<uint64_t>();
  verdict.at_ms = in.number<int64_t>();
  if (verdict.merged) verdict.answer = read_answer(in);
  if (!in.at_end() || (verdict.merged && !is_possible(verdict.answer))) return damaged();
  return collection.merge(trial, verdict);
}

Result<void> replay_step(uint32_t bits, ByteReader& in, Collection& collection) {
  Settlement settlement;
  settlement.younger = in.number<uint64_t>();
  settlement.page_id = in.number<uint64_t>();
  settlement.group_id = in.number<uint64_t>();
  settlement.loose = (bits & kIsLooseMember) != 0;
  settlement.undecided = (bits & kIsUndecided) != 0;
  if (settlement.page_id != 0) settlement.answer = read_answer(in);
  if (!in.at_end() || (settlement.page_id != 0 && !is_possible(settlement.answer))) return damaged();
  const Result<uint64_t> settled = collection.settle(settlement);
  return settled ? Result<void>{} : settled.failure();
}

}  // namespace

void write_page_change(const Features& features, const Outcome& outcome, Vector<uint8_t>& out) {
  const uint32_t bits = (outcome.loose ? kIsLoose : 0U) | (outcome.kept ? kIsKept : 0U) |
                        (outcome.previous.template_changed ? kTemplateChanged : 0U);
  ByteWriter writer = begin(ChangeKind::kPage, bits, out);
  write_answer(outcome.answer, writer);
  writer.number(outcome.previous.page_id)
      .number(outcome.joined)
      .number(outcome.model_version)
      .numbers(outcome.suspected_copies);
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

void write_compared_change(const MergeTrial& trial, const MergeVerdict& verdict, Vector<uint8_t>& out) {
  const uint32_t bits = (verdict.merged ? kIsMerged : 0U) | (verdict.forgotten ? kIsForgotten : 0U) |
                        (verdict.lifted ? kIsLifted : 0U) | (verdict.loose ? kIsLooseMember : 0U) |
                        (trial.witnessed ? kIsWitnessed : 0U);
  ByteWriter writer = begin(ChangeKind::kCompared, bits, out);
  writer.number(trial.site).number(trial.noted_older).number(trial.noted_younger);
  writer.number(trial.older).number(trial.younger).number(verdict.version).number(verdict.at_ms);
  if (verdict.merged) write_answer(verdict.answer, writer);
}

void write_settled_change(const Settlement& settlement, Vector<uint8_t>& out) {
  const uint32_t bits = (settlement.loose ? kIsLooseMember : 0U) | (settlement.undecided ? kIsUndecided : 0U);
  ByteWriter writer = begin(ChangeKind::kSettled, bits, out);
  writer.number(settlement.younger).number(settlement.page_id).number(settlement.group_id);
  if (settlement.page_id != 0) write_answer(settlement.answer, writer);
}

std::optional<Features> page_of_change(std::span<const uint8_t> record) {
  ByteReader in(record);
  if (static_cast<ChangeKind>(in.number<uint32_t>()) != ChangeKind::kPage) return {};
  in.number<uint32_t>();
  read_answer(in);
  for (int number = 0; number < 3; ++number)  // as replay_page() reads them
    in.number<uint64_t>();
  in.numbers();
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
    case ChangeKind::kCompared:
      return replay_comparison(bits, in, collection);
    case ChangeKind::kSettled:
      return replay_step(bits, in, collection);
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
