// One function a command; each opens the store, calls the library and prints what it gives.
#include "store_commands.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "archives/warc_date.hpp"
#include "command_options.hpp"
#include "engine_pages.hpp"
#include "keep_rule.hpp"
#include "output_file.hpp"
#include "store_access.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

int32_t write_page(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  output.write_line(page_line(*info, {url, url_size}));
  return output.ok() ? 0 : 1;
}

struct Members {
  std::vector<nd_page_info> infos;
  std::vector<KeepCandidate> candidates;
};

int32_t add_member(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  auto& members = *static_cast<Members*>(ctx);
  members.infos.push_back(*info);
  KeepCandidate& candidate = members.candidates.emplace_back();
  candidate.group_id = info->group_id;
  candidate.page_id = info->page_id;
  candidate.text_width = info->text_width;
  candidate.fetched_at_ms = info->last_fetched_at_ms;
  candidate.url.assign(url, url_size);
  return 0;
}

// The pages of a group, each with the one that stays in its place.
nd_status write_with_kept(nd_engine* engine, uint64_t group_id, const KeepRule& rule, OutputFile& output) {
  Members members;
  const nd_status status = nd_each_page(engine, group_id, add_member, &members);
  if (status != ND_OK) return status;
  const KeepChoice choice = choose_kept(engine, members.candidates, rule);
  for (size_t i = 0; i < members.infos.size(); ++i)
    output.write_line(
        page_line(members.infos[i], members.candidates[i].url, &members.candidates[choice.kept[i]].url));
  return ND_OK;
}

constexpr std::chrono::seconds kPollInterval{1};

struct EventSink {
  OutputFile output;
  uint64_t last = 0;  // sequence
};

int32_t write_event(const nd_event* event, void* ctx) {
  auto& sink = *static_cast<EventSink*>(ctx);
  sink.output.write_line(event_line(*event));
  sink.last = event->sequence;
  return sink.output.ok() ? 0 : 1;
}

std::optional<uint64_t> disk_bytes(nd_engine* engine, const std::string& path) {
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  const nd_status status = nd_get_stats(engine, &stats);
  if (status == ND_OK) return stats.bytes_disk + stats.bytes_journal;
  report_store_failure(path, status);
  return std::nullopt;
}

// A loss that is not of a file has none.
int32_t write_loss(const nd_store_fault* loss, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  const std::string place =
      *loss->file == '\0' ? "" : printable(loss->file) + ": byte " + std::to_string(loss->offset) + ": ";
  output.write_line(place + printable(loss->sentence));
  return output.ok() ? 0 : 1;
}

int32_t write_fault(const nd_store_fault* fault, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  output.write_line(printable(fault->file) + ": byte " + std::to_string(fault->offset) + ": " +
                    printable(fault->sentence));
  return output.ok() ? 0 : 1;
}

// "5 files, 1,234 bytes" of a directory as it is now.
std::string size_of_files(const std::string& path) {
  uint64_t files = 0, bytes = 0;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path, failure)) {
    const uint64_t size = entry.file_size(failure);
    if (failure) continue;
    ++files;
    bytes += size;
  }
  return counted(files, "file") + ", " + counted(bytes, "byte");
}

}  // namespace

CLI::App* StatsCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("stats", "Count what a store holds");
  add_store_settings(*command, store_);
  command->add_option("--format", format_, "Table, a JSON object, or the Prometheus text format")
      ->check(one_of({"table", "json", "prometheus"}))
      ->type_name("table|json|prometheus")
      ->capture_default_str();
  command->footer(
      "Tells of the store's last snapshot; a writer may be at work meanwhile.\n\n"
      "Example:\n"
      "  ndc stats pages.ndc");
  return command;
}

ExitCode StatsCommand::run() const {
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  Buffer metrics;
  nd_status status = nd_get_stats(engine.get(), &stats);
  if (status == ND_OK && format_ == "prometheus") status = nd_metrics(engine.get(), metrics.get());
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  std::string text(metrics.text());
  if (format_ == "json") text = stats_object(stats);
  if (format_ == "table") {
    StatsTable table;
    table.add_store_stats(stats);
    text = table.text();
  }
  // write_line() ends the last line.
  if (text.ends_with('\n')) text.pop_back();
  OutputFile output;
  output.open("-");
  output.write_line(text);
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

CLI::App* DumpCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dump", "List the pages of a store as JSON lines");
  add_store_settings(*command, store_);
  command
      ->add_option(
          "--keep", keep_,
          "Say for each page which one of its group to keep: the oldest, the one with most text, or the one "
          "fetched last")
      ->check(one_of({"first", "longest", "newest"}))
      ->type_name("first|longest|newest");
  add_parts_flag(*command, leave_out_parts_);
  add_caution(*command, caution_);
  command->add_flag("--groups", groups_, "A line for each group behind those of the pages");
  command->footer(
      "Pages of one group follow each other, the oldest first. Shows the store's last snapshot; a writer may "
      "be\n"
      "at work meanwhile.\n\n"
      "Examples:\n"
      "  ndc dump pages.ndc > pages.jsonl\n"
      "  ndc dump pages.ndc --keep newest | jq -r 'select(.kept != .url) | .url' > drop.txt");
  return command;
}

