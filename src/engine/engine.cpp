// The calls that check, query and list pages, and what they share: scratches, the lock and counters.
#include "engine/engine.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "core/wall_clock.hpp"
#include "engine/check.hpp"
#include "engine/store_identity.hpp"
#include "page/foreign_record.hpp"

namespace nd::engine {

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
  if (Result<void> possible = check_parameters(parameters); !possible) return std::move(possible).failure();
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  Owned<Engine> engine = make_owned<Engine>(parameters, *secret, Owned<store::Store>());
  engine->warn_of_idle_options();
  Result<ScratchLease> lease =
      engine->scratches_.lease();  // a setup failure appears here, not at the first page
  if (!lease) return std::move(lease).failure();
  return engine;
}

Result<Answer> Engine::check_and_trace(const PageInput& page, CheckTrace* trace, const TakeText* take_text) {
  const auto start = std::chrono::steady_clock::now();
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  Check check(*this, scratch);
  if (Result<void> read = check.read(page, take_text); !read) return std::move(read).failure();
  Result<Answer> answer = check.decide(Check::Purpose::kCommit, trace);
  if (!answer) return answer;
  count_cuts(scratch.document);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  latency_.add(static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count()));
  return answer;
}

void Engine::count_cuts(const text::Document& document) noexcept {
  const auto add = [](Counter& counter, bool hit) {
    if (hit) counter.fetch_add(1, std::memory_order_relaxed);
  };
  add(counters_.limit_page_bytes, document.body_cut);
  add(counters_.limit_markup, document.markup_limited);
  add(counters_.limit_tokens, document.tokens_limited);
}

Result<std::span<const FeatureBlock>> Engine::read_document(const PageInput& page, Scratch& scratch) const {
  Result<void> read =
      scratch.reader.read(page.url, page.body, page.content_type, parameters_.page, scratch.document);
  if (!read) return std::move(read).failure();
  scratch.work = scratch.document.work;
  if (const text::Doubt doubt = scratch.reader.doubt(); doubt != text::Doubt::kNone)
    counters_.pages_left[static_cast<size_t>(doubt)].fetch_add(1, std::memory_order_relaxed);
  return scratch.builder.begin(scratch.document);
}

Result<void> Engine::own_text(const PageInput& page, String& text) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  const Result<std::span<const FeatureBlock>> blocks = read_document(page, scratch);
  if (!blocks) return blocks.failure();
  const Result<SiteCounts> counts = count_own_blocks(page.url, scratch.document.site, *blocks, scratch);
  if (!counts) return counts.failure();
  write_own_text(scratch.document, *blocks, scratch.builder.block_widths(), *counts, text);
  counters_.add(scratch.work);
  return {};
}

Result<Answer> Engine::query(const PageInput& page) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Check check(*this, **lease);
  if (Result<void> read = check.read(page); !read) return std::move(read).failure();
  return check.decide(Check::Purpose::kQuery);
}

// `decide`: (Check&) → Result<Answer>, with the page as this engine would have made it.
template <typename Decide>
Result<Answer> Engine::decide_features(const Features& features, Decide&& decide) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Result<Features> page = features_here(features, **lease);
  if (!page) return std::move(page).failure();
  Check check(*this, **lease);
  check.take(*std::move(page), features.bytes().size());  // the record may claim any size of the body
  check.note_own_text();
  return std::forward<Decide>(decide)(check);
}

Result<Answer> Engine::check_features(const Features& features) {
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  return decide_features(features, [](Check& check) { return check.decide(Check::Purpose::kCommit); });
}

Result<Features> Engine::read(const PageInput& page) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  const Result<std::span<const FeatureBlock>> blocks = read_document(page, scratch);
  if (!blocks) return blocks.failure();
  // What a method keeps depends only on the page.
  scratch.boilerplate_of_page.resize(parameters_.detector.is_lcs() ? blocks->size() : 0);
  if (parameters_.detector.is_lcs()) {
    Result<void> marked = mark_own_boilerplate(page.url, scratch.document.site, *blocks, scratch);
    if (!marked) return std::move(marked).failure();
  }
  Features features = scratch.builder.finish(facts_of(page), scratch.document, scratch.boilerplate_of_page,
                                             parameters_, RecordFor::kLaterCheck);
  scratch.work.add(scratch.builder.work());
  counters_.add(scratch.work);
  count_cuts(scratch.document);
  return features;
}

