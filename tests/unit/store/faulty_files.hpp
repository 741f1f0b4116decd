// A file system for tests that fails on request, and can crash.
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
//       ...                                // what is tested
//       if (files.failures() == 0) break;  // fewer than n calls: it has seen all of them
//       ...                                // what must hold after a failure
//     }
//
// A failing append has written nothing, with Failure::kTorn half of its bytes. Other failing calls have done
// nothing. A failing sync has made nothing durable. After speechless() a failing call throws std::bad_alloc,
// as one of the system does that finds no memory for its message.
//
// Crashes. crash() leaves what was synced, crash(random) some more, crash_of_process() everything; see
// simulated_disk.hpp. After a crash all files that were open fail, and closing them releases their locks as
// usual; destroy what uses them before reopening. A crash also ends all failures and lies. `lie(kinds)`
// makes kSync or kSyncDirectory answer ok without doing anything, like a disk that ignores its orders.
//
// After reserve_nothing() files cannot reserve room, like those of a file system that has no means to.
//
// Threads: any number.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include "store/file_system.hpp"
#include "unit/store/failing_calls.hpp"
#include "unit/store/simulated_disk.hpp"

namespace nd::store {

class FaultyFiles final : public FileSystem, public CallKinds {
 public:
  explicit FaultyFiles(FileSystem& below) : state_(std::make_shared<State>(below)) {}

  // `what` is what the system would say: "No space left on device", "Input/output error".
  void fail(uint32_t kinds, uint64_t n, Failure failure = Failure::kOnce,
            std::string what = "No space left on device") {
    const std::lock_guard lock(state_->mutex);
    state_->calls.set(kinds, n, failure, std::move(what));
  }
  // Until the next fail().
  void speechless() {
    const std::lock_guard lock(state_->mutex);
    state_->calls.speechless = true;
  }
  // Lets all calls succeed again; failures() stays.
  void fail_no_more() {
    const std::lock_guard lock(state_->mutex);
    state_->calls.kinds = 0;
  }
  // How many calls have failed since fail(), by its doing.
  uint64_t failures() const {
    const std::lock_guard lock(state_->mutex);
    return state_->calls.failures;
  }
  // Calls since the beginning, failed ones too.
  uint64_t calls(uint32_t kinds) const {
    const std::lock_guard lock(state_->mutex);
    return state_->calls.sum(kinds);
  }
  void lie(uint32_t kinds) {
    const std::lock_guard lock(state_->mutex);
    state_->lies = kinds;
  }

  void reserve_nothing() {
    const std::lock_guard lock(state_->mutex);
    state_->reserves = false;
  }

  void crash() { crash(nullptr); }
  void crash(std::mt19937_64& random) { crash(&random); }
  void crash_of_process() {
    const std::lock_guard lock(state_->mutex);
    state_->disk.end_of_process();
    state_->reset();
  }

  Result<Owned<File>> open(std::string_view path, Access access) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kOpen, path); !ok) return std::move(ok).failure();
    state_->disk.adopt(std::string(path));
    Result<Owned<File>> file = state_->below.open(path, access);
    if (!file) return file;
    return Owned<File>(make_owned<FaultyFile>(state_, state_->disk.opened(std::string(path)),
                                              std::move(*file), std::string(path)));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kRename, from); !ok) return ok;
    state_->disk.adopt(std::string(from));
    state_->disk.adopt(std::string(to));
    Result<void> renamed = state_->below.rename(from, to);
    if (renamed) state_->disk.renamed(std::string(from), std::string(to));
    return renamed;
  }

  Result<void> remove(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kRemove, path); !ok) return ok;
    state_->disk.adopt(std::string(path));
    Result<void> removed = state_->below.remove(path);
    if (removed) state_->disk.removed(std::string(path));
    return removed;
  }

  Result<void> remove_directory(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kRemove, path); !ok) return ok;
    return state_->below.remove_directory(path);
  }

  Result<void> make_directory(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kMakeDirectory, path); !ok) return ok;
    return state_->below.make_directory(path);
  }

  Result<void> sync_directory(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kSyncDirectory, path); !ok) return ok;
    if ((state_->lies & kSyncDirectory) == 0) state_->disk.synced_directory(path);
    return {};
  }

  Result<Vector<String>> list(std::string_view path) override {
    const std::lock_guard lock(state_->mutex);
    if (Result<void> ok = state_->calls.count(kList, path); !ok) return std::move(ok).failure();
    return state_->below.list(path);
  }

 private:
  void crash(std::mt19937_64* random) {
    const std::lock_guard lock(state_->mutex);
    state_->disk.crash(random);
    state_->reset();
  }

  struct State {
    explicit State(FileSystem& files) : below(files), disk(files) {}

    FileSystem& below;
    SimulatedDisk disk;
    mutable std::mutex mutex;
    FailingCalls calls;
    uint32_t lies = 0;
    uint64_t crashes = 0;
    bool reserves = true;

    void reset() {
      calls.kinds = lies = 0;
      ++crashes;
    }
  };

  class FaultyFile final : public File {
   public:
    FaultyFile(std::shared_ptr<State> state, std::shared_ptr<SimulatedFile> file, Owned<File> below,
               std::string path)
        : state_(std::move(state)),
          file_(std::move(file)),
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
      if (Result<void> there = outlived(); !there) return there;
      const bool fails = state_->calls.fails(kAppend);
      if (fails && state_->calls.failure != Failure::kTorn) return state_->calls.tell(path_);
      if (fails) bytes = bytes.first(bytes.size() / 2);
      if (Result<void> appended = below_->append(bytes); !appended) return appended;
      file_->written.append(bytes.begin(), bytes.end());
      if (fails) return state_->calls.tell(path_);
      return {};
    }
    Result<void> truncate(uint64_t size) override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kTruncate); !ok) return ok;
      if (Result<void> truncated = below_->truncate(size); !truncated) return truncated;
      file_->written.resize(size);
      return {};
    }
    Result<bool> reserve(uint64_t offset, uint64_t bytes) override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kReserve); !ok) return std::move(ok).failure();
      return state_->reserves ? below_->reserve(offset, bytes) : Result<bool>(false);
    }
    Result<void> sync() override {
      const std::lock_guard lock(state_->mutex);
      if (Result<void> ok = count(kSync); !ok) return ok;
      // Not passed on: tests crash nothing but this model, and a sync of the disk takes milliseconds.
      if ((state_->lies & kSync) == 0) file_->durable = file_->written;
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
    Result<void> outlived() const {
      if (crashes_ != state_->crashes) return error(Status::kIo, path_, ": opened before the crash");
      return {};
    }
    Result<void> count(Kind kind) const {
      if (Result<void> there = outlived(); !there) return there;
      return state_->calls.count(kind, path_);
    }

    std::shared_ptr<State> state_;
    std::shared_ptr<SimulatedFile> file_;
    Owned<File> below_;
    std::string path_;
    uint64_t crashes_;
  };

  std::shared_ptr<State> state_;
};

}  // namespace nd::store
