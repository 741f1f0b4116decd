// The attributes of a start tag that the extraction will ask for; all others need not reach the parser.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "text/html_attributes.hpp"
#include "text/markup_buffer.hpp"
#include "text/markup_scan.hpp"

namespace nd::text {

class NeededAttributes {
 public:
  // `at`: behind the name of the tag. Returns the end of the attributes: at '>', "/>" or `end`.
  const char* read(const char* at, const char* end, Element element);
  // Drops what turns out to be of no use with all attributes known. `stays`: the element can have content.
  void choose(Element element, bool stays);
  void clear() noexcept { attributes_.clear(); }
  bool empty() const noexcept { return attributes_.empty(); }

  enum class Hiding : uint8_t { kNo, kMaybe, kYes };
  // Whether the element hides its content, by what it is or by its attributes.
  Hiding hiding(Element element) const noexcept;

  void write(MarkupBuffer& out, Element element) const;

 private:
  struct Needed {
    Attribute attribute;
    MarkupAttribute markup;
  };
  std::string_view value_of(Attribute attribute) const noexcept;

  Vector<Needed> attributes_;
};

}  // namespace nd::text
