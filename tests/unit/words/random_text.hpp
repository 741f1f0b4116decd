// Random text of many scripts, for tests that compare fast code with ICU.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/utf8.hpp"

namespace nd::text {

// Each call draws characters from a few alphabets only, so that those of one script meet.
class RandomText {
 public:
  RandomText(uint32_t seed, std::vector<std::u32string> alphabets)
      : random_(seed), alphabets_(std::move(alphabets)) {}

  std::string operator()(size_t longest) {
    const size_t length = below(longest + 1);
    const size_t chosen[] = {below(alphabets_.size()), below(alphabets_.size()), below(alphabets_.size())};
    std::string text;
    while (length > 0 && characters(text) < length) {
      const std::u32string& alphabet = alphabets_[chosen[below(3)]];
      append_utf8(text, alphabet[below(alphabet.size())]);
    }
    return text;
  }

 private:
  size_t below(size_t bound) { return random_() % bound; }

  static size_t characters(const std::string& text) {
    size_t count = 0;
    for (const char c : text)
      count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
  }

  std::mt19937 random_;
  std::vector<std::u32string> alphabets_;
};

// The alphabets of both tests; half of what a draw chooses is plain on purpose.
inline std::vector<std::u32string> mixed_alphabets() {
  return {
      U"abcXYZ  .,'\"-_:;@/019",
      U"The quick brown fox, don't 3.14 1,000 a.b  ",
      U"\t\n\r\v\f \u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u3000 \u0001\u007f\u009f",
      U"\u0301\u0308\u0327\u0323\u0344\u0345\u0307\u030a\u0338\u05b0\u064b\u0652\u3099\u309a\u20dd\ufe0f",
      U"aeiouAEIOUIi\u00c4\u00e9\u00c5\u00df\u0130\u0131\u017f\u1e9e\u01c4\u01c5\u01c6\u1ebe\u1ebf\u0149"
      U"\ufb01\ufb03",
      U"абвАБВйЙёЁіїЇґ\u0306\u0308  .",
      U"αβγΑΒΓςσΣΐάΆ\u1f80\u1f88\u1fb3\u0301\u0345\u03f4\u1fc1 ",
      U"的是不中国人民你好，。！？；：「」、《》\u3000（）…—abc ",
      U"漢字かなカナがガーパヴ々〇\u3099\u309a\uff76\uff9e\uff8a\uff9f\uff71\uff61\uff65。ー ",
      U"한국어\u1100\u1161\u11a8\u1112\u1175\u11ab\u3131\uffa1가각 .'",
      U"\u0915\u094d\u0937\u093f\u0958\u09c7\u09be\u0bc6\u0bbe\u0964 \u0b47\u0b57\u0cc6\u0cc2\u0cd5",
      U"\u0e01\u0e33\u0e34\u0e48\u0e01\u0e02\u0e04\u0eb3\u0e81\u0e82 \u1780\u17d2\u1798\u1000\u1039\u1001",
      U"\u0627\u0644\u0653\u0622\u064a\u06cc\u0643\u06a9\ufefb\ufdfa\ufe8d\u200c\u200d\u061f\u060c\u0660"
      U"\u066b \u06f1",
      U"\u0627\u0648\u0649\u0640\u0640\u064b\u0650\u0651\u0654\u0655\u0670\u06c1\u06c3\u06d5\u06e1\u0610"
      U"\u08d3\u200c\u200c ",
      U"\u05d0\u05d1\u05e9\u05bc\u05c1\u0591\u05be\ufb2a\"'\u05f3\u05f4 ",
      U"\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u2060\ufeff\U000e0020\ufe0eab e\u0301",
      U"\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3fd\U0001f1e9\U0001f1ea\u2764\ufe0f#"
      U"\u20e3 1",
      U"\uff21\uff3a\uff41\uff10\uff0c\uff0e\uff01\uff1b\uffe5\u00b2\u00bd\u2460\u2167\u2122\u33a1\u3231"
      U"\u32d0",
      U"\ufffd\ufffe\ue000\U00010400\U00010428\U0001d400\U0001d7ce\U00020000\U0002f800\U0010ffff",
      U"\u2018\u2019\u201c\u201d\u2013\u2026\u00ab\u00bb\u00b7\u0387\u2024\u2027\u00a8\u00b4\u1fbd a1",
  };
}

}  // namespace nd::text
