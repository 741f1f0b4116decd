// The attributes of a start tag that the extraction will ask for; the others need not reach the parser.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "reading/entity_names.hpp"
#include "reading/html_attributes.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text {

class NeededAttributes {
 public:
  // `at`: behind the name of the tag. Returns the end of the attributes: at '>', "/>" or `end`.
  const char* read(const char* at, const char* end, Element element) {
    clear();
    return at != end && *at == '>' ? at : read_some(at, end, element);
  }
  // Drops attributes that turn out to be useless once all are known. `stays`: the element can have content.
  void choose(Element element, bool stays) {
    if (!empty() && !are_needed(element, stays)) clear();
  }
  void clear() noexcept {
    count_ = 0;
    names_ = 0;
  }
  bool empty() const noexcept { return count_ == 0 && names_ == 0; }

  // What class and id say (BlockContext bits), except values with references.
  uint16_t names() const noexcept { return names_; }
  // Writes them so that the parser reports no errors, because it is slow to report them.
  void write(String& out, Element element, EntityNames& entities) const;
  // Values that had to be decoded. Keeps its memory.
  using DecodedValues = std::array<String, static_cast<size_t>(Attribute::kCount)>;
  // The values that the parser would read from the output of write(), without names(). They point into the
  // page and into `decoded`.
  void decode(Element element, EntityNames& entities, DecodedValues& decoded, Attributes& out) const;

 private:
  const char* read_some(const char* at, const char* end, Element element);
  // The first of each name in `wanted` counts.
  void note(Attribute attribute, const MarkupAttribute& markup, AttributeBits& wanted) noexcept;
  bool are_needed(Element element, bool stays) const noexcept;
  void write_names(String& out) const;
  struct Needed {
    Attribute attribute = Attribute::kOther;
    MarkupAttribute markup;
  };
  std::span<const Needed> chosen() const noexcept { return {attributes_.data(), count_}; }
  std::string_view value_of(Attribute attribute) const noexcept;

  size_t count_ = 0;
  uint16_t names_ = 0;
  std::array<Needed, static_cast<size_t>(Attribute::kCount)> attributes_;  // each name once
};

}  // namespace nd::text
