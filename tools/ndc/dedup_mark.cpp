// Writes the bookmarks as JSON and reads them back; a store may have been written by another program.
#include "dedup_mark.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace ndc {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kVersion = 1;

struct CountField {
  const char* name;
  uint64_t ArchiveCounts::*field;
};

constexpr std::array<CountField, 7> kCountFields = {{
    {"records", &ArchiveCounts::records},
    {"pages", &ArchiveCounts::pages},
    {"page_bytes", &ArchiveCounts::page_bytes},
    {"truncated", &ArchiveCounts::truncated},
    {"no_page", &ArchiveCounts::no_page},
    {"other_status", &ArchiveCounts::other_status},
    {"damaged", &ArchiveCounts::damaged},
}};

Json json_of(const KnownText& text) {
  return text.known ? Json{{"hash", text.hash}, {"width", text.width}} : Json(nullptr);
}

// Takes fields out of an object and remembers whether one of them was missing or of another type.
class FieldReader {
 public:
  explicit FieldReader(const Json& object) : object_(object), complete_(object.is_object()) {}

  uint64_t number(const char* name) {
    const Json* field = find(name);
    complete_ = complete_ && field != nullptr && field->is_number_unsigned();
    return complete_ ? field->get<uint64_t>() : 0;
  }
  template <size_t N>
  void numbers(const char* name, std::array<uint64_t, N>& out) {
    const Json* field = find(name);
    complete_ = complete_ && field != nullptr && field->is_array() && field->size() == N;
    for (size_t i = 0; complete_ && i < N; ++i) {
      complete_ = (*field)[i].is_number_unsigned();
      if (complete_) out[i] = (*field)[i].get<uint64_t>();
    }
  }
  bool boolean(const char* name) {
    const Json* field = find(name);
    complete_ = complete_ && field != nullptr && field->is_boolean();
    return complete_ && field->get<bool>();
  }
  KnownText known_text(const char* name) {
    const Json* field = find(name);
    complete_ = complete_ && field != nullptr;
    if (!complete_ || field->is_null()) return {};
    FieldReader text(*field);
    const KnownText known{true, text.number("hash"), text.number("width")};
    complete_ = text.complete();
    return known;
  }
  bool has(const char* name) const { return find(name) != nullptr; }
  bool complete() const { return complete_; }

 private:
  const Json* find(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto field = object_.find(name);
    return field == object_.end() ? nullptr : &*field;
  }

  const Json& object_;
  bool complete_;
};

}  // namespace

std::string to_text(const DedupMark& mark) {
  Json json = {
      {"version", kVersion},
      {"identity", mark.identity},
      {"run", mark.run},
      {"slots", mark.slots},
      {"item", mark.item},
      {"input", mark.place.input},
      {"file_offset", mark.place.position.file_offset},
      {"member_offset", mark.place.position.member_offset},
      {"behind", mark.behind},
      {"complete", mark.complete},
      {"named", mark.named},
      {"duplicates", mark.totals.duplicates},
      {"output_bytes", mark.totals.output_bytes},
      {"metadata_bytes", mark.totals.metadata_bytes},
  };
  for (const CountField& count : kCountFields)
    json[count.name] = mark.totals.counts.*count.field;
  json["left_out"] = mark.totals.counts.left_out;
  if (mark.before) json["before"] = json_of(*mark.before);
  return json.dump();
}

std::string to_text(const PageMark& mark) {
  return Json{{"version", kVersion}, {"run", mark.run}, {"item", mark.item}, {"before", json_of(mark.before)}}
      .dump();
}

std::optional<DedupMark> parse_dedup_mark(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  FieldReader fields(json);
  if (fields.number("version") != kVersion) return std::nullopt;
  DedupMark mark;
  mark.identity = fields.number("identity");
  mark.run = fields.number("run");
  mark.slots = fields.number("slots");
  mark.item = fields.number("item");
  mark.place.input = static_cast<size_t>(fields.number("input"));
  mark.place.position = {fields.number("file_offset"), fields.number("member_offset")};
  mark.behind = fields.boolean("behind");
  mark.complete = fields.boolean("complete");
  mark.named = fields.boolean("named");
  mark.totals.duplicates = fields.number("duplicates");
  mark.totals.output_bytes = fields.number("output_bytes");
  for (const CountField& count : kCountFields)
    mark.totals.counts.*count.field = fields.number(count.name);
  mark.totals.metadata_bytes = fields.number("metadata_bytes");
  fields.numbers("left_out", mark.totals.counts.left_out);
  if (fields.has("before")) mark.before = fields.known_text("before");
  if (!fields.complete()) return std::nullopt;
  return mark;
}

std::optional<PageMark> parse_page_mark(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  FieldReader fields(json);
  if (fields.number("version") != kVersion) return std::nullopt;
  PageMark mark;
  mark.run = fields.number("run");
  mark.item = fields.number("item");
  mark.before = fields.known_text("before");
  if (!fields.complete()) return std::nullopt;
  return mark;
}

}  // namespace ndc
