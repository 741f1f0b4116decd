// Grows a store, opens it, checks and verifies it, each in a process that the measurement can kill.
#include "scale_tasks.hpp"

#include <ndcapi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <thread>

#include "page_generator.hpp"
#include "page_markup.hpp"
#include "scale_process.hpp"

namespace ndc::bench {
namespace {

using Clock = std::chrono::steady_clock;

// The interval between two checks of how much memory is in use.
constexpr uint64_t kPagesALook = 100;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void expect_ok(nd_status status, const char* what) {
  if (status != ND_OK) fail(std::string(what) + ": " + nd_status_string(status) + ": " + nd_last_error());
}

class Session {
 public:
  explicit Session(const Task& task) {
    nd_options* options = nullptr;
    expect_ok(nd_options_new(&options), "nd_options_new");
    for (const std::string& option : task.options) {
      const size_t equals = std::min(option.find('='), option.size() - 1);
      expect_ok(nd_options_set(options, option.substr(0, equals).c_str(), option.c_str() + equals + 1),
                option.c_str());
    }
    char cap[32];
    size_t size = sizeof cap;
    expect_ok(nd_options_get(options, "journal_bytes", cap, &size), "journal_bytes");
    journal_bytes_ = std::strtoull(cap, nullptr, 10);
    const auto start = Clock::now();
    expect_ok(nd_open(task.store.empty() ? nullptr : task.store.c_str(), options, &engine_), "nd_open");
    open_seconds_ = seconds_since(start);
    nd_options_free(options);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { expect_ok(nd_close(engine_), "nd_close"); }

  double open_seconds() const { return open_seconds_; }
  uint64_t journal_bytes() const { return journal_bytes_; }  // the cap
  // Adds to `seconds` what the call took.
  nd_result check(const std::string& url, const std::string& html, double& seconds) {
    nd_page page = ND_PAGE_INIT;
    page.url = url.data();
    page.url_size = url.size();
    page.body = html.data();
    page.body_size = html.size();
    page.fetched_at_ms = 1;
    nd_result result = ND_RESULT_INIT;
    const auto start = Clock::now();
    expect_ok(nd_check_page(engine_, &page, &result), "nd_check_page");
    seconds += seconds_since(start);
    return result;
  }
  void snapshot() { expect_ok(nd_snapshot(engine_), "nd_snapshot"); }
  void compact() { expect_ok(nd_compact(engine_), "nd_compact"); }
  nd_stats stats() {
    nd_stats stats = ND_STATS_INIT;
    expect_ok(nd_get_stats(engine_, &stats), "nd_get_stats");
    return stats;
  }

 private:
  nd_engine* engine_ = nullptr;
  uint64_t journal_bytes_ = 0;
  double open_seconds_ = 0;
};

// The generator's pages from task.first on.
class PageFeed {
 public:
  explicit PageFeed(const Task& task) : generator_(task.pages), next_(task.first) {
    for (uint64_t number = 1; number < task.first; ++number)
      generator_.skip(number);
  }
  // Of the call alone.
  nd_result check_next(Session& session, double& seconds) {
    const Page page = generator_.page(next_);
    const std::string url = url_of(page, next_++), html = html_of(page);
    html_bytes_ += html.size();
    return session.check(url, html, seconds);
  }
  uint64_t next() const { return next_; }
  uint64_t html_bytes() const { return html_bytes_; }
  uint64_t memory_bytes() const { return generator_.memory_bytes(); }

