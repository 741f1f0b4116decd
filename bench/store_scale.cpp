// What a store costs at each size: disk and memory a page, opening, replaying its journal, snapshots, and
// what checks feel of them (docs/performance.md). By ndcapi.h alone, each measurement in a process of its
// own.
//
//   store_scale --store DIR --pages N[,N...] [--only NAME[,NAME...]] [--rounds 5] [--checks 2000] [--more
//   10000]
//               [--budget-pages N] [--option KEY=VALUE ...] [--tsv FILE]
//
// The stores are DIR/pages-N; those that are there are taken as they are, the others are grown. Names: grow,
// open, replay, more, latency, budget. The pages are those of page_generator.hpp, as HTML.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scale_process.hpp"
#include "scale_tasks.hpp"

namespace {

using namespace ndc::bench;

struct Plan {
  std::string directory, tsv;
  std::vector<uint64_t> sizes;
  std::vector<std::string> only, options;
  uint64_t rounds = 5;
  uint64_t checks = 2000;
  uint64_t more = 10'000;
  uint64_t budget_pages = 0;  // 0: the largest size up to 100,000

  bool has(const char* name) const { return only.empty() || std::ranges::find(only, name) != only.end(); }
};

class Report {
 public:
  explicit Report(const std::string& tsv) {
    if (tsv.empty()) return;
    file_ = std::fopen(tsv.c_str(), "w");
    if (file_ == nullptr) fail("cannot write " + tsv);
    std::fprintf(file_, "pages\tmeasure\titem\tvalue\tunit\n");
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() {
    if (file_ != nullptr && std::fclose(file_) != 0) fail("the table could not be written");
  }
  void add(uint64_t pages, const char* measure, const std::string& item, double value, const char* unit) {
    std::printf("%9llu  %-8s %-32s %16.3f  %s\n", static_cast<unsigned long long>(pages), measure,
                item.c_str(), value, unit);
    std::fflush(stdout);
    if (file_ == nullptr) return;
    std::fprintf(file_, "%llu\t%s\t%s\t%.6g\t%s\n", static_cast<unsigned long long>(pages), measure,
                 item.c_str(), value, unit);
    std::fflush(file_);
  }

 private:
  FILE* file_ = nullptr;
};

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

class Measurements {
 public:
  Measurements(const Plan& plan, uint64_t pages, Report& report)
      : plan_(plan),
        pages_(pages),
        report_(report),
        store_((std::filesystem::path(plan.directory) / ("pages-" + std::to_string(pages))).string()),
        scratch_(store_ + "-changed") {}

  void all() {
    if (!std::filesystem::exists(store_)) grow();
    if (plan_.has("grow")) disk();
    if (plan_.has("open")) opening("open", store_);
    if (plan_.has("replay")) replay();
    if (plan_.has("more")) more();
    if (plan_.has("latency")) latency();
    std::filesystem::remove_all(scratch_);
  }

 private:
  Task task(const char* name, const std::string& store) const {
    Task task;
    task.name = name;
    task.store = store;
    task.pages = pages_;
    task.options = plan_.options;
    return task;
  }
  void add(const char* measure, const std::string& item, double value, const char* unit) {
    report_.add(pages_, measure, item, value, unit);
  }

  void grow() {
    Task grow = task("grow", store_);
    grow.last = pages_;
    Facts facts = run_again(arguments_of(grow));
    const auto pages = static_cast<double>(pages_);
    add("grow", "pages a second", share(pages, facts["seconds"]), "1/s");
    add("grow", "last snapshot", facts["snapshot_seconds"], "s");
    add("grow", "snapshots", facts["snapshots"], "");
    add("grow", "new pages", share(facts["new"], pages), "of all");
    add("grow", "HTML", share(facts["html_bytes"], pages), "B/page");
    const double others = facts["before_RssAnon"] + facts["generator_bytes"];
    for (const char* name : {"RssAnon", "most_RssAnon"})
      add("grow", name, share(facts[name] - others, pages), "B/page");
    add("grow", "VmRSS", share(facts["VmRSS"], pages), "B/page");
    for (const auto& [name, value] : facts) {
      if (name.find("bytes_") != std::string::npos) add("grow", name, share(value, pages), "B/page");
    }
  }

