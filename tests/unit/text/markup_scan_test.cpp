#include "text/markup_scan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace nd::text {
namespace {

// A copy in memory of just its size, so that a sanitizer sees what is read beyond it.
class Copy {
 public:
  explicit Copy(std::string_view text) : bytes_(text.begin(), text.end()) { bytes_.shrink_to_fit(); }
  const char* begin() const { return bytes_.data(); }
  const char* end() const { return bytes_.data() + bytes_.size(); }

 private:
  std::vector<char> bytes_;
};

size_t stop_of(std::string_view text) {
  const Copy copy(text);
  return static_cast<size_t>(text_stop(copy.begin(), copy.end()) - copy.begin());
}

// Pieces from `choices`, which may repeat and be cut.
std::string pile(std::mt19937& random, const std::vector<std::string>& choices, size_t pieces) {
  std::string text;
  for (size_t i = 0; i < pieces; ++i) {
    const std::string& piece = choices[random() % choices.size()];
    text += random() % 8 == 0 ? piece.substr(0, random() % (piece.size() + 1)) : piece;
  }
  return text;
}

TEST(MarkupScan, TextStopsAtMarkupAndAtWhatIsNoCharacter) {
  const std::string quiet = "\tone two\r\nthree, four and five \xEF\xBC\x8C \xEF\xBF\xBD \xEF\xBF\xBC.";
  EXPECT_EQ(stop_of(""), 0U);
  EXPECT_EQ(stop_of(quiet), quiet.size());
  for (const std::string stop : {"<", "&", "\x01", "\x0B", "\x0C", "\x1F", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (size_t before = 0; before <= quiet.size(); ++before) {
      for (const size_t behind : {0, 1, 15, 16, 17, 40}) {
        const std::string text = std::string(before, 'x') + stop + std::string(behind, 'y');
        EXPECT_EQ(stop_of(text), before) << testing::PrintToString(text);
      }
      EXPECT_EQ(stop_of(quiet.substr(0, before) + stop), before);
    }
  }
}

TEST(MarkupScan, TextStopsWhereThePortableScanDoes) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {"<",
                                           "&",
                                           "\x02",
                                           "\x0B",
                                           "\xEF\xBF\xBE",
                                           "\xEF\xBF\xBF",
                                           "\xEF\xBF\xBD",
                                           "\xEF\xBC\x8C",
                                           "\xEF",
                                           "\xBF",
                                           "\n",
                                           "\t",
                                           "some words ",
                                           "\xE4\xB8\xAD\xE6\x96\x87",
                                           "1 ",
                                           "and a few more "};
  const std::vector<std::string> quiet(pieces.begin() + 6, pieces.end());
  for (int round = 0; round < 20000; ++round) {
    const std::string text = pile(random, quiet, random() % 12) + pile(random, pieces, random() % 6);
    const Copy copy(text);
    const char* const stop = text_stop(copy.begin(), copy.end());
    ASSERT_EQ(stop, text_stop_portable(copy.begin(), copy.end())) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace nd::text
