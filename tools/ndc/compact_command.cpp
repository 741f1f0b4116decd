#include "compact_command.hpp"

#include <optional>

#include "command_options.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

std::optional<uint64_t> disk_bytes(nd_engine* engine, const std::string& path) {
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  const nd_status status = nd_get_stats(engine, &stats);
  if (status == ND_OK) return stats.bytes_disk + stats.bytes_journal;
  report_store_failure(path, status);
  return std::nullopt;
}

}  // namespace

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
  report(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