ExitCode DumpCommand::run() const {
  if ((leave_out_parts_ || caution_ != "normal") && keep_.empty()) {
    print_message(std::string(leave_out_parts_ ? "--leave-out-parts" : "--caution") + " goes with --keep");
    return ExitCode::kUsage;
  }
  const OptionsHandle options = make_library_options(store_.library_options);
  if (!options || !fits_caution(caution_, leave_out_parts_, options.get())) return ExitCode::kUsage;
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  OutputFile output;
  output.open("-");
  const KeepRule rule = keep_rule_named(keep_, leave_out_parts_, caution_);
  std::vector<nd_group_info> groups;
  nd_status status = list_groups(engine.get(), groups);
  for (size_t i = 0; i < groups.size() && status == ND_OK && output.ok(); ++i) {
    const uint64_t group_id = groups[i].group_id;
    status = keep_.empty() ? nd_each_page(engine.get(), group_id, write_page, &output)
                           : write_with_kept(engine.get(), group_id, rule, output);
  }
  for (size_t i = 0; groups_ && i < groups.size() && status == ND_OK && output.ok(); ++i)
    output.write_line(group_line(groups[i]));
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

CLI::App* EventsCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("events", "List what happened to the pages and groups of a store as JSON lines");
  add_store_settings(*command, store_);
  command->add_option("--after", after_, "Only events behind this sequence number")
      ->type_name("N")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->capture_default_str();
  command->add_flag("--follow", follow_,
                    "Go on with each new snapshot, looking every second, until interrupted");
  command->footer(
      "The store keeps the last events (option events_limit); those up to its last snapshot are shown.\n\n"
      "Examples:\n"
      "  ndc events pages.ndc\n"
      "  ndc events pages.ndc --after 1200 --follow");
  return command;
}

ExitCode EventsCommand::run() const {
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  EventSink sink;
  sink.output.open("-");
  sink.last = after_;
  nd_status status = nd_each_event(engine.get(), sink.last, write_event, &sink);
  while (follow_ && status == ND_OK && sink.output.flush()) {
    std::this_thread::sleep_for(kPollInterval);
    status = nd_refresh(engine.get());
    if (status == ND_OK) status = nd_each_event(engine.get(), sink.last, write_event, &sink);
  }
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  if (sink.last == after_)
    print_message("there is no event" +
                  (after_ == 0 ? std::string() : " behind number " + std::to_string(after_)));
  if (sink.output.close()) return ExitCode::kDone;
  print_message(sink.output.error());
  return ExitCode::kError;
}

CLI::App* RemoveCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("remove", "Forget pages of a store");
  add_store_settings(*command, store_);
  command->add_option("--url", url_, "The page of this URL")->type_name("URL");
  command->add_option("--prefix", prefix_, "Pages whose URLs begin so")->type_name("PREFIX");
  command->add_option("--site", site_, "Pages of this registrable domain, e.g. example.co.uk")
      ->type_name("SITE");
  command->add_option("--before", before_, "Pages last fetched before this time (ISO 8601), e.g. 2024-05-06")
      ->type_name("TIME");
  command->add_flag("--purge", purge_,
                    "Their texts too, where they represent groups that go on: other pages take their place");
  command->footer(
      "Of --prefix, --site and --before all that are given must hold. Prints how many pages were removed.\n\n"
      "Examples:\n"
      "  ndc remove pages.ndc --url https://example.org/a\n"
      "  ndc remove pages.ndc --site example.org --before 2024-01-01 --purge");
  return command;
}

bool RemoveCommand::is_complete() const {
  const bool filtered = !prefix_.empty() || !site_.empty() || !before_.empty();
  if (url_.empty() && !filtered) {
    print_message("which pages? --url, --prefix, --site or --before is needed");
  } else if (!url_.empty() && (filtered || purge_)) {
    print_message("--url goes with no other condition and not with --purge");
  } else if (!before_.empty() && parse_warc_date(before_).value_or(0) <= 0) {
    print_message("--before wants a time since 1970 such as 2024-05-06 or 2024-05-06T07:08:09Z, not \"" +
                  before_ + "\"");
  } else {
    return true;
  }
  return false;
}

