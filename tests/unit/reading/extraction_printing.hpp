// A whole Extraction as text, so that tests compare everything at once and show what differs.
#pragma once

#include <string>

#include "reading/extraction.hpp"

namespace nd::text::test {

inline std::string print(const Extraction& extraction) {
  const auto range = [&](const Range& r) {
    return std::to_string(r.begin) + "-" + std::to_string(r.end) + " [" + std::string(r.of(extraction.text)) +
           "]";
  };
  std::string text;
  for (const TextBlock& block : extraction.blocks) {
    text += "block " + range(block.text) + " linked " + std::to_string(block.linked_bytes) + " container " +
            std::to_string(block.container) + " context " + std::to_string(block.context) + " heading " +
            std::to_string(block.heading_level) + " depth " + std::to_string(block.depth) + "\n";
  }
  for (const Container& container : extraction.containers) {
    text += "container in " + std::to_string(container.parent) + "\n";
  }
  for (const Anchor& anchor : extraction.anchors) {
    text += "anchor " + range(anchor.text) + (anchor.same_site ? " same\n" : " other\n");
  }
  for (const AlternateLink& link : extraction.alternates) {
    text += "alternate " + std::string(link.language) + " " + std::string(link.url) + "\n";
  }
  return text + "title " + std::string(extraction.title) + "\nkeywords " + std::string(extraction.keywords) +
         "\ndescription " + std::string(extraction.description) + "\nlanguage " +
         std::string(extraction.language) + "\ncanonical " + std::string(extraction.canonical_url) +
         "\nlimited " + std::to_string(static_cast<int>(extraction.limited)) + "\n";
}

}  // namespace nd::text::test