  void disk() {
    FileSizes kinds;
    const FileSizes files = files_of(store_);
    for (const auto& [name, size] : files)
      kinds[kind_of(name)] += size;
    const auto pages = static_cast<double>(pages_);
    for (const auto& [kind, size] : kinds)
      add("disk", kind, static_cast<double>(size) / pages, "B/page");
    add("disk", "all", static_cast<double>(total_of(files)) / pages, "B/page");
    add("disk", "files", static_cast<double>(files.size()), "");
  }

  // Runs nd_open in a new process; `fresh` is called before each run.
  template <typename Fresh>
  void opening(const char* measure, const std::string& store, Fresh&& fresh) {
    Task open = task("open", store);
    open.options.push_back("verify=lazy");
    std::vector<double> seconds, anonymous, resident;
    for (uint64_t round = 0; round < plan_.rounds; ++round) {
      fresh();
      Facts facts = run_again(arguments_of(open));
      seconds.push_back(facts["seconds"]);
      anonymous.push_back(facts["RssAnon"]);
      resident.push_back(facts["VmRSS"]);
    }
    for (std::vector<double>* values : {&seconds, &anonymous, &resident})
      std::ranges::sort(*values);
    const size_t middle = seconds.size() / 2;
    add(measure, "median", seconds[middle] * 1e3, "ms");
    add(measure, "least", seconds.front() * 1e3, "ms");
    add(measure, "most", seconds.back() * 1e3, "ms");
    add(measure, "RssAnon", anonymous[middle] / 1e6, "MB");
    add(measure, "VmRSS", resident[middle] / 1e6, "MB");
  }
  void opening(const char* measure, const std::string& store) {
    opening(measure, store, [] {});
  }

  void replay() {
    const std::string killed = store_ + "-killed";
    clone_store(store_, killed);
    Task fill = task("fill", killed);
    fill.first = pages_ + 1;
    Facts facts = run_again(arguments_of(fill), true);
    add("replay", "pages in the journal", facts["checked"], "");
    add("replay", "journal", facts["bytes_journal"] / 1e6, "MB");
    opening("replay", scratch_, [&] { clone_store(killed, scratch_); });
    std::filesystem::remove_all(killed);
  }

  // One snapshot of `more` further pages: what it writes. Journals apart.
  void more() {
    clone_store(store_, scratch_);
    const FileSizes before = files_of(scratch_);
    Task more = task("grow", scratch_);
    more.first = pages_ + 1;
    more.last = pages_ + plan_.more;
    more.options.push_back("journal_bytes=1000000000000");
    Facts facts = run_again(arguments_of(more));
    FileSizes kinds;
    for (const auto& [name, size] : files_of(scratch_)) {
      if (before.count(name) == 0 && kind_of(name) != "journal") kinds[kind_of(name)] += size;
    }
    double store = 0;
    for (const auto& [name, size] : before) {
      if (kind_of(name) != "journal") store += static_cast<double>(size);
    }
    add("more", "further pages", static_cast<double>(plan_.more), "");
    add("more", "snapshot", facts["snapshot_seconds"], "s");
    for (const auto& [kind, size] : kinds)
      add("more", "newly written: " + kind, share(static_cast<double>(size), store), "of the store");
    add("more", "newly written: all", share(static_cast<double>(total_of(kinds)), store), "of the store");
    add("more", "newly written", static_cast<double>(total_of(kinds)) / 1e6, "MB");
  }

  // Medians of the rounds, and of the calls.
  void latency() {
    clone_store(store_, scratch_);
    Task latency = task("latency", scratch_);
    latency.first = pages_ + 1;
    latency.checks = plan_.checks;
    latency.rounds = plan_.rounds;
    for (const auto& [name, value] : run_again(arguments_of(latency))) {
      const char* unit = name.ends_with("_us") ? "us" : name.ends_with("_s") ? "s" : "";
      add("latency", name, value, unit);
    }
  }

