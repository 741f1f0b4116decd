// Takes a page through steps [7] to [9]: first with other readers, and once more under the lock if a commit
// came between.
#include "engine/check.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "collection/journal_record.hpp"
#include "core/wall_clock.hpp"
#include "engine/engine.hpp"
#include "engine/site_contribution.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {
namespace {

// Once a match is this good, no more groups are compared.
constexpr double kBestMerit = 0.9;

// How often to look again because other threads committed meanwhile; the last round verifies under the lock.
constexpr int kCommitRounds = 8;

// Whether a page has text, and next to none in blocks that stand on few other pages of the site, or on none.
bool lacks_own_text(const Features& page, std::span<const uint8_t> boilerplate) noexcept {
  const std::span<const FeatureBlock> blocks = page.blocks();
  const std::span<const Symbol> symbols = page.symbols();
  double own = 0;
  for (size_t i = 0; i < blocks.size() && own < kLeastOwnWidth; ++i) {
    if (boilerplate[i] != kOwnText) continue;
    for (uint32_t at = blocks[i].token_begin; at < token_end(blocks, i, symbols.size()); ++at)
      own += symbol_width(symbols[at]);
  }
  return !blocks.empty() && own < kLeastOwnWidth;
}

}  // namespace

PageFacts facts_of(const PageInput& page) noexcept {
  return {page.url, page.fetched_at_ms != 0 ? page.fetched_at_ms : wall_clock_ms(), page.body.size(),
          page.truncated};
}

Check::Check(Engine& engine, Scratch& scratch) noexcept
    : engine_(engine), scratch_(scratch), decision_(scratch.decision) {}

Check::~Check() {
  decision_.clear();  // compared texts must not be kept alive after the call
  if (page_) scratch_.builder.reuse(*std::move(page_));
}

const Collection& Check::collection() const noexcept {
  return *engine_.collection_;
}

Result<void> Check::read(const PageInput& page, const TakeText* take_text) {
  const Parameters& parameters = engine_.parameters_;
  const Result<std::span<const FeatureBlock>> blocks = engine_.read_document(page, scratch_);
  if (!blocks) return blocks.failure();
  // [6] Symbols, fingerprints and relaxed keys; none from text known as the site's boilerplate.
  const bool has_keys = parameters.detector.is_lcs();  // what a method keeps depends only on the page
  scratch_.boilerplate_of_page.assign(has_keys ? blocks->size() : 0, uint8_t{kOwnText});
  if (has_keys || take_text != nullptr) {
    const Result<SiteCounts> counts =
        engine_.count_own_blocks(page.url, scratch_.document.site, *blocks, scratch_);
    if (!counts) return counts.failure();
    if (has_keys) mark_by_share(scratch_.counted.page, scratch_.boilerplate_of_page);
    if (take_text != nullptr) give_own_text(*blocks, *counts, *take_text);
  }
  take(scratch_.builder.finish(facts_of(page), scratch_.document, scratch_.boilerplate_of_page, parameters,
                               RecordFor::kThisCheck),
       page.body.size());
  scratch_.work.add(scratch_.builder.work());
  note_own_text();
  return {};
}

void Check::note_own_text() noexcept {
  lacks_own_text_ =
      engine_.parameters_.detector.is_lcs() && lacks_own_text(page(), scratch_.boilerplate_of_page);
}

void Check::give_own_text(std::span<const FeatureBlock> blocks, const SiteCounts& site,
                          const TakeText& take_text) {
  String text;
  write_own_text(scratch_.document, blocks, scratch_.builder.block_widths(), site, text);
  scratch_.work.add(Work::kText, text.size());
  take_text(text);
}

void Check::take(Features page, uint64_t bytes) noexcept {
  page_ = std::move(page);
  scratch_.budget.start(engine_.parameters_.budget, bytes);
}

