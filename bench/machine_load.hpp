// The load of the machine by other processes during a measurement.
#pragma once

#include <chrono>

namespace ndc::bench {

// In processors: 0.3 is three tenths of one.
struct MachineLoad {
  double others = 0;  // processors that were busy, or taken away by a host, without this process
  double stolen = 0;  // of these, what a host took away
};

// From its construction on. The system counts in hundredths of a second: for spans of a second and more.
// Without /proc/stat all is zero.
class MachineWatch {
 public:
  MachineWatch();
  MachineLoad load() const;

 private:
  struct Counted {
    double busy_seconds = 0, stolen_seconds = 0, own_seconds = 0;
  };
  static Counted counted();

  std::chrono::steady_clock::time_point start_;
  Counted before_;
};

}  // namespace ndc::bench
