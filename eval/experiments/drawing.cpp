// Looks for a Python with matplotlib and runs the drawing program; without one, the tables are all there is.
#include "drawing.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
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
  if (failed != 0) return -1;
  pid_t ended = -1;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended == -1 && errno == EINTR);
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// "" if none has matplotlib.
std::string find_interpreter() {
  std::vector<std::string> names = {"python3", "/usr/bin/python3"};
  if (const char* named = std::getenv("NDC_PYTHON"); named != nullptr && *named != '\0') names = {named};
  for (const std::string& name : names)
    if (run({name, "-c", "import matplotlib"}, true) == 0) return name;
  std::fprintf(stderr, "ndc: no figures: %s has no matplotlib (Debian: python3-matplotlib); then run:\n",
               names.front().c_str());
  return "";
}

}  // namespace

bool draw_figures(const std::string& folder) {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path script = program.parent_path() / NDC_FIGURES_FROM_PROGRAM / "draw.py";
  if (failed || !std::filesystem::exists(script, failed)) {
    std::fprintf(stderr, "ndc: no figures: %s is missing\n", script.c_str());
    return false;
  }
  const std::string interpreter = find_interpreter();
  if (interpreter.empty()) {
    std::fprintf(stderr, "  python3 %s %s\n", script.c_str(), folder.c_str());
    return true;
  }
  if (run({interpreter, "-B", script.string(), folder}, false) != 0) return false;
  const bool drawn = std::filesystem::exists(std::filesystem::path(folder) / "index.html", failed);
  if (!drawn) std::fprintf(stderr, "ndc: no figures: %s drew none\n", interpreter.c_str());
  return drawn;
}

}  // namespace nd::eval
