// The meaning of the names in an element's class and id. Before HTML 5 had <nav>, <header>, <footer>, <aside>
// and <article>, pages gave such names to their <div>s, and most still do.
#pragma once

#include <cstdint>
#include <string_view>

#include "reading/html_elements.hpp"

namespace nd::text {

// The kNamed... bits of BlockContext that the value of a class or id stands for; 0 for most. A name is
// divided into words by '-', '_', blanks and capitals ("entry-content", "pageFooter"); the beginning of a
// word counts ("nav" in "navbar"). Reads at most kMaxNamesBytes.
uint16_t context_of_names(std::string_view names) noexcept;

// Whether the element's class and id are read to describe the blocks inside: that of elements without a
// meaning of their own. Those of <body> describe the kind of page; list items, rows and the like are many and
// repeat what their list says.
constexpr bool names_blocks(Element element) noexcept {
  return element == Element::kDiv || element == Element::kSection || element == Element::kUl ||
         element == Element::kTd;
}

inline constexpr size_t kMaxNamesBytes = 256;

// The shortest value that stands for these bits (of kNamedAny).
std::string_view names_of_context(uint16_t context) noexcept;

}  // namespace nd::text
