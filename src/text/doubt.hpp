// Why a page is left to libxml2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nd::text {

// What a page is left to libxml2 for.
enum class Doubt : uint8_t {
  kNone,
  kDeclaration,   // "<!" or "<?" that begins neither a plain comment nor the page
  kUnclosedTag,   // a tag, comment or declaration that the page's end cuts
  kTagName,       // none behind "</", a dot in it, or more made-up names than are told apart
  kMisplacedTag,  // html, head or body for the second time, written as <body/>
  kShellText,     // outside of the body, other than white space or a plain paragraph
  kRawText,       // markup in a script or style, at its beginning or end
  kDepth,         // more open elements than are let through
  kWork,          // end tags of elements far out
  kPieces,        // more text and tags than inline content may have pieces
  kSize,          // more bytes than are read
};
inline constexpr size_t kDoubts = 11;
// In the order of Doubt.
inline constexpr std::array<std::string_view, kDoubts> kDoubtNames = {
    "none",     "declaration", "unclosed-tag", "tag-name", "misplaced-tag", "shell-text",
    "raw-text", "depth",       "work",         "pieces",   "size"};

}  // namespace nd::text
