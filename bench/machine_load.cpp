// Takes this process's own time from the busy time of /proc/stat; what is left belongs to others.
#include "machine_load.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "cpu_clock.hpp"

namespace ndc::bench {

MachineWatch::MachineWatch() : start_(std::chrono::steady_clock::now()), before_(counted()) {}

MachineWatch::Counted MachineWatch::counted() {
  std::ifstream file("/proc/stat");
  std::string name;
  uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft_interrupts = 0,
           stolen = 0;
  file >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen;
  if (!file || name != "cpu") return {0, 0, process_cpu_seconds()};
  const auto ticks_a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const uint64_t busy = user + nice + system + interrupts + soft_interrupts + stolen;
  return {static_cast<double>(busy) / ticks_a_second, static_cast<double>(stolen) / ticks_a_second,
          process_cpu_seconds()};
}

MachineLoad MachineWatch::load() const {
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const Counted now = counted();
  const double busy = now.busy_seconds - before_.busy_seconds;
  const double own = now.own_seconds - before_.own_seconds;
  const double stolen = now.stolen_seconds - before_.stolen_seconds;
  return {std::max(0.0, busy - own) / wall, std::max(0.0, stolen) / wall};
}

}  // namespace ndc::bench
