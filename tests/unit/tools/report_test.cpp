// Explanations and extracts as people read them.
#include <gtest/gtest.h>

#include <string>

#include "explain_report.hpp"
#include "extract_report.hpp"
#include "output_capture.hpp"

namespace ndc::test {
namespace {

std::string explained(const std::string& segments, bool coloured = false) {
  const std::string json =
      R"({"a":{"url":"http://a/","width":12,"content_width":10.4},"b":{"url":"http://b/","width":20,)"
      R"("content_width":18},"verdict":"near","rule":"containment","resemblance":0.5,)"
      R"("containment":0.98765,"page_coverage":0.25,"matched_coverage":1,"matched_width":9,)"
      R"("shared_keys":3,"reasons":[{"name":"alike","values":[],"sentence":"They are alike."}],"segments":[)" +
      segments + "]}";
  return output_of([&](OutputFile& output) { EXPECT_TRUE(write_explanation(json, {}, coloured, output)); });
}

TEST(ExplainReport, ShowsScoresAndMarksTheDifferences) {
  EXPECT_EQ(explained(R"({"kind":"both","a":[0,1],"b":[0,1],"text":"one block\nanother"},)"
                      R"({"kind":"a","a":[1,2],"b":[1,1],"text":"only a"},{"kind":"b","a":[2,2],"b":[1,3]})"),
            "a             http://a/\n"
            "              text 12, main content 10\n"
            "b             http://b/\n"
            "              text 20, main content 18\n"
            "verdict       near (rule: containment)\n"
            "              They are alike.\n"
            "resemblance   0.5000\n"
            "containment   0.9877\n"
            "coverage      1.0000 of a, 0.2500 of b\n"
            "shared        9 of the text, 3 candidate keys\n"
            "\n"
            "  one block\n"
            "  another\n"
            "- only a\n"
            "+ (tokens a [2,2] b [1,3])\n");
}

TEST(ExplainReport, CountsTheBoilerplateThatWasLearned) {
  const auto shown = [](const std::string& boilerplate) {
    const std::string json = R"({"verdict":"near","rule":"short","boilerplate":)" + boilerplate + "}";
    return output_of([&](OutputFile& output) { EXPECT_TRUE(write_explanation(json, {}, false, output)); });
  };
  const std::string line = "boilerplate   learned of the sites: ";
  EXPECT_NE(shown(R"({"a":[[0,6],[294,300]],"b":[[3,4]]})").find(line + "12 tokens of a, 1 of b\n"),
            std::string::npos);
  for (const char* nothing : {R"({"a":[],"b":[]})", "{}", "[]", "5", R"({"a":5,"b":[[1],["x",2],7]})"})
    EXPECT_EQ(shown(nothing).find("boilerplate"), std::string::npos) << nothing;
}

TEST(ExplainReport, ColoursOnlyTheDifferences) {
  const std::string text =
      explained(R"({"kind":"both","text":"same"},{"kind":"a","text":"old"},{"kind":"b","text":"new"})", true);
  EXPECT_TRUE(text.ends_with("\n  same\n\x1b[31m- old\x1b[0m\n\x1b[32m+ new\x1b[0m\n")) << text;
}

TEST(ExplainReport, WrapsAtSpacesAndNeverInsideOfACharacter) {
  std::string words, wide;
  for (int i = 0; i < 100; ++i)
    words += "word ";
  for (int i = 0; i < 200; ++i)
    wide += "\xe4\xb8\xad";
  for (const std::string& text : {words, wide}) {
    const std::string shown = explained(R"({"kind":"both","text":")" + text + R"("})");
    std::string joined;
    size_t begin = shown.find("\n\n") + 2;
    while (begin < shown.size()) {
      const size_t end = shown.find('\n', begin);
      const std::string line = shown.substr(begin + 2, end - begin - 2);
      EXPECT_LE(line.size(), 150u);
      EXPECT_EQ(line.find("wor "), std::string::npos);
      if (text == wide) {
        EXPECT_EQ(line.size() % 3, 0u);
      }
      joined += line + (text == words ? " " : "");
      begin = end + 1;
    }
    EXPECT_EQ(joined.substr(0, text.size()), text);
  }
}

TEST(ExplainReport, SurvivesWhatItDoesNotExpect) {
  output_of([](OutputFile& output) {
    EXPECT_FALSE(write_explanation("no json", {}, false, output));
    EXPECT_FALSE(write_explanation("[]", {}, false, output));
    EXPECT_TRUE(write_explanation(R"({"a":1,"segments":[1,{"kind":5,"text":5},{}],"resemblance":"x"})", {},
                                  false, output));
  });
}

TEST(ExtractReport, ShowsFieldsAndWeightedBlocks) {
  const std::string json = R"({"kind":"html","title":"T\u001b","language":"","width":7,"limited":false,)"
                           R"("blocks":[{"text":"main","weight":1},{"text":"frame","weight":0.123},5]})";
  const auto shown = [&](bool as_json) {
    return output_of(
        [&](OutputFile& output) { EXPECT_TRUE(write_extract("http://a/", json, {}, as_json, output)); });
  };
  EXPECT_EQ(shown(false),
            "http://a/\n"
            "  kind            html\n"
            "  title           T\\x1b\n"
            "  width           7\n"
            "  limited         false\n"
            "  1.00  main\n"
            "  0.12  frame\n"
            "\n");
  EXPECT_TRUE(shown(true).starts_with(R"({"url":"http://a/","kind":"html","title":)"));
  const std::vector<Description> kept = {
      {"spots", R"({"detector":"spotsigs","spot_signatures":[{"words":["the","m\u001bill"],"count":2},7]})"},
      {"terms", R"({"detector":"mwo","terms":[{"term":"mill","share":0.25},{"share":"x"}]})"},
      {"simhash", R"({"detector":"simhash64","simhash":"0f"})"}};
  EXPECT_EQ(output_of([&](OutputFile& output) {
              EXPECT_TRUE(write_extract("http://a/", "{}", kept, false, output));
            }),
            "http://a/\n"
            "  spots: 2\n"
            "    2  the m\\x1bill\n"
            "    7\n"
            "  terms: 2\n"
            "    0.2500  mill\n"
            "    -  \n"
            "  simhash         0f\n"
            "\n");
  output_of([](OutputFile& output) {
    EXPECT_FALSE(write_extract("http://a/", "{}", {{"spots", "{"}}, true, output));
  });
  output_of([](OutputFile& output) { EXPECT_FALSE(write_extract("http://a/", "{", {}, true, output)); });
}

}  // namespace
}  // namespace ndc::test
