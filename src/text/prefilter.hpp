// One linear pass over an HTML page that writes a smaller page with the same extracted text, before a parser
// sees it: most of a parser's time goes into attributes, scripts and comments, which yield no text.
//
// Text does not go through the parser either. One byte stands for a run of inline content, see InlineRuns. It
// is '<' where a tag or the end follows, so that the parser takes it for text; in the shell (outside of any
// element, or directly in html or head) it is '=', because there a '<' would not make the parser open a
// paragraph. An element that neither separates blocks nor hides anything goes into the run if its start tag
// closes and implies nothing, and its end tag finds it innermost. What else comes first has the parser see
// the start tag after all. If a piece of the run has begun the element by then, it is open already: the run
// leaves it open, and the start tags right behind the marker are those of the elements that it leaves open,
// the outermost first.
//
// Nor do class and id: what they say of an element (class_names.hpp) stands beside the smaller page, by the
// place where the parser tells of the start tag.
//
// What is tag, comment, text or reference is what browsers take for it (HTML Living Standard, 13.2.5;
// docs/html.md); the parser sees only what it reads alike (corrected_markup.hpp has the same corrections
// without anything else). What tags do is what libxml2 2.9 does with them, so that the parser finds in the
// output what it would have found in the page. What the parser would be slow on is bounded here: depth, end
// tags that match nothing, repeated attributes, made-up names, bare ampersands and control characters (each
// costs it a formatted error message).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "text/element_names.hpp"
#include "text/entity_names.hpp"
#include "text/inline_runs.hpp"
#include "text/markup_buffer.hpp"
#include "text/needed_attributes.hpp"
#include "text/open_elements.hpp"
#include "text/site_of_targets.hpp"

namespace nd::text {

// Threads: one object, one thread at a time. Cost: .10 to .13 of a bare libxml2 parse of
// the page (measured 2026-11-22).
class Prefilter {
 public:
  // `html`: well-formed UTF-8 without NUL. At most `depth` elements are open at a time in the result; deeper
  // ones lose their tags, and a break stands for those that separate blocks. `site`: the page's registrable
  // domain, "" if unknown. Valid until the next call, as are the runs; these point into `html` too.
  // After `most_pieces` pieces (InlineRuns), and a few more, the page is cut.
  std::string_view run(std::string_view html, std::string_view site, uint32_t depth,
                       uint32_t most_pieces = UINT32_MAX);
  // The same with all text and inline content in the result itself, which is as safe to parse, only slower.
  std::string_view run_without_runs(std::string_view html, std::string_view site, uint32_t depth);
  const InlineRuns& runs() const noexcept { return runs_; }
  // Of run(): what class and id say, in the result's order. run_without_runs() writes them into the result.
  struct Named {
    size_t place = 0;  // of the '>' or "/>" of the start tag in the result
    uint16_t names = 0;
  };
  std::span<const Named> named() const noexcept { return named_; }
  // The last page had more depth, unknown names or inline content than is let through.
  bool limited() const noexcept { return limited_; }
  // Iterations of its loops over the last page (Work::kPrefilter).
  uint64_t work() const noexcept { return work_; }
  // What grows with the page: its output, its runs and its made-up names; and the open elements.
  uint64_t memory_bytes() const noexcept {
    return out_.memory_bytes() + runs_.memory_bytes() + targets_.memory_bytes() + names_.memory_bytes() +
           opened_.capacity() * sizeof(Opened) + named_.capacity() * sizeof(Named);
  }
  // Gives back what grows with the page.
  void release() noexcept {
    out_.release();
    runs_.release();
    targets_.release();
    names_.release();
    Vector<Named>().swap(named_);
  }

 private:
  struct StartTag {
    ElementId id = 0;
    std::string_view name;  // as written
    const char* name_end = nullptr;
    const char* close = nullptr;   // at '>', "/>" or the end of the input
    const char* behind = nullptr;  // the tag
    bool self_closing = false;
  };
  using Hiding = NeededAttributes::Hiding;

