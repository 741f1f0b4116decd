// How much threads that share an engine slow each other down (docs/concurrency.md).
//
//   engine_threads sections [PAGES.warc.gz] [--threads 1,2,4,…] [--store DIR]
//   engine_threads beside [PAGES.warc.gz] [--walkers 3,6] [--queriers 8] [--seconds S] [--processors P]
//   both: [--rounds N] [--pages N] [--index N] [--json FILE]
//
// sections: one thread checks all pages; how much of its CPU time is within the engine's lock, by mode, and
// from what was recorded, how fast so many threads on as many processors would be, by simulation. beside: how
// many checks one thread makes while others do nothing but walk all groups (nd_each_group), or ask
// (nd_query_page), as a part of its fair share: what it makes alone, times processors / threads, at most
// once. Each round alone and beside in turn, for S seconds, with a new engine that knows generated pages
// (--index).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "capi/handles.hpp"
#include "engine_filling.hpp"
#include "lock_sections.hpp"
#include "scale_process.hpp"
#include "source_pages.hpp"
#include "spread.hpp"

namespace {

using namespace ndc::bench;
using nlohmann::json;

struct Plan {
  std::string archive = sample_archive();
  std::string store;
  size_t most_pages = SIZE_MAX;
  unsigned rounds = 5;
  uint64_t index = 20'000;
  std::vector<unsigned> threads = {1, 2, 4, 8, 16, 32, 64};
  std::vector<unsigned> walkers = {3, 6};
  std::vector<unsigned> queriers = {8};
  double seconds = 1;
  unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  std::string json_path;
};

void expect_ok(nd_status status, const char* call) {
  if (status != ND_OK) fail(std::string(call) + ": " + nd_last_error());
}

std::vector<SourcePage> pages_of(const Plan& plan) {
  std::vector<SourcePage> pages = read_source_pages(plan.archive);
  pages.resize(std::min(pages.size(), plan.most_pages));
  return pages;
}

// --- sections

class Sections {
 public:
  explicit Sections(const Plan& plan) : plan_(plan), pages_(pages_of(plan)), filler_(plan.index) {}

  json all() {
    json out = {{"pages", pages_.size()}, {"index_pages", plan_.index}};
    out["memory"] = measured({});
    if (!plan_.store.empty()) out["store"] = measured(plan_.store);
    return out;
  }

 private:
  json measured(const std::string& parent) {
    std::vector<double> shared, update, change, call_us, sections;
    std::map<unsigned, std::vector<double>> times;
    for (unsigned round = 0; round <= plan_.rounds; ++round) {
      const SectionRecorder recorder = recorded(parent);
      if (round == 0) continue;  // one-time costs of the process are not a page's cost
      const LockShares shares = recorder.shares();
      shared.push_back(100 * shares.shared);
      update.push_back(100 * shares.update);
      change.push_back(100 * shares.change);
      call_us.push_back(1e6 * shares.call_seconds);
      sections.push_back(shares.sections);
      const double one = simulate_calls(recorder.traces(), 1);
      for (const unsigned threads : plan_.threads)
        times[threads].push_back(simulate_calls(recorder.traces(), threads) / one);
    }
    json simulated = json::array();
    double saturation = 0;
    for (const unsigned threads : plan_.threads) {
      const Spread spread = spread_of(times[threads]);
      saturation = std::max(saturation, spread.median);
      simulated.push_back({{"threads", threads}, {"times_one", to_json(spread)}});
    }
    return {{"shared_percent", to_json(spread_of(shared))},
            {"update_percent", to_json(spread_of(update))},
            {"change_percent", to_json(spread_of(change))},
            {"cpu_us", to_json(spread_of(call_us))},
            {"sections", to_json(spread_of(sections))},
            {"simulated", simulated},
            {"saturation", saturation}};
  }

  SectionRecorder recorded(const std::string& parent) const {
    std::string folder;
    if (!parent.empty()) {
      folder = parent + "/engine_threads-XXXXXX";
      if (mkdtemp(folder.data()) == nullptr) fail(folder + ": " + std::strerror(errno));
    }
    SectionRecorder recorder;
    {
      const EngineHandle engine = open_engine(folder.empty() ? folder : folder + "/store");
      filler_.fill(engine.get());
      // Otherwise the thread that takes snapshots would be observed too.
      if (!folder.empty()) expect_ok(nd_snapshot(engine.get()), "nd_snapshot");
      engine->engine->observe_lock(&recorder);
      for (const SourcePage& page : pages_) {
        const nd_page input = page.as_input();
        nd_result result = ND_RESULT_INIT;
        recorder.begin_call();
        expect_ok(nd_check_page(engine.get(), &input, &result), "nd_check_page");
        recorder.end_call();
      }
      engine->engine->observe_lock(nullptr);
    }
    std::error_code unread;
    if (!folder.empty()) std::filesystem::remove_all(folder, unread);
    return recorder;
  }

  const Plan& plan_;
  std::vector<SourcePage> pages_;
  EngineFiller filler_;
};

// --- beside

enum class Others { kWalkers, kQueriers };

class Beside {
 public:
  explicit Beside(const Plan& plan) : plan_(plan), pages_(pages_of(plan)), filler_(plan.index) {}

