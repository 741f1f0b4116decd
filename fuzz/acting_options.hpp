// Those options of a set that act on what a call works with: the call refuses the others, which an input
// gives to all calls alike.
#pragma once

#include <ndcapi.h>

#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/expectation.hpp"

namespace nd::fuzz {

class ActingOptions {
 public:
  // `things`: words of nd_option_info.acts_on, between spaces.
  ActingOptions(const nd_options* all, std::string_view things) {
    expect(nd_options_new(&options_) == ND_OK, "no options");
    nd_option_info info = ND_OPTION_INFO_INIT;
    for (size_t index = 0; nd_options_describe(index, &info) == ND_OK; ++index) {
      if (share_word(info.acts_on, things)) copy(all, info.key);
    }
  }
  ActingOptions(const ActingOptions&) = delete;
  ActingOptions& operator=(const ActingOptions&) = delete;
  ~ActingOptions() { nd_options_free(options_); }
  operator const nd_options*() const { return options_; }

 private:
  static bool share_word(std::string_view words, std::string_view others) {
    std::istringstream all{std::string(words)};
    const std::string looked_through = " " + std::string(others) + " ";
    for (std::string word; all >> word;) {
      if (looked_through.find(" " + word + " ") != std::string::npos) return true;
    }
    return false;
  }
  void copy(const nd_options* all, const char* key) {
    size_t size = 0;
    expect(nd_options_get(all, key, nullptr, &size) == ND_OK, "no option");
    std::string value(++size, '\0');
    expect(nd_options_get(all, key, value.data(), &size) == ND_OK, "no value of an option");
    expect(nd_options_set(options_, key, value.c_str()) == ND_OK, "a value in force is refused");
  }

  nd_options* options_ = nullptr;
};

}  // namespace nd::fuzz
