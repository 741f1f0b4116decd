// A store in a directory of its own, opened and closed in one line each.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {

using Settings = std::vector<std::pair<std::string, std::string>>;

class CapiStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "ndc_store_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = name + "/store";
  }
  void TearDown() override {
    nd_close(engine_);
    std::filesystem::remove_all(folder_);
  }

  // The status of nd_open for this store; the engine, if there is one, goes to `out`.
  static nd_status open_at(const std::string& path, const Settings& settings, nd_engine*& out,
                           std::vector<std::string>* log = nullptr) {
    nd_options* options = nullptr;
    EXPECT_EQ(nd_options_new(&options), ND_OK);
    const auto add_line = [](int32_t, const char* message, size_t size, void* ctx) {
      static_cast<std::vector<std::string>*>(ctx)->emplace_back(message, size);
    };
    if (log != nullptr) {
      EXPECT_EQ(nd_options_set_logger(options, add_line, log), ND_OK);
    }
    for (const auto& [key, value] : settings)
      EXPECT_EQ(nd_options_set(options, key.c_str(), value.c_str()), ND_OK) << nd_last_error();
    const nd_status status = nd_open(path.c_str(), options, &out);
    const std::string sentence = nd_last_error();
    nd_options_free(options);
    last_error() = sentence;
    return status;
  }
  // nd_options_free would have cleared it.
  static std::string& last_error() {
    static std::string sentence;
    return sentence;
  }

  void open(const Settings& settings = {}) {
    ASSERT_EQ(engine_, nullptr);
    ASSERT_EQ(open_at(path_, settings, engine_), ND_OK) << last_error();
  }
  void close() {
    EXPECT_EQ(nd_close(engine_), ND_OK) << nd_last_error();
    engine_ = nullptr;
  }
  void reopen(const Settings& settings = {}) {
    close();
    open(settings);
  }
  nd_status try_open(const Settings& settings = {}) {
    nd_engine* other = nullptr;
    const nd_status status = open_at(path_, settings, other);
    nd_close(other);
    return status;
  }

  nd_result check(uint64_t number, const std::string& body, int64_t fetched_at_ms = 1000) {
    const std::string url = sample::url(number);
    const nd_page page = page_of(url, body, fetched_at_ms);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
    return result;
  }
  nd_result check(uint64_t number) { return check(number, sample::article_html(number)); }
  nd_status find(uint64_t number, nd_page_info* out = nullptr) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    const std::string url = sample::url(number);
    return nd_find_page(engine_, url.data(), url.size(), out != nullptr ? out : &info);
  }
  nd_stats stats() {
    nd_stats out{};
    out.struct_size = sizeof out;
    EXPECT_EQ(nd_get_stats(engine_, &out), ND_OK);
    return out;
  }
  std::vector<nd_event> events() {
    std::vector<nd_event> seen;
    EXPECT_EQ(nd_each_event(
                  engine_, 0,
                  [](const nd_event* event, void* ctx) {
                    static_cast<std::vector<nd_event>*>(ctx)->push_back(*event);
                    return int32_t{0};
                  },
                  &seen),
              ND_OK);
    return seen;
  }
  std::string bookmark(const std::string& name) {
    Buffer data;
    const nd_status status = nd_get_bookmark(engine_, name.c_str(), &data.raw);
    return status == ND_OK ? data.text() : nd_status_string(status);
  }
  nd_status set_bookmark(const std::string& name, const std::string& data) {
    return nd_set_bookmark(engine_, name.c_str(), data.data(), data.size());
  }

  // The files of the store with their bytes.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().filename()] =
          std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    }
    return all;
  }
  void write_file(const std::string& name, const std::string& bytes) const {
    std::ofstream file(path_ + "/" + name, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  // The store as it was.
  void restore(const std::map<std::string, std::string>& all) const {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    for (const auto& [name, bytes] : all)
      write_file(name, bytes);
  }

  // Runs in a child that ends without any goodbye; what it returns.
  static int in_child(const std::function<int()>& body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  std::string folder_;
  std::string path_;
  nd_engine* engine_ = nullptr;
};

}  // namespace nd_test