Result<Answer> Check::decide(Purpose purpose, CheckTrace* trace) {
  scratch_.verifier.set_page(page());
  struct Counting {
    Engine& engine;
    Scratch& scratch;
    ~Counting() {
      scratch.work.add(Work::kComparison, scratch.verifier.work());
      engine.counters_.add(scratch.work);
    }
  };
  const Counting counting{engine_, scratch_};
  if (Result<void> gathered = gather_with_readers(); !gathered) return std::move(gathered).failure();
  for (int round = 0;; ++round) {
    const bool is_last = round + 1 == kCommitRounds;
    if (Result<void> verified = verify_candidates(); !verified) return std::move(verified).failure();
    if (purpose != Purpose::kQuery) {
      const Result<std::optional<Answer>> answer = commit_round(purpose, is_last, trace);
      if (!answer) return answer.failure();
      if (*answer) return **answer;
    } else if (is_last || !lost_a_text()) {
      engine_.counters_.queries.fetch_add(1, std::memory_order_relaxed);
      const Answer answer = answer_of(page(), decision_, engine_.parameters_.decision);
      return decision_.previous.unchanged ? as_unchanged(answer) : answer;
    } else if (Result<void> gathered = gather_with_readers(); !gathered) {
      return std::move(gathered).failure();
    }
  }
}

// [7] The groups to compare the page with, likeliest first, found under a lock that readers share. Here and
// elsewhere, damage is checked for under the lock; otherwise a refresh could replace the damaged snapshot
// first.
//
// The work is split into two sections of about the same length: other threads' changes wait for at most one
// of them.
Result<void> Check::gather_with_readers() {
  {
    const std::shared_lock lock(engine_.mutex_);
    const bool needs_more = look().begin();
    if (Result<void> whole = engine_.check_damage(); !whole || !needs_more) return whole;
  }
  const std::shared_lock lock(engine_.mutex_);
  look().finish();
  return engine_.check_damage();
}

CandidateGathering Check::look() const noexcept {
  return {collection(), engine_.parameters_, page(), engine_.has_room(), scratch_, engine_.counters_};
}

// [8] Verification, without any lock.
Result<void> Check::verify_candidates() {
  while (Candidate* candidate = next_to_verify()) {
    PairCounts counts;
    {
      const std::shared_lock lock(engine_.mutex_);
      counts = prepare(*candidate);
      if (Result<void> whole = engine_.check_damage(); !whole) return whole;
    }
    verify(*candidate, counts);
  }
  return {};
}

// The next group to compare with, or null once the answer is clear; chooses the best match so far.
Candidate* Check::next_to_verify() {
  decision_.joined = nullptr;
  decision_.limited_verifications = false;
  decision_.limited_work = false;
  uint32_t verified_count = 0;
  for (Candidate& candidate : decision_.candidates) {
    if (verified_count == engine_.parameters_.verifications) {
      decision_.limited_verifications = true;
      break;
    }
    const bool was_cut =
        candidate.verified && !candidate.verification.similar && candidate.verification.limited;
    if (was_cut && candidate.copy_features_id != 0 && candidate.features_id != candidate.copy_features_id)
      candidate.compare_with_exact_copy();
    if (!candidate.verified) return &candidate;
    ++verified_count;
    decision_.limited_work |= candidate.verification.limited;
    if (!candidate.verification.similar) continue;
    if (decision_.joined == nullptr ||
        candidate.verification.merit() > decision_.joined->verification.merit())
      decision_.joined = &candidate;
    if (decision_.previous.known && candidate.group_id == decision_.previous.group_id) break;
    if (candidate.copy_features_id != 0 || candidate.verification.merit() >= kBestMerit) break;
  }
  return nullptr;
}

