// Collections with known groups, made by hand, on which scores can be computed on paper.
#pragma once

#include <string>
#include <vector>

#include "collection.hpp"

namespace nd::eval::test {

struct LabelledPage {
  uint32_t label;  // or kNoLabel
  uint32_t site;
  std::string body = "";
};

inline Collection collection_of(const std::vector<LabelledPage>& pages) {
  std::vector<Page> made;
  for (size_t i = 0; i < pages.size(); ++i) {
    Page page;
    page.url = "http://site" + std::to_string(pages[i].site) + ".example/" + std::to_string(i);
    page.content_type = "text/html; charset=utf-8";
    page.body = pages[i].body;
    page.label = pages[i].label;
    page.site = pages[i].site;
    made.push_back(std::move(page));
  }
  return Collection::of(std::move(made));
}

}  // namespace nd::eval::test
