// replay FOLDER-OR-FILE...: gives a fuzz target the inputs in git where there is no libFuzzer, with any
// compiler. The name of an input is written before it runs: a fault ends the process in many ways, and the
// last name is the input's.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

// Sorted: the order of a folder is its file system's.
std::vector<fs::path> inputs_in(const fs::path& place) {
  std::vector<fs::path> inputs;
  if (!fs::is_directory(place)) {
    inputs.push_back(place);
    return inputs;
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

// Of exactly the input's size on the heap, so that AddressSanitizer sees a byte read too many.
bool run(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  const std::vector<char> read{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::vector<uint8_t> input(read.begin(), read.end());
  std::fprintf(stderr, "%s\n", path.c_str());
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  size_t inputs = 0;
  for (int i = 1; i < count; ++i) {
    std::error_code unused;
    if (!fs::exists(arguments[i], unused)) {
      std::fprintf(stderr, "there is no %s\n", arguments[i]);
      return 1;
    }
    for (const fs::path& path : inputs_in(arguments[i])) {
      if (!run(path)) return 1;
      ++inputs;
    }
  }
  if (inputs == 0) {
    std::fprintf(stderr, "no inputs\n");
    return 1;
  }
  const uint8_t nothing = 0;
  LLVMFuzzerTestOneInput(&nothing, 0);
  std::printf("%zu inputs and the empty one\n", inputs);
  return 0;
}
