// What the names in class and id say about an element. Before HTML 5 had <nav>, <header>, <footer>, <aside>
// and <article>, pages gave such names to their <div>s, and most still do.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/html_elements.hpp"

namespace nd::text {

// The kNamed... bits of BlockContext that the value of a class or id stands for; 0 for most. A name's words
// are what is between '-', '_', blanks and capitals ("entry-content", "pageFooter"); a word counts by its
// beginning ("nav" in "navbar"). Reads kMaxNamesBytes at most.
uint16_t context_of_names(std::string_view names) noexcept;

// Whether its class and id are read for what they say of the blocks inside: elements that say nothing by
// themselves. Those of <body> tell the kind of page; list items, rows and the like are many, and say what
// their list says.
constexpr bool names_blocks(Element element) noexcept {
  return element == Element::kDiv || element == Element::kSection || element == Element::kUl ||
         element == Element::kTd;
}

inline constexpr size_t kMaxNamesBytes = 256;

// The shortest value that stands for these bits (of kNamedAny).
std::string_view names_of_context(uint16_t context) noexcept;

}  // namespace nd::text
