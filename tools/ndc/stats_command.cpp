#include "stats_command.hpp"

#include "command_options.hpp"
#include "output_file.hpp"
#include "stats_table.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {

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
  report(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
