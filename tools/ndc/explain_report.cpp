// Sets the texts of an explanation in lines of the terminal's width, with colours where there are some.
#include "explain_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "terminal_text.hpp"

namespace ndc {
namespace {

using Json = nlohmann::json;

constexpr size_t kTextColumns = 96;
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kPlain = "\x1b[0m";

// How a segment of each kind is displayed.
struct SegmentStyle {
  std::string_view prefix;
  std::string_view colour;
};

SegmentStyle style_of(const std::string& kind) {
  if (kind == "a") return {"- ", kRed};
  if (kind == "b") return {"+ ", kGreen};
  return {"  ", {}};
}

std::string number_text(const Json& object, const char* name, int digits) {
  const auto field = object.find(name);
  return field != object.end() && field->is_number() ? fixed(field->get<double>(), digits) : "-";
}

std::string string_text(const Json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_string() ? printable(field->get_ref<const std::string&>()) : "-";
}

// Columns of a character by its first byte, roughly: three bytes and more are mostly wide.
size_t columns_of(unsigned char first) {
  return first >= 0xE3 ? 2 : 1;
}

// Breaks text into lines, at spaces where there are some.
std::vector<std::string_view> wrapped(std::string_view text) {
  std::vector<std::string_view> lines;
  size_t start = 0, space = 0, columns = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte & 0xC0) == 0x80) continue;
    if (byte == ' ') space = at;
    if (columns >= kTextColumns) {
      const size_t end = space > start ? space : at;
      lines.push_back(text.substr(start, end - start));
      start = space > start ? space + 1 : at;
      at = start;
      columns = 0;
      if (at >= text.size()) break;
    }
    columns += columns_of(static_cast<unsigned char>(text[at]));
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

std::string range_text(const Json& segment, const char* side) {
  const auto range = segment.find(side);
  if (range == segment.end() || !range->is_array()) return {};
  return " " + std::string(side) + " " + range->dump();
}

// The lines of a segment as they are shown: blocks of the page stay apart.
std::vector<std::string> shown_lines(const Json& segment) {
  const auto text = segment.find("text");
  if (text == segment.end() || !text->is_string()) {
    return {"(tokens" + range_text(segment, "a") + range_text(segment, "b") + range_text(segment, "tokens") +
            ")"};
  }
  std::vector<std::string> lines;
  std::string_view rest = text->get_ref<const std::string&>();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string block = printable(rest.substr(0, end));
    for (const std::string_view line : wrapped(block)) {
      if (line.find_first_not_of(' ') != std::string_view::npos) lines.emplace_back(line);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

void write_segment(const Json& segment, bool coloured, OutputFile& output) {
  const auto kind = segment.find("kind");
  const SegmentStyle style =
      style_of(kind != segment.end() && kind->is_string() ? kind->get<std::string>() : "");
  const bool in_colour = coloured && !style.colour.empty();
  for (const std::string& shown : shown_lines(segment)) {
    std::string line;
    if (in_colour) line += style.colour;
    line.append(style.prefix).append(shown);
    if (in_colour) line += kPlain;
    output.write_line(line);
  }
}

void write_page(const Json& explanation, const char* side, const char* label, OutputFile& output) {
  const auto page = explanation.find(side);
  if (page == explanation.end() || !page->is_object()) return;
  output.write_line(std::string(label) + string_text(*page, "url"));
  output.write_line("              text " + number_text(*page, "width", 0) + ", main content " +
                    number_text(*page, "content_width", 0));
}

void write_detector(const Json& explanation, OutputFile& output) {
  output.write_line("detector      " + string_text(explanation, "detector") + ": score " +
                    number_text(explanation, "score", kScoreDigits) + ", near-duplicates from " +
                    number_text(explanation, "asked", kScoreDigits) + " on");
  const auto compared = explanation.find("compared");
  if (compared == explanation.end() || !compared->is_object()) return;
  output.write_line("compared      " + string_text(*compared, "unit") + ": " +
                    number_text(*compared, "a", 0) + " of a, " + number_text(*compared, "b", 0) + " of b, " +
                    number_text(*compared, "shared", 0) + " shared");
}

void write_ratios(const Json& explanation, OutputFile& output) {
  output.write_line("resemblance   " + number_text(explanation, "resemblance", kScoreDigits));
  output.write_line("containment   " + number_text(explanation, "containment", kScoreDigits));
  output.write_line("coverage      " + number_text(explanation, "matched_coverage", kScoreDigits) +
                    " of a, " + number_text(explanation, "page_coverage", kScoreDigits) + " of b");
  const bool has_keys = !explanation.contains("detector");
  output.write_line("shared        " + number_text(explanation, "matched_width", 0) + " of the text" +
                    (has_keys ? ", " + number_text(explanation, "shared_keys", 0) + " candidate keys" : ""));
}

uint64_t tokens_of(const Json& ranges) {
  uint64_t tokens = 0;
  for (const Json& range : ranges) {
    if (!range.is_array() || range.size() != 2) continue;
    if (!range[0].is_number_unsigned() || !range[1].is_number_unsigned()) continue;
    tokens += range[1].get<uint64_t>() - range[0].get<uint64_t>();
  }
  return tokens;
}

// What the store knows of the two sites.
void write_boilerplate(const Json& explanation, OutputFile& output) {
  const auto learned = explanation.find("boilerplate");
  if (learned == explanation.end() || !learned->is_object()) return;
  const uint64_t of_a = tokens_of(learned->value("a", Json::array()));
  const uint64_t of_b = tokens_of(learned->value("b", Json::array()));
  if (of_a + of_b == 0) return;
  output.write_line("boilerplate   learned of the sites: " + std::to_string(of_a) + " tokens of a, " +
                    std::to_string(of_b) + " of b");
}

void write_ranges(const Json& ranges, const std::string& title, OutputFile& output) {
  output.write_line(title + (ranges.empty() ? ": nothing" : ":"));
  for (const Json& range : ranges) {
    if (!range.is_object()) continue;
    for (const std::string& line : shown_lines(range))
      output.write_line("  " + line);
  }
}

// A step of TR2007012's comparison, of both pages or of a alone.
void write_step(const Json& explanation, const std::string& name, OutputFile& output) {
  const auto step = explanation.find(name);
  if (step == explanation.end()) {
    output.write_line(name + ": only the comparison of --option decision=report has it");
  } else if (step->is_object()) {
    write_ranges(step->value("a", Json::array()), name + " of a", output);
    write_ranges(step->value("b", Json::array()), name + " of b", output);
  } else {
    write_ranges(*step, name + " of a", output);
  }
}

// What settled it, in words.
void write_reason(const Json& explanation, OutputFile& output) {
  const auto threshold = explanation.find("decided_by");
  if (threshold != explanation.end() && threshold->is_object()) {
    const bool together = string_text(explanation, "verdict") != "different";
    output.write_line("decided by    " + string_text(*threshold, "option") + ": asked for " +
                      number_text(*threshold, "asked", kScoreDigits) + ", found " +
                      number_text(*threshold, "found", kScoreDigits) + (together ? "" : ": not enough"));
  }
  if (explanation.contains("refused_as"))
    output.write_line("refused as    " + string_text(explanation, "refused_as"));
}

}  // namespace

bool write_explanation(std::string_view json, std::span<const std::string> shown, bool coloured,
                       OutputFile& output) {
  const Json explanation = Json::parse(json, nullptr, false);
  if (!explanation.is_object()) return false;
  write_page(explanation, "a", "a             ", output);
  write_page(explanation, "b", "b             ", output);
  output.write_line("verdict       " + string_text(explanation, "verdict") +
                    " (rule: " + string_text(explanation, "rule") + ")");
  if (const auto reasons = explanation.find("reasons"); reasons != explanation.end())
    for (const Json& reason : *reasons)
      output.write_line("              " + string_text(reason, "sentence"));
  const bool has_detector = explanation.contains("detector");
  if (has_detector) write_detector(explanation, output);
  // The LCS's measurements; a detector that decides alone does not use it.
  if (!has_detector || explanation.contains("decision")) write_ratios(explanation, output);
  write_boilerplate(explanation, output);
  write_reason(explanation, output);
  output.write_line("");
  for (const std::string& name : shown)
    write_step(explanation, name, output);
  if (!shown.empty()) return true;
  const auto segments = explanation.find("segments");
  if (segments == explanation.end() || !segments->is_array()) return true;
  for (const Json& segment : *segments) {
    if (segment.is_object()) write_segment(segment, coloured, output);
  }
  return true;
}

}  // namespace ndc
