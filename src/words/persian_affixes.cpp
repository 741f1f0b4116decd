// Looks at the last two words each time that one ends and joins them in place, so the text is read once.
#include "words/persian_affixes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string_view>

#include "words/spelling.hpp"

namespace nd::text {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPrefixes[] = {"می"sv, "نمی"sv};
constexpr std::string_view kEndings[] = {"ی"sv,      "ای"sv,   "ها"sv,   "های"sv,    "هایی"sv,
                                         "هایم"sv,   "هایت"sv, "هایش"sv, "هایمان"sv, "هایتان"sv,
                                         "هایشان"sv, "تر"sv,   "ترین"sv, "اند"sv};

constexpr std::ptrdiff_t kLongestAffix = 14;  // bytes

// The beginning of the letters that end at `end`, or a place further from there than an affix is long.
char* word_begin(char* begin, char* end) noexcept {
  char* word = end;
  while (word - begin >= 2 && end - word <= kLongestAffix && is_arabic_letter(word - 2))
    word -= 2;
  return word;
}

template <size_t count>
bool is_one_of(std::string_view word, const std::string_view (&words)[count]) noexcept {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_prefix(char* begin, char* end) noexcept {
  char* const word = word_begin(begin, end);
  return is_one_of({word, static_cast<size_t>(end - word)}, kPrefixes);
}

// Joins the word [word, end) to what stands before it, if one of the two is an affix; and what that makes, if
// it is an affix itself. Returns the new end.
char* join_last(char* begin, char* word, char* end) noexcept {
  while (word - begin >= 3 && word[-1] == ' ' && is_arabic_letter(word - 3)) {
    char* const behind = word - 1;
    if (!is_one_of({word, static_cast<size_t>(end - word)}, kEndings) && !is_prefix(begin, behind))
      return end;
    std::memmove(behind, word, static_cast<size_t>(end - word));
    --end;
    word = word_begin(begin, behind);
  }
  return end;
}

}  // namespace

char* join_persian_affixes(char* begin, char* end) noexcept {
  char* out = begin;
  for (const char* in = begin; in != end;) {
    if (end - in < 2 || !is_arabic_letter(in)) {
      *out++ = *in++;
      continue;
    }
    char* const word = out;
    for (; end - in >= 2 && is_arabic_letter(in); in += 2, out += 2)
      std::memmove(out, in, 2);
    out = join_last(begin, word, out);
  }
  return out;
}

}  // namespace nd::text
