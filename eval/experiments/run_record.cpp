// Writes and reads run.json with versions, machine and settings; a run continues only where the settings
// agree.
#include "run_record.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>

#include "build_commit.hpp"
#include "method/method.hpp"

namespace nd::eval {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "run.json";

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

// What the tables depend on: a run continues only where it is the same.
Json settings_json(const CollectionSettings& input, const Settings& settings) {
  Json detectors = Json::array();
  for (const detectors::Method method : settings.methods)
    detectors.push_back(detectors::info_of(method).name);
  return {{"labels", input.labels}, {"archives", input.archives}, {"pages_limit", input.pages_limit},
          {"detectors", detectors}, {"pairs", settings.pairs},    {"orders", settings.orders},
          {"seed", settings.seed}};
}

// Bytes that are not UTF-8 become U+FFFD.
std::string text_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// One that cannot be written is compared as it would be read.
Json as_read(const Json& json) {
  return Json::parse(text_of(json));
}

bool has_tables(const std::string& folder, const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&folder](const std::string& name) {
    std::error_code failed;
    return std::filesystem::exists(std::filesystem::path(folder) / (name + ".json"), failed);
  });
}

}  // namespace

RunRecord::RunRecord(const CollectionSettings& input, const Settings& settings,
                     std::vector<std::string> wanted, const Collection& collection)
    : input_(input),
      settings_(settings),
      wanted_(std::move(wanted)),
      name_(name_of(input)),
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

bool RunRecord::is_finished(std::string_view experiment) const {
  return std::ranges::any_of(finished_,
                             [experiment](const Finished& done) { return done.experiment == experiment; });
}

Result<void> RunRecord::resume(const std::string& folder) {
  const std::string path = folder + "/" + kFile;
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return {};
  std::ifstream file(path, std::ios::binary);
  const Json record = Json::parse(file, nullptr, false);
  if (file.bad()) return error(Status::kIo, "cannot read ", path);
  const auto refused = [&path](std::string_view why) {
    return error(Status::kInvalidArgument, path, ": ", why, "; without --resume all is run anew");
  };
  try {
    if (record.at("version") != NDC_VERSION_TEXT || record.at("commit") != kBuildCommit)
      return refused("of another build of ndc");
    if (record.at("settings") != as_read(settings_json(input_, settings_)))
      return refused("of other settings");
    if (record.at("pages") != pages_ || record.at("body_bytes") != body_bytes_)
      return refused("of other pages");
    for (const auto& [experiment, tables] : record.at("tables_of").items()) {
      auto names = tables.get<std::vector<std::string>>();
      if (has_tables(folder, names))
        add_finished(experiment, record.at("seconds").at(experiment).get<double>(), std::move(names));
    }
  } catch (const Json::exception&) {
    return refused("no record of this program");
  }
  return {};
}

Result<void> RunRecord::write(const std::string& folder) const {
  Json seconds = Json::object();
  Json tables_of = Json::object();
  Json tables = Json::array();
  for (const Finished& done : finished_) {
    seconds[done.experiment] = done.seconds;
    tables_of[done.experiment] = done.tables;
    for (const std::string& name : done.tables)
      tables.push_back(name);
  }
  const bool complete =
      std::ranges::all_of(wanted_, [this](const std::string& experiment) { return is_finished(experiment); });
  const Json record = {
      {"version", NDC_VERSION_TEXT},
      {"commit", kBuildCommit},
      {"compiler", __VERSION__},
      {"name", name_},
      {"settings", settings_json(input_, settings_)},
      {"labels", input_.labels},
      {"silver", silver_},
      {"pages", pages_},
      {"scored_pages", scored_pages_},
      {"label_groups", label_groups_},
      {"sites", sites_},
      {"body_bytes", body_bytes_},
      {"date", date_now()},
      {"machine", {{"cores", std::thread::hardware_concurrency()}, {"model", processor_model()}}},
      {"wanted", wanted_},
      {"complete", complete},
      {"seconds", std::move(seconds)},
      {"tables_of", std::move(tables_of)},
      {"tables", std::move(tables)}};
  const std::string path = folder + "/" + kFile;
  const std::string unfinished = path + ".part";
  const std::string text = text_of(record);
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(unfinished, path, failed);
  if (!file || failed) return error(Status::kIo, "cannot write ", path);
  return {};
}

}  // namespace nd::eval