// Fetches the text and what is known of both sites (or the verdict, if a method decides), if the budget
// allows it; the lock must be held. The counts are kept in the scratch.
PairCounts Check::prepare(Candidate& candidate) {
  candidate.verified = true;
  const std::optional<FeatureHeader> header = collection().texts.header_of(candidate.features_id);
  if (!header) return {};
  const Parameters& parameters = engine_.parameters_;
  const MethodSource& method = collection().method;
  const bool by_method = parameters.detector.method_decides();
  const uint64_t least =
      by_method ? method.verification_work(*header, page().header()) : least_steps(*header, page().header());
  // A page with exactly the same text is recognised in any case.
  const bool is_exact_copy = candidate.features_id == candidate.copy_features_id;
  candidate.left_out = !is_exact_copy && share_of_budget() < steps_to_unpack(*header) + least;
  if (candidate.left_out) return {};
  candidate.text = unpack(collection(), candidate.features_id, *header, scratch_);
  if (candidate.text == nullptr) return {};
  // Scores change with the epochs of the method's index, so this needs the lock.
  if (by_method) {
    candidate.verification = method.verify(*candidate.text, page(), parameters.decision);
    scratch_.work.add(Work::kComparison, least);
    scratch_.budget.spend(least);
    return {};
  }
  const bool needs_own = !decision_.contribution_taken;
  const CountedAs own = needs_own ? checked_as(collection(), page()) : CountedAs();
  const CountedAs as = counted_as(collection(), *candidate.text);
  candidate.left_out = !is_exact_copy && share_of_budget() < least + own.steps + as.steps;
  if (candidate.left_out) return {};
  if (needs_own) {
    take_contribution(collection(), page(), own, scratch_, scratch_.of_page);
    scratch_.counted.clear();
  }
  decision_.contribution_taken = true;
  return count_pair(collection(), *candidate.text, as, page(), scratch_);
}

void Check::verify(Candidate& candidate, const PairCounts& counts) {
  if (candidate.left_out) {
    candidate.verification = {};
    candidate.verification.limited = true;
    return;
  }
  if (candidate.text == nullptr) return;  // removed meanwhile; the commit will look again
  if (!engine_.parameters_.detector.method_decides()) {
    const uint64_t before = scratch_.verifier.work();
    candidate.verification =
        scratch_.verifier.verify(*candidate.text, counts, engine_.parameters_, share_of_budget());
    scratch_.budget.spend(scratch_.verifier.work() - before);
  }
  Counters& counters = engine_.counters_;
  counters.verifications.fetch_add(1, std::memory_order_relaxed);
  if (candidate.verification.by_sketch) counters.rejected_by_sketch.fetch_add(1, std::memory_order_relaxed);
}

// The part of the budget that a comparison with one of the page's candidates may use. The most promising
// candidates come first, but whatever they use, enough remains to find a later one that nearly equals the
// page.
uint64_t Check::share_of_budget() const {
  const Vector<Candidate>& candidates = decision_.candidates;
  const auto made = static_cast<size_t>(std::ranges::count_if(candidates, &Candidate::verified));
  const size_t most = std::min<size_t>(candidates.size(), engine_.parameters_.verifications);
  return scratch_.budget.share(most - std::min(most, made), steps_of_near_equal(page()));
}

// Whether a text to be compared has been removed: a commit looks again anyway, a query must.
bool Check::lost_a_text() const {
  return std::ranges::any_of(decision_.candidates, [](const Candidate& candidate) {
    return candidate.verified && candidate.text == nullptr && !candidate.left_out;
  });
}

CheckTrace Check::trace() const {
  CheckTrace trace;
  trace.candidates.reserve(decision_.candidates.size());
  for (const Candidate& candidate : decision_.candidates)
    trace.candidates.push_back(
        {candidate.group_id, candidate.copy_features_id != 0, candidate.verified, candidate.verification});
  return trace;
}

