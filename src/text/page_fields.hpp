// The fields around the text: title, meta elements, language, links to other versions of the page.
#pragma once

#include <string_view>

#include "text/extraction.hpp"
#include "text/html_attributes.hpp"

namespace nd::text {

// Every field holds at most 4 KB, white space folded; there are at most 256 alternates.
class PageFields {
 public:
  void start(Extraction& out);
  // html, meta and link; nothing else matters here.
  void element(Element element, const Attributes& attributes);
  void title_text(std::string_view characters);
  void finish();

 private:
  void meta(const Attributes& attributes);
  void link(const Attributes& attributes);
  void set_language(std::string_view tag);

  Extraction* out_ = nullptr;
  String title_;                   // as written
  String open_graph_description_;  // stands in for a missing description
  bool language_of_root_ = false;  // the html element told it: more to be trusted than a meta element
};

}  // namespace nd::text
