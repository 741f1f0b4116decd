// [7] to [9] of a check: from a page's features to its answer.
#include <algorithm>
#include <mutex>
#include <utility>

#include "core/wall_clock.hpp"
#include "engine/engine.hpp"
#include "engine/journal_record.hpp"

namespace nd::engine {
namespace {

// A match this good is not bettered by comparing with more groups.
constexpr double kBestResemblance = 0.9;

// Rounds of looking again because other threads committed meanwhile; the last one verifies under the lock.
constexpr int kCommitRounds = 8;

}  // namespace

Result<Answer> Engine::decide(const Features& features, Scratch& scratch, Purpose purpose,
                              CheckTrace* trace) {
  // Texts that were compared must not outlive the call.
  struct Clearing {
    Decision& decision;
    ~Clearing() { decision.clear(); }
  };
  const Clearing clearing{scratch.decision};
  scratch.verifier.set_page(features);
  struct Counting {
    Scratch& scratch;
    ~Counting() { scratch.work.add(Work::kComparison, scratch.verifier.work()); }
  };
  const Counting counting{scratch};
  // [7] Candidates, under a lock that other readers share.
  if (Result<void> gathered = gather_shared(features, scratch); !gathered)
    return std::move(gathered).failure();
  PackedText packed;
  for (int round = 0;; ++round) {
    const bool is_last = round + 1 == kCommitRounds;
    if (Result<void> verified = verify_all(features, scratch); !verified)
      return std::move(verified).failure();
    if (purpose == Purpose::kCheck) {
      const Result<std::optional<Answer>> answer = commit_round(features, scratch, is_last, trace, packed);
      if (!answer) return answer.failure();
      if (*answer) return **answer;
    } else if (is_last || !lost_a_text(scratch.decision)) {
      counters_.queries.fetch_add(1, std::memory_order_relaxed);
      const Answer answer = answer_of(features, scratch.decision);
      return scratch.decision.previous.unchanged ? as_unchanged(answer) : answer;
    } else if (Result<void> gathered = gather_shared(features, scratch); !gathered) {
      return std::move(gathered).failure();
    }
  }
}

// Damage is asked for under the lock, here and elsewhere, or a refresh may put another generation in the
// place of the damaged one.
//
// Two sections, each about half as long: others' changes wait for one of them.
Result<void> Engine::gather_shared(const Features& page, Scratch& scratch) const {
  Decision& decision = scratch.decision;
  {
    const std::shared_lock lock(mutex_);
    const bool needs_more = begin_gathering(page, scratch, decision);
    if (Result<void> whole = check_damage(); !whole || !needs_more) return whole;
  }
  const std::shared_lock lock(mutex_);
  finish_gathering(page, scratch, decision);
  return check_damage();
}

// [8] Verification, without any lock; and once more where what the page would have joined is a digest.
Result<void> Engine::verify_all(const Features& page, Scratch& scratch) {
  Decision& decision = scratch.decision;
  for (;;) {
    if (Result<void> verified = verify_candidates(page, scratch); !verified) return verified;
    Prospect* part = next_to_weigh(decision);
    if (part == nullptr) return {};
    if (Result<void> weighed = weigh_parts(*part, page, scratch); !weighed) return weighed;
  }
}

Result<void> Engine::verify_candidates(const Features& page, Scratch& scratch) {
  Decision& decision = scratch.decision;
  while (Prospect* prospect = next_to_verify(decision)) {
    BoilerplateMarks marks;
    {
      const std::shared_lock lock(mutex_);
      marks = prepare(*prospect, page, decision, scratch);
      if (Result<void> whole = check_damage(); !whole) return whole;
    }
    verify(*prospect, page, marks, scratch);
  }
  return {};
}

// [9] Commit. What others committed meanwhile is looked at before; if it must be verified, another round
// follows, and nothing is returned. First beside other readers: then there is rarely anything left to look at
// alone.
Result<std::optional<Answer>> Engine::commit_round(const Features& features, Scratch& scratch, bool is_last,
                                                   CheckTrace* trace, PackedText& packed) {
  Decision& decision = scratch.decision;
  // Without any lock, where the page is not the one that is known.
  if (packed.bytes == nullptr && !decision.previous.is_settled())
    packed = collection_->texts.pack(features, scratch.packing);
  if (Result<void> settled = settle_before(features, scratch, false); !settled)
    return std::move(settled).failure();
  if (!is_last) {
    const Result<bool> found = look_again(features, scratch, decision);
    if (!found) return found.failure();
    if (*found) return std::optional<Answer>();
  }
  std::unique_lock lock(mutex_);
  if (Result<void> settled = settle_before(features, scratch, true); !settled)
    return std::move(settled).failure();
  if (collection_->generation() != decision.generation) {
    gather(features, scratch, decision);
    counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
    Prospect* prospect = next_to_verify(decision);
    if ((prospect != nullptr || next_to_weigh(decision) != nullptr) && !is_last)
      return std::optional<Answer>();
    for (; prospect != nullptr; prospect = next_to_verify(decision))
      verify(*prospect, features, prepare(*prospect, features, decision, scratch), scratch);
  }
  if (trace != nullptr) *trace = trace_of(decision);
  const WorkTally before = collection_->work();
  Result<Answer> answer = commit(features, decision, std::move(packed));
  scratch.work.add(collection_->work().since(before));
  if (!answer) return std::move(answer).failure();
  if (decision.previous.unchanged) answer = as_unchanged(*answer);
  count(*answer, features);
  expire(std::min(features.header().fetched_at_ms, wall_clock_ms()));
  const Vector<MergeTrial> trials = trials_after(features, decision);
  const bool merging = !trials.empty() || !collection_->aliases.unfinished().empty();
  lock.unlock();
  if (merging) merge_groups(trials, features, scratch, *answer);
  if (counters_.limit_memory.load(std::memory_order_relaxed) != 0 &&
      !memory_warned_.exchange(true, std::memory_order_relaxed)) {
    logger_.log(kLogWarning,
                "the memory budget is reached: new pages are answered, but not kept as candidates");
  }
  if (Result<void> settled = settle(); !settled) return std::move(settled).failure();
  return std::optional<Answer>(*answer);
}

// True if what others committed must be verified.
Result<bool> Engine::look_again(const Features& page, Scratch& scratch, Decision& decision) const {
  const std::shared_lock lock(mutex_);
  if (collection_->generation() == decision.generation) return false;
  gather(page, scratch, decision);
  counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return next_to_verify(decision) != nullptr || next_to_weigh(decision) != nullptr;
}

// A text that was to be compared had gone: who commits looks again anyway, who asks must.
bool Engine::lost_a_text(const Decision& decision) {
  return std::ranges::any_of(decision.prospects, [](const Prospect& prospect) {
    return prospect.verified && prospect.text == nullptr;
  });
}

// Few groups have many editions on one site, and a bare page template lies in all of its site's pages.
bool Engine::is_loose(const Prospect& prospect) const {
  const bool is_one_of_many =
      prospect.verification.edition && prospect.members >= parameters_.decision.edition_members;
  return prospect.verification.loose || is_one_of_many;
}

// Pages of one site that hold some text together with the representative, and otherwise each its own: a few
// are an article and its edits, many are one template, filled. The next ones found groups, so that the site's
// model learns what they share, and those that are in are decided anew when they are crawled again.
bool Engine::is_crowded(const Prospect& prospect) const {
  return is_loose(prospect) && prospect.twin_text_id == 0 &&
         prospect.loose_members >= parameters_.decision.loose_members;
}

// [8] The next group to compare with, or null once the answer is clear; chooses the best match so far.
Prospect* Engine::next_to_verify(Decision& decision) const {
  decision.joined = nullptr;
  decision.limited_verifications = false;
  decision.limited_work = false;
  uint32_t verified_count = 0;
  for (Prospect& prospect : decision.prospects) {
    if (verified_count == parameters_.index.verifications) {
      decision.limited_verifications = true;
      break;
    }
    const bool refused = prospect.verified && !prospect.verification.similar;
    if (refused && prospect.twin_text_id != 0 && prospect.text_id != prospect.twin_text_id)
      hold_against_twin(prospect);
    if (!prospect.verified) return &prospect;
    ++verified_count;
    decision.limited_work |= prospect.verification.limited;
    if (!prospect.verification.similar || is_crowded(prospect)) continue;
    if (decision.joined == nullptr || prospect.verification.merit() > decision.joined->verification.merit())
      decision.joined = &prospect;
    if (decision.previous.known && prospect.group_id == decision.previous.group_id) break;
    if (prospect.twin_text_id != 0 || prospect.verification.merit() >= kBestResemblance) break;
  }
  return nullptr;
}

BoilerplateMarks Engine::prepare(Prospect& prospect, const Features& page, const Decision& decision,
                                 Scratch& scratch) const {
  if (prospect.text == nullptr) prospect.text = collection_->texts.find(prospect.text_id, scratch.unpacked);
  if (prospect.text == nullptr) return {};
  const MethodSource& method = collection_->method;
  const bool by_method = parameters_.detector.method_decides();
  const uint64_t least =
      by_method ? method.verification_work(*prospect.text, page) : least_steps(*prospect.text, page);
  // A page of the very same text is recognised in any case.
  const bool is_twin = prospect.text_id == prospect.twin_text_id;
  prospect.left_out = !is_twin && scratch.budget.left() < least;
  if (prospect.left_out) return {};
  // Scores change with the epochs of the method's index, so that this needs the lock.
  if (by_method) {
    prospect.verification = method.verify(*prospect.text, page, parameters_.decision);
    scratch.work.add(Work::kComparison, least);
    scratch.budget.spend(least);
    return {};
  }
  BoilerplateMarks marks =
      mark_boilerplate(*prospect.text, page, prospect.group_id, decision.previous.contribution, scratch);
  // A witness said that what its group shares is not the boilerplate of a site that is still young.
  const Previous& previous = decision.previous;
  marks.known_site |= previous.witnessed && previous.unchanged && previous.group_id == prospect.group_id;
  return marks;
}

BoilerplateMarks Engine::mark_boilerplate(const Features& representative, const Features& page,
                                          uint64_t group_id, uint64_t contribution, Scratch& scratch) const {
  if (!parameters_.templates.enabled) return {};
  const SiteTemplates& templates = collection_->templates;
  const SiteKey key_a = templates.key_of(representative.url(), representative.site());
  const SiteKey key_b = templates.key_of(page.url(), page.site());
  scratch.boilerplate_of_representative.resize(representative.blocks().size());
  scratch.boilerplate_of_page.resize(page.blocks().size());
  const uint64_t blocks = representative.blocks().size() + page.blocks().size();
  scratch.work.add(Work::kTemplates, blocks);
  scratch.budget.spend(kStepsPerBlock * blocks);
  const uint64_t joining = collection_->aliases.joining(group_id);
  templates.mark_boilerplate(key_a, representative.blocks(), group_id, scratch.boilerplate_of_representative,
                             key_a.own == key_b.own ? contribution : 0, joining);
  templates.mark_boilerplate(key_b, page.blocks(), group_id, scratch.boilerplate_of_page, contribution,
                             joining);
  const bool known =
      representative.site() == page.site() && !templates.are_young(key_a.own, key_b.own, group_id);
  return {scratch.boilerplate_of_representative, scratch.boilerplate_of_page, known};
}

// Of the budget, what a comparison with one of the page's candidates may take. They stand in the order of
// their promise; but whatever those in front take, one behind them that nearly equals the page is found.
uint64_t Engine::share_of_budget(const Features& page, const Scratch& scratch) const {
  const Vector<Prospect>& prospects = scratch.decision.prospects;
  const auto made = static_cast<size_t>(std::ranges::count_if(prospects, &Prospect::verified));
  const size_t most = std::min<size_t>(prospects.size(), parameters_.index.verifications);
  return scratch.budget.share(most - std::min(most, made), steps_of_near_equal(page));
}

void Engine::verify(Prospect& prospect, const Features& page, const BoilerplateMarks& marks,
                    Scratch& scratch) {
  prospect.verified = true;
  if (prospect.text == nullptr) return;  // it has gone meanwhile, and the commit will look again
  if (prospect.left_out) {
    prospect.verification = {};
    prospect.verification.limited = true;
    return;
  }
  if (!parameters_.detector.method_decides()) {
    const uint64_t before = scratch.verifier.work();
    prospect.verification =
        scratch.verifier.verify(*prospect.text, marks, parameters_, share_of_budget(page, scratch));
    scratch.budget.spend(scratch.verifier.work() - before);
  }
  counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  if (prospect.verification.by_sketch) counters_.rejected_by_sketch.fetch_add(1, std::memory_order_relaxed);
}

// [8] Verifications to a verdict.
Answer Engine::answer_of(const Features& page, const Decision& decision) const {
  Answer answer;
  answer.page_id = decision.previous.page_id;
  const uint32_t feature_flags = page.header().flags;
  if (feature_flags & kFeatureTruncated) answer.flags |= kTruncated;
  if (feature_flags & kFeatureLimited) answer.flags |= kLimit;
  if (decision.previous.known) answer.flags |= kRecrawl;
  const Previous& previous = decision.previous;
  const uint64_t joined = decision.joined == nullptr ? 0 : decision.joined->group_id;
  if (previous.unchanged && (!previous.moved || (previous.represents && stays(previous, joined)))) {
    Answer again = answer_again(decision);
    again.flags |= answer.flags;
    return again;
  }
  if (previous.known) {
    if (!previous.unchanged) answer.flags |= kChanged;
    if (stays(previous, joined)) {
      answer.group_id = previous.group_id;
    } else {
      answer.flags |= kRegrouped;
    }
  }
  if (!page.has_text()) {
    answer.verdict = kNoText;
    return answer;
  }
  if (page.header().content_width < parameters_.decision.content_width) answer.flags |= kShortPage;
  if (decision.limited_work || decision.limited_parts) answer.flags |= kLimit;
  if (decision.joined == nullptr) {
    answer.verdict = kNew;
    // A cut search matters only where it may have missed something.
    if (decision.limited_candidates || decision.limited_verifications) answer.flags |= kLimit;
    return answer;
  }
  const Verification& verification = decision.joined->verification;
  answer.verdict = decision.joined->twin_text_id != 0 || verification.rule == Rule::kExact ? kExactDuplicate
                                                                                           : kNearDuplicate;
  answer.group_id = decision.joined->group_id;
  answer.matched_page_id = decision.joined->matched_page_id;
  answer.resemblance = verification.resemblance;
  answer.containment = verification.containment;
  answer.page_coverage = verification.page_coverage;
  answer.matched_coverage = verification.matched_coverage;
  answer.flags |= containment_flags(verification, parameters_.decision);
  if (answer.verdict == kNearDuplicate && verification.rule == Rule::kMethod) answer.flags |= kUnverified;
  return answer;
}

CheckTrace Engine::trace_of(const Decision& decision) {
  CheckTrace trace;
  trace.candidates.reserve(decision.prospects.size());
  for (const Prospect& prospect : decision.prospects)
    trace.candidates.push_back(
        {prospect.group_id, prospect.twin_text_id != 0, prospect.verified, prospect.verification});
  return trace;
}

// [9] Under the writer's lock.
Result<Answer> Engine::commit(const Features& features, const Decision& decision, PackedText packed) {
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  const Answer answer = answer_of(features, decision);
  const Previous& previous = decision.previous;
  if (previous.is_settled()) {
    const int64_t at_ms = features.header().fetched_at_ms;
    if (store_ != nullptr) write_seen_change(previous.page_id, at_ms, record_);
    counters_.limit_memory.fetch_add(previous.postponed, std::memory_order_relaxed);
    Result<void> seen =
        journaled([&]() -> Result<void> { return collection_->see_again(previous.page_id, at_ms); });
    if (!seen) return std::move(seen).failure();
    return answer;
  }
  const Outcome outcome = outcome_of(decision, answer);
  if (packed.bytes == nullptr) {  // removed since the last look
    PackingMemory memory;
    packed = collection_->texts.pack(features, memory);
  }
  if (store_ != nullptr) write_page_change(features, outcome, record_);
  const SharedFeatures old_text = collection_->prepare_commit(features, outcome);
  Result<Answer> committed =
      journaled([&] { return collection_->commit(features, outcome, std::move(packed), old_text); });
  if (!committed) return committed;
  counters_.candidates.fetch_add(decision.prospects.size(), std::memory_order_relaxed);
  counters_.limit_candidates.fetch_add(decision.limited_candidates, std::memory_order_relaxed);
  counters_.limit_verifications.fetch_add(decision.limited_verifications, std::memory_order_relaxed);
  counters_.limit_work.fetch_add(decision.limited_work || decision.limited_parts, std::memory_order_relaxed);
  counters_.reverified.fetch_add(previous.unchanged, std::memory_order_relaxed);
  return committed;
}

Outcome Engine::outcome_of(const Decision& decision, const Answer& answer) const {
  Outcome outcome;
  outcome.previous = decision.previous;
  outcome.answer = answer;
  outcome.kept = has_room();
  outcome.model_version = *decision.model_version;
  if (decision.joined != nullptr) {
    outcome.joined = decision.joined->group_id;
    outcome.loose = is_loose(*decision.joined);
  }
  for (const Prospect& prospect : decision.prospects) {
    if (prospect.verified && prospect.verification.undecided)
      outcome.suspected_copies.push_back(prospect.group_id);
  }
  return outcome;
}

}  // namespace nd::engine
