// Turns the structs of the C interface into lines of JSON and rows of a table.
#include "store_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>

#include "output_text.hpp"
#include "row_writer.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

std::string_view event_word(int32_t kind) {
  switch (kind) {
    case ND_EVENT_REGROUPED:
      return "regrouped";
    case ND_EVENT_REMOVED:
      return "removed";
    case ND_EVENT_REELECTED:
      return "reelected";
    case ND_EVENT_LIMIT:
      return "limit";
    default:
      return "unknown";
  }
}

// An object that grows field by field.
class Line {
 public:
  Line& number(std::string_view name, uint64_t value) { return raw(name, std::to_string(value)); }
  // 0 stands for none.
  Line& id(std::string_view name, uint64_t value) {
    return raw(name, value == 0 ? "null" : std::to_string(value));
  }
  Line& text(std::string_view name, std::string_view value) { return raw(name, json_text(value)); }
  Line& time(std::string_view name, int64_t value) { return text(name, iso_time(value)); }
  Line& raw(std::string_view name, std::string_view value) {
    text_.append(text_.empty() ? "{\"" : ",\"").append(name).append("\":").append(value);
    return *this;
  }
  std::string end() const { return text_ + "}"; }

 private:
  std::string text_;
};

std::string flag_list(uint32_t flags) {
  std::string list = "[";
  for (const std::string_view word : words_of_flags(flags))
    list.append(list.size() > 1 ? ",\"" : "\"").append(word).append("\"");
  return list + "]";
}

struct EngineCount {
  std::string_view name;
  uint64_t nd_stats::*field;
};

constexpr EngineCount kEngineCounts[] = {
    {"engine.pages", &nd_stats::pages},
    {"engine.groups", &nd_stats::groups},
    {"engine.checks", &nd_stats::checks},
    {"engine.verdict_new", &nd_stats::verdict_new},
    {"engine.verdict_unchanged", &nd_stats::verdict_unchanged},
    {"engine.verdict_exact", &nd_stats::verdict_exact},
    {"engine.verdict_near", &nd_stats::verdict_near},
    {"engine.verdict_no_text", &nd_stats::verdict_no_text},
    {"engine.recrawls", &nd_stats::recrawls},
    {"engine.changed", &nd_stats::changed},
    {"engine.reverified", &nd_stats::reverified},
    {"engine.regrouped", &nd_stats::regrouped},
    {"engine.body_bytes", &nd_stats::body_bytes},
    {"engine.without_own_text", &nd_stats::without_own_text},
    {"engine.candidates", &nd_stats::candidates},
    {"engine.verifications", &nd_stats::verifications},
    {"engine.rejected_by_sketch", &nd_stats::rejected_by_sketch},
    {"engine.retried_commits", &nd_stats::retried_commits},
    {"engine.limit_page_bytes", &nd_stats::limit_page_bytes},
    {"engine.limit_markup", &nd_stats::limit_markup},
    {"engine.limit_tokens", &nd_stats::limit_tokens},
    {"engine.limit_candidates", &nd_stats::limit_candidates},
    {"engine.limit_verifications", &nd_stats::limit_verifications},
    {"engine.limit_work", &nd_stats::limit_work},
    {"engine.limit_memory", &nd_stats::limit_memory},
    {"engine.limit_index", &nd_stats::limit_index},
    {"engine.limit_spots", &nd_stats::limit_spots},
    {"engine.limit_sites", &nd_stats::limit_sites},
    {"engine.hot_keys_deleted", &nd_stats::hot_keys_deleted},
    {"engine.keys", &nd_stats::keys},
    {"engine.bytes_total", &nd_stats::bytes_total},
    {"engine.bytes_index", &nd_stats::bytes_index},
    {"engine.bytes_spots", &nd_stats::bytes_spots},
    {"engine.bytes_features", &nd_stats::bytes_features},
    {"engine.bytes_pages", &nd_stats::bytes_pages},
    {"engine.bytes_events", &nd_stats::bytes_events},
    {"engine.bytes_scratch", &nd_stats::bytes_scratch},
};

