// Records the sections of real calls on one thread and simulates many threads that draw from them.
#include "lock_sections.hpp"

#include <algorithm>
#include <deque>
#include <queue>

#include "cpu_clock.hpp"

namespace ndc::bench {
namespace {

using Mode = nd::LockObserver::Mode;

// The current activity of one thread of the simulation.
struct Caller {
  size_t trace = 0, step = 0;
};

class Simulation {
 public:
  Simulation(const std::vector<LockTrace>& traces, unsigned threads) : traces_(traces), callers_(threads) {
    for (unsigned caller = 0; caller < threads; ++caller) {
      callers_[caller].trace = traces.size() * caller / threads;
      wait_out_step(caller, 0);
    }
  }

  double calls_per_second(uint64_t calls) {
    while (ended_ < calls) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      reach(event.caller);
    }
    return static_cast<double>(ended_) / now_;
  }

 private:
  struct Event {
    double at;
    unsigned caller;
    bool operator<(const Event& other) const { return at > other.at; }  // the earliest is the top
  };

  const LockStep& step_of(unsigned caller) const {
    return traces_[callers_[caller].trace][callers_[caller].step];
  }

  void wait_out_step(unsigned caller, double now) { events_.push({now + step_of(caller).seconds, caller}); }

  void go_on(unsigned caller) {
    ++callers_[caller].step;
    wait_out_step(caller, now_);
  }

  // The caller has come to the end of its step.
  void reach(unsigned caller) {
    const LockStep& step = step_of(caller);
    switch (step.kind) {
      case LockStep::Kind::kEnd:
        ++ended_;
        callers_[caller] = {(callers_[caller].trace + 1) % traces_.size(), 0};
        return wait_out_step(caller, now_);
      case LockStep::Kind::kTake:
        return take(caller, step.mode);
      case LockStep::Kind::kLeave:
        return leave(caller, step.mode);
    }
  }

  void take(unsigned caller, Mode mode) {
    switch (mode) {
      case Mode::kShared:
        if (is_change_wanted_) return waiting_readers_.push_back(caller);
        ++readers_;
        return go_on(caller);
      case Mode::kUpdate:
        if (is_updated_) return waiting_updaters_.push_back(caller);
        is_updated_ = true;
        return go_on(caller);
      case Mode::kChange:
        is_change_wanted_ = true;
        if (readers_ > 0) {
          changer_ = caller;
          is_changer_waiting_ = true;
          return;
        }
        return go_on(caller);
    }
  }

  void leave(unsigned caller, Mode mode) {
    go_on(caller);
    switch (mode) {
      case Mode::kShared:
        if (--readers_ > 0 || !is_changer_waiting_) return;
        is_changer_waiting_ = false;
        return go_on(changer_);
      case Mode::kUpdate:
        is_updated_ = !waiting_updaters_.empty();
        if (!is_updated_) return;
        go_on(waiting_updaters_.front());
        return waiting_updaters_.pop_front();
      case Mode::kChange:
        is_change_wanted_ = false;
        readers_ += static_cast<unsigned>(waiting_readers_.size());
        for (const unsigned reader : waiting_readers_)
          go_on(reader);
        return waiting_readers_.clear();
    }
  }

  const std::vector<LockTrace>& traces_;
  std::vector<Caller> callers_;
  std::priority_queue<Event> events_;
  double now_ = 0;
  uint64_t ended_ = 0;
  unsigned readers_ = 0, changer_ = 0;
  bool is_updated_ = false, is_change_wanted_ = false, is_changer_waiting_ = false;
  std::vector<unsigned> waiting_readers_;
  std::deque<unsigned> waiting_updaters_;
};

// Each thread makes so many in the mean, and all of them every trace.
constexpr uint64_t kCallsOfAThread = 200;

}  // namespace

SectionRecorder::SectionRecorder() {
  constexpr int kReadings = 20'000;
  const double start = thread_cpu_seconds();
  for (int i = 1; i < kReadings; ++i)
    last_ = thread_cpu_seconds();
  clock_seconds_ = (last_ - start) / kReadings;
}

void SectionRecorder::begin_call() {
  current_.clear();
  last_ = thread_cpu_seconds();
}

void SectionRecorder::end_call() {
  add(LockStep::Kind::kEnd, {});
  traces_.push_back(current_);
}

void SectionRecorder::add(LockStep::Kind kind, Mode mode) noexcept {
  const double now = thread_cpu_seconds();
  current_.push_back({std::max(0.0, now - last_ - clock_seconds_), kind, mode});
  last_ = thread_cpu_seconds();
}

LockShares SectionRecorder::shares() const {
  LockShares shares;
  double all = 0;
  for (const LockTrace& trace : traces_) {
    bool is_shared = false, is_update = false, is_change = false;
    for (const LockStep& step : trace) {
      all += step.seconds;
      if (is_change) shares.change += step.seconds;
      if (is_update) shares.update += step.seconds;
      if (is_shared && !is_update) shares.shared += step.seconds;
      if (step.kind == LockStep::Kind::kEnd) continue;
      const bool is_taken = step.kind == LockStep::Kind::kTake;
      shares.sections += is_taken;
      (step.mode == Mode::kShared   ? is_shared
       : step.mode == Mode::kUpdate ? is_update
                                    : is_change) = is_taken;
    }
  }
  const auto calls = static_cast<double>(std::max<size_t>(traces_.size(), 1));
  shares.call_seconds = all / calls;
  shares.sections /= calls;
  for (double* share : {&shares.shared, &shares.update, &shares.change})
    *share = all > 0 ? *share / all : 0;
  return shares;
}

double simulate_calls(const std::vector<LockTrace>& traces, unsigned threads) {
  if (traces.empty()) return 0;
  return Simulation(traces, threads)
      .calls_per_second(std::max<uint64_t>(traces.size(), kCallsOfAThread) * threads);
}

}  // namespace ndc::bench
