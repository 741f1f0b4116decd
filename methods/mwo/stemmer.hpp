// Reduces words to their stems: by the Snowball stemmer of the page's language (libstemmer), or by light
// stemming, which covers English plurals only.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/memory.hpp"

struct sb_stemmer;

namespace nd::mwo {

// A stemmer is created when its language is first met, and kept; libstemmer allocates it in memory of its
// own. Threads: one object, one thread at a time.
class Stemmer {
 public:
  Stemmer() noexcept = default;
  Stemmer(Stemmer&& other) noexcept;
  Stemmer& operator=(Stemmer&& other) noexcept;
  ~Stemmer();

  // `language`: a BCP 47 tag in lower case ("en-us"), as pages declare it; only its first subtag counts.
  // False if there is no stemmer for it: words then stay as they are. Throws std::bad_alloc.
  bool select(std::string_view language);
  // The stem of a word in normal form, valid until the next call; the word itself if it is longer than real
  // words are, or if the stemmer leaves nothing of it. Throws std::bad_alloc.
  std::string_view stem(std::string_view word);

  static constexpr size_t kLanguages = 29;

 private:
  std::array<sb_stemmer*, kLanguages> stemmers_{};  // null: not met yet
  sb_stemmer* selected_ = nullptr;
};

// Whether the first subtag of a BCP 47 tag in lower case, as pages declare it, is "en".
bool is_english(std::string_view language) noexcept;

// Light stemming: turns English plurals into their singular, and nothing else (Harman 1991, the S stemmer).
// "ies" becomes "y", but not after "a" or "e"; any other "s" is removed, but not after "u" or "s". (Harman's
// rule from "es" to "e" has the same effect.) Words of less than four letters stay as they are. The result
// points into the word or, for "ies", into `buffer`. Throws std::bad_alloc.
std::string_view singular(std::string_view word, String& buffer);

}  // namespace nd::mwo
