// Shortens an explanation to the rows that the page shows: ranges of tokens instead of their text.
#include "report_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "handles.hpp"
#include "output_text.hpp"

namespace ndc {
namespace {

using Json = nlohmann::json;

// 0 or "" where there is no member of this type.
double number_of(const Json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_number() ? field->get<double>() : 0;
}

std::string word_of(const Json& object, const char* name) {
  const auto field = object.find(name);
  return field != object.end() && field->is_string() ? field->get<std::string>() : std::string();
}

// Field names are short, because there is a row for each page.
Json row_of(const Json& explanation) {
  Json row = {{"v", word_of(explanation, "verdict")},
              {"p", number_of(explanation, "page_coverage")},
              {"m", number_of(explanation, "matched_coverage")},
              {"w", number_of(explanation, "matched_width")}};
  if (const auto reasons = explanation.find("reasons"); reasons != explanation.end()) {
    for (const Json& reason : *reasons) {
      Json& entry = row["y"].emplace_back(Json::array({word_of(reason, "name")}));
      for (const Json& value : reason.value("values", Json::array()))
        entry.push_back(std::round((value.is_number() ? value.get<double>() : 0) * 10000) / 10000);
    }
  }
  if (const auto by = explanation.find("decided_by"); by != explanation.end() && by->is_object())
    row["d"] = {word_of(*by, "option"), number_of(*by, "asked"), number_of(*by, "found")};
  if (explanation.contains("detector"))
    row["s"] = {word_of(explanation, "detector"), number_of(explanation, "score"),
                number_of(explanation, "asked")};
  return row;
}

bool parse_range(const Json& range, uint32_t tokens, PageText::Range& out) {
  if (!range.is_array() || range.size() != 2) return false;
  if (!range[0].is_number_unsigned() || !range[1].is_number_unsigned()) return false;
  const uint64_t begin = range[0].get<uint64_t>(), end = range[1].get<uint64_t>();
  if (begin > end || end > tokens) return false;
  out = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  return true;
}

bool range_of(const Json& segment, const char* side, uint32_t tokens, PageText::Range& range) {
  const auto found = segment.find(side);
  return found != segment.end() && parse_range(*found, tokens, range);
}

std::vector<PageText::Range> boilerplate_of(const Json& explanation, const char* side) {
  std::vector<PageText::Range> ranges;
  const auto learned = explanation.find("boilerplate");
  if (learned == explanation.end() || !learned->is_object() || !learned->contains(side)) return ranges;
  for (const Json& range : (*learned)[side]) {
    PageText::Range tokens;
    if (!parse_range(range, UINT32_MAX, tokens)) return {};
    if (!ranges.empty() && tokens.begin < ranges.back().end) return {};
    ranges.push_back(tokens);
  }
  return ranges;
}

uint64_t tokens_of(const std::vector<PageText::Range>& ranges) {
  uint64_t tokens = 0;
  for (const PageText::Range& range : ranges)
    tokens += range.end - range.begin;
  return tokens;
}

// The ranges among the first `shown` tokens.
std::string ranges_text(const PageText& text, const std::vector<PageText::Range>& ranges, uint32_t shown) {
  std::string out = "[";
  for (const PageText::Range& tokens : ranges) {
    if (tokens.begin >= shown) break;
    const PageText::Range place = text.place_of({tokens.begin, std::min(tokens.end, shown)});
    if (out.size() > 1) out += ',';
    out += std::to_string(place.begin) + "," + std::to_string(place.end);
  }
  return out + "]";
}

// The first token that does not fit into so many UTF-16 units.
uint32_t tokens_within(const PageText& text, size_t limit) {
  uint32_t low = 0, high = text.token_count();
  while (low < high) {
    const uint32_t middle = low + (high - low + 1) / 2;
    if (text.place_of({0, middle}).end <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// Segments of one comparison as a flat array: 0 or 4, begin, end: in both, 4 where it is boilerplate of `b`;
// 1, begin, end: in the text of `a` alone; 2 or 3, text: in `b` alone, as content or as boilerplate.
class SegmentWriter {
 public:
  SegmentWriter(const PageText& a, const PageText& b, const std::vector<PageText::Range>& boilerplate_b,
                size_t limit)
      : a_(a), b_(b), boilerplate_b_(boilerplate_b), shown_a_(tokens_within(a, limit)), limit_(limit) {}

  void in_both(PageText::Range of_a, PageText::Range of_b) {
    of_a.end = std::min(of_a.end, of_a.begin + (of_b.end - of_b.begin));
    while (of_a.begin < of_a.end) {
      const Piece piece = next_piece({of_b.begin, of_b.begin + (of_a.end - of_a.begin)});
      const uint32_t end = of_a.begin + (piece.end - of_b.begin);
      add_place(piece.is_boilerplate ? 4 : 0, {of_a.begin, end});
      of_a.begin = end;
      of_b.begin = piece.end;
    }
  }

  // A change, of which either side may be empty. Matches have a least length, so that single words at the
  // edges of what lies between them may be equal.
  void change(PageText::Range of_a, PageText::Range of_b) {
    const uint32_t shorter = std::min(of_a.end - of_a.begin, of_b.end - of_b.begin);
    uint32_t first = 0, last = 0;
    while (first < shorter && is_same(of_a.begin + first, of_b.begin + first))
      ++first;
    while (first + last < shorter && is_same(of_a.end - last - 1, of_b.end - last - 1))
      ++last;
    in_both({of_a.begin, of_a.begin + first}, {of_b.begin, of_b.begin + first});
    add_place(1, {of_a.begin + first, of_a.end - last});
    in_b({of_b.begin + first, of_b.end - last});
    in_both({of_a.end - last, of_a.end}, {of_b.end - last, of_b.end});
  }

  const std::string& text() const { return out_; }
  bool cut() const { return cut_; }

 private:
  void in_b(PageText::Range tokens) {
    while (tokens.begin < tokens.end) {
      const Piece piece = next_piece(tokens);
      const std::string_view text = b_.text_of({tokens.begin, piece.end});
      cut_ = cut_ || written_b_ + text.size() > limit_;
      if (written_b_ + text.size() > limit_) return;
      written_b_ += text.size();
      add(std::string(piece.is_boilerplate ? "3," : "2,") + json_text(text));
      tokens.begin = piece.end;
    }
  }

  // White space aside, as the texts are compared.
  bool is_same(uint32_t token_a, uint32_t token_b) const {
    const auto word = [](std::string_view token) {
      return token.substr(0, token.find_last_not_of(" \n") + 1);
    };
    return word(a_.text_of({token_a, token_a + 1})) == word(b_.text_of({token_b, token_b + 1}));
  }

  struct Piece {
    uint32_t end;
    bool is_boilerplate;
  };

  // The beginning of some tokens of b, as far as all or none of them is boilerplate. Tokens that were moved
  // may stand before those that were asked for last.
  Piece next_piece(PageText::Range tokens) const {
    const auto next =
        std::upper_bound(boilerplate_b_.begin(), boilerplate_b_.end(), tokens.begin,
                         [](uint32_t token, const PageText::Range& range) { return token < range.end; });
    if (next == boilerplate_b_.end()) return {tokens.end, false};
    if (next->begin <= tokens.begin) return {std::min(tokens.end, next->end), true};
    return {std::min(tokens.end, next->begin), false};
  }

  void add_place(int kind, PageText::Range tokens) {
    cut_ = cut_ || tokens.end > shown_a_;
    tokens.end = std::min(tokens.end, shown_a_);
    if (tokens.begin >= tokens.end) return;
    const PageText::Range place = a_.place_of(tokens);
    add(std::to_string(kind) + "," + std::to_string(place.begin) + "," + std::to_string(place.end));
  }

  void add(const std::string& item) {
    if (!out_.empty()) out_ += ',';
    out_ += item;
  }

  const PageText& a_;
  const PageText& b_;
  const std::vector<PageText::Range>& boilerplate_b_;
  const uint32_t shown_a_;
  const size_t limit_;
  size_t written_b_ = 0;
  bool cut_ = false;
  std::string out_;
};

}  // namespace

ReportPair explain_pair(nd_engine* engine, uint64_t a, uint64_t b) {
  ReportPair pair;
  Buffer text;
  if (nd_explain(engine, a, b, text.get()) != ND_OK) return pair;
  Json explanation = Json::parse(text.text(), nullptr, false);
  if (!explanation.is_object()) return pair;
  pair.known = true;
  pair.rule = word_of(explanation, "rule");
  pair.resemblance = number_of(explanation, "resemblance");
  pair.containment = number_of(explanation, "containment");
  pair.disputed = word_of(explanation, "verdict") == "different";
  pair.row = row_of(explanation);
  if (pair.row.contains("d"))
    pair.margin = std::abs(pair.row["d"][2].get<double>() - pair.row["d"][1].get<double>());
  pair.boilerplate_a = boilerplate_of(explanation, "a");
  pair.boilerplate_b = boilerplate_of(explanation, "b");
  if (!pair.boilerplate_a.empty() || !pair.boilerplate_b.empty())
    pair.row["b"] = {tokens_of(pair.boilerplate_a), tokens_of(pair.boilerplate_b)};
  if (const auto segments = explanation.find("segments"); segments != explanation.end())
    pair.segments = std::move(*segments);
  return pair;
}

std::string text_entry(uint64_t page, const PageText& text, const std::vector<PageText::Range>& boilerplate,
                       size_t limit) {
  const uint32_t shown = tokens_within(text, limit);
  return "{\"p\":" + std::to_string(page) + ",\"t\":" + json_text(text.text_of({0, shown})) +
         ",\"g\":" + ranges_text(text, boilerplate, shown) +
         (shown < text.token_count() ? ",\"cut\":1}" : "}");
}

std::string difference_entry(const ReportPair& pair, uint64_t a, uint64_t part, const PageText& text_a,
                             uint64_t b, const PageText& text_b, size_t limit) {
  if (!pair.segments.is_array()) return {};
  SegmentWriter writer(text_a, text_b, pair.boilerplate_b, limit);
  PageText::Range only_a;
  for (const Json& segment : pair.segments) {
    const std::string kind = word_of(segment, "kind");
    PageText::Range of_a, of_b;
    if (!range_of(segment, "a", text_a.token_count(), of_a) ||
        !range_of(segment, "b", text_b.token_count(), of_b)) {
      return {};
    }
    // What only b has follows what only a has in its place.
    if (kind == "a" || kind == "both") writer.change(std::exchange(only_a, {}), {});
    if (kind == "a") only_a = of_a;
    if (kind == "b") writer.change(std::exchange(only_a, {}), of_b);
    if (kind == "both") writer.in_both(of_a, of_b);
  }
  writer.change(only_a, {});
  return "{\"p\":" + std::to_string(b) + ",\"a\":" + std::to_string(a) + ",\"ap\":" + std::to_string(part) +
         ",\"s\":[" + writer.text() + "]" + (writer.cut() ? ",\"cut\":1}" : "}");
}

}  // namespace ndc
