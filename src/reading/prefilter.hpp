// One linear pass over an HTML page that writes a page which is safe to give to libxml2: one with the same
// extracted text, in which nothing makes the parser slow without bounds.
//
// Tags, comments, text and references are recognised as browsers do (HTML Living Standard, 13.2.5;
// docs/html.md); the parser sees only what it reads the same way. Tags have the effects that libxml2 2.9
// gives them, so that the parser finds in the output what it would have found in the page. Whatever would
// make the parser slow is bounded: depth, end tags that match nothing, attributes, made-up names, bare
// ampersands and control characters (each costs a formatted error message).
#pragma once

#include <cstdint>
#include <string_view>

#include "reading/entity_names.hpp"
#include "reading/needed_attributes.hpp"
#include "reading/open_elements.hpp"

namespace nd::text {

// Threads: one object, one thread at a time.
class Prefilter {
 public:
  // `html`: well-formed UTF-8 without NUL. At most `depth` elements are open at a time in the result; deeper
  // ones lose their tags, and those that separate blocks are replaced by a break. Valid until the next call.
  std::string_view run(std::string_view html, uint32_t depth);
  // Whether the last page had more depth or unknown names than are allowed.
  bool limited() const noexcept { return limited_; }
  // Iterations of its loops over the last page (Work::kPrefilter).
  uint64_t work() const noexcept { return work_; }
  // What grows with the page: its output and its made-up names.
  uint64_t memory_bytes() const noexcept { return out_.capacity() + names_.memory_bytes(); }
  // Frees what grows with the page.
  void release() noexcept {
    String().swap(out_);
    names_.release();
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

  void prolog();
  void content();
  void start_tag();
  void end_tag();
  void literal_bracket();
  void misplaced_tag(const StartTag& tag, const OpenElements::Start& start);
  void write_tag(const StartTag& tag);
  void separate();

  void text();
  void reference();
  bool opens_paragraph();
  void open_paragraph();
  void keep_blanks(const char* until);

  void flush(const char* until);
  void drop(const char* until);

  const char* at_ = nullptr;    // everything before it has been decided on
  const char* kept_ = nullptr;  // [kept_, at_) is copied to the output
  const char* end_ = nullptr;
  String out_;
  size_t prolog_size_ = 0;  // of the output before the content
  OpenElements open_;
  ElementNames names_;
  EntityNames entities_;
  NeededAttributes attributes_;    // of the current start tag
  const char* raw_end_ = nullptr;  // before it a '<' is text
  bool raw_references_ = true;     // and a '&' is not
  bool in_svg_ = false;            // see raw_text_of()
  bool after_text_ = false;        // text, not markup, was written last
  bool limited_ = false;
  uint64_t work_ = 0;
};

}  // namespace nd::text
