#include "kept_pages.hpp"

#include <utility>

#include "tsv_text.hpp"

namespace ndc {

KeptPages::KeptPages(int32_t rule, std::string keep_path, std::string drop_path)
    : rule_(rule), keep_path_(std::move(keep_path)), drop_path_(std::move(drop_path)) {}

bool KeptPages::open() {
  return (keep_path_.empty() || keep_file_.open(keep_path_)) &&
         (drop_path_.empty() || drop_file_.open(drop_path_));
}

void KeptPages::note(std::string_view url, int64_t fetched_at_ms, std::string canonical) {
  if (url.empty()) return;
  const auto [entry, added] = by_url_.try_emplace(std::string(url), candidates_.size());
  if (added) candidates_.emplace_back();
  KeepCandidate& candidate = candidates_[entry->second];
  candidate.url = url;
  candidate.fetched_at_ms = fetched_at_ms;
  candidate.canonical = std::move(canonical);
}

void KeptPages::choose(nd_engine* engine) {
  for (KeepCandidate& each : candidates_) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (nd_find_page(engine, each.url.data(), each.url.size(), &info) != ND_OK) continue;
    each.group_id = info.group_id;
    each.text_width = info.text_width;
  }
  kept_ = choose_kept(candidates_, rule_);
}

const std::string& KeptPages::kept_instead_of(const std::string& url) const {
  const auto found = by_url_.find(url);
  return found == by_url_.end() ? url : candidates_[kept_[found->second]].url;
}

bool KeptPages::write() {
  std::string line;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const bool keeps = kept_[i] == i;
    if ((keeps ? keep_path_ : drop_path_).empty()) continue;
    line.clear();
    append_tsv_text(candidates_[i].url, line);
    (keeps ? keep_file_ : drop_file_).write_line(line);
  }
  const bool closed = keep_file_.close();
  return drop_file_.close() && closed;
}

}  // namespace ndc
