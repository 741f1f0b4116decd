// A file system for tests that fails when told to, and can crash.
//
// It wraps another one (system_files() over a temporary directory), passes all calls on, and counts them.
//
// Failing calls. `fail(kinds, n)` lets the n-th call from now on of one of these kinds fail, n = 1 being the
// next; with Failure::kFromThenOn all later ones too. A sweep over all places where something can fail:
//
//     for (uint64_t n = 1;; ++n) {
//       TemporaryDirectory directory;
//       FaultyFiles files(system_files());
//       files.fail(FaultyFiles::kAny, n);
//       const bool done = ...;                  // what is tested
//       if (files.failures() == 0) break;       // fewer than n calls: it has seen all of them
//       ...                                     // what must hold after a failure
//     }
//
// A failing append has written nothing, with Failure::kTorn half of its bytes. Other failing calls have done
// nothing. A failing sync has made nothing durable.
//
// Crashes. Of each file the content as of its last sync() is known, of each directory the names as of its
// last sync_directory(); what was there when a file was first opened, renamed or removed counts as durable.
// crash() puts that state on the disk. A real system may have written more by then: crash(random) keeps a
// random prefix of each file's unsynced bytes, and a random prefix of the unsynced creations, renamings and
// removals. crash_of_process() loses nothing. After a crash all files that were open fail, and closing them
// releases their locks as usual; destroy what uses them before opening anew. `lie(kinds)` makes kSync or
// kSyncDirectory answer ok without doing anything, like a disk that ignores its orders.
//
// Not modelled: directories made after the last sync of their parent are kept; a truncation that was not
// synced is undone or kept as a whole.
//
// Threads: any number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "store/file_system.hpp"

namespace nd::store {

class FaultyFiles final : public FileSystem {
 public:
  enum Kind : uint32_t {
    kOpen = 1,
    kRead = 2,
    kAppend = 4,
    kSync = 8,
    kRename = 16,
    kRemove = 32,
    kTruncate = 64,
    kMap = 128,
    kSyncDirectory = 256,
    kMakeDirectory = 512,
    kList = 1024,
    kSize = 2048,
    kLock = 4096,
    kAny = 8191,
    kWriting = kAppend | kSync | kRename | kRemove | kTruncate | kSyncDirectory | kMakeDirectory,
  };
  enum class Failure { kOnce, kFromThenOn, kTorn };

  explicit FaultyFiles(FileSystem& below) : state_(std::make_shared<State>(below)) {}

  // `what` is what the system would say: "No space left on device", "Input/output error".
  void fail(uint32_t kinds, uint64_t n, Failure failure = Failure::kOnce,
            std::string what = "No space left on device") {
    const std::lock_guard lock(state_->mutex);
    state_->kinds = kinds;
    state_->countdown = n;
    state_->failure = failure;
    state_->what = std::move(what);
    state_->failures = 0;
  }
  // Lets all calls succeed again; failures() stays.
  void fail_no_more() {
    const std::lock_guard lock(state_->mutex);
    state_->kinds = 0;
  }
  // How many calls have failed since fail(), by its doing.
  uint64_t failures() const {
    const std::lock_guard lock(state_->mutex);
    return state_->failures;
  }
  // Calls since the beginning, failed ones too.
  uint64_t calls(uint32_t kinds) const {
    const std::lock_guard lock(state_->mutex);
    uint64_t sum = 0;
    for (const auto& [kind, count] : state_->counts)
      sum += (kind & kinds) != 0 ? count : 0;
    return sum;
  }
  void lie(uint32_t kinds) {
    const std::lock_guard lock(state_->mutex);
    state_->lies = kinds;
  }

  // See above. They also end all failures and lies.
  void crash() {
    const std::lock_guard lock(state_->mutex);
    state_->crash(nullptr);
  }
  void crash(std::mt19937_64& random) {
    const std::lock_guard lock(state_->mutex);
    state_->crash(&random);
  }
  void crash_of_process() {
    const std::lock_guard lock(state_->mutex);
    state_->end_of_process();
  }

