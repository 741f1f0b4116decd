// What a caller of the C interface knows of an engine by its answers alone, and what must hold of each of
// them.
#pragma once

#include <ndcapi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fetched_pages.hpp"

namespace nd::fuzz {

struct KnownPage {
  std::string url;
  std::string content;  // FetchedPage::content() of the last check
  nd_page_info info;
};

// Pages, groups with their members and events, as an engine reports them.
struct EngineView {
  std::map<uint64_t, KnownPage> pages;  // by id; without `content`
  std::vector<nd_group_info> groups;
  std::vector<nd_event> events;
};

// All of an engine, and that its parts agree.
EngineView view_of(nd_engine* engine);
// Status and, if it is not that one, the sentence of nd_last_error.
void expect_status(nd_status status, nd_status expected, const char* call);

class PageRegister {
 public:
  // Takes the answer to a check and what the engine then reports of the page.
  void note_check(const FetchedPage& fetched, const nd_result& result, const nd_page_info& info,
                  bool method_decides);
  bool remove(const std::string& url);  // false if it was not known

  // How many pages of such URLs, of the site, and last fetched before the time: conditions as nd_filter has
  // them. They are forgotten.
  uint64_t remove_matching(std::string_view prefix, std::string_view site, int64_t before_ms);
  // After a purge pages may have moved to groups of their own.
  void take_moves(const EngineView& view);

  // Checks that the engine reports exactly what is known here.
  void expect_equal(const EngineView& view) const;

  size_t page_count() const { return pages_.size(); }
  size_t group_count() const;
  const KnownPage* find(const std::string& url) const;
  // One of them, or null if there is none.
  const KnownPage* any(uint8_t number) const;

 private:
  void check_ids(const KnownPage* before, const nd_result& result) const;
  bool has_other_page(uint64_t group_id, uint64_t page_id) const;
  void forget(uint64_t page_id);

  std::map<uint64_t, KnownPage> pages_;  // by id
  std::map<std::string, uint64_t> ids_;  // by URL; those without one are not here
  uint64_t greatest_id_ = 0;             // ever given
};

}  // namespace nd::fuzz
