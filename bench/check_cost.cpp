// What nd_check_page costs, against a bare parse of the same pages: libxml2's SAX parser with handlers that
// do nothing and a reused context (docs/performance.md).
//
//   check_cost [PAGES.warc.gz] [--parts whole,stages,threads,growth] [--rounds N] [--index N[,N...]]
//              [--threads N[,N...]] [--store DIR] [--keys-only N] [--json FILE]
//
// The parser gets each page as UTF-8, the library the raw bytes. Everything is measured in one process, in
// turn, each thing beside a bare parse of its own, which comes before it in every other round and behind it
// in the others; so the machine's drift meets both. CPU time of the thread, unless it says otherwise. A round
// begins with a new engine that knows so many generated pages (--index); they are not in the time, nor is
// what a process does once, for which all pages are checked once before.
#include <libxml/xmlversion.h>
#include <openssl/opensslv.h>
#include <unicode/uvernum.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cpu_clock.hpp"
#include "engine_filling.hpp"
#include "key_index_growth.hpp"
#include "page_checks.hpp"
#include "page_stages.hpp"
#include "scale_process.hpp"
#include "source_pages.hpp"
#include "spread.hpp"

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

// Parts of the pages that growth is measured on, each in engines of all sizes in turn.
constexpr size_t kGrowthParts = 10;

nd_stats stats_of(nd_engine* engine) {
  nd_stats stats = ND_STATS_INIT;
  if (nd_get_stats(engine, &stats) != ND_OK) fail(nd_last_error());
  return stats;
}

class Costs {
 public:
  explicit Costs(const Plan& plan) : plan_(plan), pages_(read_source_pages(plan.archive)) {
    pages_.resize(std::min(pages_.size(), plan_.most_pages));
    // What a process does once (tables, ICU's data) is no page's cost.
    Verdicts unread;
    check_seconds(open_engine().get(), pages_, unread);
  }

  json all() {
    json out = corpus();
    if (has("whole")) out["whole"] = whole();
    if (has("stages")) out["stages"] = stages();
    if (has("threads")) out["threads"] = threads();
    if (has("growth")) out["growth"] = growth();
    return out;
  }

 private:
  bool has(const char* part) const { return std::ranges::find(plan_.parts, part) != plan_.parts.end(); }

  // The measured time by that of a bare parse of the same pages beside it.
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
    const bool with_store = !plan_.store.empty();
    if (with_store) fill_store(filler);
    Verdicts verdicts;
    std::vector<double> memory, store, difference, seconds;
    uint64_t groups = 0, bytes = 0, snapshots = 0;
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
      const auto in_store = [&] {
        clone_store(filled(), plan_.store + "/round");
        const EngineHandle engine = open_engine(plan_.store + "/round");
        Verdicts of_store;
        store.push_back(beside_parse(round, pages_, [&] {
                          return check_seconds(engine.get(), pages_, of_store);
                        }).second);
        snapshots = std::max(snapshots, stats_of(engine.get()).snapshots);
        store_verdicts_ = of_store;
      };
      if (round % 2 == 0) in_memory();
      if (with_store) in_store();
      if (round % 2 != 0) in_memory();
      if (with_store) difference.push_back(store.back() - memory.back());
    }
    json out = {{"index_pages", filler.pages()},
                {"index_groups", groups},
                {"index_bytes", bytes},
                {"verdicts", verdicts.json()},
                {"near_or_exact_share", share(verdicts.near_or_exact())},
                {"ratio", to_json(spread_of(memory))},
                {"us_a_page", to_json(spread_of(a_page_us(seconds)))},
                {"parse_mb_per_s", parse_speed()}};
    if (with_store) {
      out["store"] = {{"ratio", to_json(spread_of(store))},
                      {"over_memory", to_json(spread_of(difference))},
                      {"verdicts", store_verdicts_.json()},
                      {"most_snapshots", snapshots}};
      std::filesystem::remove_all(filled());
      std::filesystem::remove_all(plan_.store + "/round");
    }
    return out;
  }

  std::string filled() const { return plan_.store + "/filled"; }

  void fill_store(const EngineFiller& filler) const {
    std::filesystem::remove_all(filled());
    std::filesystem::create_directories(filled());
    nd_engine* engine = open_engine(filled()).release();
    filler.fill(engine);
    if (nd_close(engine) != ND_OK) fail(std::string("nd_close: ") + nd_last_error());
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

  // All share one engine; a new one for each count of threads in each round.
  json threads() const {
    const EngineFiller filler(plan_.index.front());
    std::map<unsigned, std::vector<double>> speeds, cpu, speedups;
    std::map<unsigned, Verdicts> verdicts;
    for (unsigned round = 0; round < plan_.rounds; ++round) {
      std::vector<unsigned> order = plan_.threads;
      if (round % 2 != 0) std::ranges::reverse(order);
      for (const unsigned count : order) {
        const EngineHandle engine = open_engine();
        filler.fill(engine.get());
        const ThreadedChecks checks = check_in_threads(engine.get(), pages_, count);
        speeds[count].push_back(static_cast<double>(pages_.size()) / checks.wall_seconds);
        cpu[count].push_back(checks.cpu_seconds);
        verdicts[count] = checks.verdicts;
      }
      for (const unsigned count : order)
        speedups[count].push_back(speeds[count].back() / speeds[plan_.threads.front()].back());
    }
    json out = json::array();
    for (const unsigned count : plan_.threads) {
      out.push_back({{"threads", count},
                     {"wall_pages_per_s", to_json(spread_of(speeds[count]))},
                     {"speedup", to_json(spread_of(speedups[count]))},
                     {"cpu_us_a_page", to_json(spread_of(a_page_us(cpu[count])))},
                     {"verdicts", verdicts[count].json()}});
    }
    return out;
  }

  // Engines of all sizes at once; each part of the pages comes to each of them in turn.
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
  Verdicts store_verdicts_;
};

