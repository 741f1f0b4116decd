// A ring of slots between reader, workers and writer; threads sleep and wake in batches, since waking one
// costs more than a page.
#include "ordered_pipeline.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace ndc {
namespace {

// Enough slots that a slow page does not leave the other workers idle.
constexpr size_t kSlotsPerThread = 4;

// The reader sleeps while all slots are in use and is woken when half of them are free: a wake-up for every
// item costs more than a slot.
constexpr size_t kReadAheadSlots = 8;

class Pipeline {
 public:
  Pipeline(size_t threads, const PipelineSteps& steps)
      : steps_(steps), done_(pipeline_slots(threads), false) {
    threads_.reserve(threads + 1);
  }

  void run(size_t workers) {
    try {
      threads_.emplace_back([this] { guarded([this] { produce_all(); }); });
      for (size_t i = 0; i < workers; ++i) {
        threads_.emplace_back([this] { guarded([this] { work_all(); }); });
      }
    } catch (...) {
      stop(std::current_exception());
    }
    guarded([this] { consume_all(); });
    stop(nullptr);
    for (std::thread& thread : threads_)
      thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <typename Step>
  void guarded(Step step) noexcept {
    try {
      step();
    } catch (...) {
      stop(std::current_exception());
    }
  }

  void stop(std::exception_ptr failure) noexcept {
    const std::lock_guard lock(mutex_);
    if (failure && !failure_) failure_ = failure;
    stopped_ = true;
    wake_all();
  }

  void wake_all() noexcept {
    free_.notify_all();
    filled_.notify_all();
    finished_.notify_all();
  }

  size_t slot_of(uint64_t item) const { return static_cast<size_t>(item % done_.size()); }

  void produce_all() {
    for (uint64_t item = 0;; ++item) {
      {
        std::unique_lock lock(mutex_);
        free_.wait(lock, [&] { return stopped_ || item - consumed_ < done_.size(); });
        if (stopped_) return;
      }
      const bool produced = steps_.produce(slot_of(item));
      const std::lock_guard lock(mutex_);
      if (!produced) {
        ended_ = true;
        wake_all();
        return;
      }
      ++produced_;
      filled_.notify_one();
    }
  }

  void work_all() {
    for (;;) {
      uint64_t item = 0;
      {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [&] { return stopped_ || ended_ || taken_ < produced_; });
        if (stopped_ || taken_ == produced_) return;
        item = taken_++;
      }
      steps_.work(slot_of(item));
      const std::lock_guard lock(mutex_);
      done_[slot_of(item)] = true;
      finished_.notify_one();
    }
  }

  void consume_all() {
    for (uint64_t item = 0;; ++item) {
      {
        std::unique_lock lock(mutex_);
        finished_.wait(lock,
                       [&] { return stopped_ || done_[slot_of(item)] || (ended_ && item == produced_); });
        if (stopped_ || !done_[slot_of(item)]) return;
      }
      if (!steps_.consume(slot_of(item))) return;
      const std::lock_guard lock(mutex_);
      done_[slot_of(item)] = false;
      ++consumed_;
      free_.notify_one();
    }
  }

  const PipelineSteps& steps_;
  std::mutex mutex_;
  std::condition_variable free_, filled_, finished_;
  std::vector<bool> done_;
  uint64_t produced_ = 0;
  uint64_t taken_ = 0;
  uint64_t consumed_ = 0;
  bool ended_ = false;    // nothing more will be produced
  bool stopped_ = false;  // no thread continues
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

class ReadAhead {
 public:
  explicit ReadAhead(const PipelineSteps& steps) : steps_(steps) {}

  void run() {
    std::thread reader;
    try {
      reader = std::thread([this] { produce_all(); });
    } catch (const std::system_error&) {  // no thread available: this costs only time
      return run_in_order(1, steps_);
    }
    try {
      consume_all();
    } catch (...) {
      end(reader);
      throw;
    }
    end(reader);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void end(std::thread& reader) {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    free_.notify_one();
    reader.join();
  }

  bool produce(uint64_t item) noexcept {
    try {
      return steps_.produce(static_cast<size_t>(item % kReadAheadSlots));
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  void produce_all() {
    for (uint64_t item = 0;; ++item) {
      {
        std::unique_lock lock(mutex_);
        if (item - consumed_ == kReadAheadSlots)
          free_.wait(lock, [&] { return stopped_ || item - consumed_ <= kReadAheadSlots / 2; });
        if (stopped_) return;
      }
      const bool produced = produce(item);
      const std::lock_guard lock(mutex_);
      (produced ? produced_ : end_) = produced ? item + 1 : item;
      filled_.notify_one();
      if (!produced) return;
    }
  }

  void consume_all() {
    for (uint64_t item = 0;; ++item) {
      {
        std::unique_lock lock(mutex_);
        filled_.wait(lock, [&] { return item < produced_ || item == end_; });
        if (item == end_) return;
      }
      const auto slot = static_cast<size_t>(item % kReadAheadSlots);
      steps_.work(slot);
      if (!steps_.consume(slot)) return;
      const std::lock_guard lock(mutex_);
      ++consumed_;
      if (produced_ - consumed_ == kReadAheadSlots / 2) free_.notify_one();
    }
  }

  const PipelineSteps& steps_;
  std::mutex mutex_;
  std::condition_variable free_, filled_;
  uint64_t produced_ = 0;
  uint64_t consumed_ = 0;
  uint64_t end_ = UINT64_MAX;   // how many items there are, once that is known
  bool stopped_ = false;        // the consumer does not go on
  std::exception_ptr failure_;  // the reader's; read when it has ended
};

}  // namespace

size_t read_ahead_slots() {
  return kReadAheadSlots;
}

void run_read_ahead(const PipelineSteps& steps) {
  ReadAhead(steps).run();
}

size_t pipeline_slots(size_t threads) {
  return threads <= 1 ? 1 : threads * kSlotsPerThread;
}

void run_in_order(size_t threads, const PipelineSteps& steps) {
  if (threads > 1) {
    Pipeline(threads, steps).run(threads);
    return;
  }
  while (steps.produce(0)) {
    steps.work(0);
    if (!steps.consume(0)) return;
  }
}

}  // namespace ndc
