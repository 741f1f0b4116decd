// What a page would be with the runs of a prefilter put back in place of their markers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.hpp"
#include "text/inline_runs.hpp"

namespace nd::text::test {

inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

// Links: "<a href>" to the page's own site, "<a href=//>" to another. Elements without a number of their own:
// "<x-y>". `left_open`: elements that the run leaves open, whose start tags follow in the markup.
inline std::string expanded(const InlineRuns& runs, size_t run, size_t& left_open) {
  std::string result;
  std::vector<Element> open;
  for (const InlineRuns::Piece& piece : runs[run]) {
    const Element element =
        open.empty() || piece.kind == InlineRuns::Kind::kOpen ? piece.element : open.back();
    const std::string name(element == Element::kUnknown ? "x-y" : traits_of(element).name);
    switch (piece.kind) {
      case InlineRuns::Kind::kText:
        result += escaped({piece.text, piece.size});
        break;
      case InlineRuns::Kind::kCharacter: {
        std::string character;
        append_utf8(character, piece.size);
        result += escaped(character);
        break;
      }
      case InlineRuns::Kind::kOpen:
        open.push_back(piece.element);
        result += "<" + name;
        result += !piece.links ? ">" : piece.same_site ? " href>" : " href=//>";
        break;
      case InlineRuns::Kind::kClose:
        result += "</" + name + ">";
        open.pop_back();
        break;
      case InlineRuns::Kind::kBreak:
        result += "<br>";
        break;
    }
  }
  left_open = open.size();
  return result;
}

// `markup`: what the prefilter has written.
inline std::string expanded(std::string_view markup, const InlineRuns& runs) {
  std::string result;
  size_t run = 0;
  size_t begun = 0;
  bool in_title = false;
  for (size_t at = 0; at < markup.size();) {
    const char next = at + 1 < markup.size() ? markup[at + 1] : '\0';
    const bool is_tag = markup[at] == '<' && (next == '/' || next == '!' || (next >= 'A' && next <= 'z'));
    const bool is_blank = markup[at] == ' ' || markup[at] == '\n' || markup[at] == '\t' || markup[at] == '\r';
    if (is_tag) {
      const size_t end = std::min(markup.find('>', at), markup.size() - 1) + 1;
      const std::string_view tag = markup.substr(at, end - at);
      if (tag.starts_with("<title")) in_title = true;
      if (tag.starts_with("</title")) in_title = false;
      if (begun == 0) result += tag;
      if (begun != 0) --begun;
      at = end;
    } else if (is_blank || in_title) {
      result += markup[at++];
    } else {
      result += run < runs.size() ? expanded(runs, run, begun) : "(no run)";
      ++run;
      ++at;
    }
  }
  if (run < runs.size()) result += "(more runs)";
  return result;
}

}  // namespace nd::text::test