std::string text_of(const json& spread, int digits) {
  char line[80];
  std::snprintf(line, sizeof line, "%.*f (%.*f .. %.*f)", digits, spread["median"].get<double>(), digits,
                spread["least"].get<double>(), digits, spread["most"].get<double>());
  return line;
}

void print(const json& out) {
  if (out.contains("pages")) {
    std::printf("%s: %llu pages, %.1f MB\n", out["archive"].get<std::string>().c_str(),
                out["pages"].get<unsigned long long>(), out["raw_bytes"].get<double>() / 1e6);
  }
  if (out.contains("whole")) {
    const json& whole = out["whole"];
    std::printf("%u rounds, %llu pages in the index before; %.1f %% near or exact\n",
                out["rounds"].get<unsigned>(), whole["index_pages"].get<unsigned long long>(),
                100 * whole["near_or_exact_share"].get<double>());
    std::printf("bare parse, MB/s of raw bytes        %s\n", text_of(whole["parse_mb_per_s"], 1).c_str());
    std::printf("nd_check_page in memory / parse      %s\n", text_of(whole["ratio"], 3).c_str());
    if (whole.contains("store")) {
      std::printf("  with a store, journal / parse      %s\n", text_of(whole["store"]["ratio"], 3).c_str());
      std::printf("  difference of the two              %s\n",
                  text_of(whole["store"]["over_memory"], 3).c_str());
    }
  }
  for (const json& stage : out.value("stages", json::array())) {
    std::printf("stage %-22s %s  %s us a page\n", stage["stage"].get<std::string>().c_str(),
                text_of(stage["ratio"], 3).c_str(), text_of(stage["us_a_page"], 1).c_str());
  }
  for (const json& row : out.value("threads", json::array())) {
    std::printf("%u threads: %s pages/s by the clock, %s times the first, %s us of CPU a page\n",
                row["threads"].get<unsigned>(), text_of(row["wall_pages_per_s"], 0).c_str(),
                text_of(row["speedup"], 2).c_str(), text_of(row["cpu_us_a_page"], 0).c_str());
  }
  for (const json& row : out.value("growth", json::array())) {
    std::printf("%llu pages in the index: %s of a parse, %s times the first\n",
                row["index_pages"].get<unsigned long long>(), text_of(row["ratio"], 3).c_str(),
                text_of(row["over_first"], 3).c_str());
  }
  for (const json& row : out.value("keys_only", json::array())) {
    std::printf("key index alone, %llu pages: %.0f bytes a page, ns a look-up %s there, %s not there\n",
                row["pages"].get<unsigned long long>(), row["bytes_a_page"].get<double>(),
                text_of(row["hit_ns"], 0).c_str(), text_of(row["miss_ns"], 0).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What nd_check_page costs, against a bare parse of the same pages");
  Plan plan;
  app.add_option("archive", plan.archive, "WARC file (default: data/sample)")->check(CLI::ExistingFile);
  app.add_option("--parts", plan.parts, "what to measure")
      ->delimiter(',')
      ->check(CLI::IsMember({"whole", "stages", "threads", "growth"}));
  app.add_option("--rounds", plan.rounds, "of which the median is told")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--pages", plan.most_pages, "of the archive, at most")->check(CLI::PositiveNumber);
  app.add_option(
         "--index", plan.index,
         "generated pages that the engine knows before: the first number; for the growth all of them, one "
         "engine each")
      ->delimiter(',');
  app.add_option("--threads", plan.threads, "how many; the others are held against the first number")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--store", plan.store, "of the whole: also with a store, in this folder")
      ->check(CLI::ExistingDirectory);
  app.add_option("--keys-only", plan.keys_only, "nothing but the key index, for so many pages")
      ->check(CLI::PositiveNumber);
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
  out["made_with"] = {{"compiler", kCompiler},
                      {"libxml2", LIBXML_DOTTED_VERSION},
                      {"icu", U_ICU_VERSION},
                      {"openssl", OPENSSL_VERSION_STR}};
  print(out);
  if (plan.json_path.empty()) return 0;
  std::ofstream file(plan.json_path);
  file << out.dump(1) << '\n';
  if (!file.flush()) fail("cannot write " + plan.json_path);
  return 0;
}