  Result<Owned<File>> open(std::string_view path, Access access) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kOpen, path); !ok) return std::move(ok).failure();
    state_->adopt(std::string(path));
    Result<Owned<File>> file = state_->below.open(path, access);
    if (!file) return file;
    std::shared_ptr<Node>& node = state_->names[std::string(path)];
    if (node == nullptr) {
      node = std::make_shared<Node>();
      state_->changes.push_back({std::string(path), node, {}});
    }
    return Owned<File>(make_owned<FaultyFile>(state_, node, std::move(*file), std::string(path)));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kRename, from); !ok) return ok;
    state_->adopt(std::string(from));
    state_->adopt(std::string(to));
    if (Result<void> renamed = state_->below.rename(from, to); !renamed) return renamed;
    const auto found = state_->names.find(std::string(from));
    if (found == state_->names.end()) return {};  // a directory
    const std::shared_ptr<Node> node = found->second;
    state_->names.erase(found);
    state_->names[std::string(to)] = node;
    state_->changes.push_back({std::string(to), node, std::string(from)});
    return {};
  }

  Result<void> remove(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kRemove, path); !ok) return ok;
    state_->adopt(std::string(path));
    if (Result<void> removed = state_->below.remove(path); !removed) return removed;
    state_->names.erase(std::string(path));
    state_->changes.push_back({std::string(path), nullptr, {}});
    return {};
  }

  Result<void> make_directory(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kMakeDirectory, path); !ok) return ok;
    return state_->below.make_directory(path);
  }

  Result<void> sync_directory(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kSyncDirectory, path); !ok) return ok;
    if ((state_->lies & kSyncDirectory) != 0) return {};
    std::vector<Change> left;
    for (Change& change : state_->changes) {
      if (parent(change.path) == path) {
        state_->make_durable(change);
      } else {
        left.push_back(std::move(change));
      }
    }
    state_->changes = std::move(left);
    return {};
  }

  Result<Vector<String>> list(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->count(kList, path); !ok) return std::move(ok).failure();
    return state_->below.list(path);
  }

 private:
  // A file, whatever its name.
  struct Node {
    std::string durable;  // as of the last sync
    std::string written;  // as it is now
  };
  // A name that now stands for `node` (null: for nothing), and `from` for nothing if not empty.
  struct Change {
    std::string path;
    std::shared_ptr<Node> node;
    std::string from;
  };

  static std::string parent(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == path.npos ? "." : path.substr(0, slash);
  }

  struct State {
    explicit State(FileSystem& files) : below(files) {}

    FileSystem& below;
    mutable std::mutex mutex;
    uint32_t kinds = 0;
    uint64_t countdown = 0;
    Failure failure = Failure::kOnce;
    std::string what;
    uint64_t failures = 0;
    uint32_t lies = 0;
    uint64_t crashes = 0;
    std::map<uint32_t, uint64_t> counts;
    std::map<std::string, std::shared_ptr<Node>> names;
    std::map<std::string, std::shared_ptr<Node>> durable_names;
    std::vector<Change> changes;  // since the last sync of their directories, in order

    Result<void> count(Kind kind, std::string_view path) {
      ++counts[kind];
      if ((kinds & kind) == 0 || countdown == 0) return {};
      if (--countdown != 0) return {};
      if (failure == Failure::kFromThenOn) countdown = 1;
      ++failures;
      return error(Status::kIo, path, ": ", what);
    }

    // A file that was there before.
    void adopt(const std::string& path) {
      if (names.contains(path)) return;
      Result<Owned<File>> file = below.open(path, Access::kRead);
      if (!file) return;
      Result<uint64_t> size = (*file)->size();
      auto node = std::make_shared<Node>();
      node->written.resize(size ? *size : 0);
      const std::span<uint8_t> out(reinterpret_cast<uint8_t*>(node->written.data()), node->written.size());
      static_cast<void>((*file)->read(0, out));
      node->durable = node->written;
      names[path] = durable_names[path] = node;
    }

    void make_durable(const Change& change) {
      if (!change.from.empty()) durable_names.erase(change.from);
      if (change.node == nullptr) {
        durable_names.erase(change.path);
      } else {
        durable_names[change.path] = change.node;
      }
    }

    void crash(std::mt19937_64* random) {
      if (random != nullptr) {
        const size_t kept = (*random)() % (changes.size() + 1);
        for (size_t i = 0; i < kept; ++i)
          make_durable(changes[i]);
      }
      for (const auto& [path, node] : names) {
        if (!durable_names.contains(path)) static_cast<void>(below.remove(path));
      }
      for (const auto& [path, node] : durable_names) {
        if (random != nullptr && node->written.starts_with(node->durable)) {
          const size_t unsynced = node->written.size() - node->durable.size();
          node->durable = node->written.substr(0, node->durable.size() + (*random)() % (unsynced + 1));
        }
        put(path, node->durable);
      }
      names = durable_names;
      for (const auto& [path, node] : names)
        node->written = node->durable;
      changes.clear();
      reset();
    }

    void end_of_process() {
      durable_names = names;
      for (const auto& [path, node] : names)
        node->durable = node->written;
      changes.clear();
      reset();
    }

    void reset() {
      kinds = lies = 0;
      ++crashes;
    }

    void put(const std::string& path, const std::string& content) {
      static_cast<void>(below.remove(path));
      Result<Owned<File>> file = below.open(path, Access::kCreateNew);
      if (!file) return;
      const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(content.data()), content.size());
      static_cast<void>((*file)->append(bytes));
    }
  };

  class FaultyFile final : public File {
   public:
    FaultyFile(std::shared_ptr<State> state, std::shared_ptr<Node> node, Owned<File> below, std::string path)
        : state_(std::move(state)),
          node_(std::move(node)),
          below_(std::move(below)),
          path_(std::move(path)),
          crashes_(state_->crashes) {}

    Result<uint64_t> size() const override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kSize); !ok) return std::move(ok).failure();
      return below_->size();
    }
    Result<size_t> read(uint64_t offset, std::span<uint8_t> out) const override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kRead); !ok) return std::move(ok).failure();
      return below_->read(offset, out);
    }
    Result<void> append(std::span<const uint8_t> bytes) override {
      const std::lock_guard lock(state_->mutex);
      Result<void> ok = count(kAppend);
      if (!ok && (state_->failure != Failure::kTorn || crashes_ != state_->crashes)) return ok;
      if (!ok) bytes = bytes.first(bytes.size() / 2);
      if (Result<void> appended = below_->append(bytes); !appended) return appended;
      node_->written.append(bytes.begin(), bytes.end());
      return ok;
    }
    Result<void> truncate(uint64_t size) override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kTruncate); !ok) return ok;
      if (Result<void> truncated = below_->truncate(size); !truncated) return truncated;
      node_->written.resize(size);
      return {};
    }
    Result<void> sync() override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kSync); !ok) return ok;
      if ((state_->lies & kSync) != 0) return {};
      // Not passed on: tests crash nothing but this model, and a sync of the disk takes milliseconds.
      node_->durable = node_->written;
      return {};
    }
    Result<Owned<Mapping>> map(uint64_t size) const override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kMap); !ok) return std::move(ok).failure();
      return below_->map(size);
    }
    Result<bool> lock() override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kLock); !ok) return std::move(ok).failure();
      return below_->lock();
    }

   private:
    Result<void> count(Kind kind) const {
      if (crashes_ != state_->crashes) return error(Status::kIo, path_, ": opened before the crash");
      return state_->count(kind, path_);
    }

    std::shared_ptr<State> state_;
    std::shared_ptr<Node> node_;
    Owned<File> below_;
    std::string path_;
    uint64_t crashes_;
  };

  std::shared_ptr<State> state_;
};

}  // namespace nd::store
