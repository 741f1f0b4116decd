#include "remove_command.hpp"

#include <optional>

#include "command_options.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"
#include "warc_date.hpp"

namespace ndc {

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
    report("which pages? --url, --prefix, --site or --before is needed");
  } else if (!url_.empty() && (filtered || purge_)) {
    report("--url goes with no other condition and not with --purge");
  } else if (!before_.empty() && parse_warc_date(before_).value_or(0) <= 0) {
    report("--before wants a time since 1970 such as 2024-05-06 or 2024-05-06T07:08:09Z, not \"" + before_ +
           "\"");
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
  // Whatever the durability is: who removes pages wants them gone.
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
  report(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
