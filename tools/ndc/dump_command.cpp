#include "dump_command.hpp"

#include <vector>

#include "command_options.hpp"
#include "output_file.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

int32_t keep_group(const nd_group_info* info, void* ctx) {
  static_cast<std::vector<nd_group_info>*>(ctx)->push_back(*info);
  return 0;
}

int32_t write_page(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  output.write_line(page_line(*info, {url, url_size}));
  return output.ok() ? 0 : 1;
}

}  // namespace

CLI::App* DumpCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("dump", "List the pages of a store as JSON lines");
  add_store_settings(*command, store_);
  command->add_flag("--groups", groups_, "A line for each group behind those of the pages");
  command->footer(
      "Pages of one group follow each other, the oldest first. Shows the store's last snapshot; a writer may "
      "be\n"
      "at work meanwhile.\n\n"
      "Example:\n"
      "  ndc dump pages.ndc > pages.jsonl");
  return command;
}

ExitCode DumpCommand::run() const {
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  OutputFile output;
  output.open("-");
  std::vector<nd_group_info> groups;
  nd_status status = nd_each_group(engine.get(), keep_group, &groups);
  for (size_t i = 0; i < groups.size() && status == ND_OK && output.ok(); ++i)
    status = nd_each_page(engine.get(), groups[i].group_id, write_page, &output);
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
