// Options detector, decide and detector_threshold, and features with a description, by the C interface.
#include <cstring>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article_html;

std::string edited_html(uint64_t seed) {
  sample::Paragraphs text = sample::article(seed, 12);
  text[2] += " Afterword.";
  return sample::html(text);
}

uint16_t method_of(const std::string& features) {
  uint16_t method = 0;
  std::memcpy(&method, features.data() + 6, sizeof method);
  return method;
}

nd_result compare(const std::string& a, const std::string& b, const nd_options* options,
                  nd_status expected = ND_OK) {
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), options, &result), expected)
      << nd_last_error();
  return result;
}

TEST(DetectorOptionsTest, VerifyIsSaidOfStoresAlone) {
  const OptionSet settings{{"verify", "full"}};
  for (const char* value : {"lcs", "method", "never"})
    EXPECT_EQ(nd_options_set(settings, "verify", value), ND_ERR_INVALID_ARGUMENT) << value;
  EXPECT_EQ(settings.get("verify"), "full");
  EXPECT_EQ(nd_options_set(settings, "verify", "off"), ND_OK);
  EXPECT_EQ(settings.get("verify"), "off");
  EXPECT_EQ(settings.get("decide"), "lcs");
  EXPECT_EQ(nd_options_set(settings, "detector", "simhash"), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(settings.get("detector"), "lcs");
}

TEST(DetectorOptionsTest, AThresholdOutOfTheMethodsUnitIsNamed) {
  const OptionSet settings{{"detector", "simhash64"}, {"detector_threshold", "97"}};
  nd_engine* engine = nullptr;
  EXPECT_EQ(nd_open(nullptr, settings, &engine), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("equal bits of 64"), std::string::npos);
  const std::string features = features_of("http://a.example/", article_html(1));
  compare(features, features, settings, ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("equal bits of 64"), std::string::npos);
}

TEST(DetectorFeaturesTest, OnlyOtherDetectorsDescribeAPage) {
  EXPECT_EQ(method_of(features_of("http://a.example/", article_html(1))), 0);
  const OptionSet settings{{"detector", "mwo"}};
  const std::string described = features_of("http://a.example/", article_html(1), settings);
  EXPECT_EQ(method_of(described), 7);
  // The keys are those of any record.
  const std::string plain = features_of("http://a.example/", article_html(1));
  for (const std::string* features : {&described, &plain}) {
    size_t count = 0;
    EXPECT_EQ(nd_features_keys(features->data(), features->size(), nullptr, &count), ND_OK);
    EXPECT_GT(count, 0U);
  }
}

TEST(DetectorFeaturesTest, DamageIsTold) {
  const OptionSet settings{{"detector", "cosine"}};
  const std::string features = features_of("http://a.example/", article_html(1), settings);
  for (size_t i = 0; i < features.size(); i += 7) {
    std::string damaged = features;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    size_t count = 0;
    const nd_status status = nd_features_keys(damaged.data(), damaged.size(), nullptr, &count);
    EXPECT_TRUE(status == ND_ERR_CORRUPT || status == ND_ERR_UNSUPPORTED_VERSION) << i;
  }
}

TEST(DetectorFeaturesTest, AMethodThatDecidesComparesByItself) {
  const OptionSet by_method{{"detector", "simhash64"}, {"decide", "method"}};
  const OptionSet by_lcs{{"detector", "simhash64"}};
  const std::string a = features_of("http://a.example/", sample::article_html(1, 12), by_lcs);
  const std::string b = features_of("http://b.example/", edited_html(1), by_lcs);
  const std::string other = features_of("http://c.example/", article_html(2, 12), by_lcs);
  const nd_result near = compare(a, b, by_method);
  EXPECT_EQ(near.verdict, ND_NEAR);
  EXPECT_NE(near.flags & ND_FLAG_UNVERIFIED, 0U);
  EXPECT_EQ(near.containment, 0);
  EXPECT_EQ(compare(a, other, by_method).verdict, ND_NEW);
  const nd_result exact = compare(a, a, by_method);
  EXPECT_EQ(exact.verdict, ND_EXACT);
  EXPECT_EQ(exact.flags & ND_FLAG_UNVERIFIED, 0U);
  const nd_result verified = compare(a, b, by_lcs);
  EXPECT_EQ(verified.verdict, ND_NEAR);
  EXPECT_EQ(verified.flags & ND_FLAG_UNVERIFIED, 0U);
  const std::string plain = features_of("http://b.example/", edited_html(1));
  compare(a, plain, by_method, ND_ERR_INVALID_ARGUMENT);
  compare(a, plain, by_lcs);
}

TEST(DetectorFeaturesTest, OnlyTheLcsPartitionsACollection) {
  const OptionSet settings{{"detector", "mwo"}};
  const std::string features = features_of("http://a.example/", article_html(1), settings);
  const nd_bytes given{features.data(), features.size()};
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_partition_features(&given, 1, settings, &result), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_partition_features(&given, 1, nullptr, &result), ND_OK) << "the description is passed over";
}

