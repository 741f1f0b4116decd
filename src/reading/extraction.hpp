// The result of parsing a page: the visible text in blocks, with the features of each block that distinguish
// main content from boilerplate, and the fields around it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "core/work_tally.hpp"

namespace nd::text {

// A range of bytes in a text.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t size() const noexcept { return end - begin; }
  bool empty() const noexcept { return begin == end; }
  std::string_view of(std::string_view text) const noexcept { return text.substr(begin, end - begin); }
  friend bool operator==(const Range&, const Range&) = default;
};

// The place of a block in the document (an element of this kind is open around it). Bits of
// TextBlock::context.
enum BlockContext : uint16_t {
  kInHeading = 1 << 0,     // h1..h6
  kInList = 1 << 1,        // ul, ol, dl
  kInTable = 1 << 2,       // table
  kInNavigation = 1 << 3,  // nav, or role=navigation
  kInHeader = 1 << 4,      // header (not inside article/main)
  kInFooter = 1 << 5,      // footer (not inside article/main)
  kInAside = 1 << 6,       // aside, or role=complementary
  kInArticle = 1 << 7,     // article, main, or role=main
  kInForm = 1 << 8,        // form, button, select, label, textarea
  kInPre = 1 << 9,         // pre, code, textarea
  kInQuote = 1 << 10,      // blockquote, q
  // The class or id of an element around it that can hold blocks says so; see class_names.hpp.
  kNamedNavigation = 1 << 11,
  kNamedMargin = 1 << 12,
  kNamedAside = 1 << 13,
  kNamedContent = 1 << 14,
  kNamedNearest = 1 << 15,  // kNamedContent is what the innermost of them is called
};

inline constexpr uint16_t kNamedAny = kNamedNavigation | kNamedMargin | kNamedAside | kNamedContent;

struct TextBlock {
  Range text;  // in Extraction::text; never empty, holds at least one character that is not white space
  uint32_t linked_bytes;  // how many of them are inside <a href>
  uint32_t container;     // index in Extraction::containers
  uint16_t context;       // BlockContext bits
  uint8_t heading_level;  // 1..6 inside h1..h6, else 0
  uint8_t depth;          // open elements around it, capped at 255
};

// A block-level element that can hold blocks (body, div, article, section, main, td, li, …) and does,
// directly or further in, in order of opening; containers[0] is the document itself, its own parent.
struct Container {
  uint32_t parent;
};

struct Anchor {
  Range text;      // in Extraction::text; never empty; links without text are left out
  bool same_site;  // the target's site (registrable domain) is the page's own; relative targets are
};

struct AlternateLink {
  String language;  // hreflang
  String url;       // as written
};

struct Extraction {
  String text;               // visible text, UTF-8, as written (entities resolved, white space not folded)
  Vector<TextBlock> blocks;  // in document order; block elements and <br> separate them
  Vector<Container> containers;
  Vector<Anchor> anchors;
  String title;                      // <title>, white space folded
  String keywords;                   // meta keywords
  String description;                // meta description (or og:description)
  String language;                   // html lang / xml:lang / meta content-language, lower case, "" unknown
  String canonical_url;              // link rel=canonical, as written
  Vector<AlternateLink> alternates;  // link rel=alternate hreflang
  bool limited = false;              // a limit (depth, text bytes, blocks, work) cut something
  WorkTally work;                    // of making it from markup

  // Keeps the capacity.
  void clear() noexcept {
    text.clear();
    blocks.clear();
    containers.clear();
    anchors.clear();
    title.clear();
    keywords.clear();
    description.clear();
    language.clear();
    canonical_url.clear();
    alternates.clear();
    limited = false;
    work = WorkTally();
  }
};

}  // namespace nd::text
