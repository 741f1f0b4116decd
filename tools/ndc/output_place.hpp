// Whether an output may go where the command line says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ndc {

// One way to write the path, as far as it exists. Empty: nobody can tell.
std::filesystem::path plain_path(const std::string& path);

bool lies_in(const std::string& folder, const std::string& path);

// Whether both names lead to one file, which need not exist.
bool are_one_file(const std::string& path, const std::string& other);

// True after a message if one of `outputs` is one of `inputs`: emptying the output must not empty an input,
// nor may what is written be read again. "-" is a standard stream; an empty name is no output.
bool overwrites_input(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace ndc
