// CPU time in seconds: of the calling thread, and of all threads of the process, ended ones among them.
#pragma once

#include <ctime>

namespace ndc::bench {

inline double cpu_seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

inline double thread_cpu_seconds() {
  return cpu_seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

inline double process_cpu_seconds() {
  return cpu_seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace ndc::bench
