// Opens stores to read or to change, with the sentence that says what to do if one is locked, damaged or
// absent.
#include "store_access.hpp"

#include <ndcapi.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "archives/input_list.hpp"
#include "command_options.hpp"
#include "handles.hpp"
#include "output_place.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr const char* kReadOnly = "read_only=true";

EngineHandle open_with(const StoreSettings& settings, const char* more, bool warns, bool& wrong_option) {
  std::vector<std::string> options = settings.library_options;
  if (more != nullptr) options.emplace_back(more);
  const OptionsHandle handle = make_library_options(options);
  wrong_option = !handle;
  return handle ? open_store(settings.path, handle.get(), wrong_option, warns) : nullptr;
}

}  // namespace

void add_store_settings(CLI::App& command, StoreSettings& settings) {
  command.add_option("STORE", settings.path, "The store's directory")->required()->type_name("");
  add_library_options(command, settings.library_options);
}

bool is_apart_from_output(const std::string& path) {
  std::vector<std::string> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(path, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    files.push_back(entry->path().string());
  }
  return are_separate({{"--output", "-"}}, files);
}

EngineHandle open_store(const std::string& path, const nd_options* options, bool& wrong_option, bool warns) {
  wrong_option = false;
  if (!is_apart_from_output(path)) return nullptr;
  nd_engine* engine = nullptr;
  const nd_status status = nd_open(path.c_str(), options, &engine);
  if (status != ND_OK) report_store_failure(path, status);
  wrong_option = refuses_options(status, options);
  if (status == ND_OK && warns) nd_set_logger(engine, report_line, nullptr);
  return EngineHandle(engine);
}

bool refuses_options(nd_status status, const nd_options* options) {
  if (status != ND_ERR_INVALID_ARGUMENT) return false;
  nd_engine* engine = nullptr;
  const nd_status in_memory = nd_open(nullptr, options, &engine);
  nd_close(engine);
  return in_memory == ND_ERR_INVALID_ARGUMENT;
}

EngineHandle open_store_to_change(const StoreSettings& settings, bool& wrong_option) {
  // To open a store for writing would make it.
  if (!open_with(settings, kReadOnly, false, wrong_option)) return nullptr;
  return open_with(settings, nullptr, true, wrong_option);
}

EngineHandle open_store_to_read(const StoreSettings& settings, bool& wrong_option) {
  return open_with(settings, kReadOnly, true, wrong_option);
}

EngineHandle open_if_store(const StoreSettings& settings, bool& is_store, bool& wrong_option) {
  wrong_option = false;
  is_store = is_store_folder(settings.path);
  return is_store ? open_store_to_read(settings, wrong_option) : nullptr;
}

bool close_store(EngineHandle& engine, const std::string& path) {
  const nd_status status = nd_close(engine.release());
  if (status != ND_OK) report_store_failure(path, status);
  return status == ND_OK;
}

void report_store_counts(const std::string& path, nd_engine* engine) {
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  if (nd_get_stats(engine, &stats) != ND_OK) return;
  print_message("store " + path + ": " + counted(stats.pages, "page") + ", " +
                counted(stats.groups, "group") + ", generation " + std::to_string(stats.generation));
}

void report_store_failure(const std::string& path, nd_status status) {
  const std::string failure = library_failure(status);
  struct stat unused {};
  if (status == ND_ERR_NOT_FOUND && ::stat(path.c_str(), &unused) != 0 && errno == ENOENT) {
    print_message(path + ": there is no such directory, and no ndc store");
    return;
  }
  // Many of its sentences name the store.
  print_message(failure.find(path) == std::string::npos ? path + ": " + failure : failure);
}

}  // namespace ndc
