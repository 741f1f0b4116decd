// Opens an engine and calls it in one line each, so that tests read as sequences of pages.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"
#include "unit/decision/report_parameters.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {

inline PageInput page_input(std::string_view url, std::string_view html, int64_t fetched_at_ms = 1000) {
  PageInput page;
  page.url = url;
  page.body = {reinterpret_cast<const uint8_t*>(html.data()), html.size()};
  page.content_type = "text/html; charset=utf-8";
  page.fetched_at_ms = fetched_at_ms;
  return page;
}

inline std::string text_of(const String& text) {
  return {text.data(), text.size()};
}

inline Vector<GroupView> groups_of(const Engine& engine) {
  Result<Vector<GroupView>> groups = engine.groups();
  EXPECT_TRUE(groups);
  return groups ? *std::move(groups) : Vector<GroupView>{};
}

inline Vector<Event> events_of(const Engine& engine, uint64_t after) {
  Result<Vector<Event>> events = engine.events_after(after);
  EXPECT_TRUE(events);
  return events ? *std::move(events) : Vector<Event>{};
}

class EngineTest : public ::testing::Test {
 protected:
  void open(const Parameters& parameters = {}) {
    Result<Owned<Engine>> opened = Engine::open(parameters);
    ASSERT_TRUE(opened);
    engine_ = *std::move(opened);
  }
  void SetUp() override { open(); }

  Answer check(const std::string& url, const std::string& html, int64_t at_ms = 1000) {
    const Result<Answer> answer = engine_->check(page_input(url, html, at_ms));
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
  Answer query(const std::string& url, const std::string& html) {
    const Result<Answer> answer = engine_->query(page_input(url, html));
    EXPECT_TRUE(answer);
    return answer ? *answer : Answer{};
  }
  PageView page(const std::string& url) {
    const Result<PageView> found = engine_->find_page(url);
    EXPECT_TRUE(found) << url;
    return found ? *found : PageView{};
  }
  bool knows(const std::string& url) { return static_cast<bool>(engine_->find_page(url)); }
  std::vector<uint64_t> members(uint64_t group_id) {
    std::vector<uint64_t> ids;
    const auto pages = engine_->pages_of_group(group_id);
    if (!pages) return ids;
    for (const PageView& each : *pages)
      ids.push_back(each.answer.page_id);
    return ids;
  }
  std::map<uint64_t, GroupView> groups() {
    std::map<uint64_t, GroupView> out;
    for (const GroupView& group : groups_of(*engine_))
      out[group.id] = group;
    return out;
  }
  // Every page is in exactly one group, and both views agree on it.
  void expect_consistent() {
    uint64_t pages = 0;
    std::set<uint64_t> seen;
    for (const GroupView& group : groups_of(*engine_)) {
      const auto view = engine_->pages_of_group(group.id);
      ASSERT_TRUE(view);
      EXPECT_EQ(view->size(), group.page_count);
      EXPECT_GT(group.page_count, 0U);
      bool representative_is_member = group.representative_page_id == 0;
      for (const PageView& each : *view) {
        ++pages;
        EXPECT_TRUE(seen.insert(each.answer.page_id).second);
        EXPECT_EQ(each.answer.group_id, group.id);
        representative_is_member |= each.answer.page_id == group.representative_page_id;
        const auto by_id = engine_->get_page(each.answer.page_id);
        ASSERT_TRUE(by_id);
        EXPECT_EQ(by_id->url, each.url);
        if (!each.url.empty()) {
          EXPECT_EQ(page(text_of(each.url)).answer.page_id, each.answer.page_id);
        }
      }
      EXPECT_TRUE(representative_is_member);
    }
    EXPECT_EQ(engine_->sizes().pages, pages);
    EXPECT_EQ(engine_->sizes().groups, groups_of(*engine_).size());
  }

  Owned<Engine> engine_;
};

}  // namespace nd::engine
