// What nd_check_page costs, against a bare parse of the same pages: libxml2's SAX parser with handlers that
// do nothing and a reused context (docs/performance.md).
//
//   check_cost [PAGES.warc.gz] [--parts whole,stages,threads,growth,reading,undeclared] [--rounds N]
//              [--pages N] [--index N[,N...]] [--threads N[,N...]] [--store DIR] [--json FILE]
//   check_cost --keys-only N [--rounds N] [--json FILE]
//
// The parser gets each page as UTF-8, the library the raw bytes. Everything is measured in one process, in
// turn, each thing beside a bare parse of its own, which comes before it in every other round and behind it
// in the others; so the machine's drift meets both. CPU time of the thread, unless it says otherwise. A round
// begins with a new engine that knows so many generated pages (--index); they are not in the time, nor is
// what a process does once, for which all pages are checked once before.
#include <libxml/xmlversion.h>
#include <unicode/uvernum.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cost_report.hpp"
#include "cpu_clock.hpp"
#include "engine_filling.hpp"
#include "key_index_growth.hpp"
#include "page_checks.hpp"
#include "page_stages.hpp"
#include "scale_process.hpp"
#include "source_pages.hpp"
#include "spread.hpp"
#include "undeclared_pages.hpp"

namespace {

using namespace ndc::bench;
using nlohmann::json;

#ifdef __clang__
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

struct Plan {
  std::string archive = sample_archive();
  std::string store;
  unsigned rounds = 5;
  size_t most_pages = SIZE_MAX;
  std::vector<uint64_t> index = {100'000};
  std::vector<unsigned> threads = {1, 2};
  uint64_t keys_only = 0;
  std::vector<std::string> parts = {"whole"};
  std::string json_path;
};

// Growth is measured on parts of the pages, each part in turn in engines of all sizes.
constexpr size_t kGrowthParts = 10;

nd_stats stats_of(nd_engine* engine) {
  nd_stats stats = ND_STATS_INIT;
  if (nd_get_stats(engine, &stats) != ND_OK) fail(nd_last_error());
  return stats;
}

// A temporary folder within another one, removed with everything in it.
class OwnFolder {
 public:
  explicit OwnFolder(const std::string& parent) : path_(parent + "/check_cost-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) fail(path_ + ": " + std::strerror(errno));
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code unread;
    std::filesystem::remove_all(path_, unread);
  }
  std::string filled() const { return path_ + "/filled"; }
  std::string round() const { return path_ + "/round"; }

 private:
  std::string path_;
};

class Costs {
 public:
  explicit Costs(const Plan& plan) : plan_(plan), pages_(read_source_pages(plan.archive)) {
    pages_.resize(std::min(pages_.size(), plan_.most_pages));
    // One-time costs of the process (tables, ICU's data) are not a page's cost.
    Verdicts unread;
    check_seconds(open_engine().get(), pages_, unread);
  }

  json all() {
    json out = corpus();
    if (has("whole")) out["whole"] = whole();
    if (has("stages")) out["stages"] = stages();
    if (has("threads")) out["threads"] = threads();
    if (has("growth")) out["growth"] = growth();
    if (has("reading")) out["reading"] = reading();
    if (has("undeclared")) out["undeclared"] = measure_undeclared(pages_, plan_.rounds);
    return out;
  }

 private:
  bool has(const char* part) const { return std::ranges::find(plan_.parts, part) != plan_.parts.end(); }

  // The measured time divided by that of a bare parse of the same pages next to it.
  template <typename Measure>
  std::pair<double, double> beside_parse(unsigned round, std::span<const SourcePage> pages,
                                         Measure&& measure) {
    double parsed = 0;
    if (round % 2 == 0) parsed = bare_parse_seconds(pages);
    const double measured = measure();
    if (round % 2 != 0) parsed = bare_parse_seconds(pages);
    parse_seconds_.push_back(parsed / static_cast<double>(raw_bytes(pages)));
    return {measured, measured / parsed};
  }

