// Reads the captures through a pipeline, asks the engine for their groups, and asks again with what stays.
#include "filter_choice.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "progress.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kMostRounds = 12;       // with which thousands of pages of real sites left none undecided
constexpr size_t kNextToNothing = 2000;  // so many pages stay for one that would be decided otherwise

std::string url_and_payload(const std::string& url, const PayloadHash& hash) {
  return url + '\n' + text_of(hash);
}

// `warns`: what the library has to say of the options is printed, which once is enough.
EngineHandle open_for(const FilterSettings& settings, const OptionsHandle& options, bool& wrong_option,
                      bool warns) {
  if (settings.store.empty()) return open_engine(options, wrong_option, warns);
  return open_store(settings.store, options.get(), wrong_option, warns);
}

}  // namespace

FilterChoice::FilterChoice(const FilterSettings& settings, const OptionsHandle& options, Decisions& decisions)
    : settings_(settings),
      options_(options),
      page_options_(options_acting_on("pages", options.get())),
      decisions_(decisions) {}

ExitCode FilterChoice::open() {
  bool wrong_option = false;
  engine_ = open_for(settings_, options_, wrong_option, true);
  return engine_ ? ExitCode::kDone : wrong_option ? ExitCode::kUsage : ExitCode::kError;
}

bool FilterChoice::read(ArchiveReader& reader) {
  read_pages(reader);
  first_at_.clear();
  first_with_.clear();
  urls_of_engine_.clear();
  if (!failure_.empty() || !check_pages("deciding: ") || !find_groups()) return false;
  if (const nd_status status = nd_get_stats(engine_.get(), &stats_); status != ND_OK)
    failure_ = library_failure(status);
  return failure_.empty();
}

bool FilterChoice::decide() {
  std::vector<size_t> all(candidates_.size());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    candidates_[i].is_referred_to = plan_.is_referred_to(plan_.pages()[i]);
  }
  if (!obey(candidates_, all)) return false;
  choice_ = choose_kept(engine_.get(), candidates_, settings_.keep_rule());
  for (size_t round = 0; round < kMostRounds && choice_.counts.left_out > 0 && failure_.empty(); ++round) {
    size_t staying = 0;
    for (size_t i = 0; i < candidates_.size(); ++i)
      staying += stays(i) ? 1 : 0;
    if (decide_again(round + 2) * kNextToNothing <= staying) break;
  }
  if (!failure_.empty()) return false;
  let_revisits_follow();
  plan_.decide(choice_.kept, settings_.revisit);
  return true;
}

// Enters the judgements. `numbers`: of the candidates, among all pages, ascending.
bool FilterChoice::obey(std::vector<KeepCandidate>& candidates, const std::vector<size_t>& numbers) {
  if (decisions_.empty()) return true;
  if (!decisions_.apply(candidates)) {
    failure_ = decisions_.error();
    return false;
  }
  // A revisit that stays is nothing without the page that it refers to.
  overruled_ = 0;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const size_t content = content_of_[numbers[i]];
    if (candidates[i].judgement != Judgement::kKeep || content == kNothingKept) continue;
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), content);
    if (found == numbers.end() || *found != content) continue;
    KeepCandidate& page = candidates[static_cast<size_t>(found - numbers.begin())];
    if (page.judgement == Judgement::kLeaveOut) ++overruled_;
    page.judgement = Judgement::kKeep;
    page.is_judged_capture = true;
  }
  return true;
}

// Returns how many pages stand otherwise now.
size_t FilterChoice::decide_again(size_t round) {
  std::vector<size_t> staying;
  // Of a page that went, the one that has its payload now; it is asked under that page's URL.
  std::unordered_map<size_t, size_t> instead_of;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!stays(i)) continue;
    staying.push_back(i);
    const size_t same = same_as_[i];
    if (same == i || stays(same)) continue;
    const auto [entry, is_first] = instead_of.try_emplace(same, i);
    same_as_[i] = entry->second;
    if (is_first) record_of_[i] = record_of_[same];
  }
  engine_.reset();
  bool wrong_option = false;
  engine_ = open_for(settings_, options_, wrong_option, false);
  if (!engine_) failure_ = "no second engine could be opened";
  if (!failure_.empty() || !check_pages("round " + std::to_string(round) + ": ") || !find_groups()) return 0;
  std::vector<KeepCandidate> candidates;
  candidates.reserve(staying.size());
  for (const size_t number : staying)
    candidates.push_back(candidates_[number]);
  if (!obey(candidates, staying)) return 0;
  return take_over(choose_kept(engine_.get(), candidates, settings_.keep_rule()), staying);
}

