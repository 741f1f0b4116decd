// Reads everything back that an engine tells of its pages and compares it with the register.
#include "fuzz/page_register.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <set>

#include "fuzz/expectation.hpp"

namespace nd::fuzz {
namespace {

bool is_share(double value) {
  return value >= 0 && value <= 1;
}

void check_fields(const nd_result& result, bool method_decides) {
  expect(result.verdict >= ND_NEW && result.verdict <= ND_NO_TEXT, "an impossible verdict");
  expect(result.flags < 2 * ND_FLAG_UNCERTAIN && result.reserved == 0, "impossible flags");
  expect(result.page_id != 0 && result.group_id != 0, "a check without ids");
  for (const double share : {result.resemblance, result.containment, result.page_coverage,
                             result.matched_coverage, result.probability})
    expect(is_share(share), "a share outside of 0..1");
  const bool is_certain = result.verdict == ND_EXACT || result.verdict == ND_UNCHANGED;
  expect(!is_certain || result.probability == 1, "an equal text without certainty");
  expect(result.verdict != ND_NO_TEXT || result.probability == 0, "a probability without text");
  const bool has_related = result.verdict == ND_NEW && result.probability > 0;
  expect((result.related_group_id != 0) == has_related && result.related_group_id != result.group_id,
         "a wrong related group");
  const bool unverified = (result.flags & ND_FLAG_UNVERIFIED) != 0;
  expect(unverified == (method_decides && result.verdict == ND_NEAR), "a wrong flag about verification");
}

// Everything except the order of members is the same in what the engine reports of a page.
bool same_info(const nd_page_info& x, const nd_page_info& y) {
  return x.verdict == y.verdict && x.flags == y.flags && x.page_id == y.page_id && x.group_id == y.group_id &&
         x.first_fetched_at_ms == y.first_fetched_at_ms && x.last_fetched_at_ms == y.last_fetched_at_ms &&
         x.text_width == y.text_width && x.text_hash == y.text_hash &&
         x.matched_page_id == y.matched_page_id && x.resemblance == y.resemblance &&
         x.containment == y.containment;
}

int32_t add_page(const nd_page_info* info, const char* url, size_t url_size, void* context) {
  auto& view = *static_cast<EngineView*>(context);
  expect(info->struct_size == sizeof(nd_page_info), "a structure of another size");
  expect(info->group_id == view.groups.back().group_id, "a member of another group");
  const bool is_new =
      view.pages.try_emplace(info->page_id, KnownPage{std::string(url, url_size), "", *info}).second;
  expect(is_new, "a page is listed twice");
  return 0;
}

void add_pages(nd_engine* engine, EngineView& view, const nd_group_info& group) {
  const size_t before = view.pages.size();
  view.groups.push_back(group);
  expect_status(nd_each_page(engine, group.group_id, add_page, &view), ND_OK, "nd_each_page");
  expect(view.pages.size() - before == group.page_count && group.page_count > 0,
         "a group has other members than it tells");
  const auto representative = view.pages.find(group.representative_page_id);
  const bool is_here =
      representative != view.pages.end() && representative->second.info.group_id == group.group_id;
  expect(group.tombstone != 0 ? group.representative_page_id == 0 : is_here,
         "a group is represented by a page that is not in it");
}

}  // namespace

void expect_status(nd_status status, nd_status expected, const char* call) {
  if (status == expected) return;
  std::fprintf(stderr, "%s: %s where %s should be: %s\n", call, nd_status_string(status),
               nd_status_string(expected), nd_last_error());
  fail("a wrong status");
}

EngineView view_of(nd_engine* engine) {
  std::vector<nd_group_info> groups;
  const auto add_group = [](const nd_group_info* info, void* context) {
    static_cast<std::vector<nd_group_info>*>(context)->push_back(*info);
    return int32_t{0};
  };
  expect_status(nd_each_group(engine, add_group, &groups), ND_OK, "nd_each_group");
  EngineView view;
  for (const nd_group_info& group : groups) {
    expect(view.groups.empty() || view.groups.back().group_id < group.group_id, "groups do not ascend");
    add_pages(engine, view, group);
  }
  const auto add_event = [](const nd_event* event, void* context) {
    static_cast<std::vector<nd_event>*>(context)->push_back(*event);
    return int32_t{0};
  };
  expect_status(nd_each_event(engine, 0, add_event, &view.events), ND_OK, "nd_each_event");
  for (size_t i = 1; i < view.events.size(); ++i)
    expect(view.events[i - 1].sequence < view.events[i].sequence, "events do not ascend");
  return view;
}

const KnownPage* PageRegister::find(const std::string& url) const {
  const auto found = ids_.find(url);
  return found == ids_.end() ? nullptr : &pages_.at(found->second);
}

const KnownPage* PageRegister::any(uint8_t number) const {
  if (pages_.empty()) return nullptr;
  return &std::next(pages_.begin(), static_cast<std::ptrdiff_t>(number % pages_.size()))->second;
}

size_t PageRegister::group_count() const {
  std::set<uint64_t> groups;
  for (const auto& [id, page] : pages_)
    groups.insert(page.info.group_id);
  return groups.size();
}

bool PageRegister::has_other_page(uint64_t group_id, uint64_t page_id) const {
  return std::any_of(pages_.begin(), pages_.end(), [&](const auto& entry) {
    return entry.first != page_id && entry.second.info.group_id == group_id;
  });
}

// `before`: what was known of the URL, or null.
void PageRegister::check_ids(const KnownPage* before, const nd_result& result) const {
  const bool stays = before != nullptr && (result.flags & ND_FLAG_REGROUPED) == 0;
  const uint64_t old_id = before == nullptr ? 0 : before->info.page_id;
  if (stays) {
    expect(result.page_id == old_id && result.group_id == before->info.group_id,
           "a page that stays has other ids");
  } else {
    expect(result.page_id > greatest_id_, "an id was given twice");
    expect(before == nullptr || result.group_id != before->info.group_id, "a page moved to its own group");
  }
  const bool has_company = has_other_page(result.group_id, old_id);
  if (result.verdict == ND_EXACT || result.verdict == ND_NEAR) {
    const uint64_t matched = result.matched_page_id;
    // The last member may still resemble the text of a founder that has gone.
    expect(has_company || (stays && matched == 0), "a duplicate of nothing");
    expect(matched == 0 || pages_.contains(matched), "the matched page is not known");
    expect(matched == 0 || (matched != result.page_id && matched != old_id), "it matches itself");
  } else if (result.verdict != ND_UNCHANGED) {
    expect(!has_company, "a page without a duplicate is in a group with others");
  }
  if (!stays && !has_company) expect(result.group_id == result.page_id, "a founder has another group");
}

void PageRegister::note_check(const FetchedPage& fetched, const nd_result& result, const nd_page_info& info,
                              bool method_decides) {
  check_fields(result, method_decides);
  const KnownPage* const before = fetched.url.empty() ? nullptr : find(fetched.url);
  expect(((result.flags & ND_FLAG_RECRAWL) != 0) == (before != nullptr), "a URL is known, or not, wrongly");
  const bool same_text = before != nullptr && before->info.text_hash == info.text_hash &&
                         before->info.text_width == info.text_width;
  expect((result.verdict == ND_UNCHANGED) == same_text, "unchanged, or not, wrongly");
  expect(((result.flags & ND_FLAG_CHANGED) != 0) == (before != nullptr && !same_text),
         "changed, or not, wrongly");
  expect(before == nullptr || same_text || before->content != fetched.content(),
         "the same bytes have another text");
  expect(before != nullptr || (result.flags & ND_FLAG_REGROUPED) == 0, "a new page moved");
  check_ids(before, result);
  expect(info.page_id == result.page_id && info.group_id == result.group_id, "the engine tells other ids");
  expect(
      info.last_fetched_at_ms >= fetched.fetched_at_ms && info.first_fetched_at_ms <= info.last_fetched_at_ms,
      "impossible times of fetching");
  expect(before == nullptr || info.first_fetched_at_ms == before->info.first_fetched_at_ms,
         "another time of first fetching");

  if (before != nullptr) forget(before->info.page_id);
  pages_[result.page_id] = {fetched.url, fetched.content(), info};
  if (!fetched.url.empty()) ids_[fetched.url] = result.page_id;
  greatest_id_ = std::max(greatest_id_, result.page_id);
}

void PageRegister::forget(uint64_t page_id) {
  const auto found = pages_.find(page_id);
  ids_.erase(found->second.url);
  pages_.erase(found);
}

bool PageRegister::remove(const std::string& url) {
  const KnownPage* const page = find(url);
  if (page == nullptr) return false;
  forget(page->info.page_id);
  return true;
}

uint64_t PageRegister::remove_matching(std::string_view prefix, std::string_view site, int64_t before_ms) {
  std::vector<uint64_t> going;
  for (const auto& [id, page] : pages_) {
    const bool matches = page.url.starts_with(prefix) && (site.empty() || site_of(page.url) == site) &&
                         (before_ms == 0 || page.info.last_fetched_at_ms < before_ms);
    if (matches) going.push_back(id);
  }
  for (const uint64_t id : going)
    forget(id);
  return going.size();
}

void PageRegister::take_moves(const EngineView& view) {
  expect(view.pages.size() == pages_.size(), "a purge left another number of pages");
  std::map<uint64_t, KnownPage> moved;
  for (const auto& [id, told] : view.pages) {
    const auto stayed = pages_.find(id);
    if (stayed != pages_.end()) {
      expect(stayed->second.url == told.url && same_info(stayed->second.info, told.info),
             "a purge changed a page that it left where it was");
      moved[id] = stayed->second;
      continue;
    }
    expect(id > greatest_id_ && told.info.group_id == id,
           "a page that a purge moved has no group of its own");
    const KnownPage* const before = find(told.url);
    expect(told.url.empty() || before != nullptr, "a purge made a page");
    moved[id] = {told.url, before == nullptr ? "" : before->content, told.info};
  }
  pages_ = std::move(moved);
  ids_.clear();
  for (const auto& [id, page] : pages_) {
    if (!page.url.empty()) ids_[page.url] = id;
    greatest_id_ = std::max(greatest_id_, id);
  }
}

void PageRegister::expect_equal(const EngineView& view) const {
  expect(view.pages.size() == pages_.size(), "the engine knows another number of pages");
  for (const auto& [id, page] : pages_) {
    const auto told = view.pages.find(id);
    expect(told != view.pages.end(), "the engine lacks a page");
    expect(told->second.url == page.url && same_info(told->second.info, page.info),
           "the engine tells something else of a page");
  }
}

}  // namespace nd::fuzz
