// What Persian attaches to a word is written in three ways: behind a zero-width non-joiner, behind a blank,
// or joined. Readers take them for one word, and so do the tokens of the normal form (docs/spelling.md).
#pragma once

namespace nd::text {

// Joins the prefixes of verbs and the endings of plural, possession and comparison in [begin, end) to their
// words: removes the blank between them. The text is in normal form but for that, single blanks between
// words; of other languages in the Arabic script hardly any word is spelt so. Returns the new end.
// Idempotent. O(n).
char* join_persian_affixes(char* begin, char* end) noexcept;

}  // namespace nd::text
