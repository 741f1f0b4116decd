// Writes each counter with its name and help text; counters that an engine in memory cannot have are 0 rather
// than absent.
#include "engine/metrics.hpp"

#include <charconv>
#include <string_view>

namespace nd::engine {
namespace {

class MetricWriter {
 public:
  explicit MetricWriter(String& out) noexcept : out_(out) {}

  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    out_.append("# HELP ")
        .append(name)
        .append(" ")
        .append(help)
        .append("\n# TYPE ")
        .append(name)
        .append(" ")
        .append(type)
        .append("\n");
  }
  // `label`: e.g. verdict="near", or empty.
  void sample(std::string_view suffix, std::string_view label, uint64_t value) {
    begin(suffix, label);
    number(value);
    out_.push_back('\n');
  }
  void sample(std::string_view suffix, std::string_view label, double value) {
    begin(suffix, label);
    number(value);
    out_.push_back('\n');
  }
  void counter(std::string_view name, std::string_view help, uint64_t value) {
    family(name, "counter", help);
    sample("", "", value);
  }

 private:
  void begin(std::string_view suffix, std::string_view label) {
    out_.append(name_).append(suffix);
    if (!label.empty()) out_.append("{").append(label).append("}");
    out_.push_back(' ');
  }
  template <typename T>
  void number(T value) {
    char text[40];
    const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
    out_.append(text, static_cast<size_t>(end.ptr - text));
  }

  String& out_;
  std::string_view name_;
};

void write_latency(const LatencyHistogram& latency, MetricWriter& metrics) {
  metrics.family("ndc_check_seconds", "histogram", "Time of nd_check_page.");
  uint64_t cumulative = 0;
  for (size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    cumulative += latency.count(bucket);
    char label[48] = "le=\"";
    char* end = label + 4;
    if (bucket + 1 < LatencyHistogram::kBuckets) {
      end = std::to_chars(end, label + sizeof label - 2,
                          static_cast<double>(LatencyHistogram::limit_us(bucket)) / 1e6)
                .ptr;
    } else {
      for (char c : std::string_view("+Inf"))
        *end++ = c;
    }
    *end++ = '"';
    metrics.sample("_bucket", {label, static_cast<size_t>(end - label)}, cumulative);
  }
  metrics.sample("_sum", "", static_cast<double>(latency.sum_us()) / 1e6);
  metrics.sample("_count", "", cumulative);
}

// For an engine in memory all are 0 except the count of expired pages.
void write_store(const Counters& counters, const Sizes& sizes, MetricWriter& metrics) {
  const auto gauge = [&metrics](std::string_view name, std::string_view help, uint64_t value) {
    metrics.family(name, "gauge", help);
    metrics.sample("", "", value);
  };
  gauge("ndc_generation", "Generation of the store: that of its last snapshot.", sizes.generation);
  metrics.counter("ndc_snapshots_total", "Snapshots taken.", sizes.snapshots);
  metrics.counter("ndc_snapshot_failures_total", "Snapshots that failed; the log says why.",
                  counters.snapshot_failures);
  gauge("ndc_store_bytes", "Bytes of the last snapshot's files.", sizes.bytes_disk);
  metrics.counter("ndc_run_merges_total", "Merges of several files of a table into one.",
                  sizes.store.run_merges);
  gauge("ndc_journal_bytes",
        "Bytes of changes since the last snapshot, in the journal or, without one, as it "
        "would have them.",
        sizes.bytes_journal);
  gauge("ndc_journal_records", "Changes since the last snapshot.", sizes.store.journal_records);
  metrics.counter("ndc_journal_appended_total", "Changes given to the journal.",
                  sizes.store.appended_records);
  metrics.counter("ndc_journal_failures_total", "Writes and syncs of the journal that failed.",
                  sizes.store.journal_failures);
  metrics.counter("ndc_expired_total", "Of the pages removed those that page_ttl_s removed.",
                  counters.expired);
}

}  // namespace

