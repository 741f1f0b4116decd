// How long the longest calls take: the CPU time of the calling thread in each nd_check_features() of N
// generated pages, in memory or with a store of which snapshots are taken meanwhile (docs/performance.md).
// CPU time and not the clock's, because machines are shared; what a call waits for (locks, disks) is not in
// it.
//
//   call_pauses [--pages 100000] [--store DIR] [--snapshot-pages 10000] [--option KEY=VALUE ...]
//               [--longest 10] [--control-steps 0] [--tsv FILE]
//
// The store is DIR, which must not exist and stays. A snapshot begins after each --snapshot-pages pages, on a
// thread of its own, unless the one before is still being written. The longest calls are listed with their
// page faults: memory that is touched for the first time is a large part of what a growing table costs.
//
// A virtual machine also counts as CPU time what its host gave to others. With --control-steps each call is
// followed by a loop of so many steps, which always has the same work and is measured in the same way: what
// is long there is the machine's doing.
#include <ndcapi.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cpu_clock.hpp"
#include "generated_features.hpp"
#include "page_generator.hpp"

namespace {

using namespace ndc::bench;

struct Plan {
  uint64_t pages = 100'000;
  uint64_t snapshot_pages = 10'000;
  size_t longest = 10;
  uint64_t control_steps = 0;
  std::string store, tsv;
  std::vector<std::string> options;
};

struct Call {
  double seconds;
  uint64_t page;
  uint64_t faults;
  bool beside_snapshot;
  double control_seconds;
};

// A linear congruential generator: each step waits for the one before.
double control_seconds(uint64_t steps) {
  if (steps == 0) return 0;
  const double before = thread_cpu_seconds();
  volatile uint64_t state = 1;
  for (uint64_t i = 0; i < steps; ++i)
    state = state * 6364136223846793005U + 1442695040888963407U;
  return thread_cpu_seconds() - before;
}

void expect_ok(nd_status status, const char* what) {
  if (status == ND_OK) return;
  std::fprintf(stderr, "call_pauses: %s: %s\n", what, nd_last_error());
  std::exit(1);
}

uint64_t thread_page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_minflt);
}

class Session {
 public:
  explicit Session(const Plan& plan) : is_stored_(!plan.store.empty()) {
    nd_options* options = nullptr;
    expect_ok(nd_options_new(&options), "nd_options_new");
    for (const std::string& option : plan.options) {
      const size_t equals = std::min(option.find('='), option.size());
      const std::string value = equals < option.size() ? option.substr(equals + 1) : "";
      expect_ok(nd_options_set(options, option.substr(0, equals).c_str(), value.c_str()), "nd_options_set");
    }
    expect_ok(nd_open(is_stored_ ? plan.store.c_str() : nullptr, options, &engine_), "nd_open");
    nd_options_free(options);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    finish_snapshot();
    expect_ok(nd_close(engine_), "nd_close");
  }

  Call check(const nd::engine::Features& features, uint64_t page) {
    nd_result result = ND_RESULT_INIT;
    const bool beside_snapshot = is_snapshot_running_;
    const uint64_t faults_before = thread_page_faults();
    const double before = thread_cpu_seconds();
    expect_ok(nd_check_features(engine_, features.bytes().data(), features.bytes().size(), &result),
              "nd_check_features");
    const double seconds = thread_cpu_seconds() - before;
    return {seconds, page, thread_page_faults() - faults_before, beside_snapshot, 0};
  }
  void begin_snapshot() {
    if (!is_stored_ || is_snapshot_running_) return;
    finish_snapshot();
    is_snapshot_running_ = true;
    snapshot_ = std::thread([this] {
      expect_ok(nd_snapshot(engine_), "nd_snapshot");
      is_snapshot_running_ = false;
    });
  }
  void finish_snapshot() {
    if (snapshot_.joinable()) snapshot_.join();
  }
  uint64_t snapshots() {
    nd_stats stats = ND_STATS_INIT;
    expect_ok(nd_get_stats(engine_, &stats), "nd_get_stats");
    return stats.snapshots;
  }

 private:
  nd_engine* engine_ = nullptr;
  bool is_stored_;
  std::atomic<bool> is_snapshot_running_ = false;
  std::thread snapshot_;
};

