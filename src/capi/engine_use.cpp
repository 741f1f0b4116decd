// Notices a fork and a close, because an engine whose threads and locks stayed in the parent process would
// hang.
#include "capi/engine_use.hpp"

#include <pthread.h>

#include <atomic>
#include <new>

#include "capi/boundary.hpp"

namespace nd::capi {
namespace {

// State of the process itself: a forked child must not inherit it unchanged.
std::atomic<uint64_t> number_of_process{1};

void count_fork() {
  number_of_process.fetch_add(1, std::memory_order_relaxed);
}

Result<void> check_process(const nd_engine& engine) {
  if (engine.process == process_number()) return {};
  return invalid("the engine was opened by another process, from which this one was forked; open one here");
}

}  // namespace

uint64_t process_number() {
  static const bool registered = [] {
    if (pthread_atfork(nullptr, nullptr, count_fork) != 0) throw std::bad_alloc();
    return true;
  }();
  static_cast<void>(registered);
  return number_of_process.load(std::memory_order_relaxed);
}

Result<EngineUse> EngineUse::begin(nd_engine* engine) {
  if (engine == nullptr) return invalid("engine is NULL");
  if (Result<void> own = check_process(*engine); !own) return std::move(own).failure();
#ifndef NDEBUG
  engine->running.fetch_add(1);
#endif
  return EngineUse(engine);
}

void EngineUse::end() noexcept {
#ifndef NDEBUG
  if (engine_ != nullptr) engine_->running.fetch_sub(1);
#endif
}

Result<void> check_closable(const nd_engine& engine) {
#ifndef NDEBUG
  if (engine.process == process_number() && engine.running.load() != 0)
    return invalid("nd_close was called while other calls use the engine");
#endif
  return check_process(engine);
}

}  // namespace nd::capi
