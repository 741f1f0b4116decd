// Asks the library for its options and fails where a target's list or dictionary lacks one.
#include "fuzz/option_list.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "fuzz/expectation.hpp"
#include "fuzz/well_formed_text.hpp"

namespace nd::fuzz {
namespace {

constexpr size_t kMostOptions = 1000;

bool means_the_same(const nd_option_info& info, const char* value) {
  if (std::string_view(info.type) == "number")
    return std::strtod(value, nullptr) == std::strtod(info.default_value, nullptr);
  return std::string_view(value) == info.default_value;
}

void expect_described(const nd_option_info& info) {
  for (const char* text : {info.key, info.type, info.default_value, info.range, info.help})
    expect(text != nullptr && *text != '\0' && is_well_formed_utf8(text), "a description is not whole");
  nd_options* options = nullptr;
  expect(nd_options_new(&options) == ND_OK, "nd_options_new");
  expect(nd_options_set(options, info.key, info.default_value) == ND_OK, "a default is not taken");
  char value[64];
  size_t size = sizeof value;
  expect(nd_options_get(options, info.key, value, &size) == ND_OK && means_the_same(info, value),
         "a default reads back as something else");
  nd_options_free(options);
}

[[noreturn]] void fail_naming(const char* what, const std::string& name) {
  std::fprintf(stderr, "%s\n", name.c_str());
  fail(what);
}

}  // namespace

std::vector<nd_option_info> all_options() {
  std::vector<nd_option_info> all;
  for (;;) {
    nd_option_info info = ND_OPTION_INFO_INIT;
    const nd_status status = nd_options_describe(all.size(), &info);
    if (status == ND_ERR_NOT_FOUND) break;
    expect(status == ND_OK && all.size() < kMostOptions, "nd_options_describe");
    expect_described(info);
    all.push_back(info);
  }
  expect(!all.empty(), "there are no options");
  return all;
}

std::vector<std::string> choices_of(const std::string& key) {
  std::vector<std::string> choices;
  for (const nd_option_info& info : all_options()) {
    if (info.key != key || std::string_view(info.type) != "choice") continue;
    std::istringstream range(info.range);
    for (std::string word; std::getline(range, word, '|');)
      choices.push_back(word);
  }
  return choices;
}

void expect_all_detectors(std::span<const char* const> named) {
  const std::vector<std::string> choices = choices_of("detector");
  const std::set<std::string> names(named.begin(), named.end());
  for (const std::string& choice : choices) {
    if (choice != "lcs" && !names.contains(choice)) fail_naming("a detector that is never drawn", choice);
  }
  for (const std::string& name : names) {
    if (std::find(choices.begin(), choices.end(), name) == choices.end())
      fail_naming("there is no such detector", name);
  }
}

void expect_all_options_in(const std::string& dictionary) {
  std::ifstream file(dictionary);
  expect(bool(file), "the dictionary cannot be read");
  const std::string words(std::istreambuf_iterator<char>(file), {});
  for (const nd_option_info& info : all_options()) {
    if (words.find('"' + std::string(info.key) + "=\"") == std::string::npos)
      fail_naming("an option that the dictionary lacks", info.key);
    for (const std::string& word : choices_of(info.key)) {
      if (words.find('"' + word + "\\x0a\"") == std::string::npos)
        fail_naming("a choice that the dictionary lacks", word);
    }
  }
}

}  // namespace nd::fuzz