  json corpus() const {
    uint64_t utf8 = 0;
    for (const SourcePage& page : pages_)
      utf8 += page.utf8.size();
    return {{"archive", std::filesystem::path(plan_.archive).filename().string()},
            {"pages", pages_.size()},
            {"raw_bytes", raw_bytes(pages_)},
            {"utf8_bytes", utf8},
            {"rounds", plan_.rounds}};
  }

  // In memory and, if there is a place for it, with a store: the same pages in the same round.
  json whole() {
    const EngineFiller filler(plan_.index.front());
    std::optional<OwnFolder> folder;
    if (!plan_.store.empty()) fill_store(filler, folder.emplace(plan_.store).filled());
    Verdicts verdicts;
    std::vector<double> memory, seconds;
    uint64_t groups = 0, bytes = 0;
    InStore in_store;
    for (unsigned round = 0; round < plan_.rounds; ++round) {
      const auto in_memory = [&] {
        const EngineHandle engine = open_engine();
        filler.fill(engine.get());
        groups = stats_of(engine.get()).groups;
        bytes = stats_of(engine.get()).bytes_total;
        verdicts = {};
        const auto [spent, ratio] =
            beside_parse(round, pages_, [&] { return check_seconds(engine.get(), pages_, verdicts); });
        memory.push_back(ratio);
        seconds.push_back(spent);
      };
      if (round % 2 == 0) in_memory();
      if (folder) round_in_store(round, *folder, in_store);
      if (round % 2 != 0) in_memory();
      if (folder) in_store.over_memory.push_back(in_store.ratios.back() - memory.back());
    }
    json out = {{"index_pages", filler.pages()},
                {"index_groups", groups},
                {"index_bytes", bytes},
                {"verdicts", verdicts.json()},
                {"near_or_exact_share", share(verdicts.near_or_exact())},
                {"ratio", to_json(spread_of(memory))},
                {"us_a_page", to_json(spread_of(a_page_us(seconds)))},
                {"parse_mb_per_s", parse_speed()}};
    if (folder) out["store"] = in_store.json();
    return out;
  }

  struct InStore {
    std::vector<double> ratios, process_ratios, over_memory;
    Verdicts verdicts;
    uint64_t most_snapshots = 0;

    nlohmann::json json() const {
      return {{"ratio", to_json(spread_of(ratios))},
              {"process_ratio", to_json(spread_of(process_ratios))},
              {"over_memory", to_json(spread_of(over_memory))},
              {"verdicts", verdicts.json()},
              {"most_snapshots", most_snapshots}};
    }
  };

  // The process has an additional thread, which takes snapshots: its time is in process_ratio until the last
  // check returns.
  void round_in_store(unsigned round, const OwnFolder& folder, InStore& in_store) {
    clone_store(folder.filled(), folder.round());
    const EngineHandle engine = open_engine(folder.round());
    in_store.verdicts = {};
    double of_process = 0;
    const auto [spent, ratio] = beside_parse(round, pages_, [&] {
      const double start = process_cpu_seconds();
      const double of_thread = check_seconds(engine.get(), pages_, in_store.verdicts);
      of_process = process_cpu_seconds() - start;
      return of_thread;
    });
    in_store.ratios.push_back(ratio);
    in_store.process_ratios.push_back(ratio * of_process / spent);
    in_store.most_snapshots = std::max<uint64_t>(in_store.most_snapshots, stats_of(engine.get()).snapshots);
  }

  static void fill_store(const EngineFiller& filler, const std::string& path) {
    std::filesystem::create_directories(path);
    nd_engine* engine = open_engine(path).release();
    filler.fill(engine);
    if (nd_close(engine) != ND_OK) fail(std::string("nd_close: ") + nd_last_error());
  }

  // The whole archive unpacked and cut into pages, as `ndc dedup` does it before its checks.
  json reading() const {
    std::vector<double> seconds;
    for (unsigned round = 0; round < plan_.rounds; ++round)
      seconds.push_back(reading_seconds(plan_.archive));
    return {{"seconds", to_json(spread_of(seconds))}};
  }

