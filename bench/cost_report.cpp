// Lays the JSON of check_cost out in lines, so that both show the same numbers.
#include "cost_report.hpp"

#include <cstdio>
#include <string>

namespace ndc::bench {
namespace {

using nlohmann::json;

std::string text_of(const json& spread, int digits) {
  char line[80];
  std::snprintf(line, sizeof line, "%.*f (%.*f .. %.*f)", digits, spread["median"].get<double>(), digits,
                spread["least"].get<double>(), digits, spread["most"].get<double>());
  return line;
}

void print_undeclared(const json& undeclared) {
  const auto count = [&](const char* name) { return undeclared[name].get<unsigned long long>(); };
  std::printf("%llu pages in GB 18030 or Big5", count("pages"));
  if (count("pages") != 0) {
    std::printf("; undeclared %llu keep the charset, %llu the text, %llu went to ICU\n",
                count("same_charset"), count("same_text"), count("detected_by_icu"));
    std::printf("decoding them / parse: declared %s, undeclared %s",
                text_of(undeclared["declared_ratio"], 3).c_str(),
                text_of(undeclared["undeclared_ratio"], 3).c_str());
  }
  std::printf("\n");
}

}  // namespace

void print_costs(const json& out) {
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
      std::printf("  the same, all threads / parse      %s, at most %u snapshots\n",
                  text_of(whole["store"]["process_ratio"], 3).c_str(),
                  whole["store"]["most_snapshots"].get<unsigned>());
      std::printf("  difference of the two              %s\n",
                  text_of(whole["store"]["over_memory"], 3).c_str());
    }
  }
  for (const json& stage : out.value("stages", json::array())) {
    std::printf("stage %-22s %s  %s us per page\n", stage["stage"].get<std::string>().c_str(),
                text_of(stage["ratio"], 3).c_str(), text_of(stage["us_a_page"], 1).c_str());
  }
  for (const json& row : out.value("threads", json::array())) {
    std::printf("%u threads: %s pages/s by the clock, %s times the first, %s us of CPU a page\n",
                row["threads"].get<unsigned>(), text_of(row["wall_pages_per_s"], 0).c_str(),
                text_of(row["speedup"], 2).c_str(), text_of(row["cpu_us_a_page"], 0).c_str());
    std::printf("  a page %s waits, %s preemptions, %s retried commits\n",
                text_of(row["waits_a_page"], 3).c_str(), text_of(row["preemptions_a_page"], 3).c_str(),
                text_of(row["retried_commits_a_page"], 3).c_str());
    std::printf("  on %s processors, while others had %s, of it stolen by the host %s\n",
                text_of(row["processors"], 2).c_str(), text_of(row["other_load"], 2).c_str(),
                text_of(row["stolen"], 2).c_str());
  }
  for (const json& row : out.value("growth", json::array())) {
    std::printf("%llu pages in the index: %s of a parse, %s times the first\n",
                row["index_pages"].get<unsigned long long>(), text_of(row["ratio"], 3).c_str(),
                text_of(row["over_first"], 3).c_str());
  }
  if (out.contains("reading")) {
    std::printf("reading the archive: %s s\n", text_of(out["reading"]["seconds"], 3).c_str());
  }
  if (out.contains("undeclared")) print_undeclared(out["undeclared"]);
  for (const json& row : out.value("keys_only", json::array())) {
    std::printf("key index alone, %llu pages: %.0f bytes per page, ns per look-up %s there, %s not there\n",
                row["pages"].get<unsigned long long>(), row["bytes_a_page"].get<double>(),
                text_of(row["hit_ns"], 0).c_str(), text_of(row["miss_ns"], 0).c_str());
  }
}

}  // namespace ndc::bench
