// Adds pages and bytes up by host, month and rule, and writes the tables of the overview.
#include "report_tallies.hpp"

#include <algorithm>
#include <chrono>

#include "output_text.hpp"

namespace ndc {
namespace {

constexpr size_t kRules = 15;  // and one for the rest: a group has a bit for each
constexpr const char* kOtherRules = "other";

void add_to(ReportTally& tally, const uint64_t* bytes, bool kept) {
  ++tally.pages;
  if (!kept) ++tally.duplicates;
  if (bytes == nullptr) return;
  ++tally.sized;
  tally.bytes += *bytes;
  if (!kept) tally.bytes_saved += *bytes;
}

std::string row_of(const ReportTally& tally) {
  return std::to_string(tally.pages) + "," + std::to_string(tally.duplicates) + "," +
         std::to_string(tally.bytes) + "," + std::to_string(tally.bytes_saved);
}

}  // namespace

std::string host_of_url(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const size_t user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  if (const size_t port = url.rfind(':'); port != std::string_view::npos && url.find(']', port) == url.npos)
    url = url.substr(0, port);
  std::string host(url);
  std::transform(host.begin(), host.end(), host.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return host;
}

uint16_t month_of(int64_t time_ms) {
  if (time_ms <= 0) return 0;
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(time_ms)};
  const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(time)};
  const int months = (static_cast<int>(date.year()) - 1970) * 12 + static_cast<int>(unsigned{date.month()});
  return static_cast<uint16_t>(std::clamp(months, 0, 65535));
}

uint32_t ReportTallies::add_page(std::string_view url, int64_t time_ms, const uint64_t* bytes, bool kept) {
  const auto [entry, added] =
      host_numbers_.try_emplace(host_of_url(url), static_cast<uint32_t>(hosts_.size()));
  if (added) {
    host_names_.push_back(entry->first);
    hosts_.emplace_back();
  }
  add_to(all_, bytes, kept);
  add_to(hosts_[entry->second], bytes, kept);
  add_to(months_[month_of(time_ms)], bytes, kept);
  return entry->second;
}

uint32_t ReportTallies::rule(const std::string& name) {
  const auto found = std::find(rule_names_.begin(), rule_names_.end(), name);
  if (found != rule_names_.end()) return static_cast<uint32_t>(found - rule_names_.begin());
  if (rule_names_.size() > kRules) return kRules;
  rule_names_.push_back(rule_names_.size() == kRules ? kOtherRules : name);
  rule_pages_.push_back(0);
  return static_cast<uint32_t>(rule_names_.size() - 1);
}

std::string ReportTallies::months() const {
  std::string json = "[";
  for (const auto& [month, tally] : months_)
    json += (json.size() > 1 ? ",[" : "[") + std::to_string(month) + "," + row_of(tally) + "]";
  return json + "]";
}

std::string ReportTallies::rules() const {
  std::string json = "[";
  for (size_t i = 0; i < rule_names_.size(); ++i)
    json += (i > 0 ? ",[" : "[") + json_text(rule_names_[i]) + "," + std::to_string(rule_pages_[i]) + "]";
  return json + "]";
}

bool ReportTallies::write_hosts(ReportFolder& folder) const {
  std::string json = "[";
  for (size_t i = 0; i < hosts_.size(); ++i)
    json += (i > 0 ? ",[" : "[") + json_text(host_names_[i]) + "," + row_of(hosts_[i]) + "]";
  return folder.add_part("hosts", json + "]");
}

}  // namespace ndc
