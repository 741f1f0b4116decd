// Small pages of a few sites, made from one pool of paragraphs, so that copies, changed pages and pages that
// are fetched again come about in short inputs.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input_reader.hpp"

namespace nd::fuzz {

struct FetchedPage {
  std::string url;
  std::string body;
  std::string content_type;
  uint32_t flags = 0;
  int64_t fetched_at_ms = 1;

  nd_page page() const;
  // Decides, with the URL, whether it is the same page again.
  std::string content() const;
};

struct KnownUrl {
  std::string_view url;
  std::string_view site;  // the registrable domain of its host
};
const KnownUrl& read_url(InputReader& input);
// "" if there is no such URL.
std::string_view site_of(std::string_view url);

class FetchedPages {
 public:
  FetchedPage next(InputReader& input);

 private:
  struct Body {
    uint8_t kind = 0;
    uint8_t boilerplate = 0;
    std::vector<uint8_t> paragraphs;
    std::string bytes;  // between the paragraphs and the end
  };
  static std::string written(const Body& body);
  Body next_body(InputReader& input);

  std::vector<Body> bodies_;
};

}  // namespace nd::fuzz
