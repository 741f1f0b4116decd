// The worked examples and thresholds of the documents by the C interface, on whole pages; docs/sources.md
// lists all.
#include <cstring>
#include <set>
#include <sstream>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::html;
using sample::Paragraphs;

class DocumentExamplesTest : public CapiTest {
 protected:
  nd_result check_features(const std::string& features) {
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_features(engine_, features.data(), features.size(), &result), ND_OK)
        << nd_last_error();
    return result;
  }
};

// TR2007012 section 4.2 with m = 2, Y = 2, Z = 0: the keys are the first eight bytes of the fingerprints.
TEST_F(DocumentExamplesTest, FingerprintsOfFiveSentences) {
  const OptionSet settings{{"x_fingerprint_buckets", "2"},
                           {"x_fingerprint_sentences", "2"},
                           {"x_fingerprint_cover_width", "0"},
                           {"x_relaxed", "false"}};
  const std::string page =
      features_of("http://a.example/",
                  html({"the first sentence of the example.", "a second sentence follows it.",
                        "and a third one ends here.", "a fourth sentence, for the buckets.",
                        "the fifth and last sentence."}),
                  settings);
  uint64_t keys[64];
  size_t count = std::size(keys);
  ASSERT_EQ(nd_features_keys(page.data(), page.size(), keys, &count), ND_OK);
  EXPECT_EQ(count, 25U);
  const std::set<uint64_t> found(keys, keys + count);
  for (const uint64_t expected :
       {0x32599f788f5a85b0U, 0x4d84521b745c1a66U, 0x54315346cdcf6aa3U, 0xaf6d48c58ac79d0cU})
    EXPECT_TRUE(found.contains(expected)) << std::hex << expected;
}

// TR2007012 section 4.2 counts bytes of GBK: X = 10 is five Chinese characters or ten letters, Z = 100 fifty
// or a hundred, and both must be passed. A page without any fingerprint, 1.03 % in the report, takes the
// relaxed path.
TEST_F(DocumentExamplesTest, WidthsOfChineseAndOfLetters) {
  const auto keys_of = [](const std::string& text, const nd_options* options) {
    const std::string page = features_of("http://a.example/", html({text}), options);
    size_t count = 0;
    EXPECT_EQ(nd_features_keys(page.data(), page.size(), nullptr, &count), ND_OK);
    return count;
  };
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += text;
    return all;
  };
  // One sentence makes a fingerprint of each of four rotations.
  const OptionSet any_cover{{"x_fingerprint_buckets", "1"},
                            {"x_fingerprint_sentences", "1"},
                            {"x_fingerprint_cover_width", "0"},
                            {"x_relaxed", "false"}};
  EXPECT_EQ(keys_of("灯塔在海上", any_cover), 0U);
  EXPECT_EQ(keys_of("灯塔在大海上", any_cover), 4U);
  EXPECT_EQ(keys_of("lighthouse", any_cover), 0U);
  EXPECT_EQ(keys_of("lighthouses", any_cover), 4U);
  const OptionSet cover{
      {"x_fingerprint_buckets", "1"}, {"x_fingerprint_sentences", "1"}, {"x_relaxed", "false"}};
  EXPECT_EQ(keys_of(repeated("灯塔在海上", 10), cover), 0U);
  EXPECT_EQ(keys_of(repeated("灯塔在海上", 10) + "灯", cover), 4U);
  EXPECT_EQ(keys_of(repeated("lighthouse", 10), cover), 0U);
  EXPECT_EQ(keys_of(repeated("lighthouse", 10) + "s", cover), 4U);
  EXPECT_GT(keys_of("灯塔在海上", nullptr), 0U) << "the relaxed path";
}

// TR2007012 section 3.2 on words in place of letters: A = abcabba, B = cbabac, so L = 4.
TEST_F(DocumentExamplesTest, ResemblanceAndContainment) {
  const auto page_of_letters = [](const std::string& letters) {
    std::string text;
    for (const char letter : letters)
      text += std::string("word") + letter + ' ';
    return html({text});
  };
  const OptionSet settings{{"x_window_width", "1"}, {"x_rounds", "1"}, {"same_document", "0"}};
  const std::string a = features_of("http://a.example/", page_of_letters("abcabba"));
  const std::string b = features_of("http://b.example/", page_of_letters("cbabac"));
  nd_result result = ND_RESULT_INIT;
  ASSERT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), settings, &result), ND_OK);
  EXPECT_EQ(result.verdict, ND_NEAR);
  EXPECT_NEAR(result.resemblance, 4.0 / 9, 1e-9);
  EXPECT_NEAR(result.containment, 4.0 / 6, 1e-9);
}

