// What a measurement needs of the system: its memory, a store's files, and processes of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ndc::bench {

// Says why, and ends the process.
[[noreturn]] void fail(const std::string& sentence);

// Of this process, in bytes (/proc/self/status).
struct ProcessMemory {
  uint64_t anonymous = 0;  // RssAnon
  uint64_t resident = 0;   // VmRSS, with the mapped files
};
ProcessMemory process_memory();

// Sizes of the files of a directory, by name.
using FileSizes = std::map<std::string, uint64_t>;
FileSizes files_of(const std::string& directory);
uint64_t total_of(const FileSizes& files);
// "journal", "manifest", the table of a run, or "other".
std::string kind_of(const std::string& file);
// A store beside another one, for measurements that change it: links to its runs, which never change, and
// copies of the rest. What stood at `to` goes.
void clone_store(const std::string& from, const std::string& to);

// The results of a process: names and numbers.
using Facts = std::map<std::string, double>;
void print_fact(const std::string& name, double value);
// Ends the facts of a process that is killed then, and waits for that.
[[noreturn]] void wait_to_be_killed();

// This program again, in a process of its own. With `kill` it is ended by SIGKILL once it waits for that.
Facts run_again(const std::vector<std::string>& arguments, bool kill = false);

}  // namespace ndc::bench
