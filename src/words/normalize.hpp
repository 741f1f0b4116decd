// NFKC, case and spelling folded, white space folded: the one form in which texts are hashed and compared,
// whatever markup, entities or charset they came from.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.hpp"
#include "reading/extraction.hpp"

namespace nd::text {

// Threads: one object, one thread at a time.
class Normalizer {
 public:
  // Fails if ICU's data is missing. The first call of the process builds tables (a few milliseconds).
  static Result<Normalizer> create();

  // Appends the normal form of `text` (well-formed UTF-8) to `out`: NFKC_Casefold (Unicode UAX #31: NFKC,
  // case folding, default ignorables removed), of spellings that differ in the Arabic and Hebrew scripts one
  // (spelling.hpp), a zero-width non-joiner between Arabic letters a space, no
  // space between a Persian word and its affixes (persian_affixes.hpp), every run of white space and
  // control characters one space, no space at the start or the end of what is appended. Of a sequence of
  // characters that attach to the one before them (combining marks, joiners) 64 are kept, twice what the
  // Stream-Safe Text Format of UAX #15 allows: sorting longer sequences would take quadratic time. Characters
  // that ICU would keep or replace by one other are folded by table; only the rest pays for ICU. Idempotent.
  // Cost: O(n).
  void append(std::string_view text, String& out) {
    append(text, {0, static_cast<uint32_t>(text.size())}, out);
  }

  // The same for a piece of `text`, faster for short ones: the bytes after it can be read.
  void append(std::string_view text, Range piece, String& out);

  uint64_t memory_bytes() const noexcept { return scratch_.capacity(); }
  // Bytes that went through ICU, since the object was created.
  uint64_t icu_bytes() const noexcept { return icu_bytes_; }

 private:
  struct Tables;
  class Pass;
  explicit Normalizer(const Tables& tables);
  const Tables* tables_;  // one for the process, never changed once built
  String scratch_;        // ICU's output
  uint64_t icu_bytes_ = 0;
};

}  // namespace nd::text
