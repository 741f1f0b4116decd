// The pages of an archive as they are measured, and the bare parse that they are measured against.
#pragma once

#include <libxml/HTMLparser.h>
#include <ndcapi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ndc::bench {

struct SourcePage {
  std::string url, content_type;
  std::string raw;   // as fetched
  std::string utf8;  // the same decoded

  std::span<const uint8_t> bytes() const {
    return {reinterpret_cast<const uint8_t*>(raw.data()), raw.size()};
  }
  // Borrows from the page.
  nd_page as_input() const;
};

// Of data/sample.
std::string sample_archive();

// All pages of an archive; damaged records are passed over. Ends the process where it cannot be read or holds
// no page.
std::vector<SourcePage> read_source_pages(const std::string& path);

// CPU seconds of unpacking the archive and cutting it into pages, with nothing made of them.
double reading_seconds(const std::string& path);

uint64_t raw_bytes(std::span<const SourcePage> pages);

// libxml2's SAX parser with handlers that do nothing and a reused context: the least that a crawler pays
// which parses a page at all. The page is UTF-8 and is said to be, for decoding is not the parser's work.
class BareParser {
 public:
  BareParser();
  void parse(std::string_view utf8);

 private:
  std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> context_;
};

// CPU seconds of a bare parse of all of them, by a parser of its own.
double bare_parse_seconds(std::span<const SourcePage> pages);

}  // namespace ndc::bench
