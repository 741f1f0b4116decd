#include "engine/merging.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "engine/engine.hpp"
#include "engine/journal_record.hpp"
#include "text/site.hpp"

namespace nd::engine {
namespace {

// The answer in a member's record after it has been compared with a representative.
RecordedAnswer answer_to(const Verification& verification, bool similar, uint64_t matched_page_id,
                         const RecordedAnswer& before, const DecisionParameters& decision) {
  Answer answer;
  answer.verdict = !similar ? kNew : verification.rule == Rule::kExact ? kExactDuplicate : kNearDuplicate;
  answer.flags = before.flags & (kTruncated | kShortPage);
  if (!similar) return answer;
  set_match(verification, matched_page_id, decision, answer);
  return answer;
}

// The answer for a page that merging has just moved: group and match from its record, the rest from the
// check. Where groups merge, nothing is decided by a probability.
Answer moved_answer(const Answer& checked, const RecordedAnswer& now) {
  constexpr uint32_t kOfTheMatch = kContains | kContained | kUnverified;
  Answer answer{now};
  answer.probability = now.verdict == kExactDuplicate ? 1 : 0;
  answer.flags = (checked.flags & ~kOfTheMatch) | (now.flags & kOfTheMatch);
  if (now.page_id != checked.page_id) answer.flags |= kRegrouped;
  return checked.verdict == kUnchanged ? as_unchanged(answer) : answer;
}

// The least resemblance of two representatives against both of which a page was verified: together they match
// so much of the page's text that some of it must be in both. 0 if nothing follows, because each may contain
// a different part of the page, as with a digest.
double witnessed_resemblance(const Verification& a, const Verification& b, uint32_t least_width) noexcept {
  if (a.page_coverage <= 0 || b.page_coverage <= 0 || a.matched_coverage <= 0 || b.matched_coverage <= 0)
    return 0;
  const double page = std::max(a.matched_width / a.page_coverage, b.matched_width / b.page_coverage);
  const double shared = a.matched_width + b.matched_width - page;
  if (shared <= 0 || shared < least_width) return 0;
  return shared / (a.matched_width / a.matched_coverage + b.matched_width / b.matched_coverage - shared);
}

}  // namespace

Collection& GroupMerging::collection() const noexcept {
  return *engine_.collection_;
}

// [8] Pairs of groups against both of which the page was verified and whose resemblance follows from that.
Vector<Collection::GroupPair> GroupMerging::witnessed_pairs() const {
  const Decision& decision = scratch_.decision;
  Vector<Collection::GroupPair> pairs;
  const DecisionParameters& limits = engine_.parameters_.decision;
  const auto speaks = [](const Prospect& prospect) {
    return prospect.verified && prospect.text != nullptr && prospect.verification.similar;
  };
  for (size_t i = 0; i < decision.prospects.size(); ++i) {
    const Prospect& a = decision.prospects[i];
    if (!speaks(a)) continue;
    for (size_t j = i + 1; j < decision.prospects.size(); ++j) {
      const Prospect& b = decision.prospects[j];
      if (speaks(b) && witnessed_resemblance(a.verification, b.verification, limits.resemblance_width) >=
                           limits.resemblance)
        pairs.emplace_back(a.group_id, b.group_id);
    }
  }
  return pairs;
}

// The commit must not fail after this.
Vector<MergeTrial> GroupMerging::trials_after_commit() const noexcept {
  if (!engine_.parameters_.merging.enabled || collection().suspected_copies.pair_count() == 0 ||
      !page_.has_text())
    return {};
  // An unfinished merge is continued: at least one member per call, which may need two comparisons.
  const uint32_t left = comparisons_left();
  const uint32_t limit =
      collection().aliases.unfinished().empty() ? left : std::min(left / 2, left - std::min(left, 2U));
  try {
    return collection().merge_trials(page_, witnessed_pairs(), limit);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

uint32_t GroupMerging::comparisons_left() const noexcept {
  return engine_.parameters_.merging.verifications -
         std::min(engine_.parameters_.merging.verifications, scratch_.decision.merge_comparisons);
}

// A failure is left for the next page: the current page has been committed.
void GroupMerging::merge(std::span<const MergeTrial> trials, Answer& answer) {
  const auto failed = [this](std::string_view why) {
    engine_.counters_.merge_failures.fetch_add(1, std::memory_order_relaxed);
    // Logged once, since a lasting failure recurs with every page.
    if (!engine_.merge_failure_logged_.exchange(true, std::memory_order_relaxed))
      engine_.logger_.log(kLogError, why);
  };
  try {
    const Result<void> merged = try_merges(trials, answer);
    if (!merged) failed(merged.failure().message);
  } catch (const std::bad_alloc&) {
    failed("no memory to merge groups");
  }
}

Result<void> GroupMerging::try_merges(std::span<const MergeTrial> trials, Answer& answer) {
  scratch_.work.add(Work::kComparison, scratch_.verifier.work());
  struct Returning {
    Verifier& verifier;
    const Features& page;
    ~Returning() { verifier.set_page(page); }
  };
  const Returning returning{scratch_.verifier, page_};
  Result<void> done;
  scratch_.budget.raise_to(engine_.parameters_.budget.check_work);
  for (const MergeTrial& trial : trials) {
    if (done) done = try_merge(trial);
  }
  const uint32_t left = comparisons_left() - static_cast<uint32_t>(trials.size());
  uint64_t page_id = answer.page_id;
  if (done) done = settle_members(left, page_id);
  const std::shared_lock lock(engine_.mutex_);
  PageRef known = collection().pages.find(page_id);
  if (!known) known = collection().pages.find(page_.url());  // another page's check came first
  if (known &&
      (known->data->answer.page_id != answer.page_id || known->data->answer.group_id != answer.group_id))
    answer = moved_answer(answer, known->data->answer);
  return done;
}

void GroupMerging::count(const Verification& verification) {
  scratch_.work.add(Work::kComparison, scratch_.verifier.work());
  scratch_.budget.spend(scratch_.verifier.work());
  engine_.counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  engine_.counters_.merge_verifications.fetch_add(1, std::memory_order_relaxed);
  engine_.counters_.limit_work.fetch_add(verification.limited, std::memory_order_relaxed);
}

// The two groups as they are at this moment. The lock must be held.
GroupMerging::Sides GroupMerging::sides_of(const MergeTrial& trial) const {
  const GroupRef older = collection().pages.group(trial.older);
  const GroupRef younger = collection().pages.group(trial.younger);
  Sides sides;
  sides.older_text = older ? older->data->text : 0;
  sides.younger_text = younger ? younger->data->text : 0;
  if (!older || !younger) return sides;
  sides.crowded = older->data->loose_count >= engine_.parameters_.decision.loose_members;
  sides.matched_page_id = older->data->representative_page_id;
  if (const PageRef page = collection().pages.find(younger->data->representative_page_id))
    sides.before = page->data->answer;
  return sides;
}

// Two groups are compared by their representatives, the younger one in the place of a page.
Result<void> GroupMerging::try_merge(const MergeTrial& trial) {
  MergeVerdict verdict;
  Sides sides;
  SharedFeatures older;
  SharedFeatures younger;
  bool lifted = false;
  BoilerplateMarks marks;
  if (trial.older != 0 && trial.older != trial.younger) {
    const std::shared_lock lock(engine_.mutex_);
    sides = sides_of(trial);
    verdict.version = collection().templates.version(trial.site);
    older = collection().texts.find(sides.older_text);
    younger = collection().texts.find(sides.younger_text);
    if (Result<void> whole = engine_.check_damage(); !whole) return whole;
    if (older == nullptr || younger == nullptr) return {};
    if (scratch_.budget.left() < least_steps(*older, *younger)) return {};  // a later page has its own budget
    marks = mark_strictly(*older, *younger, trial.older, trial.younger);
    // Boilerplate is specific to a site, and unrelated pages of one host share it.
    lifted =
        trial.witnessed && !marks.known_site && text::host_of(older->url()) == text::host_of(younger->url());
  }
  Verification verification;
  if (older != nullptr) {
    const bool known = marks.known_site;
    marks.known_site |= lifted;
    verification =
        scratch_.verifier.verify(*older, *younger, marks, engine_.parameters_, scratch_.budget.left());
    count(verification);
    // They were noted with this resemblance while all text counted; they must reach it again now that
    // boilerplate no longer counts.
    const bool stands =
        lifted || verification.resemblance >= engine_.parameters_.decision.undecided_resemblance;
    verdict.merged = verification.similar && stands && !(verification.loose && sides.crowded);
    verdict.forgotten = !verdict.merged && known;
  } else {
    verdict.forgotten = true;  // one of them has been removed, or they have merged
  }
  const std::unique_lock lock(engine_.mutex_);
  if (older != nullptr) {
    const Sides now = sides_of(trial);
    if (now.older_text != sides.older_text || now.younger_text != sides.younger_text)
      return {};  // another page's check came first
    sides = now;
    if (verdict.merged && !collection().may_merge(trial.older, trial.younger)) return {};
  }
  verdict.lifted = verdict.merged && lifted;
  verdict.loose = verification.loose;
  verdict.answer =
      answer_to(verification, true, sides.matched_page_id, sides.before, engine_.parameters_.decision);
  verdict.at_ms = page_.header().fetched_at_ms;
  if (engine_.store_ != nullptr) write_compared_change(trial, verdict, engine_.record_);
  return engine_.journaled([&] { return collection().merge(trial, verdict); });
}

// Compares members of groups that have merged with their representative, holding the lock only briefly.
// `page_id` is updated if the current page gets a new id. Whatever remains of the call's budget, each kind of
// merging work has `check_work` steps, so that what has begun is finished.
Result<void> GroupMerging::settle_members(uint32_t comparisons, uint64_t& page_id) {
  const uint64_t least = engine_.parameters_.budget.check_work;
  scratch_.budget.raise_to(least);
  while (scratch_.budget.left() >= least) {
    uint64_t younger = 0;
    uint64_t member = 0;
    {
      const std::shared_lock lock(engine_.mutex_);
      if (collection().aliases.unfinished().empty()) return {};
      younger = collection().aliases.unfinished().front();
      const AliasData* alias = collection().aliases.find(younger);
      const uint32_t most = alias != nullptr && alias->remainder != 0 ? 2 : 1;
      if (comparisons < most) return {};
      const GroupRef group = collection().pages.group(younger);
      member = group ? collection().pages.youngest_member(*group) : 0;
    }
    const Result<MemberTrial> trial = compare_member(younger, member);
    if (!trial) return trial.failure();
    const std::unique_lock lock(engine_.mutex_);
    const Result<Settled> settled = settle_member(*trial);
    if (!settled) return settled.failure();
    if (member == page_id && settled->page_id != 0) page_id = settled->page_id;
    comparisons -= std::min(comparisons, settled->comparisons);
  }
  return {};
}

// Two groups that are to be merged need stronger evidence than a page that joins.
BoilerplateMarks GroupMerging::mark_strictly(const Features& representative, const Features& member,
                                             uint64_t older, uint64_t younger) {
  const BoilerplateMarks marks = engine_.mark_boilerplate(representative, member, older, younger, scratch_);
  if (!engine_.parameters_.templates.enabled) return marks;
  const SiteTemplates& templates = collection().templates;
  const uint64_t blocks = representative.blocks().size() + member.blocks().size();
  scratch_.work.add(Work::kTemplates, blocks);
  scratch_.budget.spend(kStepsPerBlock * blocks);
  templates.mark_suspected(templates.key_of(representative.url(), representative.site()).own,
                           representative.blocks(), older, younger, scratch_.boilerplate_of_representative);
  templates.mark_suspected(templates.key_of(member.url(), member.site()).own, member.blocks(), older, younger,
                           scratch_.boilerplate_of_page);
  return marks;
}

// Without the lock, or by the updating thread.
MemberComparison GroupMerging::compare_with_group(uint64_t group_id, const Features& member,
                                                  uint64_t contribution, bool known_site) {
  MemberComparison out;
  out.group_id = group_id;
  SharedFeatures text;
  BoilerplateMarks marks;
  {
    const std::shared_lock lock(engine_.mutex_);
    const GroupRef group = collection().pages.group(group_id);
    text = group ? collection().texts.find(group->data->text) : nullptr;
    if (text == nullptr) return out;
    out.text = group->data->text;
    out.representative = group->data->representative_page_id;
    out.crowded = group->data->loose_count >= engine_.parameters_.decision.loose_members;
    marks = mark_strictly(*text, member, group_id, contribution);
  }
  marks.known_site |= known_site;
  out.verification =
      scratch_.verifier.verify(*text, member, marks, engine_.parameters_, scratch_.budget.left());
  count(out.verification);
  out.joins = out.verification.similar && !(out.verification.loose && out.crowded);
  return out;
}

// Without the lock, or by the updating thread. `page_id` 0: no member is left.
Result<MemberTrial> GroupMerging::compare_member(uint64_t younger, uint64_t page_id) {
  MemberTrial trial;
  trial.younger = younger;
  trial.page_id = page_id;
  SharedFeatures text;
  {
    const std::shared_lock lock(engine_.mutex_);
    const PageRef page = collection().pages.find(page_id);
    const AliasData* found = collection().aliases.find(younger);
    if (found != nullptr) trial.alias = *found;
    trial.text = page ? page->data->text : 0;
    if (trial.text != 0) text = collection().texts.find(trial.text);
    if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  }
  if (text == nullptr) return trial;
  trial.older = compare_with_group(trial.alias.current, *text, younger, trial.alias.witnessed != 0);
  if (!trial.older.joins && trial.alias.remainder != 0)
    trial.remainder = compare_with_group(trial.alias.remainder, *text, younger, false);
  return trial;
}

bool GroupMerging::still_holds(const MemberTrial& trial) const {
  if (!collection().aliases.is_unfinished(trial.younger)) return false;
  const AliasData* found = collection().aliases.find(trial.younger);
  const AliasData alias = found == nullptr ? AliasData{} : *found;
  if (alias.current != trial.alias.current || alias.remainder != trial.alias.remainder ||
      alias.witnessed != trial.alias.witnessed)
    return false;
  if (trial.page_id == 0) {
    const GroupRef group = collection().pages.group(trial.younger);
    return !group || collection().pages.youngest_member(*group) == 0;
  }
  const PageRef page = collection().pages.find(trial.page_id);
  if (!page || page->data->text != trial.text || page->data->answer.group_id != trial.younger) return false;
  const auto is_as_compared = [this](const MemberComparison& comparison) {
    if (comparison.group_id == 0) return true;  // it resembles no group
    const GroupRef group = collection().pages.group(comparison.group_id);
    if (comparison.text == 0) return !group || collection().texts.find(group->data->text) == nullptr;
    return group && group->data->text == comparison.text &&
           group->data->representative_page_id == comparison.representative &&
           (group->data->loose_count >= engine_.parameters_.decision.loose_members) == comparison.crowded;
  };
  return is_as_compared(trial.older) && is_as_compared(trial.remainder);
}

// Called by the updating thread. At least one comparison counts as made. What others have changed meanwhile
// is left for the next page.
Result<GroupMerging::Settled> GroupMerging::settle_member(const MemberTrial& trial) {
  if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  Settled out;
  if (trial.remainder.group_id != 0) ++out.comparisons;
  if (!still_holds(trial)) return out;
  Settlement settlement;
  settlement.younger = trial.younger;
  const PageRef page = collection().pages.find(trial.page_id);
  if (page && trial.older.group_id != 0) {
    const MemberComparison& last = trial.remainder.group_id != 0 ? trial.remainder : trial.older;
    settlement.page_id = trial.page_id;
    settlement.undecided = trial.older.verification.undecided;
    settlement.group_id = last.joins ? last.group_id : 0;
    settlement.loose = last.joins && last.verification.loose;
    settlement.answer = answer_to(last.verification, last.joins, last.representative, page->data->answer,
                                  engine_.parameters_.decision);
  } else if (page && trial.text == 0 && collection().pages.group(trial.alias.current)) {
    // It has no text to compare, so it moves to the older group, as in a group that elects a representative.
    settlement.page_id = trial.page_id;
    settlement.group_id = trial.alias.current;
    settlement.answer = page->data->answer;
  }
  if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  if (engine_.store_ != nullptr) write_settled_change(settlement, engine_.record_);
  const Result<uint64_t> settled = engine_.journaled([&] { return collection().settle(settlement); });
  if (!settled) return settled.failure();
  out.page_id = *settled;
  if (settlement.page_id != 0 && settlement.group_id != trial.alias.current)
    engine_.counters_.regrouped.fetch_add(1, std::memory_order_relaxed);
  return out;
}

// The group that is becoming part of another one, and its member of this URL; both 0 if there is none.
std::pair<uint64_t, uint64_t> GroupMerging::unsettled_page() const {
  if (collection().aliases.unfinished().empty()) return {};
  const PageRef known = collection().pages.find(page_.url());
  if (!known || !collection().aliases.is_unfinished(known->data->answer.group_id)) return {};
  const uint64_t younger = known->data->answer.group_id;
  const GroupRef group = collection().pages.group(younger);
  const uint64_t page_id = known->data->answer.page_id;
  if (group && known->data->text == 0 && collection().pages.names_part(*group, page_id)) return {};
  return {younger, page_id};
}

// Before anything is decided about a page whose group is becoming part of another one, the page is assigned
// to one of the two or to another group. Called first without the lock; then, with `updating`, by the
// updating thread for merges that have begun since.
Result<void> GroupMerging::settle_page(bool updating) {
  if (!engine_.parameters_.merging.enabled) return {};
  std::pair<uint64_t, uint64_t> unsettled;
  {
    std::shared_lock lock(engine_.mutex_, std::defer_lock);
    if (!updating) lock.lock();
    unsettled = unsettled_page();
  }
  const auto [younger, page_id] = unsettled;
  if (younger == 0) return {};
  scratch_.work.add(Work::kComparison, scratch_.verifier.work());
  scratch_.budget.raise_to(engine_.parameters_.budget.check_work);
  const Result<MemberTrial> trial = compare_member(younger, page_id);
  scratch_.verifier.set_page(page_);
  if (!trial) return trial.failure();
  std::unique_lock lock(engine_.mutex_, std::defer_lock);
  if (!updating) lock.lock();
  const Result<Settled> settled = settle_member(*trial);
  if (!settled) return settled.failure();
  scratch_.decision.merge_comparisons += settled->comparisons;
  return {};
}

}  // namespace nd::engine