size_t FilterChoice::take_over(const KeepChoice& chosen, const std::vector<size_t>& staying) {
  size_t changed = 0;
  for (size_t i = 0; i < staying.size(); ++i) {
    if (chosen.kept[i] == i) continue;
    ++changed;
    choice_.kept[staying[i]] = chosen.kept[i] == kNothingKept ? kNothingKept : staying[chosen.kept[i]];
    choice_.reasons[staying[i]] = chosen.reasons[i];
  }
  const size_t returned = pass_on();
  undecided_ = returned;
  if (changed + returned == 0) return 0;  // the first decision holds, and so does what it counted
  const uint64_t lost = choice_.counts.lost_groups + chosen.counts.lost_groups;
  choice_.counts = chosen.counts;
  choice_.counts.lost_groups = lost;
  choice_.preferred = chosen.preferred;
  return changed + returned;
}

// What was left out for a page that does not stay itself is left out for the one that stays in its place.
// Returns how many pages stay again.
size_t FilterChoice::pass_on() {
  size_t returned = 0;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const size_t kept = choice_.kept[i];
    if (kept == kNothingKept || choice_.kept[kept] == kept) continue;
    DropReason& reason = choice_.reasons[i];
    if (reason.why == DropReason::Why::kNear) {
      // It was compared with a page that does not stay; the next decision may find another one.
      choice_.kept[i] = i;
      ++returned;
      continue;
    }
    choice_.kept[i] = choice_.kept[kept];
    if (reason.why != DropReason::Why::kJudged) reason = choice_.reasons[kept];
  }
  return returned;
}

// A revisit whose page is left out would be an empty record.
void FilterChoice::let_revisits_follow() {
  bool any = false;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const size_t content = content_of_[i];
    if (content == kNothingKept || !stays(i) || stays(content)) continue;
    // If the page was judged to go, the revisit may be what stood in its place.
    const bool is_all = choice_.kept[content] == i;
    if (is_all) choice_.counts.lost_groups += std::erase(choice_.preferred, i);
    choice_.kept[i] = is_all ? kNothingKept : choice_.kept[content];
    choice_.reasons[i] = choice_.reasons[content];
    any = true;
  }
  if (any) undecided_ += pass_on();
  if (settings_.revisit) refer_to_contents();
}

// A revisit of a revisit would lead nowhere.
void FilterChoice::refer_to_contents() {
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const size_t kept = choice_.kept[i];
    if (stays(i) || kept == kNothingKept || content_of_[kept] == kNothingKept) continue;
    if (stays(content_of_[kept])) choice_.kept[i] = content_of_[kept];
  }
}

void FilterChoice::read_pages(ArchiveReader& reader) {
  const bool alone = settings_.threads == 1;
  std::vector<std::unique_ptr<Slot>> slots(alone ? read_ahead_slots() : pipeline_slots(settings_.threads));
  for (auto& slot : slots)
    slot = std::make_unique<Slot>();
  Progress progress(is_terminal(STDERR_FILENO) && !settings_.quiet, reader.total_bytes());
  DamageMessages damage_messages;
  size_t next = 0;
  PipelineSteps steps;
  steps.produce = [&](size_t index) {
    Slot& slot = *slots[index];
    slot.number = kNothingKept;
    slot.url.clear();
    slot.failure.clear();
    if (!read_item(reader, slot.item)) return false;
    decode_item(settings_.rules, slot.item);
    if (slot.item.outcome == PageOutcome::kPage) {
      slot.number = next++;
      prepare(slot);
    }
    return true;
  };
  steps.work = [&](size_t index) { read_page(*slots[index]); };
  steps.consume = [&](size_t index) {
    Slot& slot = *slots[index];
    failure_ = slot.failure;
    const bool goes_on = failure_.empty() && take(slot);
    if (slot.item.outcome == PageOutcome::kDamaged) damage_messages.add(slot.item);
    progress.update({counts_.pages, counts_.page_bytes, std::nullopt, reader.bytes_read()});
    return goes_on;
  };
  alone ? run_read_ahead(steps) : run_in_order(settings_.threads, steps);
  if (failure_.empty()) failure_ = reader.error();
  progress.clear();
  damage_messages.finish();
}

void FilterChoice::prepare(Slot& slot) {
  slot.payload_hash = payload_hash_of(slot.item.record);
  slot.same = same_capture(slot);
  if (slot.same == kNothingKept) {
    slot.same = slot.number;
    slot.url = own_url(slot.item.page.url, slot.number);
    urls_of_engine_.insert(slot.url);
  }
  const WarcRecord& record = slot.item.record;
  if (record.block_cut || record.is_revisit) return;
  first_at_.try_emplace(url_and_payload(slot.item.page.url, slot.payload_hash), slot.number);
  first_with_.try_emplace(text_of(slot.payload_hash), slot.number);
}

