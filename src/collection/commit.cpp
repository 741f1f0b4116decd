// [9] Puts the decision about a page into force. Every step that can fail is done before anything is visible,
// or is undone.
#include <algorithm>
#include <utility>

#include "collection/collection.hpp"

namespace nd::engine {
namespace {

// The most pages, groups and texts that one change removes.
constexpr size_t kErasures = 4;

// How many ids have their age checked with each page that is seen.
constexpr uint64_t kAgedPages = 4;

// A representative was read again with the same text, and continues to represent its group.
bool renews(const Outcome& outcome) {
  const Previous& previous = outcome.previous;
  return previous.unchanged && previous.represents && stays(previous, outcome.joined);
}

// Writes what the page's record says about its current text.
void describe(const Features& features, uint64_t text, const Answer& answer, PageData& page) noexcept {
  page.answer = answer;
  page.text = text;
  page.site = site_key_of(features.url(), features.site());
  page.digest = features.digest();
  page.width = features.header().width;
  page.last_fetched_at_ms = std::max(page.last_fetched_at_ms, features.header().fetched_at_ms);
  page.marks = (page.marks & ~uint32_t{kCut}) | (features.is_cut() ? uint32_t{kCut} : 0U);
}

}  // namespace

// A known page mostly keeps its keys and signatures: prefetches the memory for them.
void Collection::prepare_commit(const Features& features, const Outcome& outcome,
                                std::span<const uint64_t> parts) {
  if (!outcome.previous.known && outcome.kept && features.has_text()) {
    post(features, outcome);
  } else {
    spots.prefetch_for_change(features);
    index.prefetch_for_change(features.keys());
  }
  knowledge.prefetch_for_change(site_key_of(features.url(), features.site()), parts);
}

Result<Answer> Collection::commit(const Features& features, const Outcome& outcome, PackedText packed,
                                  std::span<const uint64_t> parts) {
  // Only a store that says so itself gets here: restore() would refuse what it had next.
  if (std::max(last_id_, last_text_) >= kGreatestId)
    return error(Status::kCorrupt, "the store's counters of pages and texts are at their end");
  if (outcome.kept && packed.bytes == nullptr) {
    PackingMemory memory;
    packed = texts.pack(features, memory);
  }
  Vector<uint64_t> own_parts;
  if (parts.empty() && counts_pages()) parts = own_parts = counted_parts(features);
  pages.reserve_more(kErasures);
  texts.reserve_more(kErasures);
  exact.reserve_more(kErasures);
  Answer answer = outcome.answer;
  const Counted counted = counted_before(outcome);
  Result<void> committed = outcome.previous.known ? commit_changed(features, outcome, packed, answer)
                                                  : commit_new(features, outcome, packed, answer);
  if (!committed) return std::move(committed).failure();
  posted_.page_id = 0;
  count_page(features, parts, counted, answer.page_id);
  advance_expiry_window();
  ++commit_sequence_;
  return answer;
}

Result<void> Collection::see_again(uint64_t page_id, int64_t at_ms) {
  PageRecord* page = pages.change(page_id);
  if (page == nullptr) return missing_record();
  page->data.last_fetched_at_ms = std::max(page->data.last_fetched_at_ms, at_ms);
  advance_expiry_window();
  return {};
}

// The next few ids are those whose age is checked.
void Collection::advance_expiry_window() noexcept {
  aged_.begin = aged_.end >= last_id_ ? 0 : aged_.end;
  aged_.end = aged_.begin + kAgedPages;  // past the last id: a crawl of only new pages must not keep checking
                                         // the pages it has just added
}

Result<void> Collection::commit_new(const Features& features, const Outcome& outcome, PackedText& packed,
                                    Answer& answer) {
  GroupRecord* group = nullptr;
  if (outcome.joined != 0) {
    group = pages.change_group(outcome.joined);
    if (group == nullptr) return missing_record();
  }
  const uint64_t page_id = last_id_ + 1;
  const uint64_t text = outcome.kept ? last_text_ + 1 : 0;
  answer.page_id = page_id;
  answer.group_id = group != nullptr ? outcome.joined : page_id;
  if (!outcome.kept) answer.flags |= kLimit;
  PageRecord record;
  record.url.assign(features.url());
  record.data.first_fetched_at_ms = features.header().fetched_at_ms;
  describe(features, text, answer, record.data);
  if (text != 0) texts.insert(text, std::move(packed));
  bool is_member = false;
  try {
    PageRecord& page = pages.insert(std::move(record));
    if (group != nullptr) {
      pages.add_member(*group, page_id);
      is_member = true;
      if (outcome.kept && !add_member_keys(outcome.joined, *group, features, page_id)) answer.flags |= kLimit;
    } else if (!found(features, page_id, text)) {
      answer.flags |= kLimit;
    }
    page.data.answer.flags = answer.flags;
  } catch (...) {
    if (is_member) {
      pages.remove_member(*group, page_id);
    }
    pages.erase(page_id);
    if (text != 0) texts.erase(text);
    throw;
  }
  last_id_ = page_id;
  last_text_ = std::max(last_text_, text);
  if (!outcome.kept) note_dropped(answer, features.header().fetched_at_ms);
  return {};
}

void Collection::note_dropped(const Answer& answer, int64_t at_ms) noexcept {
  counters_.limit_memory.fetch_add(1, std::memory_order_relaxed);
  events.append(EventKind::kLimit, answer.page_id, 0, answer.group_id, at_ms);
}

Result<void> Collection::commit_changed(const Features& features, const Outcome& outcome, PackedText& packed,
                                        Answer& answer) {
  const Previous& previous = outcome.previous;
  if (renews(outcome)) {
    const Result<bool> renewed = renew_representative(features, outcome, packed);
    if (!renewed) return renewed.failure();
    if (!*renewed) answer.flags |= kLimit;
    answer.page_id = previous.page_id;
    answer.group_id = previous.group_id;
    return {};
  }
  if (outcome.joined != 0 && outcome.joined == previous.group_id)
    return commit_in_place(features, outcome, packed, answer);
  if (outcome.joined == 0 && previous.alone) return commit_alone(features, outcome, packed, answer);
  return commit_move(features, outcome, packed, answer);
}

// Replaces the text of a page that keeps its id; the old text is forgotten, except for what its group keeps
// of it.
void Collection::replace_text(PageRecord& page, const Features& features, uint64_t text,
                              const Answer& answer) noexcept {
  if (page.data.digest != features.digest()) forget_exact(page);
  const uint64_t old_text = page.data.text;
  describe(features, text, answer, page.data);
  release_text(old_text, answer.page_id, answer.group_id);
}

// The page keeps its ids. Returns the number of its new text, 0 if that is not kept.
uint64_t Collection::keep_ids(const Outcome& outcome, Answer& answer) const noexcept {
  answer.page_id = outcome.previous.page_id;
  answer.group_id = outcome.previous.group_id;
  if (!outcome.kept) answer.flags |= kLimit;
  return outcome.kept ? last_text_ + 1 : 0;
}

// The new text still verifies against its group.
Result<void> Collection::commit_in_place(const Features& features, const Outcome& outcome, PackedText& packed,
                                         Answer& answer) {
  const Previous& previous = outcome.previous;
  PageRecord* page = pages.change(previous.page_id);
  GroupRecord* group = pages.change_group(previous.group_id);
  if (page == nullptr || group == nullptr) return missing_record();
  const uint64_t text = keep_ids(outcome, answer);
  if (outcome.kept) {
    texts.insert(text, std::move(packed));
    try {
      if (!add_member_keys(previous.group_id, *group, features, answer.page_id)) answer.flags |= kLimit;
    } catch (...) {
      texts.erase(text);
      throw;
    }
  }
  last_text_ = std::max(last_text_, text);
  if (previous.represents) group->data.representative_page_id = 0;
  replace_text(*page, features, text, answer);
  if (!outcome.kept) note_dropped(answer, page->data.last_fetched_at_ms);
  return {};
}

// Nothing resembles the new text, and the page was its group's only member: it continues to represent the
// group.
Result<void> Collection::commit_alone(const Features& features, const Outcome& outcome, PackedText& packed,
                                      Answer& answer) {
  const Previous& previous = outcome.previous;
  PageRecord* page = pages.change(previous.page_id);
  GroupRecord* group = pages.change_group(previous.group_id);
  if (page == nullptr || group == nullptr) return missing_record();
  const uint64_t text = keep_ids(outcome, answer);
  // The old keys are removed, except those that the new text has too; unless there is no room for the new
  // ones.
  const bool candidate = outcome.kept && features.has_text();
  const std::span<const uint64_t> now = candidate ? features.keys() : std::span<const uint64_t>{};
  const Vector<uint64_t> held = distinct(keys_.of(*group));
  const Vector<uint64_t> going = keys_.beyond(previous.group_id, *group, held, now);
  index.prepare_removal(going);
  prepare_unrepresent(previous.group_id);
  if (text != 0) texts.insert(text, std::move(packed));
  bool keyed = true;
  try {
    if (candidate) {
      // As long as the page still has its old text, this entry is a hint that finds nothing.
      remember_exact(features, answer.page_id);
      keyed = keys_.add(previous.group_id, now, going, held);
      if (!keyed) answer.flags |= kLimit;
    }
  } catch (...) {
    if (text != 0) texts.erase(text);
    throw;
  }
  last_text_ = std::max(last_text_, text);
  const uint64_t old_text = std::exchange(group->data.text, candidate ? text : 0);
  group->member_keys.clear();
  if (keyed) {
    keys_.remove(previous.group_id, going);
  } else {
    group->member_keys.assign(going.begin(), going.end());  // the group must still be found by its old keys
  }
  if (candidate) {
    represent(previous.group_id, features);
  } else {
    unrepresent(previous.group_id);
  }
  group->data.representative_page_id = answer.page_id;
  group->data.site = stable_hash(features.site());
  replace_text(*page, features, text, answer);
  if (!outcome.kept) note_dropped(answer, page->data.last_fetched_at_ms);
  if (!previous.represents) {
    release_text(old_text, answer.page_id, answer.group_id);  // the old text was a tombstone
    events.append(EventKind::kReelected, answer.page_id, answer.group_id, answer.group_id,
                  page->data.last_fetched_at_ms);
  }
  return {};
}

// The page leaves its group: it is removed and added again as another page with a new id.
Result<void> Collection::commit_move(const Features& features, const Outcome& outcome, PackedText& packed,
                                     Answer& answer) {
  const Previous& previous = outcome.previous;
  Result<Departure> departure = prepare_departure(previous.page_id);
  if (!departure) return std::move(departure).failure();
  const PageRecord& old_page = *departure->page;
  try {
    // The new page takes over the URL.
    if (Result<void> committed = commit_new(features, outcome, packed, answer); !committed) return committed;
  } catch (...) {
    pages.name(old_page);
    throw;
  }
  PageRecord* placed = pages.change(answer.page_id);
  if (placed == nullptr) return missing_record();
  PageData& page = placed->data;
  page.first_fetched_at_ms = old_page.data.first_fetched_at_ms;
  page.last_fetched_at_ms = std::max(page.last_fetched_at_ms, old_page.data.last_fetched_at_ms);
  depart(*departure);
  // If the text is the same, the exact map may have held the old page for both; then there is room.
  if (previous.unchanged && outcome.kept) remember_exact(features, answer.page_id);
  events.append(EventKind::kRegrouped, answer.page_id, previous.group_id, answer.group_id,
                features.header().fetched_at_ms);
  return {};
}

// Called for a text that a page or its group no longer uses: the other may still use it.
void Collection::release_text(uint64_t text, uint64_t page_id, uint64_t group_id) noexcept {
  if (text == 0) return;
  const PageRef page = pages.find(page_id);
  if (page && page->data->text == text) return;
  const GroupRef group = pages.group(group_id);
  if (group && group->data->text == text) return;
  texts.erase(text);
}

// [9] The page continues to represent its group with the features just read; keys of text that has become
// boilerplate are removed. If the index has no room for the new keys, the page keeps its previous features,
// and this returns false.
Result<bool> Collection::renew_representative(const Features& features, const Outcome& outcome,
                                              PackedText& packed) {
  if (!outcome.kept) return true;
  const uint64_t group_id = outcome.previous.group_id;
  PageRecord* page = pages.change(outcome.previous.page_id);
  GroupRecord* group = pages.change_group(group_id);
  const SharedFeatures old_features = page == nullptr ? nullptr : text_of(page->data);
  if (group == nullptr || old_features == nullptr) return missing_record();
  Vector<uint64_t> staying(features.keys().begin(), features.keys().end());
  staying.insert(staying.end(), group->member_keys.begin(), group->member_keys.end());
  const std::span<const uint64_t> old_keys = old_features->keys();
  const Vector<uint64_t> going = keys_without(distinct({old_keys.begin(), old_keys.end()}), staying);
  Vector<uint64_t> held(old_keys.begin(), old_keys.end());
  held.insert(held.end(), group->member_keys.begin(), group->member_keys.end());
  held = distinct(std::move(held));
  index.prepare_removal(going);
  const uint64_t text = last_text_ + 1;
  texts.insert(text, std::move(packed));
  bool keyed = false;
  try {
    keyed = keys_.add(group_id, features.keys(), going, held);
  } catch (...) {
    texts.erase(text);
    throw;
  }
  if (!keyed) {
    texts.erase(text);
    page->data.last_fetched_at_ms = std::max(page->data.last_fetched_at_ms, features.header().fetched_at_ms);
    return false;
  }
  last_text_ = text;
  keys_.remove(group_id, going);
  group->data.text = text;
  represent(group_id, features);
  replace_text(*page, features, text, Answer(page->data.answer));
  return true;
}

void Collection::begin_settling(const Collection& earlier) {
  knows_all_sites_ = true;
  knowledge.take_all(earlier.knowledge);
  events.take_all(earlier.events);
  commit_sequence_ = earlier.commit_sequence_ + 1;
}

void Collection::end_settling(const Collection& earlier) noexcept {
  skip_ids(earlier.last_id_);
  knows_all_sites_ = earlier.knows_all_sites_;
}

void Collection::count_ahead(const Features& page) noexcept {
  const uint64_t site = site_key_of(page.url(), page.site());
  if (parameters_.asks_sites() && page.has_text() && site != 0) knowledge.learn(site, page);
}

void Collection::take_history(const PageData& earlier) {
  PageRecord* page = pages.change(earlier.answer.page_id);
  if (page == nullptr) return;
  PageData& data = page->data;
  data.first_fetched_at_ms = earlier.first_fetched_at_ms;
  data.last_fetched_at_ms = earlier.last_fetched_at_ms;
  if (data.answer.group_id == earlier.answer.group_id) return;
  events.append(EventKind::kRegrouped, data.answer.page_id, earlier.answer.group_id, data.answer.group_id,
                data.last_fetched_at_ms);
}

// An unchanged page of which nothing new is kept has the text that it had; see count_page().
Collection::Counted Collection::counted_before(const Outcome& outcome) const {
  const Previous& previous = outcome.previous;
  if (!previous.known) return {};
  const PageRef page = pages.find(previous.page_id);
  if (!page || !page->data->has(kCounted)) return {};
  if (previous.unchanged && !outcome.kept) return {page->data->text, nullptr};
  return {page->data->text, text_of(*page->data)};
}

// [9] Each page counts, copies too: if a group counted once, a page template whose first pages were taken for
// copies would never be learned. A page counts by the text that its record has; the same text may have
// another title or other blocks.
void Collection::count_page(const Features& page, std::span<const uint64_t> parts, const Counted& before,
                            uint64_t page_id) noexcept {
  PageRecord* placed = parameters_.asks_sites() ? pages.change(page_id) : nullptr;
  if (placed == nullptr) return;
  PageData& data = placed->data;
  if (before.text == 0 || data.text != before.text) {
    const bool counts = page.has_text() && data.text != 0 && data.site != 0;
    data.marks = (data.marks & ~uint32_t{kCounted}) | (counts ? uint32_t{kCounted} : 0U);
    if (knows_all_sites_) {
      // It is counted already.
    } else {
      if (counts) knowledge.learn(data.site, parts);
      if (before.features != nullptr) knowledge.forget(data.site, *before.features);
    }
  }
  data.site_magnitude = knowledge.magnitude(data.site);
}

}  // namespace nd::engine