Result<void> Engine::learn(const Features& features) {
  if (store_ != nullptr)
    return error(Status::kInvalidArgument, "the pages of a store count for their sites as they are checked");
  if (Result<void> writable = check_writable(); !writable) return writable;
  if (const Result<detectors::Description> of = description_taken(features, parameters_); !of)
    return of.failure();
  const std::unique_lock lock(mutex_);
  if (collection_->last_id() != 0)
    return error(Status::kInvalidArgument,
                 "a page has been checked: pages are learned before the first check");
  const UpdateLock::Change alone(mutex_);
  collection_->set_counted_ahead(true);
  const uint64_t budget = parameters_.memory_budget_bytes;
  if (budget != 0 && collection_->memory_bytes() >= budget / kLearnedShare) {
    counters_.limit_memory.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  collection_->count_ahead(features);
  return {};
}

Result<Answer> Engine::query_features(const Features& features) {
  return decide_features(features, [](Check& check) { return check.decide(Check::Purpose::kQuery); });
}

Result<Answer> Engine::apply(const Features& features, const Answer& decided) {
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  return decide_features(features, [&](Check& check) { return check.apply(decided); });
}

Result<Features> Engine::features_here(const Features& features, Scratch& scratch) const {
  scratch.work = WorkTally();
  const Result<detectors::Description> description = description_taken(features, parameters_);
  if (!description) return description.failure();
  // The sentences and block signatures are no longer needed: an engine keeps only what it compares.
  const bool has_keys = parameters_.detector.is_lcs();
  FeatureHeader header = features.header();
  header.method = static_cast<uint16_t>(parameters_.detector.kind());
  if (header.fetched_at_ms == 0) header.fetched_at_ms = wall_clock_ms();
  RecordKeys::Keys keys{};
  if (has_keys) {
    const Result<RecordKeys::Keys> made = keys_here(features, header, scratch);
    if (!made) return made.failure();
    keys = *made;
  } else {
    header.fingerprint_count = 0;
  }
  const std::span<const PackedSpot> spots = spots_taken(keys.spots, parameters_, header);
  Features::Sections sections = features.sections();
  sections.keys = keys.keys;
  sections.spots = spots;
  sections.block_spots = {};
  sections.sentences = {};
  if (!parameters_.keep_text) sections.text = {};
  sections.description = *description;
  sections.on_site = {};
  return Features::build(header, sections);
}

// The keys and signatures of a record made elsewhere, as if the page were read here: none from text known as
// the site's boilerplate. A record without sentences keeps its own.
Result<RecordKeys::Keys> Engine::keys_here(const Features& features, FeatureHeader& header,
                                           Scratch& scratch) const {
  const RecordKeys::Keys as_made{features.keys(), features.spots()};
  Vector<uint8_t>& boilerplate = scratch.boilerplate_of_page;
  boilerplate.resize(features.blocks().size());
  Result<void> marked = mark_own_boilerplate(features.url(), features.site(), features.blocks(), scratch);
  if (!marked) return std::move(marked).failure();
  const bool has_boilerplate =
      std::any_of(boilerplate.begin(), boilerplate.end(), [](uint8_t mark) { return mark != 0; });
  const KeyParameters own = key_parameters_of(parameters_);
  if (!RecordKeys::has_sentences(features) || (!has_boilerplate && header.key_parameters == own))
    return as_made;
  header.key_parameters = own;
  const RecordKeys::Keys made = scratch.record_keys.without_boilerplate(features, boilerplate, header);
  scratch.work.add(scratch.record_keys.work());
  return made;
}

Result<SiteCounts> Engine::count_own_blocks(std::string_view url, std::string_view site,
                                            std::span<const FeatureBlock> blocks, Scratch& scratch) const {
  scratch.counted.clear();
  CountedPage& counted = scratch.counted.page;
  if (!parameters_.asks_sites()) return counted.counts();
  scratch.work.add(Work::kTemplates, blocks.size());
  const std::shared_lock lock(mutex_);
  collection_->knowledge.count(site_key_of(url, site), blocks, {}, {}, counted);
  const PageRef known = collection_->pages.find(url);
  if ((known && known->data->has(kCounted)) || collection_->knows_all_sites()) counted.leave_out_one();
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return counted.counts();
}

Result<void> Engine::mark_own_boilerplate(std::string_view url, std::string_view site,
                                          std::span<const FeatureBlock> blocks, Scratch& scratch) const {
  std::ranges::fill(scratch.boilerplate_of_page, uint8_t{kOwnText});
  const Result<SiteCounts> counts = count_own_blocks(url, site, blocks, scratch);
  if (!counts) return counts.failure();
  mark_by_share(scratch.counted.page, scratch.boilerplate_of_page);
  return {};
}

// Whether a text can be kept. A store that takes automatic snapshots writes its memory to disk instead of
// leaving texts out.
bool Engine::has_room() const {
  return snapshot_thread_.is_running() || parameters_.memory_budget_bytes == 0 ||
         collection_->memory_bytes() + idle_scratch_bytes() < parameters_.memory_budget_bytes;
}

uint64_t Engine::scratch_share() const noexcept {
  return parameters_.memory_budget_bytes / 8;
}

// The idle scratches as the budget counts them: one is always kept, however small the budget, and must not
// use it up alone.
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
  // Candidates are sought by a sample of the signatures; only where nothing else is compared they are missed.
  const bool misses_spots = !parameters_.detector.is_lcs() || page.spots().empty();
  add(counters_.limit_spots, misses_spots && (page.header().flags & kFeatureSpotsLimited) != 0);
  add(counters_.recrawls, (answer.flags & kRecrawl) != 0);
  add(counters_.changed, (answer.flags & kChanged) != 0);
  add(counters_.regrouped, (answer.flags & kRegrouped) != 0);
}

// Logged once, since the budget is reached again with every page.
void Engine::warn_of_memory() {
  if (counters_.limit_memory.load(std::memory_order_relaxed) == 0 ||
      memory_warned_.exchange(true, std::memory_order_relaxed))
    return;
  logger_.log(
      kLogWarning,
      "the memory budget is reached: less is learned of sites, or new pages are answered, but not kept as "
      "candidates");
}

}  // namespace nd::engine
