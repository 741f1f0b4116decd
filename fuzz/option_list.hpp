// The result of nd_options_describe, for targets whose own lists must not miss an option or a method.
#pragma once

#include <ndcapi.h>

#include <span>
#include <string>
#include <vector>

namespace nd::fuzz {

// Each described as ndcapi.h says, with a default that is taken and read back.
std::vector<nd_option_info> all_options();

// The words of an option of type choice; none if there is no such option.
std::vector<std::string> choices_of(const std::string& key);

// `named` are all choices of option `detector` except `lcs`, which may be left out. Else the process ends.
void expect_all_detectors(std::span<const char* const> named);

// The dictionary has each option as "KEY= and each word of a choice.
void expect_all_options_in(const std::string& dictionary);

}  // namespace nd::fuzz
