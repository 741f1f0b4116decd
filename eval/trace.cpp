// What the engine makes of the pages of archives, one TSV row a page, with the groups that were candidates,
// so that eval/quality.py can tell a right group that was never found from one that was refused.
//
//   trace PAGES.warc.gz... [--shuffle SEED] [--per-host N] [--crawls N] [--option KEY=VALUE]...
//         [--final-groups] [--block-models DIR] [--decision-model FILE] [--settled] [-o FILE]
//
// With --final-groups a last column, final_group_id, has the group that each page is in after the last one.
// With --block-models each page's blocks are weighed by a model that was trained without its site (see
// eval/train-block-weights --folds).
// With --decision-model the coefficients of the decision are those of the file, the constant first
// (see eval/train-decision --folds). With --settled the last column has the groups after Engine::settle().
// With --crawls the engine gets all pages so many times over, in the same order; rows and totals are of the
// last. One thread. All pages are read before the first is checked; the time is that of the engine's calls
// alone. Lines that begin with '#' carry the names of the columns and, at the end, the totals. Exit codes: 0;
// 1 an input or the output cannot be used; 2 usage; 3 the library refuses an option.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archives/archive_item.hpp"
#include "block_model_file.hpp"
#include "cpu_clock.hpp"
#include "engine/check.hpp"
#include "engine/engine.hpp"
#include "options/options.hpp"
#include "printable_url.hpp"
#include "reading/site.hpp"

