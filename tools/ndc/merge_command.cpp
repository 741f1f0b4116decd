// Merges two stores by the library and writes the table of ids as it goes.
#include "merge_command.hpp"

#include <ndcapi.h>

#include <string_view>

#include "command_options.hpp"
#include "handles.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "output_text.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr std::string_view kMapHeader = "#kind\told_page_id\tpage_id\told_group_id\tgroup_id\turl";

std::string_view word_of(int32_t kind) {
  switch (kind) {
    case ND_MERGED_ADDED:
      return "added";
    case ND_MERGED_NEWER:
      return "newer";
    case ND_MERGED_OLDER:
      return "older";
    default:
      return "withheld";
  }
}

int32_t write_row(const nd_merged_page* page, const char* url, size_t url_size, void* ctx) {
  auto& map = *static_cast<OutputFile*>(ctx);
  std::string line(word_of(page->kind));
  for (const uint64_t number : {page->old_page_id, page->page_id, page->old_group_id, page->group_id})
    line.append("\t").append(std::to_string(number));
  line.push_back('\t');
  append_tsv_text({url, url_size}, line);
  map.write_line(line);
  return map.ok() ? 0 : 1;
}

}  // namespace

CLI::App* MergeStoresCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("merge-stores", "Make one store of two");
  command->add_option("STORE", path_, "The store whose pages and groups keep their ids")
      ->required()
      ->type_name("");
  command->add_option("OTHER", other_path_, "The store whose pages are added, with new ids")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", new_path_, "The new store; nothing may be there yet")
      ->required()
      ->type_name("NEW_STORE");
  command
      ->add_option("--map", map_,
                   "Also write what became of each page of OTHER, with its old and its new ids; - for "
                   "standard output")
      ->type_name("FILE");
  add_library_options(*command, library_options_);
  command->footer(
      "Neither store is changed, and nobody may have them open for writing. Of a URL that is in both the "
      "later\n"
      "fetch is the page. The new store is NEW_STORE.new until it is whole.\n"
      "Rows of --map: kind (added, newer, older, withheld), old_page_id, page_id, old_group_id, group_id, "
      "url.\n\n"
      "Example:\n"
      "  ndc merge-stores monday.ndc tuesday.ndc -o both.ndc --map ids.tsv");
  return command;
}

bool MergeStoresCommand::has_fitting_map() const {
  for (const std::string& store : {path_, other_path_, new_path_, new_path_ + ".new"}) {
    if (map_.empty() || map_ == "-" || !lies_in(store, map_)) continue;
    print_message("the output " + map_ + " lies in the store " + store + ", whose files are its own");
    return false;
  }
  return true;
}

ExitCode MergeStoresCommand::run() const {
  const OptionsHandle options = make_library_options(library_options_);
  if (!options || !has_fitting_map()) return ExitCode::kUsage;
  if (!is_apart_from_output(path_) || !is_apart_from_output(other_path_)) return ExitCode::kError;
  nd_options_set_logger(options.get(), report_line, nullptr);
  OutputFile map;
  if (!map_.empty()) {
    if (!map.open(map_)) {
      print_message(map.error());
      return ExitCode::kError;
    }
    map.write_line(kMapHeader);
  }
  nd_merge_counts merge = ND_MERGE_COUNTS_INIT;
  const nd_status status = nd_merge_stores(path_.c_str(), other_path_.c_str(), new_path_.c_str(),
                                           options.get(), map_.empty() ? nullptr : write_row, &map, &merge);
  const std::string failure = status == ND_OK ? "" : library_failure(status);
  if (!map_.empty() && !map.close(status == ND_OK)) {
    print_message(map.error());
    return ExitCode::kError;
  }
  if (status != ND_OK) {
    print_message(failure);
    return refuses_options(status, options.get()) ? ExitCode::kUsage : ExitCode::kError;
  }
  print_message("store " + new_path_ + ": " + counted(merge.pages, "page") + ", " +
                counted(merge.groups, "group") + "; of " + other_path_ + ": " + counted(merge.added, "page") +
                " added, " + std::to_string(merge.joined) + " of them to groups of " + path_ + ", " +
                std::to_string(merge.newer) + " newer, " + std::to_string(merge.older) + " older, " +
                std::to_string(merge.withheld) + " withheld");
  return ExitCode::kDone;
}

}  // namespace ndc
