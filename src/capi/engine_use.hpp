// Whether a call may use an engine: not in a forked child, and not while it is being closed.
#pragma once

#include <ndcapi.h>

#include <utility>

#include "capi/boundary.hpp"
#include "capi/handles.hpp"
#include "core/result.hpp"

namespace nd::capi {

// Identifies the process: a forked child has another value. The first call registers a handler that notices a
// fork (pthread_atfork); children of system calls that bypass the C library are not noticed. Cost: one load.
uint64_t process_number();

// The use of an engine by one call. In a forked child an inherited engine is unusable: its locks may be held
// by threads that do not exist there, and its files belong to the parent. Debug builds also count the running
// calls, so that nd_close() can refuse to close an engine in use.
class EngineUse {
 public:
  // Errors: kInvalidArgument.
  static Result<EngineUse> begin(nd_engine* engine);

  EngineUse(EngineUse&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
  EngineUse& operator=(EngineUse&&) = delete;
  ~EngineUse() { end(); }

 private:
  explicit EngineUse(nd_engine* engine) noexcept : engine_(engine) {}
  void end() noexcept;

  nd_engine* engine_;
};

using engine::Engine;

// Calls `body`, (Engine&) → Result<T>, as one use of the engine. Errors: also those of begin().
template <typename Body>
auto with_engine(nd_engine* engine, Body&& body) -> decltype(body(*engine->engine)) {
  const auto use = EngineUse::begin(engine);
  if (!use) return use.failure();
  return std::forward<Body>(body)(*engine->engine);
}

template <typename Body>
nd_status on_engine(nd_engine* engine, Body&& body) {
  return guarded([&]() -> Result<void> { return with_engine(engine, std::forward<Body>(body)); });
}

// Whether nd_close() may free the engine. Errors: kInvalidArgument.
Result<void> check_closable(const nd_engine& engine);

}  // namespace nd::capi
