#include "engine/engine.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "engine/journal_record.hpp"
#include "engine/secret.hpp"

namespace nd::engine {
namespace {

// A match this good is not bettered by comparing with more groups.
constexpr double kBestResemblance = 0.9;

// Rounds of looking again because other threads committed meanwhile; the last one verifies under the lock.
constexpr int kCommitRounds = 8;

int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace

uint32_t containment_flags(const Verification& verification, const DecisionParameters& decision) noexcept {
  const bool page_full = verification.page_coverage >= decision.full_coverage;
  const bool matched_full = verification.matched_coverage >= decision.full_coverage;
  if (matched_full && !page_full) return kContains;
  if (page_full && !matched_full) return kContained;
  return 0;
}

Engine::Engine(const Parameters& parameters, uint64_t secret, Owned<store::Store> store)
    : parameters_(parameters),
      secret_(secret),
      store_(std::move(store)),
      collection_(make_owned<Collection>(parameters_, secret, counters_)),
      scratches_(secret ^ 0x9e3779b9, parameters.detector.kind(),
                 parameters.memory_budget_bytes == 0 ? UINT64_MAX : scratch_share()) {}

Engine::~Engine() {
  snapshot_thread_.stop();
}

Result<Owned<Engine>> Engine::open(const Parameters& parameters) {
  if (Result<void> possible = check_method_parameters(parameters); !possible)
    return std::move(possible).failure();
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  Owned<Engine> engine = make_owned<Engine>(parameters, *secret, Owned<store::Store>());
  Result<ScratchLease> lease =
      engine->scratches_.lease();  // what cannot be set up fails here, not at the first page
  if (!lease) return std::move(lease).failure();
  return engine;
}

Result<Answer> Engine::check_and_trace(const PageInput& page, CheckTrace* trace) {
  const auto start = std::chrono::steady_clock::now();
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  Result<Features> features = read_features(page, scratch);
  if (!features) return std::move(features).failure();
  Result<Answer> answer = decide(*features, scratch, Purpose::kCheck, trace);
  scratch.builder.reuse(*std::move(features));
  if (!answer) return answer;
  const auto add = [](Counter& counter, bool hit) {
    if (hit) counter.fetch_add(1, std::memory_order_relaxed);
  };
  add(counters_.limit_page_bytes, scratch.document.body_cut);
  add(counters_.limit_markup, scratch.document.markup_limited);
  add(counters_.limit_tokens, scratch.document.tokens_limited);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  latency_.add(static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count()));
  return answer;
}

Result<Answer> Engine::query(const PageInput& page) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  Result<Features> features = read_features(page, scratch);
  if (!features) return std::move(features).failure();
  Result<Answer> answer = decide(*features, scratch, Purpose::kQuery);
  scratch.builder.reuse(*std::move(features));
  return answer;
}

