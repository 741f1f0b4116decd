// The CPU time of the calling thread, in seconds.
#pragma once

#include <ctime>

namespace ndc::bench {

inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace ndc::bench
