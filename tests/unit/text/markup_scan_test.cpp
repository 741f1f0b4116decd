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
      for (const size_t behind : {0U, 1U, 15U, 16U, 17U, 40U}) {
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

TEST(MarkupScan, LeadingNameEqualsThePortableOne) {
  std::mt19937 random(8);
  std::string block(kNameBlockBytes, '\0');
  for (int round = 0; round < 100000; ++round) {
    for (char& c : block)
      c = random() % 8 == 0 ? static_cast<char>(random()) : "aZ-.:_09@[`{/,"[random() % 14];
    const LeadingName name = leading_name(block.data());
    const LeadingName plain = leading_name_portable(block.data());
    ASSERT_EQ(name.size, plain.size) << testing::PrintToString(block);
    ASSERT_EQ(name.has_dot, plain.has_dot) << testing::PrintToString(block);
    ASSERT_EQ(name.key, plain.key) << testing::PrintToString(block);
    ASSERT_EQ(leading_name_size(block.data()), plain.size);
  }
  EXPECT_EQ(leading_name("DIV.x y=\"12345678").size, 5U);
  EXPECT_TRUE(leading_name("DIV.x y=\"12345678").has_dot);
  EXPECT_EQ(leading_name("DIV y.z=\"12345678").key, name_key("div"));
  EXPECT_FALSE(leading_name("DIV y.z=\"12345678").has_dot);
}

TEST(MarkupScan, NamesOfTagsAreTheSameWhereverTheInputEnds) {
  for (const std::string name :
       {"a", "blockquote", "a.b-c:d_e", "abcdefghijklmno", "abcdefghijklmnop", "Abcdefghijklmnopq.r"}) {
    for (const std::string behind : {"", ">", " class=x>", "/> and some more text"}) {
      const Copy copy(name + behind);
      const TagName tag = read_tag_name(copy.begin(), copy.end());
      EXPECT_EQ(tag.written, name);
      EXPECT_EQ(tag.has_dot, name.find('.') != std::string::npos);
      EXPECT_EQ(tag.key, read_any_tag_name(copy.begin(), copy.end()).key);
    }
  }
  const Copy none("1a");
  EXPECT_TRUE(read_tag_name(none.begin(), none.end()).written.empty());
}

TEST(MarkupScan, FindsNearAndFarBytes) {
  for (size_t size = 0; size < 300; ++size) {
    const Copy copy(std::string(size, 'x') + "\"" + std::string(size % 40, 'y') + "\"");
    EXPECT_EQ(find_near_byte(copy.begin(), copy.end(), '"'), copy.begin() + size);
    EXPECT_EQ(find_near_byte(copy.begin(), copy.end(), '\''), copy.end());
    const Copy blanks(std::string(size, " \t\r\n"[size % 4]) + (size % 3 == 0 ? "" : "\f or more"));
    EXPECT_EQ(skip_many_blanks(blanks.begin(), blanks.end()), blanks.begin() + size);
  }
}

TEST(MarkupScan, SkipsAnAttributeAsFarAsItIsRead) {
  std::mt19937 random(9);
  const std::vector<std::string> pieces = {
      "a",   "class", "data-of-a-long-name", "=",   " ", "\n", "\"", "'", "x y", "/", ">", "<", "&amp;",
      "=\"", "=' ",   "http://e.example/",   "\" ", "' "};
  for (int round = 0; round < 20000; ++round) {
    const Copy copy("n" + pile(random, pieces, random() % 14));
    const char* read = copy.begin();
    const MarkupAttribute attribute = read_attribute(read, copy.end());
    const char* const behind = copy.begin() + attribute.name.size();
    ASSERT_EQ(skip_attribute(behind, copy.end()), read);
    ASSERT_EQ(skip_any_attribute(behind, copy.end()), read);
  }
}

}  // namespace
}  // namespace nd::text
