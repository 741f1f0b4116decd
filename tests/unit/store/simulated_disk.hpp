// What of a directory's files a crash of the machine would leave (for FaultyFiles).
//
// Of each file the content as of its last sync is known, of each directory the names as of its last sync;
// what was there when a file was first opened, renamed or removed counts as durable. crash() puts that state
// on the disk. A real system may have written more by then: crash(random) keeps a random prefix of each
// file's unsynced bytes, and a random prefix of the unsynced creations, renamings and removals.
// end_of_process() loses nothing.
//
// Not modelled: directories made after the last sync of their parent are kept; a truncation that was not
// synced is undone or kept as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "store/file_system.hpp"

namespace nd::store {

// A file, whatever its name.
struct SimulatedFile {
  std::string durable;  // as of the last sync
  std::string written;  // as it is now
};

class SimulatedDisk {
 public:
  explicit SimulatedDisk(FileSystem& below) : below_(below) {}

  // Before the first change of a name: takes in a file that was there before.
  void adopt(const std::string& path) {
    if (names_.contains(path)) return;
    Result<Owned<File>> file = below_.open(path, FileSystem::Access::kRead);
    if (!file) return;
    Result<uint64_t> size = (*file)->size();
    auto found = std::make_shared<SimulatedFile>();
    found->written.resize(size ? *size : 0);
    const std::span<uint8_t> out(reinterpret_cast<uint8_t*>(found->written.data()), found->written.size());
    static_cast<void>((*file)->read(0, out));
    found->durable = found->written;
    names_[path] = durable_names_[path] = found;
  }

  // After a change has succeeded.
  std::shared_ptr<SimulatedFile> opened(const std::string& path) {
    std::shared_ptr<SimulatedFile>& file = names_[path];
    if (file == nullptr) {
      file = std::make_shared<SimulatedFile>();
      changes_.push_back({path, file, {}});
    }
    return file;
  }
  void renamed(const std::string& from, const std::string& to) {
    const auto found = names_.find(from);
    if (found == names_.end()) return;  // a directory
    const std::shared_ptr<SimulatedFile> file = found->second;
    names_.erase(found);
    names_[to] = file;
    changes_.push_back({to, file, from});
  }
  void removed(const std::string& path) {
    names_.erase(path);
    changes_.push_back({path, nullptr, {}});
  }
  void synced_directory(std::string_view directory) {
    std::vector<Change> left;
    for (Change& change : changes_) {
      if (parent(change.path) == directory) {
        make_durable(change);
      } else {
        left.push_back(std::move(change));
      }
    }
    changes_ = std::move(left);
  }

  // `random` null: nothing but what is durable is left.
  void crash(std::mt19937_64* random) {
    if (random != nullptr) {
      const size_t kept = (*random)() % (changes_.size() + 1);
      for (size_t i = 0; i < kept; ++i)
        make_durable(changes_[i]);
    }
    for (const auto& [path, file] : names_) {
      if (!durable_names_.contains(path)) static_cast<void>(below_.remove(path));
    }
    for (const auto& [path, file] : durable_names_) {
      if (random != nullptr && file->written.starts_with(file->durable)) {
        const size_t unsynced = file->written.size() - file->durable.size();
        file->durable = file->written.substr(0, file->durable.size() + (*random)() % (unsynced + 1));
      }
      put(path, file->durable);
      file->written = file->durable;
    }
    names_ = durable_names_;
    changes_.clear();
  }

  void end_of_process() {
    durable_names_ = names_;
    for (const auto& [path, file] : names_)
      file->durable = file->written;
    changes_.clear();
  }

 private:
  // A name that now stands for `file` (null: for nothing), and `from` for nothing if not empty.
  struct Change {
    std::string path;
    std::shared_ptr<SimulatedFile> file;
    std::string from;
  };

  static std::string parent(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == path.npos ? "." : path.substr(0, slash);
  }

  void make_durable(const Change& change) {
    if (!change.from.empty()) durable_names_.erase(change.from);
    if (change.file == nullptr) {
      durable_names_.erase(change.path);
    } else {
      durable_names_[change.path] = change.file;
    }
  }

  void put(const std::string& path, const std::string& content) {
    static_cast<void>(below_.remove(path));
    Result<Owned<File>> file = below_.open(path, FileSystem::Access::kCreateNew);
    if (!file) return;
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
    static_cast<void>((*file)->append(bytes));
  }

  FileSystem& below_;
  std::map<std::string, std::shared_ptr<SimulatedFile>> names_;
  std::map<std::string, std::shared_ptr<SimulatedFile>> durable_names_;
  std::vector<Change> changes_;  // since the last sync of their directories, in order
};

}  // namespace nd::store
