#include "engine/check.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "collection/journal_record.hpp"
#include "core/wall_clock.hpp"
#include "engine/engine.hpp"
#include "page/own_weights.hpp"

namespace nd::engine {
namespace {

// Once a match is this good, no more groups are compared.
constexpr double kBestMerit = 0.9;

// How often to look again because other threads committed meanwhile; the last round verifies under the lock.
constexpr int kCommitRounds = 8;

bool needs_candidates(const Features& page, const Previous& previous) noexcept {
  return page.has_text() && !previous.is_settled();
}

// Of the blocks that stand on few other pages of the site, or on none.
double own_width(const Scratch& scratch) noexcept {
  const std::span<const uint64_t> widths = scratch.builder.block_widths();
  double own = 0;
  for (size_t i = 0; i < scratch.boilerplate_of_page.size(); ++i)
    own += scratch.boilerplate_of_page[i] == kOwnText ? static_cast<double>(widths[i]) : 0;
  return own;
}

}  // namespace

Check::Check(Engine& engine, Scratch& scratch) noexcept
    : engine_(engine), scratch_(scratch), decision_(scratch.decision) {}

Check::~Check() {
  decision_.clear();  // compared texts must not be kept alive after the call
  if (page_) scratch_.builder.reuse(*std::move(page_));
}

const Collection& Check::known() const noexcept {
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
    if (has_keys) {
      mark_by_share(scratch_.counted.page, scratch_.boilerplate_of_page);
      lacks_own_text_ = !blocks->empty() && own_width(scratch_) < kLeastOwnWidth;
    }
    if (take_text != nullptr) give_own_text(*blocks, *counts, *take_text);
  }
  const PageFacts facts{page.url, page.fetched_at_ms != 0 ? page.fetched_at_ms : wall_clock_ms(),
                        page.body.size(), page.truncated};
  take(scratch_.builder.finish(facts, scratch_.document, scratch_.boilerplate_of_page, parameters, false),
       page.body.size());
  scratch_.work.add(scratch_.builder.work());
  return {};
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
  if (Result<void> gathered = gather_beside_readers(); !gathered) return std::move(gathered).failure();
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
    } else if (Result<void> gathered = gather_beside_readers(); !gathered) {
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
Result<void> Check::gather_beside_readers() {
  {
    const std::shared_lock lock(engine_.mutex_);
    const bool needs_more = begin_gathering();
    if (Result<void> whole = engine_.check_damage(); !whole || !needs_more) return whole;
  }
  const std::shared_lock lock(engine_.mutex_);
  finish_gathering();
  return engine_.check_damage();
}

// Looks up the URL, pages of the same text, and the ranked groups. The lock must be held.
void Check::gather() {
  if (begin_gathering()) finish_gathering();
}

// The first half of gather(), with the search by spot signatures. False if no candidates are needed.
bool Check::begin_gathering() {
  decision_.commit_sequence = known().commit_sequence();
  decision_.previous = known().previous_of(page(), engine_.has_room());
  decision_.joined = nullptr;
  decision_.contribution_taken = false;
  decision_.earlier.clear();
  decision_.earlier.swap(decision_.prospects);
  // Plus the page's own group, and that of its twin.
  decision_.prospects.reserve(engine_.parameters_.index.candidates + 2);
  if (!needs_candidates(page(), decision_.previous)) return false;
  if (!known().method.is_used()) search_by_spots();
  return true;
}

// The second half of gather(), which uses the results of the first. Other threads may have committed in
// between.
void Check::finish_gathering() {
  if (known().commit_sequence() != decision_.commit_sequence) {
    decision_.commit_sequence = known().commit_sequence();
    decision_.previous = known().previous_of(page(), engine_.has_room());
    if (!needs_candidates(page(), decision_.previous)) return;
  }
  // A changed page stays in its group if it still verifies. After that come pages with exactly the same text,
  // then groups that share keys.
  if (decision_.previous.known) add_prospect(decision_.previous.group_id, nullptr);
  add_twins_group();
  if (known().method.is_used()) {
    gather_by_method();
    return;
  }
  known().groups_of(decision_.by_spots, scratch_.spot_matches);
  const std::span<const Candidate> candidates = scratch_.search.search(
      known().index, scratch_.spot_matches, page(), engine_.parameters_.index, decision_.limited_candidates);
  scratch_.work.add(Work::kCandidates, scratch_.search.work());
  for (const Candidate& candidate : candidates)
    add_prospect(candidate.group_id, nullptr);
  decision_.limited_candidates |= decision_.limited_spots;
}

// A search by spot signatures takes long, and a later look may be under the writer's lock, so the search is
// made once, at the first look, under the lock that readers share. Later looks use whatever of its results
// still exists. A group that another thread founded meanwhile is found by its keys and by equal text, so
// equal pages that are checked at the same time meet; near-duplicates checked at the same time that share
// only spot signatures may each found a group. The search is made late in one case only: if the first look
// needed no candidates, because the page was already known unchanged, and the page was then removed.
void Check::search_by_spots() {
  if (decision_.spots_searched) return;
  const auto found = known().spots.find(page(), scratch_.spot_search, decision_.limited_spots,
                                        scratch_.budget.share_of_search());
  if (!page().spots().empty()) {
    scratch_.work.add(Work::kCandidates, scratch_.spot_search.work());
    scratch_.budget.spend(scratch_.spot_search.work());
  }
  decision_.by_spots.assign(found.begin(), found.end());
  decision_.spots_searched = true;
  engine_.counters_.spot_searches.fetch_add(1, std::memory_order_relaxed);
}

// Unlike the search by spot signatures, this one is repeated at each look: nothing else would find the group
// that another thread has meanwhile founded for a near-duplicate.
void Check::gather_by_method() {
  const detectors::MethodMatches found =
      known().method.find(page(), engine_.parameters_.index.candidates, *scratch_.method_search);
  decision_.limited_candidates |= found.limited;
  scratch_.work.add(Work::kCandidates, found.work);
  for (const detectors::MethodMatch& match : found.matches)
    add_prospect(match.id, nullptr);
}

// Adds the group of another page with exactly the same text. The digest only suggests it: the symbols are
// compared.
void Check::add_twins_group() {
  if (!can_be_exact(page(), engine_.parameters_.decision)) return;
  const PageRef twin = known().pages.find(known().exact.find(page().digest().low));
  if (!twin || twin->data->digest != page().digest() || twin->data->text == 0 ||
      twin->data->answer.page_id == decision_.previous.page_id)
    return;
  const std::optional<FeatureHeader> header = known().texts.header_of(twin->data->text);
  if (!header || header->symbol_count != page().symbols().size()) return;
  const SharedFeatures text = unpack(twin->data->text, *header);
  if (text == nullptr || !std::ranges::equal(text->symbols(), page().symbols())) return;
  // With another title it is no twin where titles count, but its group is still the likeliest.
  const bool is_twin = have_equal_text(*text, page(), engine_.parameters_.decision);
  add_prospect(twin->data->answer.group_id, is_twin ? &**twin : nullptr);
}

void Check::add_prospect(uint64_t group_id, const PageData* twin) {
  const GroupRef group = known().pages.group(group_id);
  if (!group) return;
  for (Prospect& prospect : decision_.prospects) {
    if (prospect.group_id != group_id) continue;
    if (twin != nullptr) add_twin(*twin, prospect);
    return;
  }
  Prospect prospect;
  prospect.group_id = group_id;
  prospect.matched_page_id = group->data->representative_page_id;
  prospect.features_id = group->data->text;
  const Previous& previous = decision_.previous;
  if (previous.known && represents_itself(*group)) {
    // Never the page's own old text, even as a tombstone: the oldest other member represents the group here.
    if (previous.group_id == group_id && previous.alone) return;
    prospect.matched_page_id = oldest_other_member(*group);
    const PageRef other = known().pages.find(prospect.matched_page_id);
    prospect.features_id = other ? other->data->text : 0;
  }
  if (twin != nullptr) add_twin(*twin, prospect);
  if (prospect.features_id == 0) return;
  reuse_verification(prospect);
  decision_.prospects.push_back(std::move(prospect));
}

// The group is represented by an earlier text of this very page, or by one that is too long to find out: then
// another member represents it here as well.
bool Check::represents_itself(const GroupRecord::View& group) {
  if (group.data->text == 0) return false;
  if (group.data->representative_page_id != 0)
    return group.data->representative_page_id == decision_.previous.page_id;
  const std::optional<FeatureHeader> header = known().texts.header_of(group.data->text);
  if (!header || header->url_size != page().url().size()) return false;
  if (scratch_.budget.left() < steps_to_unpack(*header)) return true;
  const SharedFeatures tombstone = unpack(group.data->text, *header);
  return tombstone != nullptr && tombstone->url() == page().url();
}

uint64_t Check::oldest_other_member(const GroupRecord::View& group) const {
  uint64_t oldest = 0;
  known().pages.for_each_member(group, [&](uint64_t member) {
    if (member == decision_.previous.page_id) return true;
    oldest = member;
    return false;
  });
  return oldest;
}

// Comparisons made before the last look are not repeated.
void Check::reuse_verification(Prospect& prospect) const {
  for (const Prospect& earlier : decision_.earlier) {
    if (earlier.group_id == prospect.group_id && earlier.features_id == prospect.features_id &&
        earlier.verified) {
      prospect.verified = true;
      prospect.verification = earlier.verification;
      prospect.text = earlier.text;
      prospect.left_out = earlier.left_out;
    }
  }
}

void Check::add_twin(const PageData& twin, Prospect& prospect) {
  prospect.twin_features_id = twin.text;
  prospect.twin_page_id = twin.answer.page_id;
  if (prospect.matched_page_id == 0) compare_with_twin(prospect);
}

// A member with exactly the same text represents its group if the representative was removed, or could not be
// compared for lack of budget.
void Check::compare_with_twin(Prospect& prospect) {
  prospect.matched_page_id = prospect.twin_page_id;
  if (prospect.features_id == prospect.twin_features_id) return;
  prospect.verified = false;
  prospect.features_id = prospect.twin_features_id;
  prospect.text = nullptr;
}

// [8] Verification, without any lock.
Result<void> Check::verify_candidates() {
  while (Prospect* prospect = next_to_verify()) {
    PairCounts counts;
    {
      const std::shared_lock lock(engine_.mutex_);
      counts = prepare(*prospect);
      if (Result<void> whole = engine_.check_damage(); !whole) return whole;
    }
    verify(*prospect, counts);
  }
  return {};
}

// The next group to compare with, or null once the answer is clear; chooses the best match so far.
Prospect* Check::next_to_verify() {
  decision_.joined = nullptr;
  decision_.limited_verifications = false;
  decision_.limited_work = false;
  uint32_t verified_count = 0;
  for (Prospect& prospect : decision_.prospects) {
    if (verified_count == engine_.parameters_.index.verifications) {
      decision_.limited_verifications = true;
      break;
    }
    const bool was_cut = prospect.verified && !prospect.verification.similar && prospect.verification.limited;
    if (was_cut && prospect.twin_features_id != 0 && prospect.features_id != prospect.twin_features_id)
      compare_with_twin(prospect);
    if (!prospect.verified) return &prospect;
    ++verified_count;
    decision_.limited_work |= prospect.verification.limited;
    if (!prospect.verification.similar) continue;
    if (decision_.joined == nullptr || prospect.verification.merit() > decision_.joined->verification.merit())
      decision_.joined = &prospect;
    if (decision_.previous.known && prospect.group_id == decision_.previous.group_id) break;
    if (prospect.twin_features_id != 0 || prospect.verification.merit() >= kBestMerit) break;
  }
  return nullptr;
}

// Fetches the text and what is known of both sites (or the verdict, if a method decides), if the budget
// allows it; the lock must be held. The counts are kept in the scratch.
PairCounts Check::prepare(Prospect& prospect) {
  prospect.verified = true;
  const std::optional<FeatureHeader> header = known().texts.header_of(prospect.features_id);
  if (!header) return {};
  const Parameters& parameters = engine_.parameters_;
  const MethodSource& method = known().method;
  const bool by_method = parameters.detector.method_decides();
  const uint64_t least =
      by_method ? method.verification_work(*header, page().header()) : least_steps(*header, page().header());
  // A page with exactly the same text is recognised in any case.
  const bool is_twin = prospect.features_id == prospect.twin_features_id;
  prospect.left_out = !is_twin && share_of_budget() < steps_to_unpack(*header) + least;
  if (prospect.left_out) return {};
  prospect.text = unpack(prospect.features_id, *header);
  if (prospect.text == nullptr) return {};
  // Scores change with the epochs of the method's index, so this needs the lock.
  if (by_method) {
    prospect.verification = method.verify(*prospect.text, page(), parameters.decision);
    scratch_.work.add(Work::kComparison, least);
    scratch_.budget.spend(least);
    return {};
  }
  const bool needs_own = !decision_.contribution_taken;
  const Engine::CountedAs own = needs_own ? engine_.counted_as(page()) : Engine::CountedAs();
  const Engine::CountedAs as = engine_.counted_as(*prospect.text);
  prospect.left_out = !is_twin && share_of_budget() < least + own.steps + as.steps;
  if (prospect.left_out) return {};
  if (needs_own) engine_.take_contribution(page(), own, scratch_, scratch_.parts_of_page);
  decision_.contribution_taken = true;
  return engine_.count_pair(*prospect.text, as, page(), scratch_);
}

// It costs the same if the scratch still has the text, so that no answer depends on the pages before.
SharedFeatures Check::unpack(uint64_t text, const FeatureHeader& header) {
  scratch_.work.add(Work::kComparison, steps_to_unpack(header));
  scratch_.budget.spend(steps_to_unpack(header));
  return known().texts.find(text, scratch_.unpacked);
}

void Check::verify(Prospect& prospect, const PairCounts& counts) {
  if (prospect.left_out) {
    prospect.verification = {};
    prospect.verification.limited = true;
    return;
  }
  if (prospect.text == nullptr) return;  // removed meanwhile; the commit will look again
  if (!engine_.parameters_.detector.method_decides()) {
    const uint64_t before = scratch_.verifier.work();
    prospect.verification =
        scratch_.verifier.verify(*prospect.text, counts, engine_.parameters_, share_of_budget());
    scratch_.budget.spend(scratch_.verifier.work() - before);
  }
  Counters& counters = engine_.counters_;
  counters.verifications.fetch_add(1, std::memory_order_relaxed);
  if (prospect.verification.by_sketch) counters.rejected_by_sketch.fetch_add(1, std::memory_order_relaxed);
}

// The part of the budget that a comparison with one of the page's candidates may use. The most promising
// candidates come first, but whatever they use, enough remains to find a later one that nearly equals the
// page.
uint64_t Check::share_of_budget() const {
  const Vector<Prospect>& prospects = decision_.prospects;
  const auto made = static_cast<size_t>(std::ranges::count_if(prospects, &Prospect::verified));
  const size_t most = std::min<size_t>(prospects.size(), engine_.parameters_.index.verifications);
  return scratch_.budget.share(most - std::min(most, made), steps_of_near_equal(page()));
}

// Whether a text to be compared has been removed: a commit looks again anyway, a query must.
bool Check::lost_a_text() const {
  return std::ranges::any_of(decision_.prospects, [](const Prospect& prospect) {
    return prospect.verified && prospect.text == nullptr && !prospect.left_out;
  });
}

CheckTrace Check::trace() const {
  CheckTrace trace;
  trace.candidates.reserve(decision_.prospects.size());
  for (const Prospect& prospect : decision_.prospects)
    trace.candidates.push_back(
        {prospect.group_id, prospect.twin_features_id != 0, prospect.verified, prospect.verification});
  return trace;
}

// [9] Commit. First, changes that others have committed meanwhile are examined; if any of them must be
// verified, another round follows, and nothing is returned. This is done alongside other readers first, so
// that little is left to examine under the exclusive lock.
Result<std::optional<Answer>> Check::commit_round(Purpose purpose, bool is_last, CheckTrace* trace) {
  // Without any lock, unless the page was only seen again unchanged.
  if (packed_.bytes == nullptr && !decision_.previous.is_settled())
    packed_ = engine_.collection_->texts.pack(page(), scratch_.packing);
  if (!is_last) {
    const Result<bool> found = look_again();
    if (!found) return found.failure();
    if (*found) return std::optional<Answer>();
  }
  std::unique_lock lock(engine_.mutex_);
  if (known().commit_sequence() != decision_.commit_sequence) {
    gather();
    engine_.counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
    if (next_to_verify() != nullptr && !is_last) return std::optional<Answer>();
    while (Prospect* prospect = next_to_verify())
      verify(*prospect, prepare(*prospect));
  }
  if (trace != nullptr) *trace = this->trace();
  const WorkTally before = known().work();
  Result<Answer> answer = commit();
  scratch_.work.add(known().work().since(before));
  if (!answer) return std::move(answer).failure();
  if (decision_.previous.unchanged) answer = as_unchanged(*answer);
  if (purpose == Purpose::kSettle) return std::optional<Answer>(*answer);
  engine_.expire(std::min(page().header().fetched_at_ms, wall_clock_ms()));
  lock.unlock();
  engine_.warn_of_memory();
  if (Result<void> durable = engine_.wait_for_durability(); !durable) return std::move(durable).failure();
  // Only now: a check whose record could not be written returns an error and is called again.
  engine_.count(*answer, page());
  return std::optional<Answer>(*answer);
}

// True if the commits of others must be verified.
Result<bool> Check::look_again() {
  const std::shared_lock lock(engine_.mutex_);
  if (known().commit_sequence() == decision_.commit_sequence) return false;
  gather();
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
  Collection& collection = *engine_.collection_;
  if (packed_.bytes == nullptr) {  // removed since the last look
    PackingMemory memory;
    packed_ = collection.texts.pack(page(), memory);
  }
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
        collection.take_back();
      }
      collection.release_replaced();
    }
  };
  Collection& collection = *engine_.collection_;
  Preparation preparation{engine_.mutex_, collection};
  collection.prepare_commit(page(), outcome);
  Result<Answer> committed =
      engine_.journaled([&] { return collection.commit(page(), outcome, std::move(packed_)); });
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
  add(counters.candidates, decision_.prospects.size());
  add(counters.limit_candidates, decision_.limited_candidates);
  add(counters.limit_verifications, decision_.limited_verifications);
  add(counters.limit_work, decision_.limited_work);
  add(counters.reverified, decision_.previous.unchanged);
  add(counters.without_own_text, lacks_own_text_);
}

}  // namespace nd::engine
