// Calls of the C interface in one line each.
#pragma once

#include <gtest/gtest.h>
#include <ndcapi.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "unit/page_sample.hpp"

namespace nd_test {

// A page that borrows both strings.
inline nd_page page_of(const std::string& url, const std::string& body, int64_t fetched_at_ms = 1000) {
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.body = body.data();
  page.body_size = body.size();
  page.fetched_at_ms = fetched_at_ms;
  return page;
}

nd_page page_of(std::string&& url, const std::string& body, int64_t fetched_at_ms = 1000) = delete;
nd_page page_of(const std::string& url, std::string&& body, int64_t fetched_at_ms = 1000) = delete;

struct Buffer {
  nd_buffer raw = ND_BUFFER_INIT;
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { nd_buffer_free(&raw); }
  std::string text() const { return raw.data == nullptr ? "" : std::string(raw.data, raw.size); }
};

// What is known of a site.
struct Site {
  nd_site_model* model = nullptr;
  Site() { EXPECT_EQ(nd_site_model_new(&model), ND_OK); }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  ~Site() { nd_site_model_free(model); }
};

// Options for calls that take them.
class OptionSet {
 public:
  OptionSet(std::initializer_list<std::pair<const char*, const char*>> values) {
    EXPECT_EQ(nd_options_new(&options_), ND_OK);
    for (const auto& [key, value] : values)
      EXPECT_EQ(nd_options_set(options_, key, value), ND_OK) << nd_last_error();
  }
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;
  ~OptionSet() { nd_options_free(options_); }
  operator nd_options*() const { return options_; }
  std::string get(const char* key) const {
    char value[64];
    size_t size = sizeof value;
    EXPECT_EQ(nd_options_get(options_, key, value, &size), ND_OK);
    return std::string(value, size);
  }

 private:
  nd_options* options_ = nullptr;
};

inline std::string features_of(const std::string& url, const std::string& body,
                               const nd_options* options = nullptr) {
  const nd_page page = page_of(url, body);
  Buffer bytes;
  EXPECT_EQ(nd_features_compute(&page, options, &bytes.raw), ND_OK) << nd_last_error();
  return bytes.text();
}

inline bool is_zero(const void* data, size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

// All of a struct but its struct_size.
template <typename T>
bool is_empty(const T& value) {
  return is_zero(reinterpret_cast<const unsigned char*>(&value) + sizeof(uint32_t),
                 sizeof(T) - sizeof(uint32_t));
}

template <typename T>
T filled_with_garbage() {
  T value;
  memset(static_cast<void*>(&value), 0xa5, sizeof value);
  value.struct_size = sizeof value;
  return value;
}

class CapiTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(nd_open(nullptr, nullptr, &engine_), ND_OK) << nd_last_error(); }
  void TearDown() override { EXPECT_EQ(nd_close(engine_), ND_OK); }
  void reopen(const std::vector<std::pair<std::string, std::string>>& settings) {
    nd_close(engine_);
    engine_ = nullptr;
    nd_options* options = nullptr;
    ASSERT_EQ(nd_options_new(&options), ND_OK);
    for (const auto& [key, value] : settings)
      ASSERT_EQ(nd_options_set(options, key.c_str(), value.c_str()), ND_OK) << nd_last_error();
    ASSERT_EQ(nd_open(nullptr, options, &engine_), ND_OK);
    nd_options_free(options);
  }
  nd_result check(const std::string& url, const std::string& body, int64_t fetched_at_ms = 1000) {
    const nd_page page = page_of(url, body, fetched_at_ms);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
    return result;
  }
  nd_stats stats() {
    nd_stats out{};
    out.struct_size = sizeof out;
    EXPECT_EQ(nd_get_stats(engine_, &out), ND_OK);
    return out;
  }

  nd_engine* engine_ = nullptr;
};

}  // namespace nd_test
