// Removes pages: by URL, by filter, by age; with their texts if these represented a group.
//
// Pages that match a filter are searched and removed in pieces, and other threads may make changes in between
// (docs/concurrency.md): each page is examined again before it is removed, each group before it elects.
#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "collection/journal_record.hpp"
#include "engine/engine.hpp"
#include "engine/site_contribution.hpp"
#include "reading/site.hpp"

namespace nd::engine {
namespace {

// How many pages are removed, or compared with an elected page, while other changes wait: a millisecond or
// two for ordinary pages.
constexpr size_t kRemovedAtOnce = 64;
constexpr size_t kComparedAtOnce = 16;

bool matches(const RemovalFilter& filter, std::string_view url, int64_t last_fetched_at_ms) {
  if (!url.starts_with(filter.url_prefix)) return false;
  if (filter.fetched_before_ms != 0 && last_fetched_at_ms >= filter.fetched_before_ms) return false;
  return filter.site.empty() || text::site_of_host(text::host_of(url)) == filter.site;
}

// Whether the group is represented by the text of a page that was removed or has changed.
bool is_orphaned(const GroupRecord::View& group) noexcept {
  return group.data->representative_page_id == 0 && group.data->text != 0;
}

}  // namespace

// For the updating thread.
Result<void> Engine::remove_one(uint64_t page_id) {
  if (Result<void> whole = check_damage(); !whole) return whole;
  if (keeps_changes()) write_removed_change(page_id, record_);
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
  return wait_for_durability();
}

// Under the writer's lock: removes some of the pages that were examined longest ago. A failure is left for
// the next time: the current page has already been committed.
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
  Result<Vector<uint64_t>> doomed = matching(filter);
  if (!doomed) return std::move(doomed).failure();
  Vector<uint64_t> orphaned;
  Result<uint64_t> removed = remove_all(filter, *std::move(doomed), orphaned);
  if (!removed) return removed;
  if (filter.purge) {
    if (Result<void> found = find_orphaned(filter, orphaned); !found) return std::move(found).failure();
    std::sort(orphaned.begin(), orphaned.end());
    orphaned.erase(std::unique(orphaned.begin(), orphaned.end()), orphaned.end());
    for (const uint64_t group_id : orphaned) {
      if (Result<void> elected = elect(group_id, **lease); !elected) return std::move(elected).failure();
    }
  }
  if (Result<void> durable = wait_for_durability(); !durable) return std::move(durable).failure();
  return removed;
}