// [9] Commit. First, changes that others have committed meanwhile are examined; if any of them must be
// verified, another round follows, and nothing is returned. This is done alongside other readers first, so
// that little is left to examine under the exclusive lock.
Result<std::optional<Answer>> Check::commit_round(Purpose purpose, bool is_last, CheckTrace* trace) {
  // Without any lock, unless the page was only seen again unchanged.
  if (packed_.bytes == nullptr && !decision_.previous.is_settled()) prepare_storing();
  if (!is_last) {
    const Result<bool> found = look_again();
    if (!found) return found.failure();
    if (*found) return std::optional<Answer>();
  }
  std::unique_lock lock(engine_.mutex_);
  if (collection().commit_sequence() != decision_.commit_sequence) {
    look().run();
    engine_.counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
    if (next_to_verify() != nullptr && !is_last) return std::optional<Answer>();
    while (Candidate* candidate = next_to_verify())
      verify(*candidate, prepare(*candidate));
  }
  if (trace != nullptr) *trace = this->trace();
  const Result<Answer> answer = commit_under(lock, purpose);
  return answer ? Result<std::optional<Answer>>(*answer) : answer.failure();
}

// The lock is released while the record is written.
Result<Answer> Check::commit_under(std::unique_lock<UpdateLock>& lock, Purpose purpose) {
  const WorkTally before = collection().work();
  Result<Answer> answer = commit();
  scratch_.work.add(collection().work().since(before));
  if (!answer) return std::move(answer).failure();
  if (decision_.previous.unchanged) answer = as_unchanged(*answer);
  if (purpose == Purpose::kSettle) return answer;
  engine_.expire(std::min(page().header().fetched_at_ms, wall_clock_ms()));
  lock.unlock();
  engine_.warn_of_memory();
  if (Result<void> durable = engine_.wait_for_durability(); !durable) return std::move(durable).failure();
  // Only now: a check whose record could not be written returns an error and is called again.
  engine_.count(*answer, page());
  return answer;
}

void Check::prepare_storing() {
  packed_ = engine_.collection_->texts.pack(page(), scratch_.packing);
  if (engine_.collection_->counts_pages()) parts_ = counted_parts(page());
}

Result<Answer> Check::apply(const Answer& decided) {
  prepare_storing();
  std::unique_lock lock(engine_.mutex_);
  if (Result<void> taken = take_decision(decided); !taken) return std::move(taken).failure();
  Result<Answer> answer = commit_under(lock, Purpose::kCommit);
  engine_.counters_.add(scratch_.work);
  return answer;
}

// The decision, as if it had been made here.
Result<void> Check::take_decision(const Answer& decided) {
  decision_.clear();
  Previous& previous = decision_.previous;
  const bool has_room = engine_.has_room();
  previous = collection().previous_of(page(), has_room);
  const bool founds = decided.group_id == 0;
  const uint64_t group_id = founds ? decided.related_group_id : decided.group_id;
  const GroupRef group = collection().pages.group(group_id);
  if (Result<void> whole = engine_.check_damage(); !whole) return whole;
  if (!founds && !group) return error(Status::kNotFound, "no group has this id");
  const bool is_its_group = previous.known && group_id == previous.group_id;
  const bool stays_there = founds ? stays(previous, 0) : is_its_group;
  previous.decided_again = previous.unchanged && !stays_there;
  previous.postponed = false;
  if (previous.decided_again && !has_room)
    return error(Status::kLimit, "the memory budget leaves no room to move a page");
  decision_.limited_work = (decided.flags & kLimit) != 0;
  if (!group || (is_its_group && (founds || previous.alone))) return {};
  const PageRef equal = collection().pages.find(decided.matched_page_id);
  const bool is_copy =
      decided.verdict == kExactDuplicate && equal && equal->data->answer.group_id == group_id;
  Candidate candidate;
  candidate.group_id = group_id;
  const bool names_no_copy = decided.verdict == kExactDuplicate && !is_copy;
  candidate.matched_page_id = is_copy ? decided.matched_page_id : group->data->representative_page_id;
  // The representative's text need not be equal; its own earlier text is not there any more.
  if (names_no_copy || candidate.matched_page_id == previous.page_id) candidate.matched_page_id = 0;
  candidate.verified = true;
  Verification& verification = candidate.verification;
  verification.similar = !founds;
  verification.rule = decided.verdict == kExactDuplicate ? Rule::kExact
                      : (decided.flags & kUnverified)    ? Rule::kMethod
                                                         : Rule::kProbability;
  verification.resemblance = decided.resemblance;
  verification.containment = decided.containment;
  verification.page_coverage = decided.page_coverage;
  verification.matched_coverage = decided.matched_coverage;
  verification.probability = decided.probability;
  decision_.candidates.push_back(std::move(candidate));
  if (!founds) decision_.joined = &decision_.candidates.back();
  return {};
}

