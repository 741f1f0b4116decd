// Removing pages: by URL, by filter, by age; with their texts, where these represented a group.
#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "engine/engine.hpp"
#include "engine/journal_record.hpp"
#include "text/site.hpp"

namespace nd::engine {
namespace {

bool matches(const RemovalFilter& filter, std::string_view url, int64_t last_fetched_at_ms) {
  if (!url.starts_with(filter.url_prefix)) return false;
  if (filter.fetched_before_ms != 0 && last_fetched_at_ms >= filter.fetched_before_ms) return false;
  return filter.site.empty() || text::site_of_host(text::host_of(url)) == filter.site;
}

}  // namespace

// Under the writer's lock.
Result<void> Engine::remove_one(uint64_t page_id) {
  if (Result<void> whole = check_damage(); !whole) return whole;
  if (store_ != nullptr) write_removed_change(page_id, record_);
  Result<void> removed = journaled([&] { return collection_->remove(page_id); });
  if (removed) counters_.removed.fetch_add(1, std::memory_order_relaxed);
  return removed;
}

Result<void> Engine::remove(std::string_view url) {
  if (Result<void> writable = check_writable(); !writable) return writable;
  {
    const std::unique_lock lock(mutex_);
    const PageRef page = collection_->pages.find(url);
    if (!page) return error(Status::kNotFound, "no page of this URL is known");
    if (Result<void> removed = remove_one(page->data->answer.page_id); !removed) return removed;
  }
  return settle();
}

// Under the writer's lock: some pages of those that were not looked at for longest. What fails is left for
// the next look: the page at hand has been committed.
void Engine::expire(int64_t now_ms) {
  const uint64_t ttl_ms = parameters_.storage.page_ttl_s * 1000;
  if (ttl_ms == 0 || now_ms < 0 || static_cast<uint64_t>(now_ms) < ttl_ms) return;
  const auto oldest_ms = now_ms - static_cast<int64_t>(ttl_ms);
  try {
    const Collection::IdRange aged = collection_->aged();
    for (uint64_t page_id = aged.begin + 1; page_id <= aged.end; ++page_id)
      expire_one(page_id, oldest_ms);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void Engine::expire_one(uint64_t page_id, int64_t oldest_ms) {
  const PageRef page = collection_->pages.find(page_id);
  if (!page || page->data->last_fetched_at_ms >= oldest_ms) return;
  if (remove_one(page_id)) counters_.expired.fetch_add(1, std::memory_order_relaxed);
}

Result<uint64_t> Engine::remove_matching(const RemovalFilter& filter) {
  if (Result<void> writable = check_writable(); !writable) return std::move(writable).failure();
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  uint64_t removed_count = 0;
  {
    const std::unique_lock lock(mutex_);
    const Vector<uint64_t> doomed = matching(filter);
    const Vector<uint64_t> orphaned = filter.purge ? losing_their_text(filter, doomed) : Vector<uint64_t>{};
    // What cannot be read may be just what was to go.
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
    // The youngest first: they stand last among their group's members.
    for (auto page_id = doomed.rbegin(); page_id != doomed.rend(); ++page_id) {
      if (Result<void> removed = remove_one(*page_id); !removed) return std::move(removed).failure();
      ++removed_count;
    }
    for (uint64_t group_id : orphaned) {
      if (Result<void> elected = elect(group_id, **lease); !elected) return std::move(elected).failure();
    }
  }
  if (Result<void> settled = settle(); !settled) return std::move(settled).failure();
  return removed_count;
}

// Ascending.
Vector<uint64_t> Engine::matching(const RemovalFilter& filter) const {
  Vector<uint64_t> found;
  collection_->pages.for_each_page([&](uint64_t page_id, const PageRecord::View& page) {
    if (matches(filter, page.url, page.data->last_fetched_at_ms)) found.push_back(page_id);
    return true;
  });
  return found;
}

// Groups whose representative's text is to go while members remain: that of a page that goes now, or of one
// that went before. Ascending. `doomed` is.
Vector<uint64_t> Engine::losing_their_text(const RemovalFilter& filter,
                                           std::span<const uint64_t> doomed) const {
  const auto goes = [doomed](uint64_t page_id) { return std::ranges::binary_search(doomed, page_id); };
  Vector<uint64_t> groups;
  collection_->pages.for_each_group([&](uint64_t group_id, const GroupRecord::View& group) {
    const uint64_t representative = group.data->representative_page_id;
    if (group.data->text == 0) return true;
    if (representative != 0 && !goes(representative)) return true;
    if (representative == 0) {
      const SharedFeatures text = collection_->texts.find(group.data->text);
      if (text == nullptr || !matches(filter, text->url(), text->header().fetched_at_ms)) return true;
    }
    bool goes_on = false;
    collection_->pages.for_each_member(group, [&](uint64_t member) {
      goes_on = !goes(member);
      return !goes_on;
    });
    if (goes_on) groups.push_back(group_id);
    return true;
  });
  return groups;
}

// The group's oldest member with a text represents it from now on; members that do not resemble it leave.
// They do before the election: what is interrupted is then found again, and goes on.
Result<void> Engine::elect(uint64_t group_id, Scratch& scratch) {
  const GroupRef group = collection_->pages.group(group_id);
  if (!group) return {};
  Vector<uint64_t> members;
  collection_->pages.for_each_member(*group, [&](uint64_t member) {
    members.push_back(member);
    return true;
  });
  Collection::Election election{group_id, 0};
  int64_t at_ms = 0;
  for (uint64_t member : members) {
    const PageRef page = collection_->pages.find(member);
    if (!page) continue;
    at_ms = std::max(at_ms, page->data->last_fetched_at_ms);
    if (election.page_id == 0 && page->data->text != 0) election.page_id = member;
  }
  for (uint64_t member : members) {
    if (election.page_id == 0 || member == election.page_id) continue;
    if (Result<void> held = hold_against(election, member, scratch); !held) return held;
  }
  write_elected_change(election, at_ms, record_);
  return journaled([&] { return collection_->reelect(election, at_ms); });
}

// A member that does not resemble the elected one founds a group of its own.
Result<void> Engine::hold_against(const Collection::Election& election, uint64_t member, Scratch& scratch) {
  const PageRef elected = collection_->pages.find(election.page_id);
  const PageRef page = collection_->pages.find(member);
  if (!elected || !page || page->data->text == 0) return check_damage();
  const SharedFeatures representative = collection_->texts.find(elected->data->text);
  const SharedFeatures features = collection_->texts.find(page->data->text);
  if (representative == nullptr || features == nullptr) return check_damage();
  counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  const Verification verification =
      parameters_.detector.method_decides()
          ? collection_->method.verify(*representative, *features, parameters_.decision)
          : scratch.verifier.verify(*representative, *features,
                                    mark_frame(*representative, *features, election.group_id,
                                               collection_->lesson_of(*page->data), scratch),
                                    parameters_);
  if (verification.similar) return {};
  Outcome outcome;
  outcome.previous = collection_->previous_of(member, *features, true);
  outcome.previous.moved = true;
  outcome.answer = page->data->answer;
  outcome.answer.verdict = kNew;
  outcome.answer.flags = kRecrawl | kRegrouped | (outcome.answer.flags & (kTruncated | kShortPage));
  outcome.answer.matched_page_id = 0;
  outcome.answer.resemblance = outcome.answer.containment = 0;
  outcome.answer.page_coverage = outcome.answer.matched_coverage = 0;
  outcome.model_version = page->data->model_version;
  if (verification.undecided) outcome.kin.push_back(election.group_id);
  write_page_change(*features, outcome, record_);
  Result<Answer> moved = journaled([&] { return collection_->commit(features, outcome); });
  if (!moved) return std::move(moved).failure();
  counters_.regrouped.fetch_add(1, std::memory_order_relaxed);
  return {};
}

}  // namespace nd::engine
