// [9] The one place where an engine changes. Everything here runs under the writer's lock; what can fail is
// done before anything is visible, or undone.
#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "engine/decision.hpp"
#include "engine/engine.hpp"
#include "text/site.hpp"

namespace nd::engine {
Answer Engine::commit(std::shared_ptr<const Features> features, Decision& decision, Answer answer) {
  const int64_t at_ms = features->header().fetched_at_ms;
  if (decision.previous.unchanged && !decision.previous.moved) {
    PageRecord& page = *table_.find(decision.previous.page_id);
    page.last_fetched_at_ms = std::max(page.last_fetched_at_ms, at_ms);
    if (decision.previous.postponed) counters_.limit_memory.fetch_add(1, std::memory_order_relaxed);
    return answer;
  }
  counters_.candidates.fetch_add(decision.prospects.size(), std::memory_order_relaxed);
  counters_.limit_candidates.fetch_add(decision.limited_candidates, std::memory_order_relaxed);
  counters_.limit_verifications.fetch_add(decision.limited_verifications, std::memory_order_relaxed);
  counters_.limit_work.fetch_add(decision.limited_work, std::memory_order_relaxed);
  std::shared_ptr<const Features> old_text;  // null where others go on teaching what it taught
  if (decision.previous.known) {
    counters_.reverified.fetch_add(decision.previous.unchanged, std::memory_order_relaxed);
    if (decision.previous.lesson != 0) old_text = table_.find(decision.previous.page_id)->features;
    commit_changed(features, decision, answer);
  } else {
    commit_new(features, decision, answer);
  }
  teach(*features, old_text, decision, answer);
  ++generation_;
  return answer;
}

void Engine::commit_new(const std::shared_ptr<const Features>& features, const Decision& decision,
                        Answer& answer) {
  const bool kept = !over_budget();
  const uint64_t page_id = last_id_ + 1;
  answer.page_id = page_id;
  if (answer.group_id == 0) answer.group_id = page_id;
  if (!kept) answer.flags |= kLimit;
  PageRecord record;
  record.answer = answer;
  record.url.assign(features->url());
  record.digest = features->digest();
  record.width = features->header().width;
  record.first_fetched_at_ms = record.last_fetched_at_ms = features->header().fetched_at_ms;
  if (kept) record.features = features;
  PageRecord& page = table_.insert(std::move(record));
  try {
    if (decision.joined != nullptr) {
      page.group = decision.joined->slot;
      table_.group(page.group).members.push_back(page_id);
      set_loose(page, decision.joined->verification.loose);
      if (kept && !join(page.group, *features, page_id)) answer.flags |= kLimit;
    } else {
      bool keyed = true;
      page.group = found(features, page_id, kept, keyed);
      if (!keyed) answer.flags |= kLimit;
    }
    page.answer.flags = answer.flags;
  } catch (...) {
    if (decision.joined != nullptr) {
      std::erase(table_.group(decision.joined->slot).members, page_id);
      set_loose(page, false);
    }
    table_.erase(page_id);
    throw;
  }
  last_id_ = page_id;
  if (kept) {
    feature_bytes_ += features->memory_bytes();
  } else {
    note_dropped(answer, features->header().fetched_at_ms);
  }
}

void Engine::note_dropped(const Answer& answer, int64_t at_ms) {
  counters_.limit_memory.fetch_add(1, std::memory_order_relaxed);
  events_.append(EventKind::kLimit, answer.page_id, 0, answer.group_id, at_ms);
}

void Engine::commit_changed(const std::shared_ptr<const Features>& features, const Decision& decision,
                            Answer& answer) {
  const Previous& previous = decision.previous;
  if (previous.unchanged && previous.represents && stays(decision)) {
    if (!renew_representative(features, *table_.find(previous.page_id))) answer.flags |= kLimit;
  } else if (decision.joined != nullptr && decision.joined->slot == previous.group) {
    commit_in_place(features, decision, answer);
  } else if (decision.joined == nullptr && previous.alone) {
    commit_alone(features, decision, answer);
  } else {
    commit_move(features, decision, answer);
  }
}

// Gives a page that keeps its id its new text; the old one is forgotten, but for what its group keeps of it.
void Engine::replace_text(PageRecord& page, const std::shared_ptr<const Features>& features, bool kept,
                          const Answer& answer) {
  if (page.digest != features->digest()) forget_exact(page);
  if (page.features != nullptr) feature_bytes_ -= page.features->memory_bytes();
  page.features = kept ? features : nullptr;
  if (kept) feature_bytes_ += features->memory_bytes();
  page.digest = features->digest();
  page.width = features->header().width;
  page.last_fetched_at_ms = features->header().fetched_at_ms;
  page.answer = answer;
  if (!kept) note_dropped(answer, page.last_fetched_at_ms);
}

// The new text still verifies against its group.
void Engine::commit_in_place(const std::shared_ptr<const Features>& features, const Decision& decision,
                             Answer& answer) {
  const bool kept = !over_budget();
  PageRecord& page = *table_.find(decision.previous.page_id);
  answer.page_id = decision.previous.page_id;
  if (!kept) answer.flags |= kLimit;
  if (kept && !join(page.group, *features, answer.page_id)) answer.flags |= kLimit;
  if (decision.previous.represents) bury_representative(table_.group(page.group));
  replace_text(page, features, kept, answer);
  set_loose(page, decision.joined->verification.loose);
}

// Nothing resembles the new text, and the page was its group's only member: it goes on representing it.
void Engine::commit_alone(const std::shared_ptr<const Features>& features, const Decision& decision,
                          Answer& answer) {
  const bool kept = !over_budget();
  PageRecord& page = *table_.find(decision.previous.page_id);
  GroupRecord& group = table_.group(page.group);
  answer.page_id = decision.previous.page_id;
  answer.group_id = decision.previous.group_id;
  if (!kept) answer.flags |= kLimit;
  const bool candidate = kept && features->has_text();
  // The old keys go, but for those that the new text has too; unless there is no room for the new ones.
  const std::span<const uint64_t> now = candidate ? features->keys() : std::span<const uint64_t>{};
  const Vector<uint64_t> going = keys_beyond(page.group, now);
  bool keyed = true;
  if (candidate) {
    remember_exact(*features,
                   answer.page_id);  // while the page has its old text this is but a hint that nobody follows
    keyed = add_keys(page.group, now, going);
    if (!keyed) answer.flags |= kLimit;
  }
  const bool was_tombstone = !decision.previous.represents;
  const std::shared_ptr<const Features> old_text = group.representative;
  group.representative = candidate ? features : nullptr;
  if (was_tombstone && old_text != nullptr) feature_bytes_ -= old_text->memory_bytes();
  if (keyed) {
    drop_keys(page.group, going);
  } else {
    keep_keys(page.group, going);
  }
  if (group.representative != nullptr) {
    spots_.put(page.group, *features);
  } else {
    spots_.remove(page.group);
  }
  group.representative_page_id = answer.page_id;
  group.site = stable_hash(features->site());
  set_loose(page, false);
  replace_text(page, features, kept, answer);
  if (was_tombstone) {
    events_.append(EventKind::kReelected, answer.page_id, answer.group_id, answer.group_id,
                   page.last_fetched_at_ms);
  }
}

// The page leaves its group: it goes, and comes back as another one with an id of its own.
void Engine::commit_move(const std::shared_ptr<const Features>& features, const Decision& decision,
                         Answer& answer) {
  const Previous& previous = decision.previous;
  PageRecord& old_page = *table_.find(previous.page_id);
  const int64_t first_fetched_at_ms = old_page.first_fetched_at_ms;
  answer.group_id = decision.joined != nullptr ? decision.joined->group_id : 0;
  // The URL belongs to one page: the old one is nameless until it is erased below, or until the new one could
  // not be made.
  String url = table_.take_name(old_page);
  struct Restore {
    PageRecord* page;
    String* url;
    PageTable* table;
    ~Restore() {
      if (page != nullptr) table->name(*page, std::move(*url));
    }
  } restore{&old_page, &url, &table_};
  commit_new(features, decision, answer);
  restore.page = nullptr;
  table_.find(answer.page_id)->first_fetched_at_ms = first_fetched_at_ms;
  drop(*table_.find(previous.page_id));
  // With the same text the old page may have stood for both in the exact map; then there is room.
  const PageRecord& page = *table_.find(answer.page_id);
  if (previous.unchanged && page.features != nullptr) remember_exact(*features, answer.page_id);
  events_.append(EventKind::kRegrouped, answer.page_id, previous.group_id, answer.group_id,
                 features->header().fetched_at_ms);
}

void Engine::set_loose(PageRecord& page, bool loose) noexcept {
  GroupRecord& group = table_.group(page.group);
  group.loose_members += static_cast<uint32_t>(loose) - static_cast<uint32_t>(page.loose);
  page.loose = loose;
}

void Engine::leave(PageRecord& page) {
  GroupRecord& group = table_.group(page.group);
  // Ids grow, and members are added as they come.
  const auto member = std::ranges::lower_bound(group.members, page.answer.page_id);
  group.members.erase(member);
  set_loose(page, false);
  if (group.members.empty()) {
    remove_keys(page.group);
    member_key_bytes_ -= group.member_keys.capacity() * sizeof(uint64_t);
    const bool tombstone = group.representative_page_id == 0 && group.representative != nullptr;
    if (tombstone) feature_bytes_ -= group.representative->memory_bytes();
    table_.erase_group(page.group);
  } else if (group.representative_page_id == page.answer.page_id) {
    bury_representative(group);
  }
}

void Engine::bury_representative(GroupRecord& group) noexcept {
  group.representative_page_id = 0;
  if (group.representative != nullptr) feature_bytes_ += group.representative->memory_bytes();
}

// The page has a site, and no other member of its group is of it, as far as the oldest members tell.
bool Engine::is_last_of_site(const PageRecord& page) const {
  if (page.features == nullptr || page.features->site().empty()) return false;
  const Vector<uint64_t>& members = table_.group(page.group).members;
  if (members.size() > kTwinSearchLimit) return false;
  return std::ranges::none_of(members, [&](uint64_t id) {
    const PageRecord* member = table_.find(id);
    return member != nullptr && member != &page && member->features != nullptr &&
           member->features->site() == page.features->site();
  });
}

void Engine::erase(PageRecord& page) {
  if (is_last_of_site(page)) {
    templates_.unlearn(stable_hash(page.features->site()), page.features->blocks(),
                       table_.group(page.group).id);
  }
  drop(page);
}

void Engine::drop(PageRecord& page) {
  forget_exact(page);
  leave(page);
  if (page.features != nullptr) feature_bytes_ -= page.features->memory_bytes();
  table_.erase(page.answer.page_id);
}

void Engine::remove(PageRecord& page) {
  const uint64_t page_id = page.answer.page_id;
  const uint64_t group_id = table_.group(page.group).id;
  const int64_t at_ms = page.last_fetched_at_ms;
  erase(page);
  events_.append(EventKind::kRemoved, page_id, group_id, 0, at_ms);
  counters_.removed.fetch_add(1, std::memory_order_relaxed);
}

Result<void> Engine::remove(std::string_view url) {
  const std::unique_lock lock(mutex_);
  PageRecord* page = table_.find(url);
  if (page == nullptr) return error(Status::kNotFound, "no page of this URL is known");
  remove(*page);
  ++generation_;
  return {};
}

Result<uint64_t> Engine::remove_matching(const RemovalFilter& filter) {
  const std::unique_lock lock(mutex_);
  Vector<uint64_t> doomed;
  for (const Owned<PageRecord>& page : table_.pages()) {
    if (page == nullptr) continue;
    if (!std::string_view(page->url).starts_with(filter.url_prefix)) continue;
    if (filter.fetched_before_ms != 0 && page->last_fetched_at_ms >= filter.fetched_before_ms) continue;
    if (!filter.site.empty() && text::site_of_host(text::host_of(page->url)) != filter.site) continue;
    doomed.push_back(page->answer.page_id);
  }
  // The youngest first: they stand last among their group's members. And slots are reused; ids tell an order.
  std::ranges::sort(doomed, std::greater<>());
  for (uint64_t page_id : doomed)
    remove(*table_.find(page_id));
  if (!doomed.empty()) ++generation_;
  return uint64_t{doomed.size()};
}

uint64_t Engine::used_bytes() const {
  // No answer may depend on the secret: of the spot index what it takes at most.
  return index_.memory_bytes() + spots_.budget_bytes() + exact_.memory_bytes() + table_.memory_bytes() +
         templates_.memory_bytes() + feature_bytes_ + member_key_bytes_ + events_.memory_bytes();
}

bool Engine::over_budget() const {
  return parameters_.memory_budget_bytes != 0 && used_bytes() >= parameters_.memory_budget_bytes;
}

}  // namespace nd::engine
