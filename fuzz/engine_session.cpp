// Makes calls as the bytes of an input say, and holds every answer against the register of the earlier ones.
#include "fuzz/engine_session.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fuzz/expectation.hpp"
#include "fuzz/option_list.hpp"
#include "fuzz/scratch_folder.hpp"
#include "fuzz/signature_expectations.hpp"
#include "fuzz/well_formed_text.hpp"

namespace nd::fuzz {
namespace {

namespace fs = std::filesystem;

struct Setting {
  const char* key;
  std::array<const char*, 4> values;
};

// Small, so that limits are met; none by which an answer would depend on the time that a snapshot takes.
constexpr std::array kSettings = {
    Setting{"x_candidates_limit", {"1", "2", "3", "16"}},
    Setting{"x_verifications_limit", {"1", "2", "3", "8"}},
    Setting{"keys_bytes", {"1000", "4000", "10000", "0"}},
    Setting{"spot_bytes", {"1000", "4000", "20000", "0"}},
    Setting{"events_limit", {"0", "1", "7", "1000"}},
    Setting{"keep_text", {"true", "false", "true", "false"}},
    Setting{"block_weights", {"learned", "rules", "learned", "rules"}},
    Setting{"spotsigs", {"false", "true", "false", "true"}},
    Setting{"tokens_limit", {"64", "100", "200", "1000"}},
    Setting{"page_bytes_limit", {"1024", "2048", "4096", "100000"}},
    Setting{"site_bytes", {"65536", "70000", "100000", "1000000"}},
    Setting{"detector_bytes", {"1000", "4000", "20000", "0"}},
    Setting{"check_work_limit", {"1", "300", "3000", "0"}},
    Setting{"x_check_work_per_byte", {"0", "1", "8", "64"}},
    // From here on only the LCS takes them.
    Setting{"x_hot_groups_limit", {"2", "3", "5", "10000"}},
    Setting{"x_hot_site_groups_limit", {"2", "3", "5", "400"}},
    Setting{"same_document", {"0", "0.1", "0.4", "0.9"}},
    Setting{"x_trustable", {"true", "false", "true", "false"}},
    Setting{"x_relaxed", {"false", "true", "false", "true"}},
    Setting{"x_postings_limit", {"16", "17", "20", "1024"}},
    Setting{"x_verification_work_limit", {"1000", "1500", "3000", "100000"}},
};
static_assert(std::ranges::all_of(kSettings, [](const Setting& setting) {
  return std::ranges::count(setting.values, nullptr) == 0;
}));

constexpr size_t kSettingsOfAll = kSettings.size() - 7;

constexpr std::array kDetectors = {"spotsigs",  "i-match-s",  "lsh-s",   "moz-vector",
                                   "simhash64", "simhash128", "mwo",     "shingles",
                                   "minhash",   "cosine",     "i-match", "exact"};

constexpr const char* kBookmarks[] = {"", "a", "b"};

// Counts that a query moves, and what memory it works in.
nd_stats without_work(nd_stats stats) {
  stats.queries = 0;
  stats.verifications = stats.rejected_by_sketch = 0;
  stats.bytes_scratch = stats.bytes_total = 0;
  return stats;
}

// A query and the check of the same page: the same verdict, except for what only storing it can show.
void expect_foretold(const nd_result& query, const nd_result& check) {
  constexpr uint32_t kNotForetold = ND_FLAG_LIMIT;
  expect(query.verdict == check.verdict, "a query foretold another verdict");
  expect((query.flags & ~kNotForetold) == (check.flags & ~kNotForetold), "a query foretold other flags");
  expect(query.group_id == (query.group_id == 0 ? 0 : check.group_id), "a query foretold another group");
  expect(query.group_id != 0 || check.group_id == check.page_id,
         "a query foretold a group of the page's own");
  expect(query.matched_page_id == check.matched_page_id, "a query foretold another match");
  expect(query.resemblance == check.resemblance && query.containment == check.containment &&
             query.page_coverage == check.page_coverage && query.matched_coverage == check.matched_coverage,
         "a query foretold other shares");
  expect(query.probability == check.probability && query.related_group_id == check.related_group_id,
         "a query foretold another probability");
}

struct Buffer {
  nd_buffer raw = ND_BUFFER_INIT;
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { nd_buffer_free(&raw); }
  std::string_view text() const { return raw.data == nullptr ? "" : std::string_view(raw.data, raw.size); }
};

bool is_object(std::string_view json) {
  return json.size() >= 2 && json.front() == '{' && json.back() == '}';
}

}  // namespace

EngineSession::EngineSession(InputReader& input) {
  [[maybe_unused]] static const bool kAreAllDrawn = (expect_all_detectors(kDetectors), true);
  if (input.take_byte() % 4 != 0) path_ = empty_scratch_folder() + "store";
  expect_status(nd_options_new(&options_), ND_OK, "nd_options_new");
  read_options(input);
  page_options_.emplace(options_, "pages");
  feature_options_.emplace(options_, "pages keys descriptions features");
  read_storage_options(input);
  open();
}

EngineSession::~EngineSession() {
  nd_close(engine_);
  nd_options_free(options_);
}

void EngineSession::set_option(const char* key, const char* value) {
  expect_status(nd_options_set(options_, key, value), ND_OK, key);
}

void EngineSession::read_options(InputReader& input) {
  const uint8_t detector = input.take_byte();
  if (detector >= 128) {
    set_option("detector", kDetectors[detector % kDetectors.size()]);
    method_decides_ = (detector & 64) != 0;
    if (method_decides_) set_option("decide", "method");
  }
  const size_t setting_count = detector >= 128 ? kSettingsOfAll : kSettings.size();
  for (uint8_t left = input.take_byte() % 8; left > 0; --left) {
    const Setting& setting = kSettings[input.take_byte() % setting_count];
    set_option(setting.key, setting.values[input.take_byte() % setting.values.size()]);
  }
}

void EngineSession::read_storage_options(InputReader& input) {
  constexpr const char* kDurabilities[] = {"journal", "journal", "sync", "snapshot", "none"};
  constexpr const char* kVerifies[] = {"lazy", "full", "off"};
  durability_ = kDurabilities[input.take_byte() % std::size(kDurabilities)];
  set_option("durability", durability_.c_str());
  set_option("verify", kVerifies[input.take_byte() % std::size(kVerifies)]);
  set_option("mmap", input.take_flag() ? "false" : "true");
}

void EngineSession::open() {
  log_.follow(options_);
  const nd_status status = nd_open(path_.empty() ? nullptr : path_.c_str(), options_, &engine_);
  if (status == ND_ERR_INVALID_ARGUMENT && now_.pages.page_count() == 0) return;
  expect_status(status, ND_OK, "nd_open");
  log_.follow(engine_);
  tally_ = {};
}

void EngineSession::close() {
  expect_status(nd_close(engine_), ND_OK, "nd_close");
  log_.engine_closed();
  engine_ = nullptr;
}

// What a loss takes, where only snapshots are durable.
void EngineSession::after_loss() {
  if (path_.empty()) {
    now_ = {};
  } else if (durability_ == "none" || durability_ == "snapshot") {
    now_ = kept_;
  }
}

void EngineSession::reopen(InputReader& input, bool verifies) {
  const EngineView before = view_of(engine_);
  close();
  const bool takes_snapshot = durability_ != "none";
  if (path_.empty() || !takes_snapshot) after_loss();
  if (verifies && !path_.empty())
    expect_status(nd_verify_store(path_.c_str(), nullptr, nullptr), ND_OK, "nd_verify_store");
  if (takes_snapshot) snapshot_ = now_;
  read_storage_options(input);
  open();
  kept_ = now_;
  const EngineView after = view_of(engine_);
  now_.pages.expect_equal(after);
  if (path_.empty() || !takes_snapshot) return;
  const auto same = [](const nd_event& x, const nd_event& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  expect(
      std::equal(before.events.begin(), before.events.end(), after.events.begin(), after.events.end(), same),
      "other events after the store was opened again");
}

// The files as they are while the engine is at work, as after a kill.
void EngineSession::crash(InputReader& input) {
  if (path_.empty()) return;
  const std::string copy = path_ + "-copy";
  fs::copy(path_, copy);
  close();
  fs::remove_all(path_);
  fs::rename(copy, path_);
  after_loss();
  read_storage_options(input);
  open();
  kept_ = now_;
  now_.pages.expect_equal(view_of(engine_));
}

nd_result EngineSession::check(const FetchedPage& fetched, bool by_features) {
  const nd_page page = fetched.page();
  nd_result result = ND_RESULT_INIT;
  if (by_features) {
    Buffer features;
    if (page.body_size % 2 == 0) {
      expect_status(nd_features_compute(&page, *feature_options_, &features.raw), ND_OK,
                    "nd_features_compute");
    } else {
      expect_status(nd_read_page(engine_, &page, &features.raw), ND_OK, "nd_read_page");
    }
    expect_status(nd_check_features(engine_, features.raw.data, features.raw.size, &result), ND_OK,
                  "nd_check_features");
  } else {
    check_read(page, result);
  }
  nd_page_info info = ND_PAGE_INFO_INIT;
  expect_status(nd_get_page(engine_, result.page_id, &info, nullptr, nullptr), ND_OK, "nd_get_page");
  now_.pages.note_check(fetched, result, info, method_decides_);
  ++tally_.checks;
  ++tally_.verdicts[result.verdict];
  tally_.recrawls += (result.flags & ND_FLAG_RECRAWL) != 0;
  tally_.changed += (result.flags & ND_FLAG_CHANGED) != 0;
  return result;
}

// With the page's own text or without it, by something that no corpus has to say.
void EngineSession::check_read(const nd_page& page, nd_result& result) const {
  if (page.body_size % 2 == 0)
    return expect_status(nd_check_page(engine_, &page, &result), ND_OK, "nd_check_page");
  Buffer text, foretold;
  expect_status(nd_own_text(engine_, &page, &foretold.raw), ND_OK, "nd_own_text");
  expect_status(nd_check_page_text(engine_, &page, &result, &text.raw), ND_OK, "nd_check_page_text");
  expect(text.text() == foretold.text(), "a page had another text of its own before it was checked");
  expect(is_clean_text(text.text()), "a page's own text is no UTF-8");
}

nd_result EngineSession::query(const FetchedPage& fetched) const {
  const nd_page page = fetched.page();
  nd_result result = ND_RESULT_INIT;
  expect_status(nd_query_page(engine_, &page, &result), ND_OK, "nd_query_page");
  const KnownPage* const known = fetched.url.empty() ? nullptr : now_.pages.find(fetched.url);
  expect(result.page_id == (known == nullptr ? 0 : known->info.page_id), "a query tells another page");
  return result;
}

void EngineSession::check_page(InputReader& input) {
  const FetchedPage page = fetched_.next(input);
  const bool twice = input.take_flag();
  const nd_result first = check(page, false);
  if (!twice || page.url.empty()) return;
  const nd_result second = check(page, false);
  expect(second.verdict == ND_UNCHANGED && (second.flags & ND_FLAG_REGROUPED) == 0,
         "a page is not what it was");
  expect(second.page_id == first.page_id && second.group_id == first.group_id,
         "a page has other ids at once");
}

void EngineSession::query_page(InputReader& input) {
  const FetchedPage page = fetched_.next(input);
  const uint8_t then = input.take_byte() % 4;
  const nd_stats before = stats();
  const nd_result foretold = query(page);
  ++tally_.queries;
  const nd_stats left = without_work(before), found = without_work(stats());
  expect(std::memcmp(&left, &found, sizeof left) == 0, "a query changed something");
  if (then == 0) now_.pages.expect_equal(view_of(engine_));
  if (then == 1) expect_foretold(foretold, check(page, false));
  if (then == 2) expect_foretold(foretold, check(page, true));
}

void EngineSession::remove_page(InputReader& input) {
  const std::string url(read_url(input).url);
  const bool known = now_.pages.remove(url);
  tally_.removed += known;
  expect_status(nd_remove_page(engine_, url.data(), url.size()), known ? ND_OK : ND_ERR_NOT_FOUND,
                "nd_remove_page");
}

void EngineSession::remove_matching(InputReader& input) {
  const uint8_t conditions = input.take_byte();
  nd_filter filter = ND_FILTER_INIT;
  const KnownUrl& known = read_url(input);
  std::string_view prefix, site;
  if ((conditions & 1) != 0) prefix = known.url.substr(0, input.take_byte());
  if ((conditions & 2) != 0) site = known.site;
  if ((conditions & 4) != 0) filter.fetched_before_ms = input.take_byte();
  if ((conditions & 8) != 0) filter.flags = ND_REMOVE_PURGE;
  filter.url_prefix = prefix.data();
  filter.url_prefix_size = prefix.size();
  filter.site = site.data();
  filter.site_size = site.size();
  uint64_t removed = 0;
  const nd_status status = nd_remove_matching(engine_, &filter, &removed);
  if (prefix.empty() && site.empty() && filter.fetched_before_ms == 0) {
    expect_status(status, ND_ERR_INVALID_ARGUMENT, "nd_remove_matching");
    return;
  }
  expect_status(status, ND_OK, "nd_remove_matching");
  expect(removed == now_.pages.remove_matching(prefix, site, filter.fetched_before_ms),
         "another number was removed");
  tally_.removed += removed;
  if ((filter.flags & ND_REMOVE_PURGE) != 0) now_.pages.take_moves(view_of(engine_));
}

void EngineSession::snapshot(bool compacts) {
  const nd_status status = compacts ? nd_compact(engine_) : nd_snapshot(engine_);
  expect_status(status, path_.empty() ? ND_ERR_INVALID_ARGUMENT : ND_OK,
                compacts ? "nd_compact" : "nd_snapshot");
  if (!path_.empty()) snapshot_ = kept_ = now_;
}

// Another engine on the same store: a reader sees the last snapshot, a writer is turned away.
void EngineSession::read_concurrently() {
  if (path_.empty()) return;
  nd_engine* other = nullptr;
  expect_status(nd_open(path_.c_str(), options_, &other), ND_ERR_LOCKED, "nd_open");
  set_option("read_only", "true");
  expect_status(nd_open(path_.c_str(), options_, &other), ND_OK, "nd_open");
  set_option("read_only", "false");
  snapshot_.pages.expect_equal(view_of(other));
  expect_status(nd_refresh(other), ND_OK, "nd_refresh");
  expect_status(nd_snapshot(other), ND_ERR_READ_ONLY, "nd_snapshot");
  expect_status(nd_close(other), ND_OK, "nd_close");
}

void EngineSession::use_bookmark(InputReader& input) {
  const std::string name = kBookmarks[input.take_byte() % std::size(kBookmarks)];
  const auto data = input.take_bytes(input.take_byte() % 16);
  const nd_status set = nd_set_bookmark(engine_, name.c_str(), data.data(), data.size());
  const bool possible = !path_.empty() && !name.empty();
  expect_status(set, possible ? ND_OK : ND_ERR_INVALID_ARGUMENT, "nd_set_bookmark");
  if (!possible) return;
  if (data.empty()) {
    now_.bookmarks.erase(name);
  } else {
    now_.bookmarks[name] = InputReader::as_text(data);
  }
}

void EngineSession::look_at_pages(InputReader& input) {
  const std::string url(read_url(input).url);
  const KnownPage* const known = url.empty() ? nullptr : now_.pages.find(url);
  nd_page_info info = ND_PAGE_INFO_INIT;
  expect_status(nd_find_page(engine_, url.data(), url.size(), &info),
                known != nullptr ? ND_OK : ND_ERR_NOT_FOUND, "nd_find_page");
  if (known != nullptr) {
    char text[8];
    size_t size = sizeof text;
    const nd_status status = nd_get_page(engine_, known->info.page_id, &info, text, &size);
    expect_status(status, url.size() < sizeof text ? ND_OK : ND_ERR_LIMIT, "nd_get_page");
    expect(size == url.size(), "a URL has another size");
  }
  if (path_.empty()) return;
  for (const char* name : kBookmarks) {
    Buffer data;
    const auto kept = now_.bookmarks.find(name);
    const bool is_known = kept != now_.bookmarks.end();
    expect_status(nd_get_bookmark(engine_, name, &data.raw), is_known ? ND_OK : ND_ERR_NOT_FOUND,
                  "nd_get_bookmark");
    expect(!is_known || data.text() == kept->second, "a bookmark has other data");
  }
}

void EngineSession::compare_pages(uint64_t page_a, uint64_t page_b, std::string_view explanation) {
  nd_result result = ND_RESULT_INIT;
  expect_status(nd_compare_pages(engine_, page_a, page_b, &result), ND_OK, "nd_compare_pages");
  const bool same = result.verdict == ND_EXACT || result.verdict == ND_NEAR;
  expect(result.page_id == page_b && result.matched_page_id == (same ? page_a : 0),
         "compared pages have other ids");
  expect(same == (explanation.find("\"verdict\":\"different\"") == std::string_view::npos),
         "a comparison and its explanation disagree");
}

void EngineSession::look_at_texts(InputReader& input) {
  const KnownPage* const a = now_.pages.any(input.take_byte());
  const KnownPage* const b = now_.pages.any(input.take_byte());
  Buffer json;
  expect_status(
      nd_explain(engine_, a == nullptr ? 1 : a->info.page_id, b == nullptr ? 1 : b->info.page_id, &json.raw),
      a == nullptr ? ND_ERR_NOT_FOUND : ND_OK, "nd_explain");
  expect(a == nullptr || is_object(json.text()), "an explanation is no object");
  if (a != nullptr) compare_pages(a->info.page_id, b->info.page_id, json.text());
  expect_status(nd_explain(engine_, 0, UINT64_MAX, &json.raw), ND_ERR_NOT_FOUND, "nd_explain");
  const auto count = [](const nd_similar_page*, const char*, size_t, void* ctx) -> int32_t {
    ++*static_cast<uint32_t*>(ctx);
    return 0;
  };
  uint32_t similar = 0;
  const nd_status listed =
      nd_similar_pages(engine_, a == nullptr ? UINT64_MAX : a->info.page_id, 3, count, &similar);
  expect(listed == ND_OK || listed == ND_ERR_NOT_FOUND, "similar pages cannot be listed");
  expect(similar <= 3, "more similar pages than were asked for");
  const FetchedPage fetched = fetched_.next(input);
  const nd_page page = fetched.page();
  expect_status(nd_extract(&page, *page_options_, &json.raw), ND_OK, "nd_extract");
  expect(is_object(json.text()), "an extract is no object");
  nd_copy copies[2] = {ND_COPY_INIT, ND_COPY_INIT};
  copies[0].url = page.url;
  copies[0].url_size = page.url_size;
  copies[1].canonical_url = static_cast<const char*>(page.body);
  copies[1].canonical_url_size = page.body_size;
  copies[1].flags = ND_COPY_WITHOUT_CONTENT;
  for (int32_t rule = ND_KEEP_FIRST; rule <= ND_KEEP_CANONICAL; ++rule) {
    size_t index = 1;
    expect_status(nd_choose_copy(copies, 2, rule, &index), ND_OK, "nd_choose_copy");
    expect(index == 0, "what has no content is kept");
  }
  const std::vector<uint8_t> last = std::exchange(signature_, expect_signature(page, *page_options_));
  expect_signatures_read(last, signature_);
  expect_status(nd_metrics(engine_, &json.raw), ND_OK, "nd_metrics");
}

nd_stats EngineSession::stats() const {
  nd_stats stats = ND_STATS_INIT;
  expect_status(nd_get_stats(engine_, &stats), ND_OK, "nd_get_stats");
  return stats;
}

void EngineSession::check_stats() const {
  const nd_stats told = stats();
  expect(told.pages == now_.pages.page_count(), "another number of pages");
  expect(told.groups == now_.pages.group_count(), "another number of groups");
  nd_page_info kept = ND_PAGE_INFO_INIT;
  const KnownPage* const known = now_.pages.any(static_cast<uint8_t>(told.checks));
  const int32_t rule = ND_KEEP_FIRST + static_cast<int32_t>(told.checks % ND_KEEP_NEWEST);
  expect_status(nd_kept_page(engine_, known == nullptr ? UINT64_MAX : known->info.group_id, rule, &kept,
                             nullptr, nullptr),
                known == nullptr ? ND_ERR_NOT_FOUND : ND_OK, "nd_kept_page");
  expect(known == nullptr || kept.group_id == known->info.group_id, "a page of another group is kept");
  expect(told.checks == tally_.checks && told.queries == tally_.queries, "another number of calls");
  expect(told.verdict_new == tally_.verdicts[ND_NEW] &&
             told.verdict_unchanged == tally_.verdicts[ND_UNCHANGED] &&
             told.verdict_exact == tally_.verdicts[ND_EXACT] &&
             told.verdict_near == tally_.verdicts[ND_NEAR] &&
             told.verdict_no_text == tally_.verdicts[ND_NO_TEXT],
         "another number of verdicts");
  expect(told.recrawls == tally_.recrawls && told.changed == tally_.changed,
         "another number of pages seen again");
  expect(told.removed == tally_.removed, "another number of removals");
  expect(told.bytes_total == told.bytes_index + told.bytes_features + told.bytes_pages + told.bytes_events +
                                 told.bytes_scratch,
         "bytes that do not add up");
}

void EngineSession::call(InputReader& input) {
  switch (input.take_byte() % 16) {
    case 9:
    case 10:
      query_page(input);
      break;
    case 11:
      remove_page(input);
      break;
    case 12:
      remove_matching(input);
      break;
    case 13: {
      const uint8_t which = input.take_byte() % 8;
      if (which < 2) snapshot(which == 0);
      if (which >= 2 && which < 4) reopen(input, which == 2);
      if (which >= 4 && which < 6) crash(input);
      if (which == 6) read_concurrently();
      if (which == 7) use_bookmark(input);
      break;
    }
    case 14:
      look_at_pages(input);
      break;
    case 15:
      look_at_texts(input);
      break;
    default:
      check_page(input);
  }
  check_stats();
}

void EngineSession::finish() {
  now_.pages.expect_equal(view_of(engine_));
  close();
}

}  // namespace nd::fuzz
