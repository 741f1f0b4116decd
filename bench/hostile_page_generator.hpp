// Pages made to be expensive: whatever a parser, a tokenizer, a dictionary or a comparison is slow on, in any
// amount. For the measurement of hostile_pages and for tests that bound the work.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ndc::bench {

struct HostileKind {
  std::string_view name;          // one word, for rows and for choosing
  std::string_view what;          // for a reader
  std::string_view content_type;  // the header's value
  // At most `bytes` bytes, and nearly as many, from 4 KB on. Equal from run to run. `variant`: other values
  // give a page of the same make with a few words more in front, so that it is no exact copy.
  std::string (*make)(size_t bytes, unsigned variant);
  // Pages of this make, each of a site of its own, that an engine must know before the next one is as
  // expensive as it can be.
  unsigned known = 1;
};

// All kinds, in the order of the table; static.
std::span<const HostileKind> hostile_kinds();

// Null if there is no kind of that name.
const HostileKind* hostile_kind(std::string_view name);

}  // namespace ndc::bench