  json stages() const {
    const PageStages measured(pages_);
    const std::vector<PageStage>& stages = measured.stages();
    std::vector<std::vector<double>> seconds(stages.size()), ratios(stages.size());
    // One more than is counted, for buffers that grow in the first.
    for (unsigned round = 0; round <= plan_.rounds; ++round) {
      std::vector<double> of_round(stages.size());
      for (size_t at = 0; at < stages.size(); ++at) {
        const size_t stage = round % 2 == 0 ? at : stages.size() - 1 - at;
        if (stages[stage].begin) stages[stage].begin();
        const double start = thread_cpu_seconds();
        for (size_t page = 0; page < measured.page_count(); ++page)
          stages[stage].run(page);
        of_round[stage] = thread_cpu_seconds() - start;
      }
      for (size_t stage = 0; round != 0 && stage < stages.size(); ++stage) {
        seconds[stage].push_back(of_round[stage]);
        ratios[stage].push_back(of_round[stage] / of_round[0]);
      }
    }
    json out = json::array();
    for (size_t stage = 0; stage < stages.size(); ++stage) {
      out.push_back({{"stage", stages[stage].name},
                     {"what", stages[stage].what},
                     {"ratio", to_json(spread_of(ratios[stage]))},
                     {"us_a_page", to_json(spread_of(a_page_us(seconds[stage])))}});
    }
    return out;
  }

  struct OfThreads {
    std::vector<double> speeds, cpu, speedups, processors, waits, preemptions, retries, others, stolen;
    Verdicts verdicts;
  };

  // All share one engine; a new one for each count of threads in each round.
  json threads() const {
    const EngineFiller filler(plan_.index.front());
    std::map<unsigned, OfThreads> measured;
    for (unsigned round = 0; round < plan_.rounds; ++round) {
      std::vector<unsigned> order = plan_.threads;
      if (round % 2 != 0) std::ranges::reverse(order);
      for (const unsigned count : order)
        round_of_threads(filler, count, measured[count]);
      const double first = measured[plan_.threads.front()].speeds.back();
      for (auto& [count, of] : measured)
        of.speedups.push_back(of.speeds.back() / first);
    }
    json out = json::array();
    for (const unsigned count : plan_.threads) {
      const OfThreads& of = measured[count];
      out.push_back({{"threads", count},
                     {"wall_pages_per_s", to_json(spread_of(of.speeds))},
                     {"speedup", to_json(spread_of(of.speedups))},
                     {"cpu_us_a_page", to_json(spread_of(a_page_us(of.cpu)))},
                     {"processors", to_json(spread_of(of.processors))},
                     {"waits_a_page", to_json(spread_of(of.waits))},
                     {"preemptions_a_page", to_json(spread_of(of.preemptions))},
                     {"retried_commits_a_page", to_json(spread_of(of.retries))},
                     {"other_load", to_json(spread_of(of.others))},
                     {"stolen", to_json(spread_of(of.stolen))},
                     {"verdicts", of.verdicts.json()}});
    }
    return out;
  }

  void round_of_threads(const EngineFiller& filler, unsigned count, OfThreads& of) const {
    const EngineHandle engine = open_engine();
    filler.fill(engine.get());
    const uint64_t retries_before = stats_of(engine.get()).retried_commits;
    const ThreadedChecks checks = check_in_threads(engine.get(), pages_, count);
    of.speeds.push_back(static_cast<double>(pages_.size()) / checks.wall_seconds);
    of.cpu.push_back(checks.cpu_seconds);
    of.processors.push_back(checks.cpu_seconds / checks.wall_seconds);
    of.waits.push_back(share(checks.waits));
    of.preemptions.push_back(share(checks.preemptions));
    of.retries.push_back(share(stats_of(engine.get()).retried_commits - retries_before));
    of.others.push_back(checks.load.others);
    of.stolen.push_back(checks.load.stolen);
    of.verdicts = checks.verdicts;
  }

