// Measures what nd_check_page costs on pages that were made to be expensive (docs/security.md).
//
//   hostile_pages [--bytes N] [--site N] [--only NAME,...] [--option KEY=VALUE] [--json FILE] [--list]
//
// Each page comes to an engine of its own, with default options except those given, and then a page of the
// same make that differs in a few words, which may have to be compared with the first; of some makes after
// several others, each of a site of its own. Then comes a site of such pages, of which the most expensive is
// reported. Seconds of CPU of the calling thread, and for the first two by the clock, once each; with
// iterations of the library's loops, by step (ndc_work_total of nd_metrics).
#include <ndcapi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_clock.hpp"
#include "hostile_page_generator.hpp"

namespace {

using namespace ndc::bench;

constexpr size_t kBytes = size_t{4} << 20;

// In memory; null, after a message to the user, if it cannot be opened.
nd_engine* open_engine(const nd_options* options) {
  nd_engine* engine = nullptr;
  if (nd_open(nullptr, options, &engine) != ND_OK) std::fprintf(stderr, "nd_open: %s\n", nd_last_error());
  return engine;
}

// The work of the engine's loops, by step; null if the engine cannot report it.
nlohmann::json work_of(nd_engine* engine) {
  nd_buffer text = ND_BUFFER_INIT;
  if (nd_metrics(engine, &text) != ND_OK) return nullptr;
  nlohmann::json work = nlohmann::json::object();
  constexpr std::string_view kPrefix = "\nndc_work_total{step=\"";
  const std::string_view all(static_cast<const char*>(text.data), text.size);
  for (size_t at = all.find(kPrefix); at != std::string_view::npos; at = all.find(kPrefix, at + 1)) {
    const std::string_view rest = all.substr(at + kPrefix.size());
    const size_t name_end = rest.find('"');
    const size_t number = rest.find(' ') + 1;
    uint64_t value = 0;
    std::from_chars(rest.data() + number, rest.data() + rest.size(), value);
    work[std::string(rest.substr(0, name_end))] = value;
  }
  nd_buffer_free(&text);
  return work;
}

struct Check {
  double seconds = 0;
  double wall_seconds = 0;
  nd_result result = ND_RESULT_INIT;
};

bool check(nd_engine* engine, const HostileKind& kind, const std::string& url, const std::string& body,
           Check& out) {
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.body = body.data();
  page.body_size = body.size();
  page.content_type = kind.content_type.data();
  page.content_type_size = kind.content_type.size();
  page.fetched_at_ms = 1;
  const auto begin = std::chrono::steady_clock::now();
  const double start = thread_cpu_seconds();
  const nd_status status = nd_check_page(engine, &page, &out.result);
  out.seconds = thread_cpu_seconds() - start;
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (status == ND_OK) return true;
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(kind.name.size()), kind.name.data(), nd_last_error());
  return false;
}

const char* name_of(int32_t verdict) {
  switch (verdict) {
    case ND_NEW:
      return "new";
    case ND_EXACT:
      return "exact";
    case ND_NEAR:
      return "near";
    case ND_NO_TEXT:
      return "no text";
    default:
      return "unchanged";
  }
}

// Measures the most expensive page of a site that has only such pages; negative if a call failed.
double measure_site(const HostileKind& kind, size_t bytes, unsigned pages, const nd_options* options) {
  nd_engine* engine = open_engine(options);
  if (engine == nullptr) return -1;
  double most = 0;
  for (unsigned number = 0; number < pages && most >= 0; ++number) {
    Check page;
    const std::string url = "https://site.example/" + std::to_string(number);
    most = check(engine, kind, url, kind.make(bytes, number), page) ? std::max(most, page.seconds) : -1;
  }
  nd_close(engine);
  return most;
}

