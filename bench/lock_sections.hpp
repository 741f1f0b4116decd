// How long one thread holds an engine's lock, by mode, and runs without it, call by call.
#pragma once

#include <cstdint>
#include <vector>

#include "core/update_lock.hpp"

namespace ndc::bench {

// A step of a call: so long without a change of mode, then one.
struct LockStep {
  enum class Kind : uint8_t { kTake, kLeave, kEnd };
  double seconds = 0;
  Kind kind = Kind::kEnd;
  nd::LockObserver::Mode mode{};
};
using LockTrace = std::vector<LockStep>;  // of a call; ends with kEnd

// Shares of the time of all calls. `update` has the changes too, and what an updater reads counts there
// alone.
struct LockShares {
  double shared = 0, update = 0, change = 0;
  double call_seconds = 0;  // the mean
  double sections = 0;      // the mean of a call
};

// Observes the calls of one thread, by its CPU clock; what reading the clock takes is measured before, and
// left out.
class SectionRecorder final : public nd::LockObserver {
 public:
  SectionRecorder();
  void begin_call();
  void end_call();
  void taken(Mode mode) noexcept override { add(LockStep::Kind::kTake, mode); }
  void leaving(Mode mode) noexcept override { add(LockStep::Kind::kLeave, mode); }

  const std::vector<LockTrace>& traces() const { return traces_; }
  LockShares shares() const;

 private:
  void add(LockStep::Kind kind, Mode mode) noexcept;

  double clock_seconds_ = 0;  // of one reading
  double last_ = 0;
  LockTrace current_;
  std::vector<LockTrace> traces_;
};

// The calls per second of that many threads, each on a processor of its own, that make these calls again and
// again, each starting at a different one; the lock is UpdateLock, and neither waking up nor sharing memory
// costs anything.
double simulate_calls(const std::vector<LockTrace>& traces, unsigned threads);

}  // namespace ndc::bench