  // Open elements whose start tags are not written, the innermost ones.
  struct Unwritten {
    uint32_t below = 0;  // open elements around them
    uint32_t count = 0;
    uint32_t begun = 0;  // the outermost of them, by a piece of the last run
  };
  // Where the output was before a start tag was written.
  struct Mark {
    size_t output = 0;
    InlineRuns::Mark runs;
    size_t run_end = 0;
    Unwritten unwritten;
    bool after_text = false;
    bool block_begins = false;
  };
  // An open element.
  struct Opened {
    Mark before;
    ElementId id = 0;
    size_t behind = 0;    // of the output, behind the start tag
    bool can_go = false;  // the start tag did nothing but open the element
    // As long as its start tag is not written:
    std::string_view name;
    ElementOpening opening;
  };
  // The outermost open element that hides its content.
  struct Hidden {
    uint32_t level = 0;  // open elements with it; 0: there is none
    bool for_sure = false;
    bool can_go = false;  // it hides for sure, and its start tag did nothing else
    Mark before;
    uint32_t shell_state = 0;
  };

  std::string_view filter(std::string_view html, std::string_view site, uint32_t depth);
  void prolog();
  void content();
  bool is_full() const noexcept { return runs_.piece_count() >= most_pieces_; }
  void start_tag();
  void end_tag();
  size_t innermost_ends_here() const noexcept;
  void literal_bracket();
  void note_separation(unsigned flags) noexcept;
  void note_opening(const StartTag& tag, const Mark& before, bool changes_nothing);
  bool leave_out_hidden(ElementId id, const char* behind);
  bool leave_out_empty(ElementId id, const char* behind);
  bool needs_own_break(ElementId id) const noexcept;
  void go_back(const Mark& mark, ElementId id, const char* behind);
  Mark mark() const noexcept;
  void misplaced_tag(const StartTag& tag, const OpenElements::Start& start);
  void hidden_raw_text(const StartTag& tag, bool leave_out);
  void begin_raw_text(const StartTag& tag, RawText raw);

  void text();
  void text_through_parser();
  void keep_blanks(const char* until);
  bool opens_paragraph();
  void text_to_run();
  void drop_blanks();
  const char* written_reference();
  void start_paragraph();
  void open_paragraph();

  bool is_inline(const StartTag& tag, ElementOpening& opening);
  void leave_unwritten(const StartTag& tag, const ElementOpening& opening);
  void end_unwritten();
  void write_unwritten();
  void begin_run(char marker);
  void go_on_with_run();
  void add_text(const char* begin, const char* end);
  void add_character(uint32_t code_point);
  bool hides_text() const noexcept { return hidden_.level != 0 && hidden_.for_sure; }
  void forget_openings() noexcept;

  void write_tag(const StartTag& tag);
  void write_attributes(Element element);

  size_t written() const noexcept { return out_.size() + static_cast<size_t>(at_ - kept_); }
  void flush(const char* until);
  void drop(const char* until);
  void separate();

  const char* at_ = nullptr;    // everything before it has been decided on
  const char* kept_ = nullptr;  // [kept_, at_) goes to the output as it is
  const char* end_ = nullptr;
  MarkupBuffer out_;
  size_t prolog_size_ = 0;  // of the output before the content
  InlineRuns runs_;
  Vector<Named> named_;
  uint32_t most_pieces_ = UINT32_MAX;
  bool with_runs_ = true;
  size_t run_end_ = 0;  // of the output, behind the marker of the run that may go on; 0: none
  Unwritten unwritten_;
  SiteOfTargets targets_;
  OpenElements open_;
  ElementNames names_;
  EntityNames entities_;
  NeededAttributes attributes_;    // of the start tag at hand
  const char* raw_end_ = nullptr;  // before it a '<' is text
  bool raw_references_ = true;     // and a '&' is not
  bool in_svg_ = false;            // see raw_text_of()
  bool after_text_ = false;        // text, not markup, was written last
  bool block_begins_ = false;      // a tag that separates blocks was written, and no text since
  Vector<Opened> opened_;          // by level
  Hidden hidden_;
  bool limited_ = false;
  uint64_t work_ = 0;
};

}  // namespace nd::text