// Ascending.
Result<Vector<uint64_t>> Engine::matching(const RemovalFilter& filter) const {
  Vector<uint64_t> found;
  uint64_t last = 0;
  UpdateLock::WalkPace pace(mutex_);
  for (uint64_t next = 1; next != 0;) {
    pace.rest();
    const std::shared_lock lock(mutex_);
    if (last == 0) last = collection_->last_id();
    next = collection_->pages.visit_pages(next, last, [&](uint64_t page_id, const PageRecord::View& page) {
      if (matches(filter, page.url, page.data->last_fetched_at_ms)) found.push_back(page_id);
    });
    // An unreadable page may be the very one that was to be removed.
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  return found;
}

// Returns how many were removed. The youngest go first, since they are at the end of their group's members.
// `orphaned`: groups that continue without their former representative.
Result<uint64_t> Engine::remove_all(const RemovalFilter& filter, Vector<uint64_t> doomed,
                                    Vector<uint64_t>& orphaned) {
  uint64_t removed_count = 0;
  while (!doomed.empty()) {
    const std::unique_lock lock(mutex_);
    for (size_t count = 0; count < kRemovedAtOnce && !doomed.empty(); ++count) {
      const uint64_t page_id = doomed.back();
      doomed.pop_back();
      const PageRef page = collection_->pages.find(page_id);
      if (!page || !matches(filter, page->url, page->data->last_fetched_at_ms)) continue;
      const uint64_t group_id = page->data->answer.group_id;
      const GroupRef group = collection_->pages.group(group_id);
      const bool orphans = group && group->data->representative_page_id == page_id && group->data->text != 0;
      if (Result<void> removed = remove_one(page_id); !removed) return std::move(removed).failure();
      ++removed_count;
      if (filter.purge && orphans && collection_->pages.group(group_id)) orphaned.push_back(group_id);
    }
  }
  return removed_count;
}

// Groups that match the filter and are represented by the text of a page removed earlier.
Result<void> Engine::find_orphaned(const RemovalFilter& filter, Vector<uint64_t>& orphaned) const {
  uint64_t last = 0;
  UpdateLock::WalkPace pace(mutex_);
  for (uint64_t next = 1; next != 0;) {
    pace.rest();
    const std::shared_lock lock(mutex_);
    if (last == 0) last = collection_->last_id();
    next =
        collection_->pages.visit_groups(next, last, [&](uint64_t group_id, const GroupRecord::View& group) {
          if (!is_orphaned(group)) return;
          const SharedFeatures text = collection_->texts.find(group.data->text);
          if (text != nullptr && matches(filter, text->url(), text->header().fetched_at_ms))
            orphaned.push_back(group_id);
        });
    if (Result<void> whole = check_damage(); !whole) return whole;
  }
  return {};
}

// The group's oldest member with a text represents it from now on; members that do not resemble it leave.
// They leave before the election, so that an interrupted removal is found again and continues.
Result<void> Engine::elect(uint64_t group_id, Scratch& scratch) {
  int64_t at_ms = 0;
  for (uint64_t compared = 0;;) {  // the last member that was compared
    const std::unique_lock lock(mutex_);
    const GroupRef group = collection_->pages.group(group_id);
    if (!group || !is_orphaned(*group)) return check_damage();  // another page represents it by now
    Collection::Election election{group_id, 0};
    const auto text_of_member = [&](uint64_t member) {
      const PageRef page = collection_->pages.find(member);
      if (page) at_ms = std::max(at_ms, page->data->last_fetched_at_ms);
      return page ? page->data->text : 0;
    };
    collection_->pages.for_each_member(*group, [&](uint64_t member) {
      if (text_of_member(member) != 0) election.page_id = member;
      return election.page_id == 0;
    });
    Vector<uint64_t> members;  // to be compared now
    bool is_last = true;
    if (election.page_id != 0) {
      collection_->pages.for_each_member_after(*group, compared, [&](uint64_t member) {
        is_last = members.size() < kComparedAtOnce;
        if (is_last) members.push_back(member);
        return is_last;
      });
    }
    for (const uint64_t member : members) {
      compared = member;
      if (text_of_member(member) == 0 || member == election.page_id) continue;
      if (Result<void> held = reverify_member(election, member, scratch); !held) return held;
    }
    if (!is_last) continue;
    if (keeps_changes()) write_elected_change(election, at_ms, record_);
    return journaled([&] { return collection_->reelect(election, at_ms); });
  }
}

// For the updating thread. Each member has the budget of a whole check, since a group may have any number of
// them. A member with exactly the same text is recognised in any case.
Verification Engine::compare_elected(const Features& elected, const Features& member, Scratch& scratch) {
  const bool by_method = parameters_.detector.method_decides();
  scratch.budget.start(parameters_.budget, member.bytes().size());
  const uint64_t least = by_method ? collection_->method.verification_work(elected.header(), member.header())
                                   : least_steps(elected.header(), member.header());
  Verification out;
  out.limited = scratch.budget.left() < least && !have_equal_text(elected, member, parameters_.decision);
  if (out.limited) return out;
  counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  if (by_method) return collection_->method.verify(elected, member, parameters_.decision);
  const PairCounts counts = count_pair(*collection_, elected, member, scratch);
  return scratch.verifier.verify(elected, member, counts, parameters_, scratch.budget.left());
}

// A member that, within the budget, is not found to resemble the elected page founds a group of its own.
Result<void> Engine::reverify_member(const Collection::Election& election, uint64_t member,
                                     Scratch& scratch) {
  const PageRef elected = collection_->pages.find(election.page_id);
  const PageRef page = collection_->pages.find(member);
  if (!elected || !page || page->data->text == 0) return check_damage();
  const SharedFeatures representative = collection_->texts.find(elected->data->text, scratch.unpacked);
  const SharedFeatures features = collection_->texts.find(page->data->text, scratch.unpacked);
  if (representative == nullptr || features == nullptr) return check_damage();
  const Verification verification = compare_elected(*representative, *features, scratch);
  counters_.limit_work.fetch_add(verification.limited, std::memory_order_relaxed);
  if (verification.similar) return {};
  Outcome outcome;
  outcome.previous = collection_->previous_of(member, *features, true);
  outcome.previous.decided_again = true;
  outcome.answer = page->data->answer;
  outcome.answer.verdict = kNew;
  outcome.answer.flags = kRecrawl | kRegrouped | (outcome.answer.flags & (kTruncated | kShortPage));
  if (verification.limited) outcome.answer.flags |= kLimit;
  outcome.answer.matched_page_id = 0;
  outcome.answer.resemblance = outcome.answer.containment = 0;
  outcome.answer.page_coverage = outcome.answer.matched_coverage = 0;
  outcome.answer.probability = verification.probability;
  outcome.answer.related_group_id = election.group_id;
  write_page_change(*features, outcome, record_);
  PackedText packed = collection_->texts.pack(*features, scratch.packing);
  const Vector<uint64_t> parts = collection_->asks_sites() ? counted_parts(*features) : Vector<uint64_t>();
  Result<Answer> moved =
      journaled([&] { return collection_->commit(*features, outcome, std::move(packed), parts); });
  if (!moved) return std::move(moved).failure();
  counters_.regrouped.fetch_add(1, std::memory_order_relaxed);
  return {};
}

}  // namespace nd::engine
