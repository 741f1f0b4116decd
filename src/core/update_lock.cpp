// The three modes in atomic words: a waiting thread yields for a while, since most sections last
// microseconds, and then sleeps.
#include "core/update_lock.hpp"

#include <chrono>
#include <thread>

namespace nd {
namespace {

// A wait mostly lasts ten to a hundred microseconds if the other thread is running; falling asleep and waking
// up takes longer, in a virtual machine much longer. If the other thread is not running, it may take this
// thread's processor.
constexpr int kLooks = 64;
constexpr int kYields = 256;
constexpr std::chrono::microseconds kRest{100};

template <typename Holds>
void wait_until(const std::atomic<uint32_t>& word, Holds holds) noexcept {
  uint32_t now = word.load(std::memory_order_acquire);
  for (int look = 0; look < kLooks && !holds(now); ++look) {
    now = word.load(std::memory_order_acquire);
  }
  for (int yield = 0; yield < kYields && !holds(now); ++yield) {
    std::this_thread::yield();
    now = word.load(std::memory_order_acquire);
  }
  for (; !holds(now); now = word.load(std::memory_order_acquire))
    word.wait(now, std::memory_order_acquire);
}

}  // namespace

UpdateLock::UpdateLock() noexcept {
  for (uint32_t place = 0; place < kPlaces; ++place)
    turns_[place].store(place - kPlaces, std::memory_order_relaxed);  // a turn that nobody waits for
  turns_[0].store(0, std::memory_order_relaxed);
}

void UpdateLock::lock_shared() noexcept {
  const uint32_t change = readers_in_.fetch_add(kReader, std::memory_order_acquire) & kChangeBits;
  // The next change waits for this reader, so the bits cannot return to the same value meanwhile.
  if (change != 0) wait_until(readers_in_, [change](uint32_t now) { return (now & kChangeBits) != change; });
  if (observer_ != nullptr) observer_->taken(LockObserver::Mode::kShared);
}

void UpdateLock::unlock_shared() noexcept {
  if (observer_ != nullptr) observer_->leaving(LockObserver::Mode::kShared);
  readers_out_.fetch_add(kReader, std::memory_order_release);
  readers_out_.notify_one();
}

void UpdateLock::lock() noexcept {
  const uint32_t ticket = next_ticket_.fetch_add(1, std::memory_order_relaxed);
  std::atomic<uint32_t>& turn = turns_[ticket % kPlaces];
  wait_until(turn, [ticket](uint32_t now) { return now == ticket; });
  ticket_ = ticket;
  if (observer_ != nullptr) observer_->taken(LockObserver::Mode::kUpdate);
}

void UpdateLock::unlock() noexcept {
  if (observer_ != nullptr) observer_->leaving(LockObserver::Mode::kUpdate);
  const uint32_t next = ticket_ + 1;
  std::atomic<uint32_t>& turn = turns_[next % kPlaces];
  turn.store(next, std::memory_order_release);
  turn.notify_all();
}

void UpdateLock::begin_change() noexcept {
  const uint32_t bits = kChanging | (changes_.fetch_add(1, std::memory_order_relaxed) & 1);
  const uint32_t inside = readers_in_.fetch_add(bits, std::memory_order_acq_rel);
  wait_until(readers_out_, [inside](uint32_t now) { return now == inside; });
  if (observer_ != nullptr) observer_->taken(LockObserver::Mode::kChange);
}

void UpdateLock::end_change() noexcept {
  if (observer_ != nullptr) observer_->leaving(LockObserver::Mode::kChange);
  readers_in_.fetch_and(~kChangeBits, std::memory_order_release);
  readers_in_.notify_all();
}

void UpdateLock::WalkPace::rest() noexcept {
  const uint32_t changes = lock_.changes();
  if (has_begun_) changes != changes_ ? std::this_thread::sleep_for(kRest) : std::this_thread::yield();
  changes_ = changes;
  has_begun_ = true;
}

}  // namespace nd
