// A folder in memory for the stores of a fuzz target: one a process, emptied by each input, gone at its end.
#pragma once

#include <string>

namespace nd::fuzz {

// Empties it too. With a slash at its end.
const std::string& empty_scratch_folder();

}  // namespace nd::fuzz
