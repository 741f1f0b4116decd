// One row per option: its description, whose range is the one that is enforced, and where its value lives.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "options/options.hpp"

namespace nd::engine {

// Where a value lives: a function that finds it in the parameters.
template <typename T>
using Place = T& (*)(Parameters&);
using AnyPlace = std::variant<Place<uint32_t>, Place<uint64_t>, Place<double>, Place<bool>, Place<String>>;

// The place of a value, by its path in the parameters.
#define ND_PLACE(type, path) Place<type>([](Parameters& parameters) -> type& { return parameters.path; })

struct Option {
  OptionInfo info;
  AnyPlace place;
};

// In the order in which they are described: the experimental ones last.
std::span<const Option> option_table() noexcept;

// Names that were options before and are constants now, single spaces between them: setting one is an error
// that says so.
std::string_view former_options() noexcept;

// nullptr if there is none.
const Option* find_option(std::string_view key) noexcept;

// The value in `parameters`, as Options::set takes it.
String value_of(const Option& option, Parameters& parameters);

}  // namespace nd::engine