class Report {
 public:
  explicit Report(const Plan& plan) : plan_(plan) {
    if (plan.tsv.empty()) return;
    file_ = std::fopen(plan.tsv.c_str(), "w");
    if (file_ == nullptr) {
      std::fprintf(stderr, "call_pauses: cannot write %s\n", plan.tsv.c_str());
      std::exit(1);
    }
    std::fprintf(file_, "pages\twhere\titem\tvalue\tunit\n");
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() {
    if (file_ != nullptr) std::fclose(file_);
  }
  void add(const char* item, double value, const char* unit) {
    std::printf("%-28s %14.1f  %s\n", item, value, unit);
    if (file_ == nullptr) return;
    std::fprintf(file_, "%llu\t%s\t%s\t%.6g\t%s\n", static_cast<unsigned long long>(plan_.pages),
                 plan_.store.empty() ? "memory" : "store", item, value, unit);
  }

 private:
  const Plan& plan_;
  FILE* file_ = nullptr;
};

// Sorts them, longest first.
void report_times(Report& out, const std::string& what, std::vector<double> seconds) {
  std::ranges::sort(seconds, std::greater<>());
  const auto add = [&](const std::string& item, double value, const char* unit) {
    out.add((what + item).c_str(), value, unit);
  };
  const auto percentile = [&](double share) {
    const auto behind = static_cast<size_t>((1 - share) * static_cast<double>(seconds.size()));
    return seconds[std::min(behind, seconds.size() - 1)] * 1e6;
  };
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  add("mean", sum / static_cast<double>(seconds.size()) * 1e6, "us");
  add("p50", percentile(.5), "us");
  add("p99", percentile(.99), "us");
  add("p99.9", percentile(.999), "us");
  add("p99.99", percentile(.9999), "us");
  add("longest", seconds.front() * 1e6, "us");
  constexpr std::array<int, 4> kMilliseconds = {2, 5, 10, 15};
  for (const int milliseconds : kMilliseconds) {
    const auto longer = std::ranges::count_if(seconds, [&](double one) { return one * 1e3 > milliseconds; });
    add("over " + std::to_string(milliseconds) + " ms", static_cast<double>(longer), "");
  }
}

// The calls, longest first.
void report(const std::vector<Call>& calls, const Plan& plan, uint64_t snapshots) {
  Report out(plan);
  std::vector<double> seconds, control;
  for (const Call& call : calls) {
    seconds.push_back(call.seconds);
    control.push_back(call.control_seconds);
  }
  report_times(out, "", std::move(seconds));
  if (plan.control_steps != 0) report_times(out, "control: ", std::move(control));
  if (!plan.store.empty()) out.add("snapshots", static_cast<double>(snapshots), "");
  for (size_t i = 0; i < std::min(plan.longest, calls.size()); ++i) {
    std::printf("  page %llu: %.1f us, %llu page faults%s\n", static_cast<unsigned long long>(calls[i].page),
                calls[i].seconds * 1e6, static_cast<unsigned long long>(calls[i].faults),
                calls[i].beside_snapshot ? ", beside a snapshot" : "");
  }
}

void measure(const Plan& plan) {
  std::vector<Call> calls;
  calls.reserve(plan.pages);
  uint64_t snapshots = 0;
  {
    Session session(plan);
    PageGenerator generator(plan.pages);
    FeatureMaker make_features{nd::engine::Parameters{}};
    for (uint64_t number = 1; number <= plan.pages; ++number) {
      const nd::engine::Features features = make_features(generator.page(number), number);
      calls.push_back(session.check(features, number));
      calls.back().control_seconds = control_seconds(plan.control_steps);
      if (plan.snapshot_pages != 0 && number % plan.snapshot_pages == 0) session.begin_snapshot();
    }
    session.finish_snapshot();
    snapshots = session.snapshots();
  }
  std::ranges::sort(calls, std::greater<>(), &Call::seconds);
  report(calls, plan, snapshots);
}

bool read_plan(const std::vector<std::string>& arguments, Plan& plan) {
  if (arguments.size() % 2 != 0) return false;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    const std::string &name = arguments[i], &value = arguments[i + 1];
    const auto number = [&value] { return std::strtoull(value.c_str(), nullptr, 10); };
    if (name == "--pages") {
      plan.pages = number();
    } else if (name == "--store") {
      plan.store = value;
    } else if (name == "--snapshot-pages") {
      plan.snapshot_pages = number();
    } else if (name == "--option") {
      plan.options.push_back(value);
    } else if (name == "--longest") {
      plan.longest = number();
    } else if (name == "--control-steps") {
      plan.control_steps = number();
    } else if (name == "--tsv") {
      plan.tsv = value;
    } else {
      return false;
    }
  }
  return plan.pages != 0 && (plan.store.empty() || !std::filesystem::exists(plan.store));
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  if (!read_plan({argv + 1, argv + argc}, plan)) {
    std::fprintf(stderr,
                 "usage: %s [--pages N] [--store NEW_DIR] [--snapshot-pages N] [--option KEY=VALUE ...] "
                 "[--longest N] [--control-steps N] [--tsv FILE]\n",
                 argv[0]);
    return 2;
  }
  measure(plan);
  return 0;
}
