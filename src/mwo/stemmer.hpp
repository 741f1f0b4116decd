// Reduces words to their stems: by the Snowball stemmer of the page's language (libstemmer), or by light
// stemming, which covers English plurals only.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/memory.hpp"

struct sb_stemmer;

namespace nd::mwo {

// Stemmers are made when a language is first met and kept, by libstemmer, in memory of its own.
// Threads: one object, one thread at a time.
class Stemmer {
 public:
  Stemmer() noexcept = default;
  Stemmer(Stemmer&& other) noexcept;
  Stemmer& operator=(Stemmer&& other) noexcept;
  ~Stemmer();

  // A BCP 47 tag in lower case ("en-us"), as pages declare it; of its subtags only the first counts. False if
  // there is no stemmer for it: words then stay as they are. Throws std::bad_alloc.
  bool select(std::string_view language);
  // The stem of a word in normal form, valid until the next call; the word itself if it is longer than any
  // word of a language, or the stemmer leaves nothing of it. Throws std::bad_alloc.
  std::string_view stem(std::string_view word);

  static constexpr size_t kLanguages = 29;

 private:
  std::array<sb_stemmer*, kLanguages> stemmers_{};  // null: not met yet
  sb_stemmer* selected_ = nullptr;
};

// A BCP 47 tag in lower case, as pages declare it, whose first subtag is "en".
bool is_english(std::string_view language) noexcept;

// Light stemming: English words in the plural to their singular, and nothing else (Harman 1991, the S
// stemmer). "ies" becomes "y", but not after "a" or "e"; any other "s" goes, but not after "u" or "s".
// (Harman has "es" become "e" as well, which is the same.) Words of less than four letters stay as they are.
// The stem lies in the word or, for "ies", in `buffer`. Throws std::bad_alloc.
std::string_view singular(std::string_view word, String& buffer);

}  // namespace nd::mwo
