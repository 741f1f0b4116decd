// The tables of a store and their numbers, the state outside them, and what is known of a page's URL.
#include "collection/collection.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

// The numbers appear in files and never change. Texts are found by number, and runs of ascending numbers
// never overlap, so merging them saves nothing but files.
enum Table : uint32_t {
  kPages = 1,
  kUrls,
  kGroups,
  kParts,
  kTexts,
  kKeys,
  kExact,
  kEvents,
  kSpotDocuments,
  kSpotSequences,
  kSpotPostings,
  kSpotFrequent,
  kSiteKnowledge,
};

constexpr std::array kTableKinds = {
    store::TableKind{.number = kPages, .name = "pages", .merge_count = 4},
    store::TableKind{.number = kUrls, .name = "urls", .merge_count = 4, .filter = true},
    store::TableKind{.number = kGroups, .name = "groups", .merge_count = 4},
    store::TableKind{.number = kParts, .name = "parts", .merge_count = 4},
    store::TableKind{.number = kTexts, .name = "texts", .merge_count = 16},
    store::TableKind{.number = kKeys, .name = "keys", .merge_count = 4, .filter = true},
    store::TableKind{.number = kExact, .name = "exact", .merge_count = 4, .filter = true},
    store::TableKind{.number = kEvents, .name = "events", .merge_count = 4},
    store::TableKind{.number = kSpotDocuments, .name = "spotdocuments", .merge_count = 4},
    store::TableKind{.number = kSpotSequences, .name = "spotsequences", .merge_count = 4},
    store::TableKind{.number = kSpotPostings, .name = "spotpostings", .merge_count = 4, .filter = true},
    store::TableKind{.number = kSpotFrequent, .name = "spotfrequent", .merge_count = 4, .filter = true},
    store::TableKind{.number = kSiteKnowledge, .name = "sites", .merge_count = 4, .filter = true},
};

uint64_t greatest_key(const store::Runs& runs) noexcept {
  uint64_t greatest = 0;
  for (const std::shared_ptr<const store::Run>& run : runs) {
    if (run->entry_count() == 0) continue;
    if (const auto last = run->at(run->entry_count() - 1)) greatest = std::max(greatest, last->key);
  }
  return greatest;
}

// Symbol codes may take a sixteenth of the memory budget: no snapshot frees them.
size_t code_limit_of(const CollectionParameters& parameters) noexcept {
  const uint64_t budget = parameters.memory_budget_bytes;
  return budget == 0 ? SymbolCodes::kCodes : budget / 16 / SymbolCodes::kBytesPerCode;
}

}  // namespace

Collection::Collection(const CollectionParameters& parameters, uint64_t secret, Counters& counters)
    : pages(secret),
      texts(secret ^ 5, code_limit_of(parameters)),
      index(secret, parameters.index),
      spots(secret ^ 0x7f4a7c15, parameters.spot_source),
      method(secret ^ 0x632be59b, parameters),
      exact(secret ^ 0x5bd1e995),
      knowledge(secret ^ 0x6b8b4567, parameters.sites),
      events(parameters.events),
      parameters_(parameters),
      counters_(counters) {}

// [7] What is known about the page's URL.
Previous Collection::previous_of(const Features& page, bool has_room) const {
  const PageRef known = pages.find(page.url());
  return known ? describe_previous(*known->data, page, has_room) : Previous{};
}

Previous Collection::previous_of(uint64_t page_id, const Features& page, bool has_room) const {
  const PageRef known = pages.find(page_id);
  return known ? describe_previous(*known->data, page, has_room) : Previous{};
}

Previous Collection::describe_previous(const PageData& data, const Features& page, bool has_room) const {
  const GroupRef group = pages.group(data.answer.group_id);
  if (!group) return {};
  Previous previous;
  previous.known = true;
  previous.unchanged = data.digest == page.digest() && data.width == page.header().width;
  previous.alone = group->data->page_count == 1;
  previous.represents = group->data->representative_page_id == data.answer.page_id;
  previous.page_id = data.answer.page_id;
  previous.group_id = data.answer.group_id;
  previous.answer = data.answer;
  const bool again = previous.unchanged && site_became_known(data);
  previous.postponed = again && !has_room;  // looking at the page again must not lose its text
  previous.decided_again = again && has_room;
  return previous;
}

// Each time that its site has become twice as large, a page that is fetched again is decided again.
bool Collection::site_became_known(const PageData& page) const {
  if (page.text == 0 || page.site == 0 || page.answer.verdict == kNoText) return false;
  return knowledge.magnitude(page.site) > page.site_magnitude;
}

SharedFeatures Collection::text_of(const PageData& page) const {
  return page.text == 0 ? nullptr : texts.find(page.text);
}

std::span<const store::TableKind> Collection::table_kinds() noexcept {
  return kTableKinds;
}

uint32_t Collection::events_table() noexcept {
  return kEvents;
}

store::LayeredTable& Collection::table(uint32_t number) noexcept {
  switch (number) {
    case kPages:
      return pages.pages();
    case kUrls:
      return pages.urls();
    case kGroups:
      return pages.groups();
    case kParts:
      return pages.parts();
    case kTexts:
      return texts;
    case kKeys:
      return index.table();
    case kExact:
      return exact;
    case kEvents:
      return events.table();
    case kSiteKnowledge:
      return knowledge.table();
    default:
      return *spots.tables()[number - kSpotDocuments];
  }
}

