#include <signal.h>

#include <ndcapi.h>
#include <CLI/CLI.hpp>
#include <exception>
#include <new>
#include <string>

#include "dedup_command.hpp"
#include "exit_code.hpp"
#include "explain_command.hpp"
#include "extract_command.hpp"
#include "options_command.hpp"
#include "terminal_text.hpp"

namespace {

ndc::ExitCode run(int argc, char** argv) {
  CLI::App app("Finds near-duplicate pages in web archives (WARC files).", "ndc");
  app.set_version_flag("--version", "ndc " + std::string(nd_version_string()));
  app.require_subcommand(1);
  app.footer(
      "Example:\n"
      "  ndc dedup crawl.warc.gz -o groups.tsv\n\n"
      "`ndc COMMAND --help` tells more about a command.");
  ndc::DedupCommand dedup;
  ndc::ExtractCommand extract;
  ndc::ExplainCommand explain;
  ndc::OptionsCommand options;
  const CLI::App* dedup_command = dedup.attach(app);
  const CLI::App* extract_command = extract.attach(app);
  const CLI::App* explain_command = explain.attach(app);
  options.attach(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    // Help and version come as failures with code 0.
    return app.exit(failure) == 0 ? ndc::ExitCode::kDone : ndc::ExitCode::kUsage;
  }
  if (dedup_command->parsed()) return dedup.run();
  if (extract_command->parsed()) return extract.run();
  if (explain_command->parsed()) return explain.run();
  return options.run();
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe shall be an error of the write, with a message and an exit code.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(run(argc, argv));
  } catch (const std::bad_alloc&) {
    ndc::report("out of memory");
  } catch (const std::exception& failure) {
    ndc::report(failure.what());
  }
  return static_cast<int>(ndc::ExitCode::kError);
}
