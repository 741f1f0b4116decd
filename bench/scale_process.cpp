// Reads the process's memory from /proc, clones a store by hard links, and starts, kills and waits for
// processes.
#include "scale_process.hpp"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ndc::bench {
namespace {

constexpr const char* kReady = "ready";

pid_t start(const std::vector<std::string>& arguments, int& output) {
  int ends[2];
  if (pipe(ends) != 0) fail(std::string("pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) fail(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> pointers;
    std::string program = "store_scale";
    pointers.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv("/proc/self/exe", pointers.data());
    _exit(127);
  }
  close(ends[1]);
  output = ends[0];
  return child;
}

}  // namespace

void fail(const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence.c_str());
  std::exit(1);
}

ProcessMemory process_memory() {
  std::ifstream status("/proc/self/status");
  ProcessMemory memory;
  for (std::string line; std::getline(status, line);) {
    const auto read = [&line](const char* name, uint64_t& bytes) {
      if (line.rfind(name, 0) == 0)
        bytes = std::strtoull(line.c_str() + std::strlen(name), nullptr, 10) * 1024;
    };
    read("RssAnon:", memory.anonymous);
    read("VmRSS:", memory.resident);
  }
  return memory;
}

FileSizes files_of(const std::string& directory) {
  FileSizes sizes;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file()) sizes[entry.path().filename()] = entry.file_size();
  }
  return sizes;
}

uint64_t total_of(const FileSizes& files) {
  uint64_t total = 0;
  for (const auto& [name, size] : files)
    total += size;
  return total;
}

std::string kind_of(const std::string& file) {
  std::istringstream parts(file);
  std::string first, number, table;
  std::getline(parts, first, '-');
  std::getline(parts, number, '-');
  std::getline(parts, table, '-');
  if (first == "run" && !table.empty()) return table;
  return first == "journal" || first == "manifest" ? first : "other";
}

void clone_store(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  fs::remove_all(to);
  fs::create_directories(to);
  for (const auto& [name, size] : files_of(from)) {
    const fs::path source = fs::path(from) / name, target = fs::path(to) / name;
    if (name.rfind("run-", 0) == 0) {
      fs::create_hard_link(source, target);
    } else {
      fs::copy_file(source, target);
    }
  }
}

void print_fact(const std::string& name, double value) {
  std::printf("%s %.17g\n", name.c_str(), value);
}

void wait_to_be_killed() {
  std::printf("%s 1\n", kReady);
  std::fflush(stdout);
  for (;;)
    pause();
}

Facts run_again(const std::vector<std::string>& arguments, bool kill) {
  int output = -1;
  const pid_t child = start(arguments, output);
  FILE* lines = fdopen(output, "r");
  if (lines == nullptr) fail("fdopen failed");
  Facts facts;
  char name[128];
  double value = 0;
  while (facts.count(kReady) == 0 && std::fscanf(lines, "%127s %lf", name, &value) == 2)
    facts[name] = value;
  const bool ready = facts.erase(kReady) != 0;
  if (ready) ::kill(child, SIGKILL);
  std::fclose(lines);
  int status = 0;
  waitpid(child, &status, 0);
  const bool succeeded = kill ? ready : WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!succeeded) fail("the process of " + arguments.front() + " failed");
  return facts;
}

}  // namespace ndc::bench
