// Generated pages as a crawler fetches them: URL and HTML.
#pragma once

#include <cstdint>
#include <string>

#include "page_generator.hpp"

namespace ndc::bench {

// Different numbers give different URLs.
std::string url_of(const Page& page, uint64_t number);

// Boilerplate as lists of links, content as paragraphs; the commonest words are English, the others are made
// of syllables, one spelling a rank.
std::string html_of(const Page& page);

}  // namespace ndc::bench
