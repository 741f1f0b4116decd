#include "output_place.hpp"

#include <algorithm>
#include <system_error>

#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc {

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

bool are_one_file(const std::string& path, const std::string& other) {
  return plain_path(path) == plain_path(other) || OutputFile::is_same_file(path, other);
}

bool overwrites_input(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  const auto file_of = [](const std::string& name, const char* standard) {
    return name == "-" ? standard : name;
  };
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      if (OutputFile::is_same_file(file_of(output, "/dev/stdout"), file_of(input, "/dev/stdin"))) {
        report("the output " + output + " is one of the inputs");
        return true;
      }
    }
  }
  return false;
}

}  // namespace ndc