// True if the commits of others must be verified.
Result<bool> Check::look_again() {
  const std::shared_lock lock(engine_.mutex_);
  if (collection().commit_sequence() == decision_.commit_sequence) return false;
  look().run();
  engine_.counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
  if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  return next_to_verify() != nullptr;
}

// Under the writer's lock.
Result<Answer> Check::commit() {
  if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  const Answer answer = answer_of(page(), decision_, engine_.parameters_.decision);
  if (decision_.previous.is_settled()) return commit_seen(answer);
  const Outcome outcome = outcome_of(answer);
  if (packed_.bytes == nullptr) prepare_storing();  // removed since the last look
  if (engine_.keeps_changes()) write_page_change(page(), outcome, engine_.record_);
  Result<Answer> committed = commit_prepared(outcome);
  if (committed) count_limits();
  return committed;
}

// The parts of the change that readers may see are made while they read, the rest under the exclusive lock.
Result<Answer> Check::commit_prepared(const Outcome& outcome) {
  struct Preparation {
    UpdateLock& lock;
    Collection& collection;
    bool is_used = false;
    ~Preparation() {
      if (!is_used) {
        const UpdateLock::Change alone(lock);
        collection.cancel_commit();
      }
      collection.release_replaced();
    }
  };
  Collection& collection = *engine_.collection_;
  Preparation preparation{engine_.mutex_, collection};
  collection.prepare_commit(page(), outcome, parts_);
  Result<Answer> committed =
      engine_.journaled([&] { return collection.commit(page(), outcome, std::move(packed_), parts_); });
  preparation.is_used = static_cast<bool>(committed);
  return committed;
}

// Commits a page that was seen again with the same text and needs no new decision.
Result<Answer> Check::commit_seen(const Answer& answer) {
  const Previous& previous = decision_.previous;
  const int64_t at_ms = page().header().fetched_at_ms;
  if (engine_.keeps_changes()) write_seen_change(previous.page_id, at_ms, engine_.record_);
  engine_.counters_.limit_memory.fetch_add(previous.postponed, std::memory_order_relaxed);
  Result<void> seen = engine_.journaled(
      [&]() -> Result<void> { return engine_.collection_->see_again(previous.page_id, at_ms); });
  if (!seen) return std::move(seen).failure();
  return answer;
}

Outcome Check::outcome_of(const Answer& answer) const {
  Outcome outcome;
  outcome.previous = decision_.previous;
  outcome.answer = answer;
  outcome.kept = engine_.has_room();
  if (decision_.joined != nullptr) outcome.joined = decision_.joined->group_id;
  return outcome;
}

void Check::count_limits() {
  const auto add = [](Counter& counter, uint64_t amount) {
    counter.fetch_add(amount, std::memory_order_relaxed);
  };
  Counters& counters = engine_.counters_;
  add(counters.candidates, decision_.candidates.size());
  add(counters.limit_candidates, decision_.limited_candidates);
  add(counters.limit_verifications, decision_.limited_verifications);
  add(counters.limit_work, decision_.limited_work);
  add(counters.reverified, decision_.previous.unchanged);
  add(counters.without_own_text, lacks_own_text_);
}

}  // namespace nd::engine
