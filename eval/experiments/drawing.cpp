#include "drawing.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace nd::eval {
namespace {

// The exit code; -1: it could not be run, or was killed.
int run(const std::vector<std::string>& words, bool silent) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// "" if none has matplotlib.
std::string find_interpreter() {
  std::vector<std::string> names;
  if (const char* named = std::getenv("NDC_PYTHON"); named != nullptr && *named != '\0')
    names.push_back(named);
  names.insert(names.end(), {"python3", "/usr/bin/python3"});
  for (const std::string& name : names)
    if (run({name, "-c", "import matplotlib"}, true) == 0) return name;
  return "";
}

}  // namespace

bool draw_figures(const std::string& folder) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path script = program.parent_path().parent_path() / "share/ndc/eval/draw.py";
  if (failed || !std::filesystem::exists(script, failed)) {
    std::fprintf(stderr, "ndc: no figures: %s is missing\n", script.c_str());
    return false;
  }
  const std::string interpreter = find_interpreter();
  if (interpreter.empty()) {
    std::fputs("ndc: no figures: Python has no matplotlib (Debian: python3-matplotlib); then run:\n", stderr);
    std::fprintf(stderr, "  python3 %s %s\n", script.c_str(), folder.c_str());
    return true;
  }
  return run({interpreter, "-B", script.string(), folder}, false) == 0;
}

}  // namespace nd::eval