// The state outside the tables; docs/snapshot_format.md, "State".
Vector<uint8_t> Collection::state() {
  Vector<uint8_t> bytes;
  ByteWriter out(bytes);
  out.number(commit_sequence_).number(last_id_).number(last_text_).number(aged_.end);
  for (const store::TableKind& kind : kTableKinds)
    out.number(table(kind.number).size());
  const KeyIndex::State keys = index.state();
  out.number(keys.hot_count).number(keys.group_count);
  const SiteKnowledge::State sites = knowledge.state();
  out.number(sites.content_bytes).number(sites.clock);
  out.number(events.last_sequence());
  bookmarks.write(out);
  texts.write_state(out);
  spots.write_state(bytes);
  return bytes;
}

Result<void> Collection::restore(const store::Store::Content& content) {
  ByteReader in(content.state);
  const auto damaged = [] { return error(Status::kCorrupt, "a store whose state is damaged"); };
  commit_sequence_ = in.number<uint64_t>();
  last_id_ = in.number<uint64_t>();
  last_text_ = in.number<uint64_t>();
  aged_.end = std::min(in.number<uint64_t>(), last_id_);
  if (last_id_ > kGreatestId || last_text_ > kGreatestId) return damaged();
  for (const store::TableKind& kind : kTableKinds) {
    const uint64_t size = in.number<uint64_t>();
    store::Runs runs = content.runs[kind.number];
    const bool by_id = kind.number == kPages || kind.number == kGroups;
    const uint64_t counter = by_id ? last_id_ : kind.number == kTexts ? last_text_ : UINT64_MAX;
    if (greatest_key(runs) > counter) return damaged();  // a key that would be assigned again
    if (kind.number == kTexts) texts.prepare_attach(runs.size());
    table(kind.number).attach(std::move(runs), size);
  }
  KeyIndex::State keys;
  keys.hot_count = in.number<uint64_t>();
  keys.group_count = in.number<uint64_t>();
  index.restore(keys);
  SiteKnowledge::State sites;
  sites.content_bytes = in.number<uint64_t>();
  sites.clock = in.number<uint64_t>();
  knowledge.restore(sites);
  const uint64_t last_event = in.number<uint64_t>();
  if (last_event > EventLog::kGreatestSequence) return damaged();
  events.restore(last_event);
  if (Result<void> read = bookmarks.read(in); !read) return read;
  if (!texts.restore(in)) return damaged();
  if (!in.ok()) return damaged();
  if (Result<void> restored = spots.restore(in.rest()); !restored) return restored;
  return restore_method(content.runs[kTexts]);
}

// A method's index is not written, since it can be rebuilt from the texts. Each group has a text of its own,
// so together they are no larger than what the runs can hold. Cost: linear in the size of those runs.
Result<void> Collection::restore_method(const store::Runs& text_runs) {
  if (!method.is_used()) return {};
  uint64_t left_bytes = 0;
  for (const std::shared_ptr<const store::Run>& run : text_runs)
    left_bytes += run->file_bytes() * TextPacker::kMostExpansion;
  bool within = true;
  pages.for_each_group([&](uint64_t group_id, const GroupRecord::View& group) {
    const SharedFeatures text = group.data->text == 0 ? nullptr : texts.find(group.data->text);
    if (text == nullptr) return true;
    within = text->bytes().size() <= left_bytes;
    if (!within) return false;
    left_bytes -= text->bytes().size();
    method.put(group_id, *text);
    return true;
  });
  return within ? Result<void>() : error(Status::kCorrupt, "groups that are represented by the same text");
}

void Collection::prepare_freeze() {
  for (const store::TableKind& kind : kTableKinds)
    table(kind.number).prepare_freeze();
}

void Collection::freeze() noexcept {
  for (const store::TableKind& kind : kTableKinds)
    table(kind.number).freeze();
}

Vector<store::Runs> Collection::prepare_install(const store::Store& store) {
  Vector<store::Runs> prepared;
  for (const store::TableKind& kind : kTableKinds)
    prepared.emplace_back().reserve(store.runs(kind.number).size() + 1);
  return prepared;
}

void Collection::install(const store::Store& store, Vector<store::Runs> prepared) noexcept {
  auto next = prepared.begin();
  for (const store::TableKind& kind : kTableKinds) {
    const store::Runs& runs = store.runs(kind.number);
    assert(runs.size() <= next->capacity());
    next->assign(runs.begin(), runs.end());
    table(kind.number).install(std::move(*next++));
  }
}

void Collection::discard() noexcept {
  for (const store::TableKind& kind : kTableKinds)
    table(kind.number).discard();
}

WorkTally Collection::work() const noexcept {
  WorkTally tally;
  tally.add(Work::kTemplates, knowledge.probe_count());
  tally.add(Work::kCommit, index.probe_count() + spots.probe_count() + method.probe_count());
  return tally;
}

uint64_t Collection::index_bytes() const noexcept {
  return index.memory_bytes() + spots.memory_bytes() + method.memory_bytes() + exact.memory_bytes() +
         knowledge.memory_bytes();
}

uint64_t Collection::memory_bytes() const noexcept {
  return index_bytes() + pages.memory_bytes() + texts.memory_bytes() + events.memory_bytes();
}

}  // namespace nd::engine
