// Joins what nd_extract and nd_describe_page gave into a line of JSON, or into text for reading.
#include "extract_report.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "terminal_text.hpp"

namespace ndc {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kWeightDigits = 2;
constexpr int kShareDigits = 4;
constexpr size_t kNameColumns = 16;

// A field as text; empty where it is missing, null or empty.
std::string field_text(const OrderedJson& object, const char* name) {
  const auto field = object.find(name);
  if (field == object.end() || field->is_null()) return {};
  if (field->is_string()) return printable(field->get_ref<const std::string&>());
  return printable(field->dump());
}

void write_field(const OrderedJson& object, const char* name, OutputFile& output) {
  const std::string text = field_text(object, name);
  if (!text.empty() && text != "[]") output.write_line("  " + padded_right(name, kNameColumns) + text);
}

void write_readable(std::string_view url, const OrderedJson& extract, OutputFile& output) {
  output.write_line(printable(url));
  for (const char* name : {"kind", "charset", "charset_source", "title", "language", "keywords",
                           "description", "canonical", "site", "alternates", "width", "content_width",
                           "tokens", "sentences", "fingerprints", "keys", "limited"}) {
    write_field(extract, name, output);
  }
  const auto blocks = extract.find("blocks");
  if (blocks != extract.end() && blocks->is_array()) {
    for (const OrderedJson& block : *blocks) {
      if (!block.is_object()) continue;
      const auto weight = block.find("weight");
      const bool weighted = weight != block.end() && weight->is_number();
      output.write_line("  " +
                        (weighted ? fixed(weight->get<double>(), kWeightDigits) : std::string("   -")) +
                        "  " + field_text(block, "text"));
    }
  }
}

// What nd_describe_page tells beside the detector's name: one list, or one number.
OrderedJson kept_of(const OrderedJson& description) {
  for (const auto& [name, value] : description.items()) {
    if (name != "detector") return value;
  }
  return {};
}

// The words at which the signatures begin, with the number of signatures, the most frequent first.
OrderedJson antecedents_of(const OrderedJson& signatures) {
  std::map<std::string, uint64_t> counts;
  for (const OrderedJson& signature : signatures) {
    const auto words = signature.find("words");
    if (words == signature.end() || words->empty() || !words->front().is_string()) continue;
    counts[words->front().get<std::string>()] += signature.value("count", uint64_t{0});
  }
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& [word, count] : counts)
    sorted.emplace_back(count, word);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  OrderedJson list = OrderedJson::array();
  for (const auto& [count, word] : sorted)
    list.push_back({{"words", {word}}, {"count", count}});
  return list;
}

// An element of a list on a line: what it counts or weighs, then its words.
std::string kept_line(const OrderedJson& element) {
  if (!element.is_object())
    return printable(element.is_string() ? element.get<std::string>() : element.dump());
  const auto words = element.find("words");
  if (words == element.end() || !words->is_array()) {
    const auto share = element.find("share");
    const bool weighed = share != element.end() && share->is_number();
    return (weighed ? fixed(share->get<double>(), kShareDigits) : "-") + "  " + field_text(element, "term");
  }
  std::string line = field_text(element, "count") + " ";
  for (const OrderedJson& word : *words)
    line += " " + printable(word.is_string() ? word.get<std::string>() : word.dump());
  return line;
}

void write_text(const std::string& shown, std::string_view text, OutputFile& output) {
  output.write_line("  " + shown + ":");
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    output.write_line("    " + printable(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void write_kept(const std::string& shown, const OrderedJson& kept, OutputFile& output) {
  if (!kept.is_array()) {
    OrderedJson field = OrderedJson::object();
    field[shown] = kept;
    write_field(field, shown.c_str(), output);
    return;
  }
  output.write_line("  " + shown + ": " + std::to_string(kept.size()));
  for (const OrderedJson& element : kept)
    output.write_line("    " + kept_line(element));
}

}  // namespace

bool write_extract(std::string_view url, std::string_view json, const std::vector<Description>& descriptions,
                   bool as_json, OutputFile& output) {
  OrderedJson extract = OrderedJson::parse(json, nullptr, false);
  if (!extract.is_object()) return false;
  for (const Description& description : descriptions) {
    if (description.is_text) {
      extract[description.shown] = description.content;
      continue;
    }
    const OrderedJson kept = OrderedJson::parse(description.content, nullptr, false);
    if (!kept.is_object()) return false;
    extract[description.shown] =
        description.shown == kAntecedents ? antecedents_of(kept_of(kept)) : kept_of(kept);
  }
  if (!as_json) {
    write_readable(url, extract, output);
    for (const Description& description : descriptions) {
      if (description.is_text) {
        write_text(description.shown, description.content, output);
      } else {
        write_kept(description.shown, extract[description.shown], output);
      }
    }
    output.write_line("");
    return true;
  }
  OrderedJson with_url = OrderedJson::object();
  with_url["url"] = url;
  with_url.update(extract);
  output.write_line(with_url.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  return true;
}

bool write_known_page(std::string_view url, std::string_view json, bool as_json, OutputFile& output) {
  if (as_json) {
    output.write_line(json);
    return true;
  }
  const OrderedJson known = OrderedJson::parse(json, nullptr, false);
  if (!known.is_object()) return false;
  output.write_line(printable(url));
  for (const auto& [name, value] : known.items()) {
    if (name != "url") write_field(known, name.c_str(), output);
  }
  return true;
}

}  // namespace ndc
