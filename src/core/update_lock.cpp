#include "core/update_lock.hpp"

namespace nd {

UpdateLock::UpdateLock() noexcept {
  for (uint32_t place = 0; place < kPlaces; ++place)
    turns_[place].store(place - kPlaces, std::memory_order_relaxed);  // a turn that nobody waits for
  turns_[0].store(0, std::memory_order_relaxed);
}

void UpdateLock::lock_shared() noexcept {
  const uint32_t change = readers_in_.fetch_add(kReader, std::memory_order_acquire) & kChangeBits;
  if (change != 0) {
    // The next change waits for this reader, so that the bits cannot come to be the same again meanwhile.
    for (uint32_t now = readers_in_.load(std::memory_order_acquire); (now & kChangeBits) == change;
         now = readers_in_.load(std::memory_order_acquire))
      readers_in_.wait(now, std::memory_order_acquire);
  }
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
  for (uint32_t now = turn.load(std::memory_order_acquire); now != ticket;
       now = turn.load(std::memory_order_acquire))
    turn.wait(now, std::memory_order_acquire);
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
  const uint32_t bits = kChanging | (changes_++ & 1);
  const uint32_t inside = readers_in_.fetch_add(bits, std::memory_order_acq_rel);
  for (uint32_t out = readers_out_.load(std::memory_order_acquire); out != inside;
       out = readers_out_.load(std::memory_order_acquire))
    readers_out_.wait(out, std::memory_order_acquire);
  if (observer_ != nullptr) observer_->taken(LockObserver::Mode::kChange);
}

void UpdateLock::end_change() noexcept {
  if (observer_ != nullptr) observer_->leaving(LockObserver::Mode::kChange);
  readers_in_.fetch_and(~kChangeBits, std::memory_order_release);
  readers_in_.notify_all();
}

}  // namespace nd
