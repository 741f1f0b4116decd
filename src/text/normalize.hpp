// NFKC, case fold, white space folded: the one form in which texts are hashed and compared, whatever markup,
// entities or charset they came from.
#pragma once

#include <string_view>

#include "core/result.hpp"

namespace nd::text {

// Threads: one object, one thread at a time.
class Normalizer {
 public:
  static Result<Normalizer> create();

  // Appends the normal form of `text` (well-formed UTF-8) to `out`: NFKC_Casefold (Unicode UAX #31: NFKC,
  // case folding, default ignorables removed), every run of white space and control characters one space, no space at the
  // start or the end of what is appended. ASCII is folded without ICU; only the non-ASCII parts pay for it.
  // Idempotent. Cost: O(n).
  void append(std::string_view text, String& out);

 private:
  explicit Normalizer(const void* nfkc_casefold) noexcept : nfkc_casefold_(nfkc_casefold) {}
  const void* nfkc_casefold_;  // icu::Normalizer2, ICU's own static instance
  String scratch_;
};

}  // namespace nd::text
