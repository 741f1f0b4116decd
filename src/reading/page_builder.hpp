// Turns the elements and text of a page, whichever reader reports them, into an Extraction: the blocks of
// visible text, and the fields around them.
#pragma once

#include <string_view>

#include "reading/block_builder.hpp"
#include "reading/extraction.hpp"
#include "reading/html_attributes.hpp"
#include "reading/site.hpp"

namespace nd::text {

// The fields around the text: title, meta elements, language, links to other versions of the page. Every
// field holds at most 4 KB, white space folded; there are at most 256 alternates.
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

  Extraction* out_ = nullptr;
  String title_;                   // as written
  String open_graph_description_;  // replaces a missing description
  bool language_of_root_ = false;  // the html element declared it, which is more reliable than a meta element
};

// Threads: one object, one thread at a time. Keeps its memory from page to page.
class PageBuilder {
 public:
  // `out` is cleared, filled by the calls that follow, and complete after finish(). `site`: the page's
  // registrable domain, "" if unknown; it must outlive the page.
  void start(Extraction& out, std::string_view site, const HtmlLimits& limits);
  // `names`: what class and id say (BlockContext bits), as far as `attributes` do not hold them.
  void open(Element element, const Attributes& attributes, uint16_t names);
  // The same for a start tag without attributes that matter.
  void open(Element element) {
    if (element == Element::kTitle) return open(element, Attributes{}, 0);
    blocks_.open(ElementOpening{.element = element});
  }
  // The innermost open element ends.
  void close() {
    blocks_.close();
    if (blocks_.depth() < title_depth_) title_depth_ = 0;
  }
  // What follows belongs to another block.
  void break_line() { blocks_.break_line(); }
  // As BlockBuilder::text().
  void text(std::string_view characters) {
    if (title_depth_ != 0) return fields_.title_text(characters);
    blocks_.text(characters);
  }
  // The document of the next frame that has one as an attribute (srcdoc), of the page or of such a document;
  // false if there is none left. What is read next belongs to it: its text follows the page's, its
  // fields are not the page's. To be called between the page, or a frame, and finish().
  bool begin_frame(String& document);
  void finish();

  // Whether nothing that follows can change the result.
  bool full() const noexcept { return blocks_.full(); }
  // Whether text that follows here changes nothing, whatever it is.
  bool ignores_text() const noexcept { return title_depth_ == 0 && blocks_.hidden(); }
  // Whether white space that follows here changes nothing.
  bool ignores_blanks() const noexcept { return title_depth_ == 0 && !blocks_.in_block(); }

  uint64_t work() const noexcept { return blocks_.work(); }
  uint64_t memory_bytes() const noexcept { return targets_.memory_bytes(); }

 private:
  BlockBuilder blocks_;
  PageFields fields_;
  SiteOfTargets targets_;
  void keep_frame(std::string_view document);

  struct Frame {
    String document;
    uint32_t depth = 0;  // of frames around it, with itself
  };
  Extraction* out_ = nullptr;
  Vector<Frame> frames_;
  size_t frames_begun_ = 0;
  uint32_t frame_depth_ = 0;  // of the frame at hand; 0: the page
  size_t title_depth_ = 0;    // elements that were open with the title being read
  bool title_seen_ = false;
};

}  // namespace nd::text
