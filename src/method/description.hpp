// What a method keeps of a page, bytes that mean the same on every machine (docs/features_format.md), and how
// it is made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "core/result.hpp"
#include "method/method.hpp"
#include "method/mwo_settings.hpp"
#include "spotsigs/spot_vector.hpp"
#include "text/document.hpp"

namespace nd::detectors {

// Empty: the method finds nothing in the page to compare, so no other page is similar to it.
using Description = std::span<const uint8_t>;

// Checks bytes that may come from anywhere. Bytes that pass can be given to a Detector of the method. Errors:
// kCorrupt; kInvalidArgument without that method.
Result<void> check_description(Method method, Description description);

// What a method's score of two pages counts, for people who ask why.
struct MethodEvidence {
  std::string_view unit;  // in the plural: "terms", "bits"
  uint64_t of_a;          // in each page; what occurs more than once counts as often as in the method
  uint64_t of_b;
  uint64_t shared;
};

// Both descriptions have passed check_description() of the method; kLcs has nothing to count. Throws
// std::bad_alloc. Cost: O(|a| + |b|).
MethodEvidence evidence_of(Method method, Description a, Description b);

// What a method may see of a page.
struct PageText {
  const text::Document& document;
  std::span<const uint8_t> counts;  // by block: 1 if its text counts, as main content does
  spotsigs::PackedSpots spots;      // of the blocks that count
  std::string_view url;
  uint32_t shingle_tokens;  // w of shingles and minhash
};

// Threads: one object, one thread at a time.
class Describer {
 public:
  virtual ~Describer() = default;

  // Replaces `out`; see Description. That of a page without text is empty. Depends only on the page and, for
  // MWO, on its settings. Throws std::bad_alloc.
  virtual void describe(const PageText& page, const MwoSettings& mwo, Vector<uint8_t>& out) = 0;

  // Frees buffers that grow with pages.
  virtual void release() noexcept = 0;
  virtual uint64_t memory_bytes() const noexcept = 0;
};

// Errors: kInvalidArgument for a method that this library was built without.
Result<void> check_is_built(Method method);

// Sets up what the method needs of ICU and libstemmer. Null for kLcs, which describes nothing.
Result<Owned<Describer>> make_describer(Method method);

}  // namespace nd::detectors
