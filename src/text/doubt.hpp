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
  kUnclosedTag,   // a tag that the page's end cuts
  kTagName,       // a dot in it, or more made-up names than are told apart
  kMisplacedTag,  // html, head or body for the second time, written as <body/>
  kShellText,     // outside of the body, other than white space or a plain paragraph
  kDepth,         // more open elements than are let through
  kWork,          // end tags of elements far out
  kSize,          // more bytes than are read
};
inline constexpr size_t kDoubts = 8;
// In the order of Doubt.
inline constexpr std::array<std::string_view, kDoubts> kDoubtNames = {
    "none", "unclosed-tag", "tag-name", "misplaced-tag", "shell-text", "depth", "work", "size"};

}  // namespace nd::text
