// Finds ndc-eval beside the running program and replaces the process by it.
#include "eval_command.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "terminal_text.hpp"

namespace ndc {

CLI::App* EvalCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("eval", "Measure every method on labelled pages, and draw what was found");
  // All following arguments, even --help, are for the other program.
  command->set_help_flag();
  command->prefix_command();
  command_ = command;
  return command;
}

ExitCode EvalCommand::run() const {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) {
    print_message("cannot tell in which folder ndc lies: " + failed.message());
    return ExitCode::kError;
  }
  const std::string program = (self.parent_path() / "ndc-eval").string();
  std::vector<std::string> words = command_->remaining();
  words.insert(words.begin(), "ndc eval");
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const int reason = errno;
  print_message("cannot run " + program + " (in a build tree: target ndc_eval): " + std::strerror(reason));
  return ExitCode::kError;
}

}  // namespace ndc
