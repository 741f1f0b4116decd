#include "extract_report.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "terminal_text.hpp"

namespace ndc {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWeightDigits = 2;
constexpr size_t kNameColumns = 16;

// A field as text; empty where it is missing, null or empty.
std::string field_text(const Json& object, const char* name) {
  const auto field = object.find(name);
  if (field == object.end() || field->is_null()) return {};
  if (field->is_string()) return printable(field->get_ref<const std::string&>());
  return field->dump();
}

void write_field(const Json& object, const char* name, OutputFile& output) {
  const std::string text = field_text(object, name);
  if (!text.empty() && text != "[]") output.write_line("  " + padded_right(name, kNameColumns) + text);
}

void write_readable(std::string_view url, const Json& extract, OutputFile& output) {
  output.write_line(printable(url));
  for (const char* name : {"kind", "charset", "charset_source", "title", "language", "keywords",
                           "description", "canonical", "site", "alternates", "width", "content_width",
                           "tokens", "sentences", "fingerprints", "keys", "limited"}) {
    write_field(extract, name, output);
  }
  const auto blocks = extract.find("blocks");
  if (blocks != extract.end() && blocks->is_array()) {
    for (const Json& block : *blocks) {
      if (!block.is_object()) continue;
      const auto weight = block.find("weight");
      const bool weighted = weight != block.end() && weight->is_number();
      output.write_line("  " +
                        (weighted ? fixed(weight->get<double>(), kWeightDigits) : std::string("   -")) +
                        "  " + field_text(block, "text"));
    }
  }
  output.write_line("");
}

}  // namespace

bool write_extract(std::string_view url, std::string_view json, bool as_json, OutputFile& output) {
  const Json extract = Json::parse(json, nullptr, false);
  if (!extract.is_object()) return false;
  if (!as_json) {
    write_readable(url, extract, output);
    return true;
  }
  Json with_url = Json::object();
  with_url["url"] = url;
  with_url.update(extract);
  output.write_line(with_url.dump(-1, ' ', false, Json::error_handler_t::replace));
  return true;
}

}  // namespace ndc
