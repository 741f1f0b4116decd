#include "store_lines.hpp"

#include "iso_time.hpp"
#include "json_text.hpp"
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
    case ND_EVENT_MERGED:
      return "merged";
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
      .number("width", info.text_width);
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

}  // namespace ndc
