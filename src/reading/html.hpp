// HTML to Extraction: by our own reader, or by libxml2's SAX interface, without a tree, behind a prefilter
// that removes whatever would make it slow without bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/result.hpp"
#include "reading/extraction.hpp"

namespace nd::text {

struct HtmlLimits {
  uint32_t depth = 256;                   // open elements; deeper ones are flattened
  uint32_t text_bytes = 4 * 1024 * 1024;  // extracted text
  uint32_t blocks = 65536;
  uint32_t anchors = 65536;
};

// Why a page is left to libxml2.
enum class Doubt : uint8_t {
  kNone,
  kUnclosedTag,   // a tag that is cut by the end of the page
  kTagName,       // a dot in it, or more made-up names than are distinguished
  kMisplacedTag,  // html, head or body for the second time, written as <body/>
  kShellText,     // outside of the body, other than white space or a plain paragraph
  kDepth,         // more open elements than are let through
  kWork,          // end tags of elements far from the innermost
  kSize,          // more bytes than are read
};
inline constexpr size_t kDoubts = 8;
// In the order of Doubt.
inline constexpr std::array<std::string_view, kDoubts> kDoubtNames = {
    "none", "unclosed-tag", "tag-name", "misplaced-tag", "shell-text", "depth", "work", "size"};

// Threads: one object, one thread at a time; keep it for many pages (the parser's context is reused, and
// renewed every few hundred pages, because its dictionary grows).
class HtmlExtractor {
 public:
  HtmlExtractor();
  ~HtmlExtractor();
  HtmlExtractor(HtmlExtractor&&) noexcept;
  HtmlExtractor& operator=(HtmlExtractor&&) noexcept;

  // `html`: well-formed UTF-8 without NUL bytes (the decoder's output). `site`: the page's registrable
  // domain, "" if unknown. Markup, however broken, is never an error. By our own reader (markup_reader.hpp);
  // a page that it leaves is read again, by libxml2.
  Result<void> extract(std::string_view html, std::string_view site, const HtmlLimits& limits,
                       Extraction& out);

  // The same by libxml2.
  Result<void> extract_by_libxml2(std::string_view html, std::string_view site, const HtmlLimits& limits,
                                  Extraction& out);

  // The same without the prefilter, against which that is tested. Broken markup can make it slow without
  // bounds.
  Result<void> extract_unfiltered(std::string_view html, std::string_view site, const HtmlLimits& limits,
                                  Extraction& out);

  // The reason why the last page given to extract() was left to libxml2.
  Doubt doubt() const noexcept;

  // Without the parser's own memory, which libxml2 manages.
  uint64_t memory_bytes() const noexcept;
  // Frees what grows with the page.
  void release() noexcept;

 private:
  struct State;
  Owned<State> state_;
};

// Creates libxml2's per-thread state. Must be called before the first call of libxml2 on a thread; later
// calls cost nothing. If libxml2 2.9 finds no memory for this state, it calls itself until the stack
// overflows. Throws std::bad_alloc.
void prepare_parser_thread();

}  // namespace nd::text