  json all() {
    json out = {{"pages", pages_.size()}, {"index_pages", plan_.index}, {"processors", plan_.processors}};
    for (const unsigned count : plan_.walkers)
      out["walkers"].push_back(measured(Others::kWalkers, count));
    for (const unsigned count : plan_.queriers)
      out["queriers"].push_back(measured(Others::kQueriers, count));
    return out;
  }

 private:
  struct Rates {
    double checks = 0, others = 0;  // a second
  };

  json measured(Others others, unsigned count) {
    const double fair = std::min(1.0, static_cast<double>(plan_.processors) / (1.0 + count));
    std::vector<double> parts, alone_rates, rates, other_rates;
    for (unsigned round = 0; round < plan_.rounds; ++round) {
      const EngineHandle engine = open_engine();
      filler_.fill(engine.get());
      uint64_t number = 0;
      const Rates alone = rates_beside(engine.get(), others, 0, number);
      const Rates beside = rates_beside(engine.get(), others, count, number);
      alone_rates.push_back(alone.checks);
      rates.push_back(beside.checks);
      other_rates.push_back(beside.others);
      parts.push_back(beside.checks / (alone.checks * fair));
    }
    return {{"threads", count},
            {"of_fair_share", to_json(spread_of(parts))},
            {"alone_per_s", to_json(spread_of(alone_rates))},
            {"checks_per_s", to_json(spread_of(rates))},
            {"others_per_s", to_json(spread_of(other_rates))}};
  }

  // Each page again and again, with a different URL each time.
  Rates rates_beside(nd_engine* engine, Others others, unsigned count, uint64_t& number) const {
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> calls{0};
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < count; ++thread) {
      threads.emplace_back([&, thread] {
        for (uint64_t call = thread; !stop; ++call) {
          others == Others::kWalkers ? walk(engine) : query(engine, call);
          ++calls;
        }
      });
    }
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto passed = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const uint64_t first = number;
    while (passed() < plan_.seconds) {
      const SourcePage& page = pages_[number % pages_.size()];
      nd_page input = page.as_input();
      const std::string url = page.url + "?" + std::to_string(number++);
      input.url = url.data();
      input.url_size = url.size();
      nd_result result = ND_RESULT_INIT;
      expect_ok(nd_check_page(engine, &input, &result), "nd_check_page");
    }
    const double seconds = passed();
    const Rates rates{static_cast<double>(number - first) / seconds, static_cast<double>(calls) / seconds};
    stop = true;
    return rates;
  }

  static void walk(nd_engine* engine) {
    const auto pass = [](const nd_group_info*, void*) { return int32_t{0}; };
    expect_ok(nd_each_group(engine, pass, nullptr), "nd_each_group");
  }

  void query(nd_engine* engine, uint64_t call) const {
    const nd_page input = pages_[call % pages_.size()].as_input();
    nd_result result = ND_RESULT_INIT;
    expect_ok(nd_query_page(engine, &input, &result), "nd_query_page");
  }

  const Plan& plan_;
  std::vector<SourcePage> pages_;
  EngineFiller filler_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What threads that share an engine cost each other");
  app.require_subcommand(1);
  Plan plan;
  const auto add_common = [&plan](CLI::App* of) {
    of->add_option("archive", plan.archive, "WARC file (default: data/sample)")->check(CLI::ExistingFile);
    of->add_option("--rounds", plan.rounds, "of which the median is given")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    of->add_option("--pages", plan.most_pages, "of the archive, at most")->check(CLI::PositiveNumber);
    of->add_option("--index", plan.index, "generated pages that the engine knows before")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    of->add_option("--json", plan.json_path, "file for the figures");
  };
  CLI::App* sections = app.add_subcommand("sections", "shares of a check within the lock; simulated threads");
  add_common(sections);
  sections->add_option("--threads", plan.threads, "to simulate")->delimiter(',')->check(CLI::Range(1, 1024));
  sections->add_option("--store", plan.store, "also with a store, in a new folder within this one")
      ->check(CLI::ExistingDirectory);
  CLI::App* beside = app.add_subcommand("beside", "checks beside threads that walk or ask");
  add_common(beside);
  beside->add_option("--walkers", plan.walkers, "threads")->delimiter(',')->check(CLI::Range(1, 1024));
  beside->add_option("--queriers", plan.queriers, "threads")->delimiter(',')->check(CLI::Range(1, 1024));
  beside->add_option("--seconds", plan.seconds, "of each measurement")->check(CLI::Range(0.01, 60.0));
  beside->add_option("--processors", plan.processors, "of the machine")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const json out = sections->parsed() ? Sections(plan).all() : Beside(plan).all();
  std::printf("%s\n", out.dump(1).c_str());
  if (plan.json_path.empty()) return 0;
  std::ofstream file(plan.json_path);
  file << out.dump(1) << '\n';
  if (!file.flush()) fail("cannot write " + plan.json_path);
  return 0;
}
