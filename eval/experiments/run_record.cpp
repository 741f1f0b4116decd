#include "run_record.hpp"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "core/json.hpp"
#include "core/memory.hpp"

namespace nd::eval {
namespace {

std::string date_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm fields{};
  gmtime_r(&now, &fields);
  char text[32];
  const size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
  return std::string(text, size);
}

// "" where the system does not tell.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const size_t begin = line.find(':');
    return begin == std::string::npos ? "" : line.substr(std::min(begin + 2, line.size()));
  }
  return "";
}

std::string name_of(const CollectionSettings& input) {
  const std::filesystem::path path = input.labels == "-" ? input.archives.front() : input.labels;
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::absolute(path, failed).parent_path().filename();
  return failed || folder.empty() ? "pages" : folder.string();
}

}  // namespace

RunRecord::RunRecord(const CollectionSettings& input, const Collection& collection)
    : name_(name_of(input)),
      labels_(input.labels),
      silver_(collection.silver()),
      pages_(collection.size()),
      scored_pages_(collection.scored_count()) {
  std::set<uint32_t> labels, sites;
  for (const Page& page : collection.pages()) {
    if (page.label != kNoLabel) labels.insert(page.label);
    sites.insert(page.site);
    body_bytes_ += page.body.size();
  }
  label_groups_ = labels.size();
  sites_ = sites.size();
}

Result<void> RunRecord::write(const std::string& folder) const {
  String text;
  JsonWriter json(text);
  json.begin_object()
      .member("version", NDC_VERSION_TEXT)
      .member("name", std::string_view(name_))
      .member("labels", std::string_view(labels_))
      .member("silver", silver_)
      .member("pages", pages_)
      .member("scored_pages", scored_pages_)
      .member("label_groups", label_groups_)
      .member("sites", sites_)
      .member("body_bytes", body_bytes_)
      .member("date", std::string_view(date_now()));
  json.key("machine")
      .begin_object()
      .member("cores", uint64_t{std::thread::hardware_concurrency()})
      .member("model", std::string_view(processor_model()))
      .end_object();
  json.key("seconds").begin_object();
  for (const auto& [experiment, seconds] : seconds_)
    json.member(experiment, seconds);
  json.end_object().key("tables").begin_array();
  for (const std::string& name : tables_)
    json.value(std::string_view(name));
  json.end_array().end_object();
  text += '\n';
  const std::string path = folder + "/run.json";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return error(Status::kIo, "cannot write ", path);
  return {};
}

}  // namespace nd::eval
