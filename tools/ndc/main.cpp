// The entry of the program: lists the commands, parses the words, and runs the one that is named.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <ndcapi.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup_command.hpp"
#include "eval_command.hpp"
#include "exit_code.hpp"
#include "explain_command.hpp"
#include "extract_command.hpp"
#include "filter_command.hpp"
#include "merge_command.hpp"
#include "options_command.hpp"
#include "pairs_command.hpp"
#include "report_command.hpp"
#include "similar_command.hpp"
#include "store_commands.hpp"
#include "terminal_text.hpp"

namespace {

// One of the subcommands.
class Command {
 public:
  Command() = default;
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  virtual bool parsed() const = 0;
  virtual ndc::ExitCode run() const = 0;
};

template <typename T>
class CommandOf final : public Command {
 public:
  explicit CommandOf(CLI::App& app) : attached_(command_.attach(app)) {}

  bool parsed() const override { return attached_->parsed(); }
  ndc::ExitCode run() const override { return command_.run(); }

 private:
  T command_;
  const CLI::App* attached_;
};

template <typename T>
void add(CLI::App& app, std::vector<std::unique_ptr<Command>>& commands) {
  commands.push_back(std::make_unique<CommandOf<T>>(app));
}

// CLI11's message about an unknown command does not name it.
bool names_no_command(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.front() == '-') return false;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::none_of(commands.begin(), commands.end(),
                      [&word](const CLI::App* command) { return command->check_name(word); });
}

// Levenshtein's.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

// "; the nearest is ...", of names that a slip of the finger makes of `word`; else empty.
std::string nearest_in_words(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest =
      std::ranges::min_element(names, {}, [&word](const std::string& name) { return distance(word, name); });
  if (nearest == names.end() || distance(word, *nearest) * 3 > word.size()) return {};
  return "; the nearest is " + *nearest;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

void report_unknown_command(const CLI::App& app, const std::string& word) {
  const bool is_file = ::access(word.c_str(), F_OK) == 0;
  ndc::print_message("there is no command \"" + word + "\"" + nearest_in_words(word, command_names(app)) +
                     "; " +
                     (is_file ? "`ndc dedup " + word + "` finds the near-duplicates in a file"
                              : std::string("`ndc --help` lists the commands")));
}

void report_usage(const CLI::App& app, const CLI::ParseError& failure) {
  const auto given = app.get_subcommands();
  if (given.empty() && failure.get_name() == "RequiredError") {
    ndc::print_message("no command is given; `ndc --help` lists them");
    return;
  }
  const std::string command = given.empty() ? "ndc" : "ndc " + given.front()->get_name();
  const std::vector<std::string> unknown =
      given.empty() ? std::vector<std::string>() : given.front()->remaining();
  const std::string nearest =
      unknown.empty() ? std::string() : nearest_in_words(unknown.front(), option_names(*given.front()));
  ndc::print_message(failure.what() + nearest + "; `" + command + " --help` says what can be given");
}

// What `ndc help` and `ndc help COMMAND` ask for; else the words as they are.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words.size() > 2 || words.front() != "help") return words;
  if (words.size() == 2 && words.back().starts_with('-')) return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

ndc::ExitCode run(int argc, char** argv) {
  CLI::App app("Finds near-duplicate pages in web archives.", "ndc");
  app.set_version_flag("--version", "ndc " + std::string(nd_version_string()));
  app.require_subcommand(1);
  // Two blanks behind the longest option, by which tools/ndc/manual knows where its value ends.
  app.get_formatter()->column_width(32);
  app.footer(
      "Example:\n"
      "  ndc dedup crawl.warc.gz -o groups.tsv\n\n"
      "`ndc help COMMAND` says what a command takes.");
  std::vector<std::unique_ptr<Command>> commands;
  add<ndc::DedupCommand>(app, commands);
  add<ndc::PairsCommand>(app, commands);
  add<ndc::ExtractCommand>(app, commands);
  add<ndc::ExplainCommand>(app, commands);
  add<ndc::SimilarCommand>(app, commands);
  add<ndc::FilterCommand>(app, commands);
  add<ndc::ReportCommand>(app, commands);
  add<ndc::StatsCommand>(app, commands);
  add<ndc::DumpCommand>(app, commands);
  add<ndc::EventsCommand>(app, commands);
  add<ndc::RemoveCommand>(app, commands);
  add<ndc::CompactCommand>(app, commands);
  add<ndc::VerifyCommand>(app, commands);
  add<ndc::MergeStoresCommand>(app, commands);
  add<ndc::OptionsCommand>(app, commands);
  add<ndc::EvalCommand>(app, commands);
  app.add_subcommand("help", "Show what a command does and takes")->footer("Example:\n  ndc help dedup");
  std::vector<std::string> words = words_of(argc, argv);
  if (!words.empty() && names_no_command(app, words.front())) {
    report_unknown_command(app, words.front());
    return ndc::ExitCode::kUsage;
  }
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& failure) {
    if (failure.get_exit_code() != 0) {
      report_usage(app, failure);
      return ndc::ExitCode::kUsage;
    }
    // CLI11 reports help and version as failures too.
    app.exit(failure);
    if (!std::cout.flush()) {
      ndc::print_message("cannot write standard output");
      return ndc::ExitCode::kError;
    }
    return ndc::ExitCode::kDone;
  }
  for (const auto& command : commands) {
    if (command->parsed()) return command->run();
  }
  return ndc::ExitCode::kUsage;
}

// If a standard descriptor is closed, the next file opened would get its number, and rows or messages would
// go into that file: a store's journal, say. Reading from what takes its place ends at once, and writing
// fails.
bool occupy_standard_descriptors() {
  for (;;) {
    int descriptor = ::open("/dev/null", O_RDONLY);
    if (descriptor < 0) descriptor = ::open("/", O_RDONLY);
    if (descriptor < 0) return false;
    if (descriptor <= STDERR_FILENO) continue;
    ::close(descriptor);
    return true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!occupy_standard_descriptors()) return static_cast<int>(ndc::ExitCode::kError);
  // A closed pipe must be a write error, with a message and an exit code.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return static_cast<int>(run(argc, argv));
  } catch (const std::bad_alloc&) {
    ndc::print_message("out of memory");
  } catch (const std::exception& failure) {
    ndc::print_message(failure.what());
  }
  return static_cast<int>(ndc::ExitCode::kError);
}
