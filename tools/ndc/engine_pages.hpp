// The pages and groups of an engine as the commands need them: one call where the C interface has a loop.
#pragma once

#include <ndcapi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/keyed_hash.hpp"
#include "keep_rule.hpp"
#include "output_file.hpp"

namespace ndc {

// The URL of a page of the engine; nullopt: it is no page any more.
std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id);

// Appends all groups, as nd_each_group gives them.
nd_status list_groups(nd_engine* engine, std::vector<nd_group_info>& groups);

// After a call about the item's page that failed with `status`: if the page is to blame, the item is damage
// from now on and "" is returned; else what to report at the end of the run.
std::string refuse_page(nd_status status, ArchiveItem& item);

// The URL of the page's canonical link, resolved; empty: there is none. Cost: as nd_extract.
std::string canonical_url(const nd_page& page, const nd_options* options);

// Which pages of a run of `ndc dedup` are kept, and the lists of them.
//
// Pages are URLs here: of one that came more than once, the last text counts, at its first place; if it has
// come with different texts, it is kept, as what is in an earlier one may be in no other page. Pages without
// a URL are kept. Memory: the URL twice and about 150 bytes per page. One thread at a time.
class KeptPages {
 public:
  // `keep_path`, `drop_path`: of the lists, a URL a line; empty: none.
  KeptPages(const KeepRule& rule, std::string keep_path, std::string drop_path);

  // Begins the lists. False: error() says why.
  bool open();

  // In the order of input. `checked`: the answer about the page. `canonical`: resolved; empty: none.
  void note(std::string_view url, const nd_result& checked, int64_t fetched_at_ms, std::string canonical);

  // After the last page.
  void choose(nd_engine* engine);
  // The URL of the page that stays in the place of this one; its own if it stays itself.
  const std::string& kept_instead_of(const std::string& url) const;
  bool is_left_out(const std::string& url) const;
  const KeepChoice& choice() const { return choice_; }

  // Writes the lists. False: error() says why.
  bool write();
  // They get their names. False: error() says why.
  bool close();
  const std::string& error() const { return keep_file_.ok() ? drop_file_.error() : keep_file_.error(); }

 private:
  const KeepRule rule_;
  const std::string keep_path_;
  const std::string drop_path_;
  OutputFile keep_file_;
  OutputFile drop_file_;
  std::vector<KeepCandidate> candidates_;
  KeepChoice choice_;
  KeyedMap<size_t> by_url_;
};

}  // namespace ndc
