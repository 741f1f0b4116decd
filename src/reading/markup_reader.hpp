// Reads HTML in one pass, without libxml2. Tags, comments, text and references are recognised as browsers do,
// as in the prefilter; tags have the effect that they have in libxml2 2.9. This works for pages whose tags
// have only the effects that the tables of OpenElements and html_elements.hpp describe; the tests compare
// these with the library pair by pair. At the first doubt the page is left to libxml2 from its beginning, and
// whatever has been passed on so far is discarded.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "reading/entity_names.hpp"
#include "reading/html.hpp"
#include "reading/html_attributes.hpp"
#include "reading/needed_attributes.hpp"
#include "reading/open_elements.hpp"
#include "reading/page_builder.hpp"

namespace nd::text {

// Threads: one object, one thread at a time. Keeps its memory from page to page.
class MarkupReader {
 public:
  // `html`: well-formed UTF-8 without NUL. Reports elements and text to `page`, which has been started, until
  // it is full. `depth`: how many elements may be open. Linear in the page's size.
  Doubt read(std::string_view html, uint32_t depth, PageBuilder& page);

  // Iterations of its loops over the last page.
  uint64_t work() const noexcept { return work_; }
  uint64_t memory_bytes() const noexcept;
  // Frees what grows with the page.
  void release() noexcept;

 private:
  void prolog();
  void content();
  void start_tag();
  void end_tag();
  void literal_bracket();
  void text();
  bool opens_paragraph();
  bool open_paragraph();
  void special_text(const char*& begin);
  void open_element(Element element, bool stays);
  void tell_of_implied(uint32_t from, uint32_t to);
  bool is_in_made_up_element() const noexcept;
  size_t innermost_ends_here() const noexcept;
  // Ends the reading.
  void doubt(Doubt why) noexcept {
    doubt_ = why;
    end_ = at_;
  }

  const char* at_ = nullptr;  // everything before it has been read
  const char* end_ = nullptr;
  const char* raw_end_ = nullptr;  // before it a '<' is text
  bool raw_references_ = true;     // and a '&' is not
  bool in_svg_ = false;            // see raw_text_of()
  PageBuilder* page_ = nullptr;
  uint32_t depth_ = 0;
  Doubt doubt_ = Doubt::kNone;
  OpenElements open_;
  ElementNames names_;
  EntityNames entities_;
  NeededAttributes needed_;  // of the current start tag
  NeededAttributes::DecodedValues decoded_;
  Attributes attributes_;
  String character_;
  uint64_t work_ = 0;
};

}  // namespace nd::text
