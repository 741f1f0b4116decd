#include "engine/collection.hpp"

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
  kSites,
  kEvents,
  kSpotDocuments,
  kSpotSequences,
  kSpotPostings,
  kSpotFrequent,
  kAliases,
  kSuspectedCopies,
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
    store::TableKind{.number = kSites, .name = "sites", .merge_count = 4, .filter = true},
    store::TableKind{.number = kEvents, .name = "events", .merge_count = 4},
    store::TableKind{.number = kSpotDocuments, .name = "spotdocuments", .merge_count = 4},
    store::TableKind{.number = kSpotSequences, .name = "spotsequences", .merge_count = 4},
    store::TableKind{.number = kSpotPostings, .name = "spotpostings", .merge_count = 4, .filter = true},
    store::TableKind{.number = kSpotFrequent, .name = "spotfrequent", .merge_count = 4, .filter = true},
    store::TableKind{.number = kAliases, .name = "aliases", .merge_count = 4},
    store::TableKind{.number = kSuspectedCopies, .name = "suspectedcopies", .merge_count = 4},
    store::TableKind{.number = kSiteKnowledge, .name = "siteknowledge", .merge_count = 4, .filter = true},
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
size_t code_limit_of(const Parameters& parameters) noexcept {
  const uint64_t budget = parameters.memory_budget_bytes;
  return budget == 0 ? SymbolCodes::kCodes : budget / 16 / SymbolCodes::kBytesPerCode;
}

}  // namespace

Collection::Collection(const Parameters& parameters, uint64_t secret, Counters& counters)
    : pages(secret),
      texts(secret ^ 5, code_limit_of(parameters)),
      index(secret, parameters.index),
      spots(secret ^ 0x7f4a7c15, parameters.spot_source),
      method(secret ^ 0x632be59b, parameters),
      exact(secret ^ 0x5bd1e995),
      templates(secret ^ 0x2545f491, parameters.templates),
      knowledge(secret ^ 0x6b8b4567, {.bytes = parameters.templates.bytes}),
      suspected_copies(secret ^ 0x3c6ef372, parameters.merging),
      aliases(secret ^ 6),
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
  previous.loose = data.has(kLoose);
  previous.witnessed = data.has(kWitnessed);
  previous.page_id = data.answer.page_id;
  previous.group_id = data.answer.group_id;
  previous.answer = data.answer;
  previous.contribution = contribution_of(data);
  const bool changed = previous.unchanged && template_changed(data);
  previous.postponed = changed && !has_room;  // looking at the page again must not lose its text
  previous.template_changed = changed && has_room;
  return previous;
}

uint64_t Collection::contribution_of(const PageData& page) const {
  return is_last_of_site(page) ? page.answer.group_id : 0;
}

// The page has a site, and no other member of its group is of that site; false for groups too large to
// search.
bool Collection::is_last_of_site(const PageData& page) const {
  if (page.text == 0 || page.site == 0) return false;
  const GroupRef group = pages.group(page.answer.group_id);
  if (!group || group->data->page_count > kTwinSearchLimit) return false;
  bool is_last = true;
  pages.for_each_member(*group, [&](uint64_t id) {
    if (id == page.answer.page_id) return true;
    const PageRef member = pages.find(id);
    is_last = !member || member->data->text == 0 || member->data->site != page.site;
    return is_last;
  });
  return is_last;
}

bool Collection::template_changed(const PageData& page) const {
  if (page.text == 0 || page.answer.verdict == kNoText) return false;
  // The text that contains the page's may meanwhile have turned out to be a digest.
  if (joined_as_part(page.answer, parameters_.decision)) return true;
  if (page.site == 0) return false;
  const uint64_t version = templates.version(page.site);
  if (version == 0 || version == page.model_version) return false;
  // A site that was forgotten for lack of memory and is young again knows less than it did when this page was
  // decided.
  return page.has(kYoungSite) || !templates.is_young(page.site, page.answer.group_id);
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
    case kSites:
      return templates.table();
    case kEvents:
      return events.table();
    case kAliases:
      return aliases.table();
    case kSuspectedCopies:
      return suspected_copies.table();
    case kSiteKnowledge:
      return knowledge.table();
    default:
      return *spots.tables()[number - kSpotDocuments];
  }
}

// The state outside the tables; docs/snapshot_format.md, "The engine's state".
Vector<uint8_t> Collection::state() {
  Vector<uint8_t> bytes;
  ByteWriter out(bytes);
  out.number(commit_sequence_).number(last_id_).number(last_text_).number(aged_.end);
  for (const store::TableKind& kind : kTableKinds)
    out.number(table(kind.number).size());
  const KeyIndex::State keys = index.state();
  out.number(keys.hot_count).number(keys.group_count);
  const SiteTemplates::State sites = templates.state();
  out.number(sites.content_bytes).number(sites.clock).number(sites.last_version);
  const SiteKnowledge::State known = knowledge.state();
  out.number(known.content_bytes).number(known.clock);
  out.number(events.last_sequence());
  bookmarks.write(out);
  const SuspectedCopiesTable::State pairs = suspected_copies.state();
  out.number(pairs.pair_count).number(pairs.clock);
  aliases.write_state(out);
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
    const bool by_id = kind.number == kPages || kind.number == kGroups || kind.number == kAliases;
    const uint64_t counter = by_id ? last_id_ : kind.number == kTexts ? last_text_ : UINT64_MAX;
    if (greatest_key(runs) > counter) return damaged();  // a key that would be assigned again
    if (kind.number == kTexts) texts.prepare_attach(runs.size());
    table(kind.number).attach(std::move(runs), size);
  }
  KeyIndex::State keys;
  keys.hot_count = in.number<uint64_t>();
  keys.group_count = in.number<uint64_t>();
  index.restore(keys);
  SiteTemplates::State sites;
  sites.content_bytes = in.number<uint64_t>();
  sites.clock = in.number<uint64_t>();
  sites.last_version = in.number<uint64_t>();
  templates.restore(sites);
  SiteKnowledge::State known;
  known.content_bytes = in.number<uint64_t>();
  known.clock = in.number<uint64_t>();
  knowledge.restore(known);
  const uint64_t last_event = in.number<uint64_t>();
  if (last_event > EventLog::kGreatestSequence) return damaged();
  events.restore(last_event);
  if (Result<void> read = bookmarks.read(in); !read) return read;
  SuspectedCopiesTable::State pairs;
  pairs.pair_count = in.number<uint64_t>();
  pairs.clock = in.number<uint64_t>();
  suspected_copies.restore(pairs);
  if (!aliases.read_state(in)) return damaged();
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
  tally.add(Work::kTemplates, templates.probe_count() + knowledge.probe_count());
  tally.add(Work::kCommit, index.probe_count() + spots.probe_count() + method.probe_count() +
                               suspected_copies.probe_count());
  return tally;
}

uint64_t Collection::index_bytes() const noexcept {
  return index.memory_bytes() + spots.memory_bytes() + method.memory_bytes() + exact.memory_bytes() +
         templates.memory_bytes() + knowledge.memory_bytes() + suspected_copies.memory_bytes();
}

uint64_t Collection::memory_bytes() const noexcept {
  return index_bytes() + pages.memory_bytes() + aliases.memory_bytes() + texts.memory_bytes() +
         events.memory_bytes();
}

}  // namespace nd::engine
