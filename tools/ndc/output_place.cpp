// Follows links to the file that an output would replace, and refuses one that is also an input.
#include "output_place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "terminal_text.hpp"
#include "unfinished_file.hpp"

namespace ndc {
namespace {

constexpr int kMaxLinks = 40;  // as Linux follows

bool is_same_inode(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The links in /proc/self/fd lead to open files, which need not have a name any more.
std::optional<int> own_descriptor(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::canonical(path.parent_path(), failed);
  if (failed || folder != std::filesystem::canonical("/proc/self/fd", failed) || failed) return std::nullopt;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

std::string file_of(const std::string& name, const char* standard) {
  return name == "-" ? standard : name;
}

bool is_input(const std::string& output, const std::string& input) {
  struct stat a {
  }, b{};
  return ::stat(file_of(output, "/dev/stdout").c_str(), &a) == 0 &&
         ::stat(file_of(input, "/dev/stdin").c_str(), &b) == 0 && S_ISREG(a.st_mode) && is_same_inode(a, b);
}

// Whether writing the output would begin by removing the input.
bool is_written_in_place_of(const std::string& output, const std::string& input) {
  const OutputPlace place = output_place(output);
  return place.appears_whole && is_input(UnfinishedFile::path_beside(place.path), input);
}

bool are_one_output(const std::string& one, const std::string& other) {
  const OutputPlace a = output_place(one), b = output_place(other);
  if (a.descriptor && a.descriptor == b.descriptor) return true;
  struct stat a_status {
  }, b_status{};
  const bool a_there = ::stat(file_of(one, "/dev/stdout").c_str(), &a_status) == 0;
  const bool b_there = ::stat(file_of(other, "/dev/stdout").c_str(), &b_status) == 0;
  if (a_there && b_there) return !S_ISCHR(a_status.st_mode) && is_same_inode(a_status, b_status);
  return !a_there && !b_there && plain_path(a.path) == plain_path(b.path);
}

}  // namespace

OutputPlace output_place(const std::string& name) {
  if (name == "-") return {name, STDOUT_FILENO, false};
  std::filesystem::path path = name;
  struct stat status {};
  for (int links = 0; links < kMaxLinks; ++links) {
    if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) break;
    if (const std::optional<int> descriptor = own_descriptor(path)) return {name, descriptor, false};
    std::error_code failed;
    const std::filesystem::path target = std::filesystem::read_symlink(path, failed);
    if (failed) break;
    path = path.parent_path() / target;
  }
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  return {path.string(), std::nullopt, is_there ? S_ISREG(status.st_mode) : path.has_filename()};
}

std::string shown_output(const std::string& name) {
  return name == "-" ? "standard output" : name;
}

std::filesystem::path plain_path(const std::string& path) {
  std::error_code failed;
  std::filesystem::path plain = std::filesystem::absolute(path, failed);
  if (!failed) plain = std::filesystem::weakly_canonical(plain, failed);
  if (failed) return {};
  return plain.has_filename() ? plain : plain.parent_path();
}

bool lies_in(const std::string& folder, const std::string& path) {
  const std::filesystem::path outer = plain_path(folder);
  const std::filesystem::path inner = plain_path(path);
  return !outer.empty() &&
         std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool are_separate(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NamedOutput& output = outputs[i];
    if (output.path.empty()) continue;
    for (const std::string& input : inputs) {
      if (is_input(output.path, input)) {
        print_message("the output " + shown_output(output.path) + " is one of the inputs");
        return false;
      }
      if (is_written_in_place_of(output.path, input)) {
        print_message("the input " + input + " has the name under which " + output.path +
                      " is written until it is whole");
        return false;
      }
    }
    for (size_t before = 0; before < i; ++before) {
      if (outputs[before].path.empty() || !are_one_output(output.path, outputs[before].path)) continue;
      print_message(std::string(output.option) + " and " + outputs[before].option + " are the same file");
      return false;
    }
  }
  return true;
}

bool holds_no_input(const std::string& folder, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input == "-" || !lies_in(folder, input)) continue;
    print_message("the input " + input + " lies in the folder " + folder + ", which is to be written");
    return false;
  }
  return true;
}

}  // namespace ndc
