// Pages and their descriptions for the tests of the detectors.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "detectors/detector.hpp"
#include "engine/feature_builder.hpp"
#include "text/page_reader.hpp"
#include "unit/page_sample.hpp"

namespace nd::detectors {

inline std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (uint16_t number = 1; number < kMethods; ++number)
    methods.push_back(static_cast<Method>(number));
  return methods;
}

inline std::string method_test_name(const ::testing::TestParamInfo<Method>& info) {
  std::string name(info_of(info.param).name);
  std::erase(name, '-');
  return name;
}

// Finds each pair by luck only.
inline bool is_approximate(Method method) {
  return method == Method::kLshS || method == Method::kMinHash;
}

using Bytes = std::vector<uint8_t>;

class PageDescriber {
 public:
  explicit PageDescriber(Method method)
      : reader_(*text::PageReader::create()), builder_(*engine::FeatureBuilder::create(method)) {}

  Bytes operator()(const std::string& html, const std::string& url = "http://a.example/") {
    const auto* bytes = reinterpret_cast<const uint8_t*>(html.data());
    EXPECT_TRUE(reader_.read(url, {bytes, html.size()}, "text/html; charset=utf-8", {}, document_));
    builder_.begin(document_);
    const engine::Features features = builder_.finish({url, 1000, html.size()}, document_, {}, {}, false);
    return {features.description().begin(), features.description().end()};
  }

 private:
  text::PageReader reader_;
  text::Document document_;
  engine::FeatureBuilder builder_;
};

// Articles, and others that have more or less of their text.
inline std::vector<std::string> sample_pages(uint64_t articles) {
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < articles; ++i) {
    const sample::Paragraphs text = sample::article(i, 5);
    pages.push_back(sample::html(text));
    pages.push_back(sample::html(text));
    for (size_t count = 1; count < 5; ++count)
      pages.push_back(sample::html(sample::rewritten(text, count, i + 1)));
  }
  return pages;
}

}  // namespace nd::detectors
