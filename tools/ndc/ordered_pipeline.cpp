#include "ordered_pipeline.hpp"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ndc {
namespace {

// Enough that a slow page does not let the other workers run dry.
constexpr size_t kSlotsPerThread = 4;

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
  bool stopped_ = false;  // nobody goes on
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

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
