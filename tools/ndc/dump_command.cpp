#include "dump_command.hpp"

#include <optional>
#include <string>
#include <vector>

#include "command_options.hpp"
#include "engine_pages.hpp"
#include "keep_rule.hpp"
#include "output_file.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

int32_t keep_group(const nd_group_info* info, void* ctx) {
  static_cast<std::vector<nd_group_info>*>(ctx)->push_back(*info);
  return 0;
}

struct PageSink {
  OutputFile output;
  std::optional<std::string> kept;  // the URL that the group at hand keeps
};

int32_t write_page(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  auto& sink = *static_cast<PageSink*>(ctx);
  sink.output.write_line(page_line(*info, {url, url_size}, sink.kept ? &*sink.kept : nullptr));
  return sink.output.ok() ? 0 : 1;
}

}  // namespace

CLI::App* DumpCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dump", "List the pages of a store as JSON lines");
  add_store_settings(*command, store_);
  command
      ->add_option(
          "--keep", keep_,
          "Say for each page which one of its group to keep: the oldest, the one with most text, the "
          "one fetched last, or the one with the shortest URL (a store keeps no canonical links)")
      ->check(one_of({"first", "longest", "newest", "canonical"}))
      ->type_name("first|longest|newest|canonical");
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
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  PageSink sink;
  OutputFile& output = sink.output;
  output.open("-");
  std::vector<nd_group_info> groups;
  nd_status status = nd_each_group(engine.get(), keep_group, &groups);
  for (size_t i = 0; i < groups.size() && status == ND_OK && output.ok(); ++i) {
    const uint64_t group_id = groups[i].group_id;
    nd_page_info kept = ND_PAGE_INFO_INIT;
    if (!keep_.empty())
      status = nd_kept_page(engine.get(), group_id, keep_rule_named(keep_), &kept, nullptr, nullptr);
    if (!keep_.empty() && status == ND_OK) sink.kept = url_of(engine.get(), kept.page_id);
    if (status == ND_OK) status = nd_each_page(engine.get(), group_id, write_page, &sink);
  }
  for (size_t i = 0; groups_ && i < groups.size() && status == ND_OK && output.ok(); ++i)
    output.write_line(group_line(groups[i]));
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  if (output.close()) return ExitCode::kDone;
  report(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
