// Where tokens of HTML end, in vector form and plain, at every offset.
#include "reading/markup_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

size_t comment_size(std::string_view text) {
  const Copy copy(text);
  const char* const behind = comment_end(copy.begin(), copy.end());
  return behind == nullptr ? 0 : static_cast<size_t>(behind - copy.begin());
}

TEST(MarkupScan, CommentsEndAsInBrowsers) {
  for (const std::string_view whole :
       {"<!-->", "<!--->", "<!---->", "<!-- > -> -- -->", "<!----!>", "<!--x--!>", "<!-- <!-- -->",
        "<!--x<!-->", "<!X>", "<!>", "<!doctype html 'x>", "<![CDATA[x>", "<?>", "<?xml x='>", "</>", "</ X>",
        "</\xE4\xB8\xAD>"}) {
    EXPECT_EQ(comment_size(whole), whole.size()) << whole;
    EXPECT_EQ(comment_size(std::string(whole) + "-->x"), whole.size()) << whole;
  }
  for (const std::string_view open :
       {"<!", "<?", "<!-", "<!--", "<!---", "<!-- -- >", "<!--x--!", "<!X", "</ X"})
    EXPECT_EQ(comment_size(open), open.size()) << open;
  for (const std::string_view none : {"<", "</", "<a>", "</a>", "< !>", "<<!-- -->"})
    EXPECT_EQ(comment_size(none), 0U) << none;
}

size_t raw_size(std::string_view text, Element element) {
  const Copy copy(text);
  return static_cast<size_t>(raw_text_end(copy.begin(), copy.end(), element) - copy.begin());
}

TEST(MarkupScan, RawTextEndsAtItsOwnEndTag) {
  for (const Element element : {Element::kStyle, Element::kScript, Element::kTitle, Element::kTextarea,
                                Element::kXmp, Element::kIframe, Element::kNoembed, Element::kNoframes}) {
    const std::string end = "</" + std::string(traits_of(element).name);
    for (const char* behind : {">", " >", "/>", "\n", "\x0c"})
      EXPECT_EQ(raw_size("a<b></c>" + end + "s>" + end + behind, element), 8 + end.size() + 2)
          << end << behind;
    EXPECT_EQ(raw_size("abc" + end, element), 3 + end.size()) << "cut off";
    EXPECT_NE(raw_text_of(element, false), RawText::kNone);
  }
  EXPECT_EQ(raw_size("abc</plaintext>", Element::kPlaintext), 15U);
  EXPECT_EQ(raw_text_of(Element::kDiv, false), RawText::kNone);
  EXPECT_EQ(raw_text_of(Element::kTitle, true), RawText::kNone);
  EXPECT_EQ(raw_text_of(Element::kStyle, true), RawText::kHidden);
}

// HTML Living Standard, 13.2.5.4 and 13.2.5.15 to 13.2.5.31, state by state.
size_t script_size(std::string_view text) {
  enum class State { kData, kEscaped, kInner } state = State::kData;
  const auto starts = [&](size_t at, std::string_view tag) {
    std::string lower(text.substr(at, tag.size()));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    const size_t behind = at + tag.size();
    return lower == tag && behind < text.size() &&
           std::string_view(" \t\n\r\f/>").find(text[behind]) != text.npos;
  };
  size_t dashes = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (state == State::kData && text.substr(at, 4) == "<!--") {
      state = State::kEscaped;
      dashes = 2;
      at += 3;
      continue;
    }
    if (state != State::kInner && starts(at, "</script")) return at;
    if (state == State::kInner && starts(at, "</script")) state = State::kEscaped;
    if (state == State::kEscaped && starts(at, "<script")) state = State::kInner;
    if (state != State::kData && c == '>' && dashes >= 2) state = State::kData;
    dashes = c == '-' ? dashes + 1 : 0;
  }
  return text.size();
}

TEST(MarkupScan, ScriptsEndWhereTheStandardSaysSo) {
  EXPECT_EQ(raw_size("a<!--<script></script>--></script>", Element::kScript), 25U);
  EXPECT_EQ(raw_size("<!--><script></script>", Element::kScript), 13U);
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {
      "<!--",      "-->",     "--", "->", ">",   "<script>", "</script>", "</SCRIPT ", "<Script/",
      "</scripty", "<script", "-",  "<",  "<!-", "x",        "<!-->",     "<!--->",    "</script"};
  for (int round = 0; round < 30000; ++round) {
    const std::string text = pile(random, pieces, random() % 14);
    ASSERT_EQ(raw_size(text, Element::kScript), script_size(text)) << text;
  }
}

}  // namespace
}  // namespace nd::text
