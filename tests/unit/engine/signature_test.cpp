#include "engine/signature.hpp"

#include <gtest/gtest.h>

#include <set>

#include "text/page_reader.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

Vector<uint8_t> signature_of(const std::string& html) {
  static auto reader = text::PageReader::create();
  text::Document document;
  const std::span body(reinterpret_cast<const uint8_t*>(html.data()), html.size());
  EXPECT_TRUE(reader->read("", body, "text/html", {}, document));
  return compute_signature(document, {});
}

double similarity(const std::string& a, const std::string& b) {
  return *compare_signatures(signature_of(a), signature_of(b));
}

TEST(SignatureTest, APageWithoutTextHasNone) {
  EXPECT_TRUE(signature_of("").empty());
  EXPECT_TRUE(signature_of("<html><body> </body></html>").empty());
  EXPECT_TRUE(signature_keys({})->empty());
  EXPECT_EQ(*compare_signatures({}, signature_of(sample::article_html(1))), 0);
  EXPECT_EQ(*compare_signatures({}, {}), 0);
}

TEST(SignatureTest, OneWordIsEnough) {
  const Vector<uint8_t> one = signature_of("<p>word</p>");
  EXPECT_EQ(one.size(), kSignatureSize);
  EXPECT_EQ(*compare_signatures(one, signature_of("<p>word</p>")), 1);
  EXPECT_LT(*compare_signatures(one, signature_of("<p>other</p>")), 0.1);
}

TEST(SignatureTest, EqualPagesAreEqualAndOthersAreNot) {
  EXPECT_EQ(similarity(sample::article_html(1), sample::article_html(1)), 1);
  for (uint64_t seed = 2; seed < 20; ++seed)
    EXPECT_LT(similarity(sample::article_html(1), sample::article_html(seed)), 0.15);
}

// Two thirds of the paragraphs in common: the shingles' Jaccard similarity is close to 1/2.
TEST(SignatureTest, EstimatesTheSimilarityOfTheShingles) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const sample::Paragraphs text = sample::article(seed + 100, 9);
    sum += similarity(sample::html(text), sample::html(sample::rewritten(text, 3, seed + 900)));
  }
  EXPECT_NEAR(sum / 30, 0.5, 0.05);
}

TEST(SignatureTest, SimilarPagesShareAKey) {
  int met = 0, met_by_chance = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const sample::Paragraphs text = sample::article(seed + 100, 9);
    const auto keys_of = [](const std::string& html) {
      const auto keys = signature_keys(signature_of(html));
      EXPECT_EQ(keys->size(), 20U);
      return std::set<uint64_t>(keys->begin(), keys->end());
    };
    const auto shares = [](const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
      return std::any_of(a.begin(), a.end(), [&](uint64_t key) { return b.contains(key); });
    };
    const std::set<uint64_t> own = keys_of(sample::html(text));
    met += shares(own, keys_of(sample::html(sample::rewritten(text, 3, seed + 900))));
    met_by_chance += shares(own, keys_of(sample::article_html(seed + 5000, 9)));
  }
  EXPECT_GE(met, 32);  // .93 of 40, less three standard deviations
  EXPECT_EQ(met_by_chance, 0);
}

TEST(SignatureTest, WhatIsNoSignatureIsTold) {
  Vector<uint8_t> signature = signature_of(sample::article_html(1));
  for (size_t size = 1; size < signature.size(); ++size) {
    const auto refused = signature_keys(std::span(signature).first(size));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().status, Status::kCorrupt);
  }
  signature[0] = 2;
  EXPECT_EQ(signature_keys(signature).failure().status, Status::kUnsupportedVersion);
  EXPECT_EQ(compare_signatures(signature, signature).failure().status, Status::kUnsupportedVersion);
  EXPECT_EQ(compare_signatures(signature_of(sample::article_html(1)), signature).failure().status,
            Status::kUnsupportedVersion);
}

}  // namespace
}  // namespace nd::engine
