// Sleeps until it is asked, takes one snapshot at a time, and wakes the calls that wait for memory to be
// freed.
#include "engine/snapshot_thread.hpp"

#include <csignal>
#include <system_error>
#include <utility>

namespace nd::engine {
namespace {

// A thread that is started meanwhile inherits this thread's mask: the host's handlers must not run on a
// thread that it does not know. But what a fault raises, while it is blocked, kills the process without them.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t signals;
    sigfillset(&signals);
    for (const int fault : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
      sigdelset(&signals, fault);
    pthread_sigmask(SIG_SETMASK, &signals, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

Result<void> SnapshotThread::start(std::function<void()> take) {
  take_ = std::move(take);
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return error(Status::kLimit, "the system gives no thread for snapshots");
  }
  return {};
}

void SnapshotThread::stop() noexcept {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  done_.notify_all();
  thread_.join();
}

void SnapshotThread::ask() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (asked_) return;
    asked_ = true;
  }
  wake_.notify_one();
}

void SnapshotThread::wait(const std::function<bool()>& is_enough) {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = begun_ + 1;
  while (!stopping_ && ended_ < wanted && !is_enough()) {
    // Once the snapshot has begun, another request would take one more that is not needed.
    if (begun_ < wanted) asked_ = true;
    wake_.notify_one();
    done_.wait(lock);
  }
}

void SnapshotThread::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!asked_) {
      wake_.wait(lock);
      continue;
    }
    asked_ = false;
    ++begun_;
    lock.unlock();
    take_();
    lock.lock();
    ended_ = begun_;
    done_.notify_all();
  }
}

}  // namespace nd::engine