// Null if a call failed.
nlohmann::json measure(const HostileKind& kind, size_t bytes, unsigned site_pages,
                       const nd_options* options) {
  nd_engine* engine = open_engine(options);
  if (engine == nullptr) return nullptr;
  const std::string body = kind.make(bytes, 0);
  Check first, second;
  bool done = check(engine, kind, "https://first.example/", body, first);
  nlohmann::json first_work = work_of(engine);
  for (unsigned number = 1; number < kind.known; ++number) {
    const std::string url = "https://site" + std::to_string(number) + ".example/";
    done = done && check(engine, kind, url, kind.make(bytes, number), second);
  }
  const nlohmann::json known_work = work_of(engine);
  done = done && check(engine, kind, "https://last.example/", kind.make(bytes, kind.known), second);
  nlohmann::json second_work = work_of(engine);
  for (auto& [step, amount] : second_work.items())
    amount = amount.get<uint64_t>() - known_work[step].get<uint64_t>();
  nd_close(engine);
  const double site_seconds = done ? measure_site(kind, bytes, site_pages, options) : -1;
  if (site_seconds < 0) return nullptr;
  return {{"page", kind.name},
          {"what", kind.what},
          {"bytes", body.size()},
          {"seconds", first.seconds},
          {"wall_seconds", first.wall_seconds},
          {"work", std::move(first_work)},
          {"limited", (first.result.flags & ND_FLAG_LIMIT) != 0},
          {"flags", first.result.flags},
          {"verdict", name_of(first.result.verdict)},
          {"like_it_seconds", second.seconds},
          {"like_it_wall_seconds", second.wall_seconds},
          {"like_it_work", std::move(second_work)},
          {"like_it_limited", (second.result.flags & ND_FLAG_LIMIT) != 0},
          {"like_it_verdict", name_of(second.result.verdict)},
          {"site_seconds", site_seconds}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What nd_check_page takes on pages that were made to be expensive");
  size_t bytes = kBytes;
  unsigned site_pages = 30;
  std::vector<std::string> only;
  std::string json_path;
  bool list = false;
  app.add_option("--bytes", bytes, "of a page")
      ->check(CLI::Range(size_t{4096}, size_t{64} << 20))
      ->capture_default_str();
  app.add_option("--site", site_pages, "pages of a site; 0: none")->capture_default_str();
  app.add_option("--only", only, "kinds of pages")->delimiter(',')->check([](const std::string& name) {
    return hostile_kind(name) == nullptr ? "there is no page " + name : std::string();
  });
  std::vector<std::string> settings;
  app.add_option("--option", settings, "KEY=VALUE, of the library");
  app.add_option("--json", json_path, "file for the figures");
  app.add_flag("--list", list, "names the kinds of pages");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (list) {
    for (const HostileKind& kind : hostile_kinds())
      std::printf("%-24s %s\n", std::string(kind.name).c_str(), std::string(kind.what).c_str());
    return 0;
  }
  nd_options* made = nullptr;
  bool is_set = nd_options_new(&made) == ND_OK;
  const std::unique_ptr<nd_options, decltype(&nd_options_free)> options(made, nd_options_free);
  for (const std::string& setting : settings) {
    const size_t equals = std::min(setting.find('='), setting.size() - 1);
    const std::string key = setting.substr(0, equals);
    is_set = is_set && nd_options_set(made, key.c_str(), setting.c_str() + equals + 1) == ND_OK;
  }
  if (!is_set) {
    std::fprintf(stderr, "%s\n", nd_last_error());
    return 2;
  }
  nlohmann::json rows = nlohmann::json::array();
  double most = 0;
  std::printf("%-24s %8s %5s  %-9s %8s %5s  %-9s %8s\n", "page", "seconds", "cut", "verdict", "like it",
              "cut", "verdict", "of a site");
  for (const HostileKind& kind : hostile_kinds()) {
    if (!only.empty() && std::ranges::find(only, kind.name) == only.end()) continue;
    nlohmann::json row = measure(kind, bytes, site_pages, made);
    if (row.is_null()) return 1;
    const double seconds = row["seconds"], like_it = row["like_it_seconds"], site = row["site_seconds"];
    most = std::max({most, seconds, like_it, site});
    std::printf("%-24s %8.3f %5s  %-9s %8.3f %5s  %-9s %8.3f\n", std::string(kind.name).c_str(), seconds,
                row["limited"] ? "yes" : "no", row["verdict"].get<std::string>().c_str(), like_it,
                row["like_it_limited"] ? "yes" : "no", row["like_it_verdict"].get<std::string>().c_str(),
                site);
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
  std::printf("most %.3f s, %zu bytes per page\n", most, bytes);
  if (!json_path.empty()) {
    std::ofstream file(json_path);
    file << nlohmann::json{{"bytes", bytes}, {"most_seconds", most}, {"pages", rows}}.dump(1) << '\n';
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", json_path.c_str());
      return 1;
    }
  }
  return 0;
}