// TR2007012 section 5, the guidelines of its judges.
TEST_F(DocumentExamplesTest, WhatTheJudgesCallSimilar) {
  const Paragraphs text = article(1, 10), other = article(2, 10);
  Paragraphs more = text, reordered = text, reworded;
  more.insert(more.begin() + 5, other.begin(), other.begin() + 4);
  std::swap(reordered[1], reordered[8]);
  int number = 0;
  for (const std::string& paragraph : text) {
    std::istringstream words(paragraph);
    std::string changed;
    for (std::string word; words >> word;)
      changed += (++number % 12 == 0 ? "replaced" + std::to_string(number) : word) + ' ';
    reworded.push_back(changed);
  }
  const nd_result first = check("http://a.example/", html(text));
  ASSERT_EQ(first.verdict, ND_NEW);
  const auto is_similar = [&](const std::string& url, const Paragraphs& page) {
    const nd_result result = check(url, html(page));
    return result.verdict == ND_NEAR && result.group_id == first.group_id;
  };
  EXPECT_TRUE(is_similar("http://b.example/", Paragraphs(text.begin(), text.begin() + 7)))
      << "less than 40 % of the text removed";
  EXPECT_TRUE(is_similar("http://c.example/", more)) << "added";
  EXPECT_TRUE(is_similar("http://e.example/", reworded)) << "less than 10 % of the words changed";
  EXPECT_TRUE(is_similar("http://f.example/", reordered));
  EXPECT_FALSE(is_similar("http://g.example/", other)) << "another subject";
  // Key paragraphs, r = 3/11 and c = 3/4: another document to those whose judgements the probability is
  // learned from.
  const Paragraphs key_paragraphs = {other[5], text[4], text[5], text[6]};
  EXPECT_FALSE(is_similar("http://d.example/", key_paragraphs));
  reopen({{"decision", "report"}, {"x_relaxed", "true"}});  // three paragraphs share no fingerprint
  check("http://a.example/", html(text));
  EXPECT_TRUE(is_similar("http://d.example/", key_paragraphs));
}

// The same: pages that sell one thing each, with much text that all of them have.
TEST_F(DocumentExamplesTest, WhatTheJudgesCallDifferent) {
  const Paragraphs template_text = article(3, 4);
  for (uint64_t product = 0; product < 12; ++product) {
    Paragraphs page(template_text.begin(), template_text.begin() + 2);
    page.push_back(sample::paragraph(900 + product));
    page.insert(page.end(), template_text.begin() + 2, template_text.end());
    EXPECT_EQ(check("http://shop.example/" + std::to_string(product), html(page)).verdict, ND_NEW) << product;
  }
}

struct Boundary {
  const char* detector;
  size_t entries;
  size_t entry_bits;
  size_t unequal;  // at most
};

// The description is the end of the record; its size is at offset 44 (docs/features_format.md).
std::string description_of(const std::string& features) {
  uint32_t size = 0;
  std::memcpy(&size, features.data() + 44, sizeof size);
  return features.substr(features.size() - size);
}

size_t unequal_entries(const Boundary& boundary, const std::string& a, const std::string& b) {
  size_t unequal = 0;
  for (size_t entry = 0; entry < boundary.entries; ++entry) {
    bool differs = false;
    for (size_t bit = entry * boundary.entry_bits; bit < (entry + 1) * boundary.entry_bits; ++bit)
      differs |= ((a[bit / 8] ^ b[bit / 8]) >> bit % 8 & 1) != 0;
    unequal += differs;
  }
  return unequal;
}

// The features of a page with the given difference: more and more of an article is rewritten.
std::string page_with_difference(const Boundary& boundary, const nd_options* options, const Paragraphs& text,
                                 size_t unequal) {
  const std::string original = description_of(features_of("http://a.example/", html(text), options));
  for (uint64_t seed = 0; seed < 60; ++seed) {
    for (size_t changed = 0; changed < 12; ++changed) {
      Paragraphs page = sample::rewritten(text, changed / 2, seed + 50);
      if (changed % 2 == 0) page[0] = sample::paragraph(70'000 + seed).substr(0, 20 + seed * 4) + page[0];
      const std::string made = features_of("http://b.example/", html(page), options);
      if (unequal_entries(boundary, original, description_of(made)) == unequal) return made;
    }
  }
  ADD_FAILURE() << "no page differs in " << unequal;
  return "";
}

// Moz: pages join up to 6 unequal entries of 128, or up to 5 unequal bits of 64; TR2007012 section 5.4: with
// 97 equal bits of 128. One more is another page, by whichever call.
TEST_F(DocumentExamplesTest, TheThresholdsDecideBetweenPages) {
  const Paragraphs text = article(1, 6);
  for (const Boundary& boundary : {Boundary{"moz-vector", 128, 64, 6}, Boundary{"simhash64", 64, 1, 5},
                                   Boundary{"simhash128", 128, 1, 31}}) {
    SCOPED_TRACE(boundary.detector);
    const OptionSet settings{{"detector", boundary.detector}, {"decide", "method"}};
    const OptionSet described{{"detector", boundary.detector}};
    const std::string original = features_of("http://a.example/", html(text), described);
    for (const size_t unequal : {boundary.unequal, boundary.unequal + 1}) {
      const std::string other = page_with_difference(boundary, described, text, unequal);
      ASSERT_FALSE(other.empty());
      const bool near = unequal == boundary.unequal;
      nd_result compared = ND_RESULT_INIT;
      ASSERT_EQ(nd_features_decide(original.data(), original.size(), other.data(), other.size(), settings,
                                   &compared),
                ND_OK);
      reopen({{"detector", boundary.detector}, {"decide", "method"}});
      const nd_result first = check_features(original);
      EXPECT_EQ(first.verdict, ND_NEW);
      const nd_result second = check_features(other);
      for (const nd_result& result : {compared, second}) {
        EXPECT_EQ(result.verdict, near ? ND_NEAR : ND_NEW) << unequal;
        EXPECT_EQ((result.flags & ND_FLAG_UNVERIFIED) != 0, near);
      }
      EXPECT_EQ(second.group_id == first.group_id, near);
      if (near) {
        EXPECT_EQ(second.resemblance,
                  1 - static_cast<double>(unequal) / static_cast<double>(boundary.entries));
      }
    }
  }
}

}  // namespace
}  // namespace nd_test
