// Walks pages and groups of an engine through the callbacks of the C interface, and chooses the pages to
// keep.
#include "engine_pages.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "command_options.hpp"
#include "handles.hpp"
#include "output_text.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kUsualUrlBytes = 512;

// Any other failure would affect the next page as well.
bool is_about_page(nd_status status) {
  return status == ND_ERR_INVALID_ARGUMENT || status == ND_ERR_LIMIT || status == ND_ERR_UNSUPPORTED_VERSION;
}

}  // namespace

std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id) {
  std::string url(kUsualUrlBytes, '\0');
  for (;;) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    size_t size = url.size();
    const nd_status status = nd_get_page(engine, page_id, &info, url.data(), &size);
    if (status == ND_ERR_LIMIT && size >= url.size()) {
      // Room for the NUL, which `size` does not count.
      url.resize(size + 1);
      continue;
    }
    if (status != ND_OK) return std::nullopt;
    url.resize(size);
    return url;
  }
}

nd_status list_groups(nd_engine* engine, std::vector<nd_group_info>& groups) {
  return nd_each_group(
      engine,
      [](const nd_group_info* info, void* ctx) -> int32_t {
        static_cast<std::vector<nd_group_info>*>(ctx)->push_back(*info);
        return 0;
      },
      &groups);
}

std::string refuse_page(nd_status status, ArchiveItem& item) {
  const std::string reason = library_failure(status);
  if (!is_about_page(status)) return item.page.url + ": " + reason;
  item.outcome = PageOutcome::kDamaged;
  item.damage = {item.record.position, "the page was refused (" + reason + ")"};
  return {};
}

std::string canonical_url(const nd_page& page, const nd_options* options) {
  Buffer json;
  if (nd_extract(&page, options, json.get()) != ND_OK) return {};
  const nlohmann::json described = nlohmann::json::parse(json.text(), nullptr, false);
  const auto found = described.find("canonical_url");
  return found == described.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

KeptPages::KeptPages(const KeepRule& rule, std::string keep_path, std::string drop_path)
    : rule_(rule), keep_path_(std::move(keep_path)), drop_path_(std::move(drop_path)) {}

bool KeptPages::open() {
  return (keep_path_.empty() || keep_file_.open(keep_path_)) &&
         (drop_path_.empty() || drop_file_.open(drop_path_));
}

void KeptPages::note(std::string_view url, const nd_result& checked, int64_t fetched_at_ms,
                     std::string canonical) {
  if (url.empty()) return;
  const auto [entry, added] = by_url_.try_emplace(std::string(url), candidates_.size());
  if (added) candidates_.emplace_back();
  KeepCandidate& candidate = candidates_[entry->second];
  candidate.url = url;
  candidate.has_several_texts |= (checked.flags & ND_FLAG_CHANGED) != 0;
  candidate.fetched_at_ms = fetched_at_ms;
  candidate.canonical = std::move(canonical);
}

void KeptPages::choose(nd_engine* engine) {
  for (KeepCandidate& each : candidates_) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (nd_find_page(engine, each.url.data(), each.url.size(), &info) != ND_OK) continue;
    each.group_id = info.group_id;
    each.page_id = info.page_id;
    each.text_width = info.text_width;
  }
  choice_ = choose_kept(engine, candidates_, rule_);
}

const std::string& KeptPages::kept_instead_of(const std::string& url) const {
  const auto found = by_url_.find(url);
  return found == by_url_.end() ? url : candidates_[choice_.kept[found->second]].url;
}

bool KeptPages::is_left_out(const std::string& url) const {
  const auto found = by_url_.find(url);
  return found != by_url_.end() && choice_.kept[found->second] != found->second;
}

bool KeptPages::write() {
  std::string line;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const bool keeps = choice_.kept[i] == i;
    if ((keeps ? keep_path_ : drop_path_).empty()) continue;
    line.clear();
    append_tsv_text(candidates_[i].url, line);
    (keeps ? keep_file_ : drop_file_).write_line(line);
  }
  const bool flushed = keep_file_.flush();
  return drop_file_.flush() && flushed;
}

bool KeptPages::close() {
  const bool closed = keep_file_.close();
  return drop_file_.close() && closed;
}

}  // namespace ndc