void FilterChoice::read_page(Slot& slot) {
  if (slot.url.empty()) return;
  nd_page page = library_page(slot.item.page);
  page.url = slot.url.data();
  page.url_size = slot.url.size();
  const nd_status status = nd_read_page(engine_.get(), &page, slot.features.get());
  if (status != ND_OK) slot.failure = refuse_page(status, slot.item);
}

bool FilterChoice::take(Slot& slot) {
  counts_.add(slot.item);
  if (slot.number != kNothingKept) return add_page(slot);
  if (slot.item.record.is_revisit) plan_.add_reference(slot.item.record.refers_to);
  return true;
}

// Those that stay, each by the record of its payload.
bool FilterChoice::check_pages(std::string_view stage) {
  LearnedPages::Wanted wanted(records_.size());
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (stays(i) && same_as_[i] == i && record_of_[i] != kNothingKept) wanted[record_of_[i]] = true;
  }
  Progress progress(is_terminal(STDERR_FILENO) && !settings_.quiet, std::nullopt, std::string(stage));
  uint64_t pages = 0;
  const auto done = [&] { progress.update({++pages, 0, std::nullopt, 0}); };
  // A store's pages are decided as they come.
  if (!settings_.store.empty() || records_.learn(engine_.get(), wanted))
    records_.check(engine_.get(), settings_.threads, done, wanted);
  failure_ = records_.error();
  return failure_.empty();
}

// A page before this one that is in its group for certain: the same bytes at the same URL, or, of a revisit,
// what it refers to. kNothingKept: there is none.
size_t FilterChoice::same_capture(const Slot& slot) const {
  const WarcRecord& record = slot.item.record;
  if (record.block_cut) return kNothingKept;
  const auto look_up = [](const KeyedMap<size_t>& numbers, const std::string& key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? kNothingKept : found->second;
  };
  return record.is_revisit ? look_up(first_with_, text_of(slot.payload_hash))
                           : look_up(first_at_, url_and_payload(slot.item.page.url, slot.payload_hash));
}

// An engine has one page a URL, and cannot be asked for one without; a fragment is no part of what it takes
// from a URL.
std::string FilterChoice::own_url(const std::string& url, size_t number) const {
  std::string own = url;
  for (; own.empty() || urls_of_engine_.contains(own); ++number)
    own = url + "#capture-" + std::to_string(number);
  return own;
}

bool FilterChoice::add_page(Slot& slot) {
  const WarcRecord& record = slot.item.record;
  KeepCandidate candidate;
  candidate.url = slot.item.page.url;
  candidate.fetched_at_ms = slot.item.page.fetched_at_ms;
  candidate.has_content = !record.is_revisit;
  if (settings_.keep == "canonical")
    candidate.canonical = canonical_url(library_page(slot.item.page), page_options_.get());
  FilteredPage page;
  page.input = slot.item.input;
  page.position = record.position;
  page.record_id = record.record_id;
  page.target_uri = record.target_uri;
  page.date = record.date;
  page.payload_digest = record.payload_digest;
  page.concurrent_to = record.concurrent_to;
  page.payload_hash = slot.payload_hash;
  page.whole = !record.block_cut;
  // A page that was refused matches none, and its record stays.
  const bool is_asked = slot.item.outcome == PageOutcome::kPage && !slot.url.empty();
  const bool refers = record.is_revisit && record.content_at;
  content_of_.push_back(refers ? plan_.page_at(*record.content_at) : kNothingKept);
  candidates_.push_back(std::move(candidate));
  record_of_.push_back(is_asked ? records_.size() : kNothingKept);
  same_as_.push_back(slot.same);
  plan_.add(std::move(page));
  if (!is_asked) return true;
  // Each has a URL of its own.
  const bool is_added = records_.add({}, {}, slot.features.text());
  if (!is_added) failure_ = records_.error();
  checked_urls_.push_back(std::move(slot.url));
  return is_added;
}

// The groups as they are after the last page.
bool FilterChoice::find_groups() {
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (!stays(i)) continue;
    KeepCandidate& candidate = candidates_[i];
    if (same_as_[i] != i) {
      candidate.group_id = candidates_[same_as_[i]].group_id;
      candidate.page_id = candidates_[same_as_[i]].page_id;
      candidate.text_width = candidates_[same_as_[i]].text_width;
      continue;
    }
    if (record_of_[i] == kNothingKept) continue;
    const std::string& url = checked_urls_[record_of_[i]];
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (const nd_status status = nd_find_page(engine_.get(), url.data(), url.size(), &info);
        status != ND_OK) {
      failure_ = candidate.url + ": " + library_failure(status);
      return false;
    }
    candidate.group_id = info.group_id;
    candidate.page_id = info.page_id;
    candidate.text_width = info.text_width;
  }
  return true;
}

}  // namespace ndc
