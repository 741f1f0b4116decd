// Checks pages on one thread or several, counts the verdicts and the thread switches.
#include "page_checks.hpp"

#include <sys/resource.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "cpu_clock.hpp"

namespace ndc::bench {
namespace {

void check(nd_engine* engine, const SourcePage& source, Verdicts& verdicts) {
  const nd_page page = source.as_input();
  nd_result result = ND_RESULT_INIT;
  if (nd_check_page(engine, &page, &result) != ND_OK) {
    std::fprintf(stderr, "nd_check_page: %s\n", nd_last_error());
    std::exit(1);
  }
  verdicts.add(result);
}

struct Switches {
  uint64_t voluntary = 0, involuntary = 0;
};

Switches switches_of_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {static_cast<uint64_t>(usage.ru_nvcsw), static_cast<uint64_t>(usage.ru_nivcsw)};
}

}  // namespace

void Verdicts::add(const nd_result& result) {
  ++counts[static_cast<size_t>(result.verdict)];
  limited += (result.flags & ND_FLAG_LIMIT) != 0;
}

void Verdicts::add(const Verdicts& other) {
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] += other.counts[i];
  limited += other.limited;
}

nlohmann::json Verdicts::json() const {
  return {{"new", counts[ND_NEW]},   {"unchanged", counts[ND_UNCHANGED]}, {"exact", counts[ND_EXACT]},
          {"near", counts[ND_NEAR]}, {"no_text", counts[ND_NO_TEXT]},     {"limited", limited}};
}

double check_seconds(nd_engine* engine, std::span<const SourcePage> pages, Verdicts& verdicts) {
  const double start = thread_cpu_seconds();
  for (const SourcePage& page : pages)
    check(engine, page, verdicts);
  return thread_cpu_seconds() - start;
}

ThreadedChecks check_in_threads(nd_engine* engine, std::span<const SourcePage> pages, unsigned threads) {
  using Clock = std::chrono::steady_clock;
  struct Share {
    double cpu_seconds = 0;
    Switches switches;
    Verdicts verdicts;
  };
  std::vector<Share> shares(threads);
  std::atomic<size_t> next{0};
  std::barrier<> start_line(static_cast<std::ptrdiff_t>(threads) + 1);
  std::vector<std::jthread> running;
  for (Share& share : shares) {
    running.emplace_back([&, mine = &share] {
      start_line.arrive_and_wait();
      const double start = thread_cpu_seconds();
      const Switches before = switches_of_thread();
      for (size_t at = next++; at < pages.size(); at = next++)
        check(engine, pages[at], mine->verdicts);
      mine->cpu_seconds = thread_cpu_seconds() - start;
      const Switches after = switches_of_thread();
      mine->switches = {after.voluntary - before.voluntary, after.involuntary - before.involuntary};
    });
  }
  const MachineWatch watch;
  start_line.arrive_and_wait();
  const auto start = Clock::now();
  running.clear();
  ThreadedChecks checks;
  checks.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  checks.load = watch.load();
  for (const Share& share : shares) {
    checks.waits += share.switches.voluntary;
    checks.preemptions += share.switches.involuntary;
    checks.cpu_seconds += share.cpu_seconds;
    checks.verdicts.add(share.verdicts);
  }
  return checks;
}

}  // namespace ndc::bench
