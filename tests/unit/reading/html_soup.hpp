// Random HTML, valid and broken, for tests that compare two readings of one page.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace nd::text::test {

inline std::string repeat(std::string_view piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i)
    text += piece;
  return text;
}

class HtmlSoup {
 public:
  explicit HtmlSoup(uint32_t seed) : random_(seed) {}

  // Nested as it should be, end tags only omitted where HTML allows it.
  std::string valid_page();
  // Any sequence of pieces of markup.
  std::string broken_page();

 private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool one_in(size_t count) { return below(count) == 0; }
  template <size_t N>
  const char* any_of(const char* const (&choices)[N]) {
    return choices[below(N)];
  }

  std::string words();
  std::string attributes();
  std::string misc();
  std::string flow(int depth);
  std::string phrasing(int depth);
  std::string piece();

  std::mt19937 random_;
};

}  // namespace nd::text::test
