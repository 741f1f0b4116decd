// Engines and stores in a known state, and a picture of them to be compared after a call that failed.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "faults/scenario.hpp"

namespace faults {
namespace {

namespace fs = std::filesystem;

int32_t append_page(const nd_page_info* info, const char* url, size_t url_size, void* out) {
  char line[256];
  snprintf(line, sizeof line, "  %llu %d %u %llu %.9f %.9f %lld %lld %llu ",
           static_cast<unsigned long long>(info->page_id), info->verdict, info->flags,
           static_cast<unsigned long long>(info->matched_page_id), info->resemblance, info->containment,
           static_cast<long long>(info->first_fetched_at_ms),
           static_cast<long long>(info->last_fetched_at_ms),
           static_cast<unsigned long long>(info->text_width));
  static_cast<std::string*>(out)->append(line).append(url, url_size).append("\n");
  return 0;
}

int32_t append_group(const nd_group_info* info, void* out) {
  static_cast<std::vector<nd_group_info>*>(out)->push_back(*info);
  return 0;
}

int32_t append_event(const nd_event* event, void* out) {
  char line[128];
  snprintf(line, sizeof line, "%d %llu %llu %llu\n", event->kind,
           static_cast<unsigned long long>(event->page_id),
           static_cast<unsigned long long>(event->old_group_id),
           static_cast<unsigned long long>(event->new_group_id));
  static_cast<std::string*>(out)->append(line);
  return 0;
}

}  // namespace

// In memory where the system has such a place: a run makes a hundred files, and no power is cut.
std::string temporary_folder() {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const bool has_room = fs::space(memory, error).available > (uint64_t{64} << 20);
  std::string folder =
      ((!error && has_room ? memory : fs::temp_directory_path()) / "ndc_faults_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  return folder;
}

World::World(const std::string& store) {
  folder_ = temporary_folder();
  path_ = folder_ + "/store";
  if (!store.empty()) fs::copy(store, path_, fs::copy_options::recursive);
}

World::~World() {
  nd_close(reader);
  nd_close(engine);
  nd_options_free(options);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Picture picture_of(nd_engine* engine) {
  Picture picture;
  if (engine == nullptr) return picture;
  std::vector<nd_group_info> groups;
  nd_status status = nd_each_group(engine, append_group, &groups);
  for (const nd_group_info& group : groups) {
    char line[128];
    snprintf(line, sizeof line, "group %llu %llu %u %llu\n", static_cast<unsigned long long>(group.group_id),
             static_cast<unsigned long long>(group.representative_page_id), group.tombstone,
             static_cast<unsigned long long>(group.page_count));
    picture.content += line;
    if (status == ND_OK) status = nd_each_page(engine, group.group_id, append_page, &picture.content);
  }
  if (status == ND_OK) status = nd_each_event(engine, 0, append_event, &picture.events);
  nd_stats stats = ND_STATS_INIT;
  if (status == ND_OK) status = nd_get_stats(engine, &stats);
  nd_buffer bookmark = ND_BUFFER_INIT;
  if (nd_get_bookmark(engine, "place", &bookmark) == ND_OK)
    picture.content += "bookmark " + std::string(bookmark.data, bookmark.size) + "\n";
  nd_buffer_free(&bookmark);
  char line[160];
  snprintf(line, sizeof line, "%d: %llu pages, %llu groups\n", status,
           static_cast<unsigned long long>(stats.pages), static_cast<unsigned long long>(stats.groups));
  picture.keys = stats.keys;
  picture.content += line;
  return picture;
}

std::set<std::string>& called_functions() {
  static std::set<std::string> functions;
  return functions;
}

std::set<std::string>& opened_detectors() {
  static std::set<std::string> detectors;
  return detectors;
}

}  // namespace faults
