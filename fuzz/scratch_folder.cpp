// Makes the folder in /dev/shm if it can be written, and empties it between inputs.
#include "fuzz/scratch_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "fuzz/expectation.hpp"

namespace nd::fuzz {
namespace {

namespace fs = std::filesystem;

// A file system in memory, where there is one: a store syncs its files again and again.
fs::path place_of_folders() {
  const fs::path memory = "/dev/shm";
  std::error_code unused;
  return fs::is_directory(memory, unused) && ::access(memory.c_str(), W_OK) == 0 ? memory
                                                                                 : fs::temp_directory_path();
}

class Folder {
 public:
  Folder() : path_((place_of_folders() / "ndc-fuzz-XXXXXX").string()) {
    expect(::mkdtemp(path_.data()) != nullptr, "no temporary folder");
    path_ += '/';
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code unused;
    fs::remove_all(path_, unused);
  }

  void empty() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(path_))
      fs::remove_all(entry.path());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

const std::string& empty_scratch_folder() {
  static const Folder folder;
  folder.empty();
  return folder.path();
}

}  // namespace nd::fuzz