class DetectorCallsTest : public CapiTest {
 protected:
  nd_result check_features(const std::string& features, nd_status expected = ND_OK) {
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_features(engine_, features.data(), features.size(), &result), expected)
        << nd_last_error();
    return result;
  }
};

TEST_F(DetectorCallsTest, FeaturesAreCheckedAsPagesAre) {
  for (const char* detector : {"spotsigs", "i-match-s", "lsh-s", "moz-vector", "simhash64", "simhash128",
                               "mwo", "shingles", "minhash", "cosine", "i-match", "exact"}) {
    reopen({{"detector", detector}, {"decide", "method"}});
    const OptionSet settings{{"detector", detector}};
    const nd_result first = check("http://a.example/", article_html(1, 12));
    EXPECT_EQ(check_features(features_of("http://a.example/", article_html(1, 12), settings)).verdict,
              ND_UNCHANGED);
    const std::string edited = edited_html(1);
    const std::string url = "http://b.example/";
    const nd_page page = page_of(url, edited);
    nd_result expected = ND_RESULT_INIT;
    ASSERT_EQ(nd_query_page(engine_, &page, &expected), ND_OK);
    const nd_result near = check_features(features_of(url, edited, settings));
    EXPECT_EQ(near.verdict, expected.verdict) << detector;
    EXPECT_EQ(near.resemblance, expected.resemblance) << detector;
    EXPECT_EQ(near.flags, expected.flags) << detector;
    EXPECT_EQ((near.flags & ND_FLAG_UNVERIFIED) != 0, near.verdict == ND_NEAR);
    EXPECT_NE(first.group_id, 0U);
  }
}

TEST_F(DetectorCallsTest, FeaturesOfAnotherDetectorAreRefused) {
  reopen({{"detector", "simhash64"}});
  const OptionSet mwo{{"detector", "mwo"}};
  check_features(features_of("http://a.example/", article_html(1)), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("detector=simhash64"), std::string::npos);
  check_features(features_of("http://a.example/", article_html(1), mwo), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(stats().pages, 0U);
  // The LCS passes over what others need.
  reopen({});
  EXPECT_EQ(check_features(features_of("http://a.example/", article_html(1), mwo)).verdict, ND_NEW);
  EXPECT_EQ(check_features(features_of("http://b.example/", article_html(1))).verdict, ND_EXACT);
  // Signatures made otherwise are another thing.
  reopen({{"detector", "spotsigs"}});
  const OptionSet chains{{"detector", "spotsigs"}, {"x_spot_chain", "3"}};
  check_features(features_of("http://a.example/", article_html(1), chains), ND_ERR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nd_last_error()).find("x_spot_chain"), std::string::npos);
}

}  // namespace
}  // namespace nd_test