Result<Features> Engine::read_features(const PageInput& page, Scratch& scratch) const {
  // [1]-[5] The bytes of the page to weighted blocks.
  const uint64_t read_again = scratch.reader.pages_read_again();
  Result<void> read =
      scratch.reader.read(page.url, page.body, page.content_type, parameters_.page, scratch.document);
  if (!read) return std::move(read).failure();
  counters_.pages_read_again.fetch_add(scratch.reader.pages_read_again() - read_again,
                                       std::memory_order_relaxed);
  // [6] Symbols, fingerprints, relaxed keys; but none from what is known as the site's frame.
  const std::span<const FeatureBlock> blocks = scratch.builder.begin(scratch.document);
  const bool has_keys = parameters_.detector.is_lcs();  // what a method keeps depends on the page alone
  scratch.frame_of_page.resize(has_keys ? blocks.size() : 0);
  if (has_keys) {
    const std::shared_lock lock(mutex_);
    const PageRef known = collection_->pages.find(page.url);
    collection_->templates.mark_frame(stable_hash(scratch.document.site), blocks, 0, scratch.frame_of_page,
                                      known ? collection_->lesson_of(*known->data) : 0);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  const PageFacts facts{page.url, page.fetched_at_ms != 0 ? page.fetched_at_ms : now_ms(), page.body.size(),
                        page.truncated};
  return scratch.builder.finish(facts, scratch.document, scratch.frame_of_page, parameters_, false);
}

Result<Answer> Engine::check_features(Features features) {
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  const Result<detectors::Description> description = take_description(features);
  if (!description) return description.failure();
  // The sentences and signatures of blocks have done their work: an engine keeps only what it compares with.
  const bool has_keys = parameters_.detector.is_lcs();
  FeatureHeader header = features.header();
  header.method = static_cast<uint16_t>(parameters_.detector.kind());
  if (header.fetched_at_ms == 0) header.fetched_at_ms = now_ms();
  FeatureBuilder::Keys keys{};
  if (has_keys) {
    const Result<FeatureBuilder::Keys> made = keys_here(features, header, **lease);
    if (!made) return made.failure();
    keys = *made;
  } else {
    header.fingerprint_count = 0;
  }
  const std::span<const PackedSpot> spots = take_spots(keys.spots, header);
  Features kept =
      Features::build(header, {.blocks = features.blocks(),
                               .keys = keys.keys,
                               .spots = spots,
                               .block_spots = {},
                               .sentences = {},
                               .symbols = features.symbols(),
                               .url = features.url(),
                               .site = features.site(),
                               .text = parameters_.keep_text ? features.text() : std::string_view{},
                               .description = *description});
  const SharedFeatures shared = make_shared<const Features>(std::move(kept));
  return decide(*shared, **lease, Purpose::kCheck, nullptr, shared);
}

// The keys and signatures of a record made elsewhere, by the options it was made with, as of a page that is
// read here: none of what is known as the site's frame. Of a record that cannot be taken apart they are what
// they are.
Result<FeatureBuilder::Keys> Engine::keys_here(const Features& features, FeatureHeader& header,
                                               Scratch& scratch) const {
  const FeatureBuilder::Keys as_made{features.keys(), features.spots()};
  if (!FeatureBuilder::is_portable(features)) return as_made;
  Vector<uint8_t>& frame = scratch.frame_of_page;
  frame.resize(features.blocks().size());
  {
    const std::shared_lock lock(mutex_);
    const PageRef known = collection_->pages.find(features.url());
    collection_->templates.mark_frame(stable_hash(features.site()), features.blocks(), 0, frame,
                                      known ? collection_->lesson_of(*known->data) : 0);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  const bool has_frame = std::any_of(frame.begin(), frame.end(), [](uint8_t mark) { return mark != 0; });
  return has_frame ? scratch.builder.keys_without_frame(features, frame, header) : as_made;
}

// What the engine's method needs of a record made elsewhere; signatures as take_spots() takes them.
Result<detectors::Description> Engine::take_description(const Features& features) const {
  const detectors::Method method = parameters_.detector.kind();
  if (method == detectors::Method::kLcs) return detectors::Description{};
  const std::string_view name = detectors::info_of(method).name;
  if (features.method() != method) {
    return error(Status::kInvalidArgument, "these features were made for detector ",
                 detectors::info_of(features.method()).name, ", and the engine's is ", name,
                 "; compute them with option detector=", name);
  }
  if (!detectors::uses_spots(method)) return features.description();
  const FeatureSpotParameters theirs = features.header().spot_parameters;
  const FeatureSpotParameters own = feature_spot_parameters_of(parameters_.spots);
  if (theirs.enabled == 0 || theirs.distance != own.distance || theirs.chain != own.chain) {
    return error(Status::kInvalidArgument,
                 "the spot signatures of these features were made with other options spotsigs, spot_distance "
                 "or spot_chain than the engine's, and detector ",
                 name, " compares nothing else");
  }
  const size_t limit = own.signatures * sizeof(PackedSpot);
  return features.description().first(std::min(features.description().size(), limit));
}

// The signatures of a record made elsewhere that can be compared with the engine's own: none if chains were
// made otherwise, and of too many the smallest hashes, as of a page read here. Says so in the header.
std::span<const PackedSpot> Engine::take_spots(std::span<const PackedSpot> spots,
                                               FeatureHeader& header) const {
  const FeatureSpotParameters theirs = header.spot_parameters;
  const FeatureSpotParameters own = feature_spot_parameters_of(parameters_.spots);
  header.spot_parameters = own;
  if (own.enabled == 0) {
    header.flags &= ~uint32_t{kFeatureSpotsLimited};
    return {};
  }
  const bool comparable = theirs.distance == own.distance && theirs.chain == own.chain;
  const size_t taken = comparable ? std::min<size_t>(spots.size(), own.signatures) : 0;
  if (taken < spots.size()) header.flags |= kFeatureSpotsLimited;
  return spots.first(taken);
}

Result<Answer> Engine::decide(const Features& features, Scratch& scratch, Purpose purpose, CheckTrace* trace,
                              SharedFeatures kept) {
  // Texts that were compared must not outlive the call.
  struct Clearing {
    Decision& decision;
    ~Clearing() { decision.clear(); }
  };
  const Clearing clearing{scratch.decision};
  scratch.verifier.set_page(features);
  // [7] Candidates, under a lock that other readers share.
  if (Result<void> gathered = gather_shared(features, scratch); !gathered)
    return std::move(gathered).failure();
  for (int round = 0;; ++round) {
    const bool is_last = round + 1 == kCommitRounds;
    if (Result<void> verified = verify_all(features, scratch); !verified)
      return std::move(verified).failure();
    if (purpose == Purpose::kCheck) {
      const Result<std::optional<Answer>> answer = commit_round(features, scratch, is_last, trace, kept);
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
Result<void> Engine::gather_shared(const Features& page, Scratch& scratch) const {
  const std::shared_lock lock(mutex_);
  gather(page, scratch, scratch.decision);
  return check_damage();
}

// [8] Verification, without any lock.
Result<void> Engine::verify_all(const Features& page, Scratch& scratch) {
  Decision& decision = scratch.decision;
  while (Prospect* prospect = next_to_verify(decision)) {
    FrameMarks marks;
    {
      const std::shared_lock lock(mutex_);
      marks = prepare(*prospect, page, decision, scratch);
      if (Result<void> whole = check_damage(); !whole) return whole;
    }
    verify(*prospect, marks, scratch);
  }
  return {};
}

// [9] Commit. What others committed meanwhile is looked at before; if it must be verified, another round
// follows, and nothing is returned. First beside other readers: then there is rarely anything left to look at
// alone.
Result<std::optional<Answer>> Engine::commit_round(const Features& features, Scratch& scratch, bool is_last,
                                                   CheckTrace* trace, SharedFeatures& kept) {
  Decision& decision = scratch.decision;
  // A copy is made without any lock, where the page is not the one that is known.
  if (kept == nullptr && !decision.previous.is_settled()) kept = make_shared<const Features>(features.copy());
  if (!is_last) {
    const Result<bool> found = look_again(features, scratch, decision);
    if (!found) return found.failure();
    if (*found) return std::optional<Answer>();
  }
  std::unique_lock lock(mutex_);
  if (collection_->generation() != decision.generation) {
    gather(features, scratch, decision);
    counters_.retried_commits.fetch_add(1, std::memory_order_relaxed);
    Prospect* prospect = next_to_verify(decision);
    if (prospect != nullptr && !is_last) return std::optional<Answer>();
    for (; prospect != nullptr; prospect = next_to_verify(decision))
      verify(*prospect, prepare(*prospect, features, decision, scratch), scratch);
  }
  if (trace != nullptr) *trace = trace_of(decision);
  Result<Answer> answer = commit(features, decision, std::move(kept));
  if (!answer) return std::move(answer).failure();
  if (decision.previous.unchanged) answer = as_unchanged(*answer);
  count(*answer, features);
  expire(std::min(features.header().fetched_at_ms, now_ms()));
  lock.unlock();
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
  return next_to_verify(decision) != nullptr;
}

// A text that was to be compared had gone: who commits looks again anyway, who asks must.
bool Engine::lost_a_text(const Decision& decision) {
  return std::ranges::any_of(decision.prospects, [](const Prospect& prospect) {
    return prospect.verified && prospect.text == nullptr;
  });
}

// Pages of one site that hold some text together with the representative, and otherwise each its own: a few
// are an article and its edits, many are one template, filled. The next ones found groups, so that the site's
// model learns what they share, and those that are in are decided anew when they are crawled again.
bool Engine::is_crowded(const Prospect& prospect) const {
  return prospect.verification.loose && prospect.twin_text_id == 0 &&
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
    if (decision.joined == nullptr ||
        prospect.verification.resemblance > decision.joined->verification.resemblance) {
      decision.joined = &prospect;
    }
    if (decision.previous.known && prospect.group_id == decision.previous.group_id) break;
    if (prospect.twin_text_id != 0 || prospect.verification.resemblance >= kBestResemblance) break;
  }
  return nullptr;
}

FrameMarks Engine::prepare(Prospect& prospect, const Features& page, const Decision& decision,
                           Scratch& scratch) const {
  if (prospect.text == nullptr) prospect.text = collection_->texts.find(prospect.text_id);
  if (prospect.text == nullptr) return {};
  // Scores change with the epochs of the method's index, so that this needs the lock.
  if (parameters_.detector.method_decides()) {
    prospect.verification = collection_->method.verify(*prospect.text, page, parameters_.decision);
    return {};
  }
  return mark_frame(*prospect.text, page, prospect.group_id, decision.previous.lesson, scratch);
}

FrameMarks Engine::mark_frame(const Features& representative, const Features& page, uint64_t group_id,
                              uint64_t lesson, Scratch& scratch) const {
  if (!parameters_.templates.enabled) return {};
  const uint64_t site_a = stable_hash(representative.site());
  const uint64_t site_b = stable_hash(page.site());
  scratch.frame_of_representative.resize(representative.blocks().size());
  scratch.frame_of_page.resize(page.blocks().size());
  collection_->templates.mark_frame(site_a, representative.blocks(), group_id,
                                    scratch.frame_of_representative, site_a == site_b ? lesson : 0);
  collection_->templates.mark_frame(site_b, page.blocks(), group_id, scratch.frame_of_page, lesson);
  return {scratch.frame_of_representative, scratch.frame_of_page,
          site_a == site_b && !collection_->templates.is_young(site_a, group_id)};
}

void Engine::verify(Prospect& prospect, const FrameMarks& marks, Scratch& scratch) {
  prospect.verified = true;
  if (prospect.text == nullptr) return;  // it has gone meanwhile, and the commit will look again
  if (!parameters_.detector.method_decides())
    prospect.verification = scratch.verifier.verify(*prospect.text, marks, parameters_);
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
  if (decision.limited_work) answer.flags |= kLimit;
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
Result<Answer> Engine::commit(const Features& features, const Decision& decision, SharedFeatures kept) {
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
  if (kept == nullptr) kept = make_shared<const Features>(features.copy());  // removed since the last look
  if (store_ != nullptr) write_page_change(features, outcome, record_);
  Result<Answer> committed = journaled([&] { return collection_->commit(kept, outcome); });
  if (!committed) return committed;
  counters_.candidates.fetch_add(decision.prospects.size(), std::memory_order_relaxed);
  counters_.limit_candidates.fetch_add(decision.limited_candidates, std::memory_order_relaxed);
  counters_.limit_verifications.fetch_add(decision.limited_verifications, std::memory_order_relaxed);
  counters_.limit_work.fetch_add(decision.limited_work, std::memory_order_relaxed);
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
    outcome.loose = decision.joined->verification.loose;
  }
  for (const Prospect& prospect : decision.prospects) {
    if (prospect.verified && prospect.verification.undecided) outcome.kin.push_back(prospect.group_id);
  }
  return outcome;
}

// Whether a text can be kept. A store that takes snapshots by itself spills what it has in memory instead of
// leaving something out.
bool Engine::has_room() const {
  return snapshot_thread_.is_running() || parameters_.memory_budget_bytes == 0 ||
         collection_->memory_bytes() + idle_scratch_bytes() < parameters_.memory_budget_bytes;
}

uint64_t Engine::scratch_share() const noexcept {
  return parameters_.memory_budget_bytes / 8;
}

// As the budget sees them: one is kept however small the budget is, and must not fill it alone.
uint64_t Engine::idle_scratch_bytes() const noexcept {
  return std::min(scratches_.memory_bytes(), scratch_share());
}

void Engine::count(const Answer& answer, const Features& page) {
  const auto add = [](Counter& counter, uint64_t amount) {
    counter.fetch_add(amount, std::memory_order_relaxed);
  };
  add(counters_.checks, 1);
  add(counters_.verdicts[static_cast<size_t>(answer.verdict)], 1);
  add(counters_.body_bytes, page.header().body_size);
  add(counters_.limit_spots, (page.header().flags & kFeatureSpotsLimited) != 0);
  add(counters_.recrawls, (answer.flags & kRecrawl) != 0);
  add(counters_.changed, (answer.flags & kChanged) != 0);
  add(counters_.regrouped, (answer.flags & kRegrouped) != 0);
}

}  // namespace nd::engine