// All counters of nd_stats but `queries`, `removed`, `expired`, `generation`, `snapshots`, `bytes_disk` and
// `bytes_journal`.
static_assert(std::size(kEngineCounts) + 7 ==
                  (sizeof(nd_stats) - offsetof(nd_stats, pages)) / sizeof(uint64_t),
              "a new counter needs a row");

}  // namespace

std::string page_line(const nd_page_info& info, std::string_view url, const std::string* kept) {
  Line line;
  line.text("url", url)
      .number("page_id", info.page_id)
      .number("group_id", info.group_id)
      .text("verdict", verdict_word(info.verdict))
      .raw("flags", flag_list(info.flags))
      .time("first_fetched", info.first_fetched_at_ms)
      .time("last_fetched", info.last_fetched_at_ms)
      .number("width", info.text_width)
      .raw("probability", fixed(info.probability, kScoreDigits))
      .id("related_group_id", info.related_group_id);
  if (kept != nullptr) line.text("kept", *kept);
  return line.end();
}

std::string group_line(const nd_group_info& info) {
  return Line()
      .number("group_id", info.group_id)
      .id("representative", info.representative_page_id)
      .number("pages", info.page_count)
      .end();
}

std::string event_line(const nd_event& event) {
  return Line()
      .number("sequence", event.sequence)
      .text("event", event_word(event.kind))
      .number("page_id", event.page_id)
      .id("old_group_id", event.old_group_id)
      .id("new_group_id", event.new_group_id)
      .time("at", event.at_ms)
      .end();
}

std::string stats_object(const nd_stats& stats) {
  const double page_bytes =
      stats.pages == 0 ? 0 : static_cast<double>(stats.bytes_disk) / static_cast<double>(stats.pages);
  return Line()
      .number("pages", stats.pages)
      .number("groups", stats.groups)
      .number("generation", stats.generation)
      .number("bytes_disk", stats.bytes_disk)
      .raw("bytes_disk_per_page", fixed(page_bytes, 1))
      .number("bytes_memory", stats.bytes_total)
      .number("keys", stats.keys)
      .end();
}

void StatsTable::add(std::string_view name, uint64_t number) {
  rows_.emplace_back(name, with_separators(number));
}

void StatsTable::add_archive_counts(const ArchiveCounts& counts, uint64_t input_bytes) {
  add("input.bytes", input_bytes);
  add("input.records", counts.records);
  add("input.damaged_skipped", counts.damaged);
  add("input.other_record_types", counts.no_page);
  add("input.other_http_statuses", counts.other_status);
  for (size_t reason = 0; reason < kLeftOutReasons; ++reason) {
    if (counts.left_out[reason] > 0)
      add("input.left_out_" + std::string(key_of(static_cast<LeftOut>(reason))), counts.left_out[reason]);
  }
  add("input.pages", counts.pages);
  add("input.pages_truncated", counts.truncated);
  add("input.page_bytes", counts.page_bytes);
}

void StatsTable::add_engine_stats(const nd_stats& stats) {
  for (const EngineCount& count : kEngineCounts)
    add(count.name, stats.*count.field);
}

void StatsTable::add_store_stats(const nd_stats& stats) {
  add("pages", stats.pages);
  add("groups", stats.groups);
  add("generation", stats.generation);
  add("bytes_disk", stats.bytes_disk);
  add("bytes_disk_per_page", stats.pages == 0 ? 0 : stats.bytes_disk / stats.pages);
  add("bytes_memory", stats.bytes_total);
  add("keys", stats.keys);
}

void StatsTable::print() const {
  const std::string lines = text();
  std::fwrite(lines.data(), 1, lines.size(), stderr);
}

std::string StatsTable::text() const {
  size_t name_width = 0, number_width = 0;
  for (const auto& [name, number] : rows_) {
    name_width = std::max(name_width, name.size());
    number_width = std::max(number_width, number.size());
  }
  std::string text;
  for (const auto& [name, number] : rows_) {
    text += padded_right(name, name_width) + "  " + padded_left(number, number_width) + "\n";
  }
  return text;
}

}  // namespace ndc