ExitCode RemoveCommand::run() const {
  if (!is_complete()) return ExitCode::kUsage;
  bool wrong_option = false;
  EngineHandle engine = open_store_to_change(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  uint64_t removed = 1;
  nd_status status = ND_OK;
  if (!url_.empty()) {
    status = nd_remove_page(engine.get(), url_.data(), url_.size());
  } else {
    nd_filter filter = ND_FILTER_INIT;
    filter.flags = purge_ ? ND_REMOVE_PURGE : 0;
    filter.url_prefix = prefix_.data();
    filter.url_prefix_size = prefix_.size();
    filter.site = site_.data();
    filter.site_size = site_.size();
    filter.fetched_before_ms = before_.empty() ? 0 : *parse_warc_date(before_);
    status = nd_remove_matching(engine.get(), &filter, &removed);
  }
  // Whatever the durability: a user who removes pages expects them to be gone.
  if (status == ND_OK) status = nd_snapshot(engine.get());
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  if (!close_store(engine, store_.path)) return ExitCode::kError;
  OutputFile output;
  output.open("-");
  output.write_line(counted(removed, "page") + " removed");
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

CLI::App* CompactCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compact", "Rewrite a store without what was removed and changed");
  add_store_settings(*command, store_);
  command->footer(
      "Needs as much free space as the store has. Prints the bytes before and after.\n\n"
      "Example:\n"
      "  ndc compact pages.ndc");
  return command;
}

ExitCode CompactCommand::run() const {
  bool wrong_option = false;
  EngineHandle engine = open_store_to_change(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  const std::optional<uint64_t> before = disk_bytes(engine.get(), store_.path);
  if (!before) return ExitCode::kError;
  if (const nd_status status = nd_compact(engine.get()); status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  const std::optional<uint64_t> after = disk_bytes(engine.get(), store_.path);
  if (!after || !close_store(engine, store_.path)) return ExitCode::kError;
  OutputFile output;
  output.open("-");
  output.write_line(printable(store_.path) + ": " + counted(*before, "byte") + " before, " +
                    counted(*after, "byte") + " after");
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

CLI::App* VerifyCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Read every file of a store and name what is damaged");
  command->add_option("STORE", path_, "The store's directory")->required()->type_name("");
  command
      ->add_option("--repair", new_path_,
                   "Save what can be read into a new store, and name what is lost; nothing may be there yet")
      ->type_name("NEW_STORE");
  command->footer(
      "One line a fault: file, offset, what is wrong. A writer may be at work meanwhile, but not with "
      "--repair.\n"
      "Exit codes: 0 no fault, or repaired without loss; 1 faults, or the store could not be read;\n"
      "3 repaired, and something is lost.\n\n"
      "Example:\n"
      "  ndc verify pages.ndc\n"
      "  ndc verify pages.ndc --repair saved.ndc");
  return command;
}

ExitCode VerifyCommand::repair() const {
  OutputFile output;
  output.open("-");
  nd_repair_counts repair = ND_REPAIR_COUNTS_INIT;
  const nd_status status = nd_repair_store(path_.c_str(), new_path_.c_str(), write_loss, &output, &repair);
  const std::string failure = status == ND_OK ? "" : library_failure(status);
  if (!output.close()) {
    print_message(output.error());
    return ExitCode::kError;
  }
  if (status != ND_OK) {
    print_message(path_ + ": " + failure);
    return ExitCode::kError;
  }
  print_message("store " + new_path_ + ": " + counted(repair.pages, "page") + ", " +
                counted(repair.groups, "group") + "; lost: " + counted(repair.pages_lost, "page"));
  return repair.losses == 0 ? ExitCode::kDone : ExitCode::kSkipped;
}

ExitCode VerifyCommand::run() const {
  if (!is_apart_from_output(path_)) return ExitCode::kError;
  if (!new_path_.empty()) return repair();
  OutputFile output;
  output.open("-");
  const nd_status status = nd_verify_store(path_.c_str(), write_fault, &output);
  if (status == ND_OK) output.write_line(printable(path_) + ": no fault in " + size_of_files(path_));
  if (!output.close()) {
    print_message(output.error());
    return ExitCode::kError;
  }
  if (status == ND_OK) return ExitCode::kDone;
  report_store_failure(path_, status);
  return ExitCode::kError;
}

}  // namespace ndc