void write_metrics(const Engine& engine, String& out) {
  const Counters& counters = engine.counters();
  const Sizes sizes = engine.sizes();
  MetricWriter metrics(out);
  metrics.family("ndc_checks_total", "counter", "Pages checked, by verdict.");
  metrics.sample("", "verdict=\"new\"", counters.verdicts[kNew].load());
  metrics.sample("", "verdict=\"unchanged\"", counters.verdicts[kUnchanged].load());
  metrics.sample("", "verdict=\"exact\"", counters.verdicts[kExactDuplicate].load());
  metrics.sample("", "verdict=\"near\"", counters.verdicts[kNearDuplicate].load());
  metrics.sample("", "verdict=\"no_text\"", counters.verdicts[kNoText].load());
  metrics.counter("ndc_queries_total", "Pages queried.", counters.queries);
  metrics.counter("ndc_recrawls_total", "Checks of known URLs.", counters.recrawls);
  metrics.counter("ndc_changed_total", "Recrawled pages with another text.", counters.changed);
  metrics.counter(
      "ndc_reverified_total",
      "Recrawled pages with the same text that were decided again because more of their site was known.",
      counters.reverified);
  metrics.counter("ndc_regrouped_total", "Pages that moved to another group.", counters.regrouped);
  metrics.counter("ndc_removed_total", "Pages removed.", counters.removed);
  metrics.counter("ndc_body_bytes_total", "Bytes of checked bodies.", counters.body_bytes);
  metrics.counter("ndc_pages_without_own_text_total",
                  "Checked pages that have nothing but what other pages of their site have: traps.",
                  counters.without_own_text);
  metrics.family("ndc_pages_left_to_libxml2_total", "counter",
                 "HTML pages that ndc's own reader left to libxml2, by what it met first.");
  uint64_t pages_left = 0;
  for (size_t doubt = 1; doubt < text::kDoubts; ++doubt) {
    const uint64_t pages = counters.pages_left[doubt].load();
    String label = "reason=\"";
    label.append(text::kDoubtNames[doubt]).push_back('"');
    metrics.sample("", label, pages);
    pages_left += pages;
  }
  metrics.counter("ndc_pages_read_again_total", "HTML pages that were read twice: those left to libxml2.",
                  pages_left);
  metrics.counter("ndc_candidates_total", "Groups that shared a key with a page, after ranking and capping.",
                  counters.candidates);
  metrics.counter("ndc_verifications_total", "LCS comparisons.", counters.verifications);
  metrics.counter("ndc_rejected_by_sketch_total", "LCS comparisons ended by the filtered sketch.",
                  counters.rejected_by_sketch);
  metrics.counter("ndc_retried_commits_total",
                  "Looks at the candidates again because of a concurrent commit; a check may take several.",
                  counters.retried_commits);
  metrics.counter("ndc_spot_searches_total", "Searches for groups by spot signatures.",
                  counters.spot_searches);
  metrics.family("ndc_limits_hit_total", "counter", "Pages on which a limit cut work.");
  metrics.sample("", "limit=\"page_bytes\"", counters.limit_page_bytes.load());
  metrics.sample("", "limit=\"markup\"", counters.limit_markup.load());
  metrics.sample("", "limit=\"tokens\"", counters.limit_tokens.load());
  metrics.sample("", "limit=\"candidates\"", counters.limit_candidates.load());
  metrics.sample("", "limit=\"verifications\"", counters.limit_verifications.load());
  metrics.sample("", "limit=\"work\"", counters.limit_work.load());
  metrics.sample("", "limit=\"memory\"", counters.limit_memory.load());
  metrics.sample("", "limit=\"index\"",
                 counters.limit_index.load() + sizes.spots_dropped + sizes.method_dropped);
  metrics.sample("", "limit=\"spots\"", counters.limit_spots.load());
  metrics.sample("", "limit=\"sites\"", sizes.sites_dropped);
  metrics.family("ndc_work_total", "counter",
                 "Iterations of loops over pages that were checked or queried, by step; docs/security.md.");
  for (size_t kind = 0; kind < kWorkKinds; ++kind) {
    String label("step=\"");
    label.append(kWorkNames[kind]).push_back('"');
    metrics.sample("", label, counters.work[kind].load());
  }
  metrics.counter("ndc_hot_keys_deleted_total", "Keys deleted as template or spam.", sizes.hot_keys);
  metrics.family("ndc_pages", "gauge", "Pages in the engine.");
  metrics.sample("", "", sizes.pages);
  metrics.family("ndc_groups", "gauge", "Groups in the engine.");
  metrics.sample("", "", sizes.groups);
  metrics.family("ndc_keys", "gauge", "Keys in the index.");
  metrics.sample("", "", sizes.keys);
  metrics.family("ndc_memory_bytes", "gauge", "Memory by structure.");
  metrics.sample("", "structure=\"index\"", sizes.bytes_index);
  metrics.sample("", "structure=\"features\"", sizes.bytes_features);
  metrics.sample("", "structure=\"pages\"", sizes.bytes_pages);
  metrics.sample("", "structure=\"events\"", sizes.bytes_events);
  metrics.sample("", "structure=\"scratch\"", sizes.bytes_scratch);
  write_store(counters, sizes, metrics);
  write_latency(engine.latency(), metrics);
}

}  // namespace nd::engine