  // Engines of all sizes at once; each part of the pages is given to each of them in turn.
  json growth() {
    std::vector<EngineHandle> engines;
    std::vector<std::vector<double>> ratios(plan_.index.size()), over_first(plan_.index.size());
    std::vector<Verdicts> verdicts(plan_.index.size());
    std::vector<nd_stats> stats;
    for (const uint64_t count : plan_.index) {
      engines.push_back(open_engine());
      EngineFiller(count).fill(engines.back().get());
      stats.push_back(stats_of(engines.back().get()));
    }
    const size_t parts = std::min(kGrowthParts, pages_.size());
    for (size_t part = 0; part < parts; ++part) {
      const size_t begin = pages_.size() * part / parts, end = pages_.size() * (part + 1) / parts;
      const auto pages = std::span<const SourcePage>(pages_).subspan(begin, end - begin);
      for (size_t at = 0; at < engines.size(); ++at) {
        const size_t size = part % 2 == 0 ? at : engines.size() - 1 - at;
        ratios[size].push_back(beside_parse(static_cast<unsigned>(part), pages, [&] {
                                 return check_seconds(engines[size].get(), pages, verdicts[size]);
                               }).second);
      }
      for (size_t size = 0; size < engines.size(); ++size)
        over_first[size].push_back(ratios[size].back() / ratios[0].back());
    }
    json out = json::array();
    for (size_t size = 0; size < engines.size(); ++size) {
      out.push_back({{"index_pages", plan_.index[size]},
                     {"index_groups", stats[size].groups},
                     {"index_bytes", stats[size].bytes_total},
                     {"ratio", to_json(spread_of(ratios[size]))},
                     {"over_first", to_json(spread_of(over_first[size]))},
                     {"verdicts", verdicts[size].json()}});
    }
    return out;
  }

  double share(uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(pages_.size());
  }
  std::vector<double> a_page_us(std::vector<double> seconds) const {
    for (double& value : seconds)
      value *= 1e6 / static_cast<double>(pages_.size());
    return seconds;
  }
  json parse_speed() const {
    std::vector<double> speeds;
    for (const double seconds_a_byte : parse_seconds_)
      speeds.push_back(1e-6 / seconds_a_byte);
    return to_json(spread_of(speeds));
  }

  const Plan plan_;
  std::vector<SourcePage> pages_;
  std::vector<double> parse_seconds_;  // a raw byte
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What nd_check_page costs, against a bare parse of the same pages");
  Plan plan;
  app.add_option("archive", plan.archive, "WARC file (default: data/sample)")->check(CLI::ExistingFile);
  auto* parts = app.add_option("--parts", plan.parts, "what to measure")
                    ->delimiter(',')
                    ->check(CLI::IsMember({"whole", "stages", "threads", "growth", "reading", "undeclared"}))
                    ->default_str("whole");
  app.add_option("--rounds", plan.rounds, "of which the median is reported")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--pages", plan.most_pages, "of the archive, at most (default: all)")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--index", plan.index,
         "generated pages that the engine knows before: the first number; for the growth all of them, one "
         "engine each")
      ->delimiter(',')
      ->default_str("100000");
  app.add_option("--threads", plan.threads, "how many; the others are compared with the first number")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024))
      ->default_str("1,2");
  app.add_option("--store", plan.store, "of the whole: also with a store, in a new folder within this one")
      ->check(CLI::ExistingDirectory);
  app.add_option("--keys-only", plan.keys_only, "nothing but the key index, for so many pages")
      ->check(CLI::PositiveNumber)
      ->excludes(parts);
  app.add_option("--json", plan.json_path, "file for the figures");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  json out;
  if (plan.keys_only == 0) {
    out = Costs(plan).all();
  } else {
    out["keys_only"] = measure_key_growth({.pages = plan.keys_only, .rounds = plan.rounds});
  }
  out["made_with"] = {{"compiler", kCompiler}, {"libxml2", LIBXML_DOTTED_VERSION}, {"icu", U_ICU_VERSION}};
  print_costs(out);
  if (plan.json_path.empty()) return 0;
  std::ofstream file(plan.json_path);
  file << out.dump(1) << '\n';
  if (!file.flush()) fail("cannot write " + plan.json_path);
  return 0;
}
