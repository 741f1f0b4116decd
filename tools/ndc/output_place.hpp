// Where the name of an output leads, and whether an output may go there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ndc {

struct OutputPlace {
  std::string path;               // behind all symbolic links, of which the last may lead to nothing
  std::optional<int> descriptor;  // that is open in this process: of "-", /dev/stdout, /dev/fd/3
  bool appears_whole = false;     // a regular file, or nothing yet: it can be written beside and renamed
};

// Where an output of this name goes. "-" is standard output.
OutputPlace output_place(const std::string& name);

// For messages.
std::string shown_output(const std::string& name);

// The canonical form of the path, as far as it exists. Empty: it cannot be found out.
std::filesystem::path plain_path(const std::string& path);

bool lies_in(const std::string& folder, const std::string& path);

// An output as the command line names it; an empty path is no output.
struct NamedOutput {
  const char* option;
  std::string path;
};

// True if all outputs, and their temporary files, differ from every input and from each other: files are told
// apart by device and inode. False after a message.
// "-" is a standard stream. A device may be several outputs.
bool are_separate(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs);

// The same of a folder that is to be written: whether no input lies in it.
bool holds_no_input(const std::string& folder, const std::vector<std::string>& inputs);

}  // namespace ndc
