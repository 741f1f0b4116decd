// How two pages of a report compare: the result of nd_explain, in the terms of the report's data
// (docs/report_format.md).
#pragma once

#include <ndcapi.h>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "page_text.hpp"

namespace ndc {

struct ReportPair {
  bool known = false;  // the engine could tell
  std::string rule;
  double resemblance = 0;
  double containment = 0;
  bool disputed = false;  // the two would not be put together by what is known now
  double margin = -1;     // between what was asked and what was found; below 0: no threshold decided
  nlohmann::json row;     // for the data
  nlohmann::json segments;
  // Tokens of either page that the engine has learned to be boilerplate; ascending, apart from each other.
  std::vector<PageText::Range> boilerplate_a, boilerplate_b;
};

// `a` plays the representative. Cost: as nd_explain.
ReportPair explain_pair(nd_engine* engine, uint64_t a, uint64_t b);

// The text of a page that others are compared with, at most `limit` UTF-16 units of it.
std::string text_entry(uint64_t page, const PageText& text, const std::vector<PageText::Range>& boilerplate,
                       size_t limit);

// What page `b` and the text of page `a` have in common and what not; empty where the segments are not of
// these texts. `part`: where the entry of `a` stands.
std::string difference_entry(const ReportPair& pair, uint64_t a, uint64_t part, const PageText& text_a,
                             uint64_t b, const PageText& text_b, size_t limit);

}  // namespace ndc