namespace {

using nd::engine::Answer;
using nd::engine::CheckTrace;
using nd::engine::Engine;

constexpr int kInputError = 1;
constexpr int kUsageError = 2;
constexpr int kOptionRefused = 3;

struct Settings {
  std::vector<std::string> paths;
  std::vector<std::string> options;
  std::string block_models;    // folder; "" for the library's own
  std::string decision_model;  // file; "" for the library's own
  std::string output = "-";
  uint64_t seed = 0;
  bool shuffled = false;
  uint64_t per_host = 0;  // 0: all
  uint64_t crawls = 1;
  bool final_groups = false;
  bool settled = false;  // implies final_groups
};

struct Page {
  std::string url, content_type, body;
  int64_t fetched_at_ms;
  bool truncated;
};

struct Totals {
  uint64_t pages = 0, refused = 0, body_bytes = 0;
  double cpu_seconds = 0, wall_seconds = 0;
};

std::string host_of(const std::string& url) {
  const size_t scheme = url.find("://");
  const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

// False: an archive cannot be read to its end.
bool read_pages(const Settings& settings, std::vector<Page>& pages) {
  ndc::ArchiveReader reader(settings.paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  std::unordered_map<std::string, uint64_t> of_host;
  const bool found = reader.check();
  while (found && ndc::read_page_or_damage(reader, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& page = item.page;
    if (settings.per_host != 0 && ++of_host[host_of(page.url)] > settings.per_host) continue;
    pages.push_back(
        {page.url, page.content_type, std::string(page.body), page.fetched_at_ms, page.truncated});
  }
  if (!reader.error().empty()) std::fprintf(stderr, "trace: %s\n", reader.error().c_str());
  if (counts.damaged != 0)
    std::fprintf(stderr, "trace: %" PRIu64 " damaged records skipped\n", counts.damaged);
  return reader.error().empty();
}

// Fisher and Yates; std::shuffle may differ between standard libraries, and so would the tables.
void shuffle(std::vector<Page>& pages, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = pages.size(); i > 1; --i)
    std::swap(pages[i - 1], pages[random() % i]);
}

// False: the library has no such option, or not such a value.
bool set_options(const std::vector<std::string>& assignments, nd::engine::Options& options) {
  for (const std::string& assignment : assignments) {
    const size_t equals = std::min(assignment.find('='), assignment.size());
    const std::string_view value =
        std::string_view(assignment).substr(std::min(equals + 1, assignment.size()));
    const nd::Result<void> set = options.set(std::string_view(assignment).substr(0, equals), value);
    if (!set) {
      std::fprintf(stderr, "trace: %s\n", set.failure().message.c_str());
      return false;
    }
  }
  return true;
}

const char* verdict_name(int32_t verdict) {
  switch (verdict) {
    case nd::engine::kNew:
      return "new";
    case nd::engine::kUnchanged:
      return "unchanged";
    case nd::engine::kExactDuplicate:
      return "exact";
    case nd::engine::kNearDuplicate:
      return "near";
    default:
      return "no-text";
  }
}

// The rule by which the page joined its group.
std::string rule_of(const Answer& answer, const CheckTrace& trace) {
  for (const auto& candidate : trace.candidates) {
    if (candidate.group_id == answer.group_id && candidate.verified && candidate.verification.similar)
      return std::string(nd::engine::rule_name(candidate.verification.rule));
  }
  return "-";
}

struct Row {
  const Page* page;
  uint64_t group_id;
  std::string text;  // without its end of line
};

Row row_of(const Page& page, const Answer& answer, const CheckTrace& trace, uint64_t verifications) {
  std::string groups;
  for (const auto& candidate : trace.candidates) {
    if (!groups.empty()) groups += ',';
    groups += std::to_string(candidate.group_id);
  }
  char ratios[64];
  std::snprintf(ratios, sizeof ratios, "\t%.6f\t%.6f\t", answer.resemblance, answer.containment);
  return {&page, answer.group_id,
          printable(page.url) + '\t' + std::to_string(answer.page_id) + '\t' +
              std::to_string(answer.group_id) + '\t' + verdict_name(answer.verdict) + '\t' +
              rule_of(answer, trace) + ratios + std::to_string(trace.candidates.size()) + '\t' +
              std::to_string(verifications) + '\t' + (groups.empty() ? "-" : groups)};
}

// With the group that the engine knows the page in now; it does not know pages without text.
void write_final_rows(const Engine& engine, const std::vector<Row>& rows, std::FILE* out) {
  for (const Row& row : rows) {
    const auto page = engine.find_page(row.page->url);
    std::fprintf(out, "%s\t%" PRIu64 "\n", row.text.c_str(), page ? page->answer.group_id : row.group_id);
  }
}

std::string site_of(const std::string& url) {
  nd::String host;
  nd::text::assign_host(host, url);
  return std::string(nd::text::site_of_host(host));
}

// `models`: null for the library's own. `out`: null for no rows.
Totals check_all(Engine& engine, const std::vector<Page>& pages, BlockModelFolds* models, bool final_groups,
                 bool settle, std::FILE* out) {
  Totals totals;
  std::vector<Row> rows;
  if (out != nullptr)
    std::fprintf(
        out, "#url\tpage_id\tgroup_id\tverdict\trule\tr\tc\tcandidates\tverifications\tcandidate_groups%s\n",
        final_groups ? "\tfinal_group_id" : "");
  for (const Page& page : pages) {
    CheckTrace trace;
    if (models != nullptr) models->select(site_of(page.url));
    const uint64_t before = engine.counters().verifications;
    const double cpu = process_cpu_seconds();
    const auto wall = std::chrono::steady_clock::now();
    const auto answer =
        engine.check_traced({page.url,
                             {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                             page.content_type,
                             page.fetched_at_ms,
                             page.truncated},
                            trace);
    totals.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    totals.cpu_seconds += process_cpu_seconds() - cpu;
    ++totals.pages;
    totals.body_bytes += page.body.size();
    if (!answer) {
      ++totals.refused;
      std::fprintf(stderr, "trace: %s: %s\n", printable(page.url).c_str(), answer.failure().message.c_str());
      continue;
    }
    if (out == nullptr) continue;
    Row row = row_of(page, *answer, trace, engine.counters().verifications - before);
    if (final_groups) {
      rows.push_back(std::move(row));
    } else {
      std::fprintf(out, "%s\n", row.text.c_str());
    }
  }
  if (out == nullptr) return totals;
  if (settle) {
    const nd::Result<void> settled = engine.settle(nullptr);
    if (!settled) std::fprintf(stderr, "trace: %s\n", settled.failure().message.c_str());
    totals.refused += settled ? 0 : totals.pages;
  }
  write_final_rows(engine, rows, out);
  return totals;
}

void write_totals(const Totals& totals, const Engine& engine, std::FILE* out) {
  const nd::engine::Sizes sizes = engine.sizes();
  const nd::engine::Counters& counters = engine.counters();
  const auto count = [out](const char* name, uint64_t value) {
    std::fprintf(out, "#%s\t%" PRIu64 "\n", name, value);
  };
  count("pages", totals.pages);
  count("refused", totals.refused);
  count("body_bytes", totals.body_bytes);
  std::fprintf(out, "#cpu_seconds\t%.6f\n#wall_seconds\t%.6f\n", totals.cpu_seconds, totals.wall_seconds);
  std::fprintf(out, "#pages_per_cpu_second\t%.1f\n",
               totals.cpu_seconds > 0 ? static_cast<double>(totals.pages) / totals.cpu_seconds : 0.0);
  count("verifications", counters.verifications);
  count("groups", sizes.groups);
  count("keys", sizes.keys);
  count("bytes_index", sizes.bytes_index);
  count("bytes_features", sizes.bytes_features);
  count("bytes_pages", sizes.bytes_pages);
  count("bytes_events", sizes.bytes_events);
  count("bytes_scratch", sizes.bytes_scratch);
}

int run(const Settings& settings) {
  nd::engine::Options options;
  if (!set_options(settings.options, options)) return kOptionRefused;
  std::vector<Page> pages;
  if (!read_pages(settings, pages)) return kInputError;
  if (settings.shuffled) shuffle(pages, settings.seed);
  nd::engine::Parameters parameters = options.parameters();
  BlockModelFolds folds;
  BlockModelFolds* const models = settings.block_models.empty() ? nullptr : &folds;
  if (models != nullptr) {
    if (!folds.read(settings.block_models)) {
      std::fprintf(stderr, "trace: %s\n", folds.error().c_str());
      return kInputError;
    }
    parameters.page.block_model = folds.current();
  }
  nd::engine::DecisionModel decision_model = nd::engine::kDecisionModel;
  if (!settings.decision_model.empty()) {
    std::ifstream file(settings.decision_model);
    file >> decision_model.constant;
    for (double& coefficient : decision_model.coefficients)
      file >> coefficient;
    if (!file) {
      std::fprintf(stderr, "trace: %s has not as many numbers as the model\n",
                   settings.decision_model.c_str());
      return kInputError;
    }
    parameters.decision.model = &decision_model;
  }
  const auto engine = Engine::open(parameters);
  if (!engine) {
    std::fprintf(stderr, "trace: %s\n", engine.failure().message.c_str());
    return kOptionRefused;
  }
  std::FILE* out = settings.output == "-" ? stdout : std::fopen(settings.output.c_str(), "w");
  if (out == nullptr) {
    std::perror(settings.output.c_str());
    return kInputError;
  }
  for (uint64_t crawl = 1; crawl < settings.crawls; ++crawl)
    check_all(**engine, pages, models, false, false, nullptr);
  const bool final_groups = settings.final_groups || settings.settled;
  const Totals totals = check_all(**engine, pages, models, final_groups, settings.settled, out);
  write_totals(totals, **engine, out);
  const bool written = std::ferror(out) == 0 && std::fflush(out) == 0;
  if (out != stdout && std::fclose(out) != 0) return kInputError;
  return written ? 0 : kInputError;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Checks the pages of WARC files; one row a page, with its candidate groups.");
  app.add_option("archives", settings.paths, "WARC files")->required();
  app.add_option("-o,--output", settings.output, "file for the rows; - for standard output");
  const CLI::Option* seed = app.add_option("--shuffle", settings.seed, "a random order of the pages");
  app.add_option("--per-host", settings.per_host, "only the first so many pages of a host");
  app.add_option("--crawls", settings.crawls, "how often all pages are checked")->check(CLI::Range(1, 100));
  app.add_flag("--final-groups", settings.final_groups, "a last column: groups after the last page");
  app.add_option("--option", settings.options, "KEY=VALUE, see `ndc options`")->allow_extra_args(false);
  app.add_option("--block-models", settings.block_models, "folder of models for cross-validation");
  app.add_flag("--settled", settings.settled, "the last column: groups after all pages were decided again");
  app.add_option("--decision-model", settings.decision_model, "file of coefficients for cross-validation");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  settings.shuffled = seed->count() > 0;
  return run(settings);
}
