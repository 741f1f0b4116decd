// A fair lock with three modes (docs/concurrency.md). Many threads may read what it protects. One at a time
// may prepare a change while the others read. Nobody reads while the change itself is made.
//
//   std::shared_lock reading(lock);      // shared with others that read, and with one that updates
//   std::unique_lock updating(lock);     // shared with readers; the only one that updates
//     UpdateLock::Change change(lock); // by the updater: alone
//
// Nobody starves. Updaters get the lock in the order of their arrival. A reader waits for at most one change,
// the one in progress when it arrived; the next change begins after that reader. A change waits for the
// current readers and lets no other in. So a thread that reads must not begin a second read before the first
// has ended: it would wait for a change that waits for it. An updater may read, but not during its change.
//
// The readers' side is the phase-fair ticket lock of Brandenburg and Anderson (Real-Time Systems 46, 2010).
// Waiting threads sleep.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace nd {

// Observes a lock, for measurements: each call from the thread that holds the lock, while it does.
class LockObserver {
 public:
  enum class Mode { kShared, kUpdate, kChange };
  virtual ~LockObserver() = default;
  virtual void taken(Mode mode) noexcept = 0;
  virtual void leaving(Mode mode) noexcept = 0;
};

class UpdateLock {
 public:
  UpdateLock() noexcept;
  UpdateLock(const UpdateLock&) = delete;
  UpdateLock& operator=(const UpdateLock&) = delete;

  // Reading. Cost without a change: two atomic additions, on memory that all readers share.
  void lock_shared() noexcept;
  void unlock_shared() noexcept;
  // Updating.
  void lock() noexcept;
  void unlock() noexcept;

  // Threads that wait in lock(), as of a moment ago. Called by the updater.
  uint32_t waiting_updaters() const noexcept {
    return next_ticket_.load(std::memory_order_relaxed) - ticket_ - 1;
  }
  // Changes that have begun; to see whether others have made some.
  uint32_t changes() const noexcept { return changes_.load(std::memory_order_relaxed); }
  // As of a moment ago: whether a change is in progress or waiting; how many readers are inside or waiting.
  bool changing() const noexcept { return (readers_in_.load(std::memory_order_relaxed) & kChanging) != 0; }
  uint32_t readers() const noexcept {
    const uint32_t out = readers_out_.load(std::memory_order_acquire);
    return (readers_in_.load(std::memory_order_relaxed) - out) / kReader;
  }

  // A change, made by the updater. Not nested.
  class Change {
   public:
    explicit Change(UpdateLock& lock) noexcept : lock_(lock) { lock_.begin_change(); }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    ~Change() { lock_.end_change(); }

   private:
    UpdateLock& lock_;
  };

  // The pace of a reader that walks in pieces and takes the lock again for each. A change waits for each
  // walker that is within a piece and, where there are fewer processors than threads, until that walker runs
  // again. So while others make changes, walks rest between two pieces, several times as long as a piece
  // takes.
  class WalkPace {
   public:
    explicit WalkPace(const UpdateLock& lock) noexcept : lock_(lock) {}

    // Before each piece, without the lock. The first one begins at once.
    void rest() noexcept;

   private:
    const UpdateLock& lock_;
    uint32_t changes_ = 0;
    bool has_begun_ = false;
  };

  // Before other threads use the lock; null: no observer. Outlives the lock's use.
  void observe(LockObserver* observer) noexcept { observer_ = observer; }

 private:
  // More threads than this may wait; some then share a place to sleep and wake up for nothing.
  static constexpr uint32_t kPlaces = 32;
  // The lowest byte of readers_in_ says whether there is a change, and which of two in turn; readers are
  // counted above it.
  static constexpr uint32_t kReader = 0x100;
  static constexpr uint32_t kChanging = 0x2;
  static constexpr uint32_t kChangeBits = 0x3;

  void begin_change() noexcept;
  void end_change() noexcept;

  // Padded so that each of the first three has a cache line of its own at any address of the lock: allocators
  // align to less.
  std::atomic<uint32_t> readers_in_{0};
  [[maybe_unused]] std::array<std::atomic<uint32_t>, 15> apart_from_in_{};
  std::atomic<uint32_t> readers_out_{0};
  [[maybe_unused]] std::array<std::atomic<uint32_t>, 15> apart_from_out_{};
  std::atomic<uint32_t> next_ticket_{0};
  uint32_t ticket_ = 0;  // of the updater, which alone uses it
  std::atomic<uint32_t> changes_{0};
  LockObserver* observer_ = nullptr;
  std::array<std::atomic<uint32_t>, kPlaces> turns_;  // by ticket: the last one whose turn it was
};

}  // namespace nd