  const Plan& plan_;
  const uint64_t pages_;
  Report& report_;
  const std::string store_;
  const std::string scratch_;
};

uint64_t different_lines(const std::string& a, const std::string& b) {
  std::ifstream first(a), second(b);
  uint64_t different = 0;
  for (std::string x, y;;) {
    const bool more = static_cast<bool>(std::getline(first, x));
    if (more != static_cast<bool>(std::getline(second, y))) return different + 1;
    if (!more) return different;
    different += x != y;
  }
}

// The same pages in memory, and in a store with a quarter of the memory.
void measure_budget(const Plan& plan, Report& report) {
  namespace fs = std::filesystem;
  uint64_t pages = plan.budget_pages;
  for (uint64_t size : plan.sizes) {
    if (plan.budget_pages == 0 && size <= 100'000) pages = std::max(pages, size);
  }
  if (pages == 0) fail("--budget-pages is needed: all sizes are beyond 100,000");
  const fs::path directory = plan.directory;
  Task memory;
  memory.name = "grow";
  memory.pages = memory.last = pages;
  memory.options = plan.options;
  memory.answers = (directory / "answers-memory").string();
  Facts unlimited = run_again(arguments_of(memory));
  const auto budget = static_cast<uint64_t>(unlimited["bytes_total"] / 4);
  Task stored = memory;
  stored.store = (directory / "budget").string();
  fs::remove_all(stored.store);
  stored.answers = (directory / "answers-budget").string();
  stored.options.push_back("memory_budget_bytes=" + std::to_string(budget));
  Facts limited = run_again(arguments_of(stored));
  const auto add = [&](const char* item, double value, const char* unit) {
    report.add(pages, "budget", item, value, unit);
  };
  add("in memory: bytes_total", unlimited["bytes_total"] / 1e6, "MB");
  add("in memory: most RssAnon", unlimited["most_RssAnon"] / 1e6, "MB");
  add("in memory: pages a second", share(static_cast<double>(pages), unlimited["seconds"]), "1/s");
  add("budget", static_cast<double>(budget) / 1e6, "MB");
  add("store: most bytes_total", limited["most_bytes_total"] / 1e6, "MB");
  add("store: most RssAnon", limited["most_RssAnon"] / 1e6, "MB");
  add("of it before nd_open", limited["before_RssAnon"] / 1e6, "MB");
  add("store: pages a second", share(static_cast<double>(pages), limited["seconds"]), "1/s");
  add("store: snapshots", limited["snapshots"], "");
  add("different answers", static_cast<double>(different_lines(memory.answers, stored.answers)), "");
  for (const std::string& path : {memory.answers, stored.answers, stored.store})
    fs::remove_all(path);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    parts.push_back(part);
  return parts;
}

bool read_plan(const std::vector<std::string>& arguments, Plan& plan) {
  if (arguments.size() % 2 != 0) return false;
  for (size_t i = 0; i < arguments.size(); i += 2) {
    const std::string &name = arguments[i], &value = arguments[i + 1];
    const auto number = [](const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); };
    if (name == "--store") {
      plan.directory = value;
    } else if (name == "--pages") {
      for (const std::string& part : parts_of(value))
        plan.sizes.push_back(number(part));
    } else if (name == "--only") {
      plan.only = parts_of(value);
    } else if (name == "--rounds") {
      plan.rounds = std::max<uint64_t>(1, number(value));
    } else if (name == "--checks") {
      plan.checks = std::max<uint64_t>(1, number(value));
    } else if (name == "--more") {
      plan.more = number(value);
    } else if (name == "--budget-pages") {
      plan.budget_pages = number(value);
    } else if (name == "--option") {
      plan.options.push_back(value);
    } else if (name == "--tsv") {
      plan.tsv = value;
    } else {
      return false;
    }
  }
  return !plan.directory.empty() && !plan.sizes.empty() && std::ranges::count(plan.sizes, 0U) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == "--task") return run(task_of(arguments));
  Plan plan;
  if (!read_plan(arguments, plan)) {
    std::fprintf(stderr,
                 "usage: %s --store DIR --pages N[,N...] [--only NAME[,NAME...]] [--rounds N] [--checks N] "
                 "[--more N] [--budget-pages N] [--option KEY=VALUE ...] [--tsv FILE]\n",
                 argv[0]);
    return 2;
  }
  std::filesystem::create_directories(plan.directory);
  Report report(plan.tsv);
  for (uint64_t pages : plan.sizes)
    Measurements(plan, pages, report).all();
  if (plan.has("budget")) measure_budget(plan, report);
  return 0;
}