 private:
  PageGenerator generator_;
  uint64_t next_;
  uint64_t html_bytes_ = 0;
};

void print_stats(const nd_stats& stats) {
  const auto print = [](const char* name, uint64_t value) { print_fact(name, static_cast<double>(value)); };
  print("pages", stats.pages);
  print("groups", stats.groups);
  print("keys", stats.keys);
  print("new", stats.verdict_new);
  print("bytes_total", stats.bytes_total);
  print("bytes_index", stats.bytes_index);
  print("bytes_spots", stats.bytes_spots);
  print("bytes_features", stats.bytes_features);
  print("bytes_pages", stats.bytes_pages);
  print("bytes_events", stats.bytes_events);
  print("bytes_scratch", stats.bytes_scratch);
  print("bytes_disk", stats.bytes_disk);
  print("bytes_journal", stats.bytes_journal);
  print("snapshots", stats.snapshots);
}

void print_memory(const std::string& prefix, const ProcessMemory& memory) {
  print_fact(prefix + "RssAnon", static_cast<double>(memory.anonymous));
  print_fact(prefix + "VmRSS", static_cast<double>(memory.resident));
}

void append_answer(FILE* answers, const nd_result& result) {
  std::fprintf(answers, "%d %u %llu %llu %llu %a %a %a %a %a %llu\n", result.verdict, result.flags,
               static_cast<unsigned long long>(result.page_id),
               static_cast<unsigned long long>(result.group_id),
               static_cast<unsigned long long>(result.matched_page_id), result.resemblance,
               result.containment, result.page_coverage, result.matched_coverage, result.probability,
               static_cast<unsigned long long>(result.related_group_id));
}

// Checks the pages first..last, then takes a snapshot.
int grow(const Task& task) {
  PageFeed feed(task);
  FILE* answers = task.answers.empty() ? nullptr : std::fopen(task.answers.c_str(), "w");
  if (!task.answers.empty() && answers == nullptr) fail("cannot write " + task.answers);
  const uint64_t generator_before = feed.memory_bytes();
  print_memory("before_", process_memory());
  {
    Session session(task);
    double seconds = 0;
    uint64_t most_total = 0, most_anonymous = 0;
    while (feed.next() <= task.last) {
      const nd_result result = feed.check_next(session, seconds);
      if (answers != nullptr) append_answer(answers, result);
      if (feed.next() % kPagesALook != 0) continue;
      most_total = std::max(most_total, session.stats().bytes_total);
      most_anonymous = std::max(most_anonymous, process_memory().anonymous);
    }
    print_fact("seconds", seconds);
    print_fact("most_bytes_total", static_cast<double>(most_total));
    print_fact("most_RssAnon", static_cast<double>(most_anonymous));
    const auto start = Clock::now();
    if (!task.store.empty()) session.snapshot();
    print_fact("snapshot_seconds", seconds_since(start));
    print_memory("", process_memory());
    print_stats(session.stats());
    print_fact("html_bytes", static_cast<double>(feed.html_bytes()));
    print_fact("generator_bytes", static_cast<double>(feed.memory_bytes() - generator_before));
  }
  if (answers != nullptr && std::fclose(answers) != 0) fail("cannot write " + task.answers);
  return 0;
}

// Leaves the store as it is: no snapshot when it is closed.
int open(const Task& task) {
  const Session session(task);
  print_fact("seconds", session.open_seconds());
  print_memory("", process_memory());
  std::fflush(stdout);
  _exit(0);
}

// Checks pages until the next but a few would make the journal reach its cap.
int fill(const Task& task) {
  PageFeed feed(task);
  Session session(task);
  uint64_t largest = 0;
  nd_stats stats = session.stats();
  double seconds = 0;
  while (stats.bytes_journal + 4 * largest < session.journal_bytes()) {
    const uint64_t before = stats.bytes_journal;
    feed.check_next(session, seconds);
    stats = session.stats();
    if (stats.bytes_journal < before) fail("the journal was not to reach its cap");
    largest = std::max(largest, stats.bytes_journal - before);
  }
  print_fact("checked", static_cast<double>(feed.next() - task.first));
  print_fact("bytes_journal", static_cast<double>(stats.bytes_journal));
  wait_to_be_killed();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

// A call that runs repeatedly during the checks of a round.
struct Beside {
  const char* name;
  void (Session::*call)();  // null: nothing
};

// Calls that a thread of its own makes, each after so many further checks that there is something to do.
class Caller {
 public:
  Caller(const Beside& beside, Session& session, uint64_t checks_a_call)
      : thread_([=, this, &session] {
          while (!stop_) {
            const uint64_t checks = checks_;
            ++begun_;
            const auto start = Clock::now();
            (session.*beside.call)();
            seconds_.push_back(seconds_since(start));
            ++ended_;
            while (!stop_ && checks_ < checks + checks_a_call)
              std::this_thread::sleep_for(std::chrono::microseconds(100));
          }
        }) {}
  uint64_t begun() const { return begun_; }
  uint64_t ended() const { return ended_; }
  void count_check() { ++checks_; }
  std::vector<double> stop() {
    stop_ = true;
    thread_.join();
    return seconds_;
  }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> begun_ = 0, ended_ = 0, checks_ = 0;
  std::vector<double> seconds_;
  std::thread thread_;  // the last: it uses the others
};

// In microseconds.
std::vector<double> check_alone(Session& session, PageFeed& feed, uint64_t checks) {
  std::vector<double> latencies;
  while (latencies.size() < checks) {
    double seconds = 0;
    feed.check_next(session, seconds);
    latencies.push_back(seconds * 1e6);
  }
  return latencies;
}

// Of checks during which a call was at work: so many, and as many more as come before a call has ended.
std::vector<double> check_beside(const Beside& beside, Session& session, PageFeed& feed, uint64_t checks,
                                 std::vector<double>& call_seconds) {
  Caller caller(beside, session, checks / 10 + 1);
  std::vector<double> latencies;
  while (latencies.size() < checks || caller.ended() == 0) {
    const uint64_t ended = caller.ended();
    double seconds = 0;
    feed.check_next(session, seconds);
    caller.count_check();
    if (caller.begun() > ended) latencies.push_back(seconds * 1e6);
  }
  const std::vector<double> calls = caller.stop();
  call_seconds.insert(call_seconds.end(), calls.begin(), calls.end());
  return latencies;
}

int latency(const Task& task) {
  constexpr Beside kBesides[] = {
      {"alone", nullptr}, {"snapshot", &Session::snapshot}, {"compaction", &Session::compact}};
  PageFeed feed(task);
  Session session(task);
  // By name: one value per round.
  std::map<std::string, std::vector<double>> values;
  for (uint64_t round = 0; round < task.rounds; ++round) {
    for (const Beside& beside : kBesides) {
      std::vector<double>& calls = values[std::string(beside.name) + "_call_s"];
      std::vector<double> latencies = beside.call == nullptr
                                          ? check_alone(session, feed, task.checks)
                                          : check_beside(beside, session, feed, task.checks, calls);
      std::ranges::sort(latencies);
      const auto add = [&](const char* what, size_t at) {
        values[beside.name + std::string(what)].push_back(latencies[std::min(at, latencies.size() - 1)]);
      };
      add("_p50_us", latencies.size() / 2);
      add("_p99_us", latencies.size() * 99 / 100);
      add("_max_us", latencies.size() - 1);
      values[beside.name + std::string("_checks")].push_back(static_cast<double>(latencies.size()));
    }
  }
  for (const auto& [name, of_rounds] : values) {
    if (!of_rounds.empty()) print_fact(name, median(of_rounds));
  }
  return 0;
}

}  // namespace

std::vector<std::string> arguments_of(const Task& task) {
  std::vector<std::string> out = {"--task", task.name};
  const auto add = [&out](const char* name, const std::string& value) {
    out.insert(out.end(), {name, value});
  };
  add("store", task.store);
  add("pages", std::to_string(task.pages));
  add("first", std::to_string(task.first));
  add("last", std::to_string(task.last));
  add("checks", std::to_string(task.checks));
  add("rounds", std::to_string(task.rounds));
  add("answers", task.answers);
  for (const std::string& option : task.options)
    add("option", option);
  return out;
}

Task task_of(const std::vector<std::string>& arguments) {
  Task task;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string &name = arguments[i], &value = arguments[i + 1];
    const auto number = [&value] { return std::strtoull(value.c_str(), nullptr, 10); };
    if (name == "--task") task.name = value;
    if (name == "store") task.store = value;
    if (name == "pages") task.pages = number();
    if (name == "first") task.first = number();
    if (name == "last") task.last = number();
    if (name == "checks") task.checks = number();
    if (name == "rounds") task.rounds = number();
    if (name == "answers") task.answers = value;
    if (name == "option") task.options.push_back(value);
  }
  return task;
}

int run(const Task& task) {
  if (task.name == "grow") return grow(task);
  if (task.name == "open") return open(task);
  if (task.name == "fill") return fill(task);
  if (task.name == "latency") return latency(task);
  fail("no task " + task.name);
}

}  // namespace ndc::bench
