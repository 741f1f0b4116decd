// Evaluates the conditions of the option table and words the complaint about an option that has no effect.
#include "options/option_needs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "options/option_table.hpp"

namespace nd::engine {
namespace {

// What comes before the first `separator`, which is removed with it.
std::string_view take_part(std::string_view& text, char separator) noexcept {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool is_met(std::string_view condition, Parameters& parameters, bool has_store) {
  std::string_view values = condition;
  std::string_view key = take_part(values, '=');
  if (key == condition) return has_store;
  const bool negated = key.ends_with('!');
  if (negated) key.remove_suffix(1);
  const String value = value_of(*find_option(key), parameters);
  while (!values.empty()) {
    if (take_part(values, '|') == value) return !negated;
  }
  return negated;
}

// Empty if the option's conditions are met.
String complaint(const Option& option, Parameters& parameters, bool has_store) {
  std::string_view needs = option.info.needs;
  while (!needs.empty()) {
    const std::string_view condition = take_part(needs, ' ');
    if (is_met(condition, parameters, has_store)) continue;
    String text = String("option ").append(option.info.key).append(" has no effect ");
    const size_t negation = condition.find('!');
    if (negation != std::string_view::npos) {
      return text.append("with ")
          .append(condition.substr(0, negation))
          .append(condition.substr(negation + 1));
    }
    if (condition == "store") return text.append("without a store");
    return text.append("unless ").append(condition);
  }
  return {};
}

// `use`: bool(String sentence), for each option that is not its default and has no effect, until false.
template <typename Use>
void each_complaint(const Parameters& given, bool persistent, bool has_store, const Use& use) {
  Parameters parameters = given;  // places are of mutable parameters
  Parameters defaults;
  for (const Option& option : option_table()) {
    const auto is_default = [&](auto place) { return place(parameters) == place(defaults); };
    if (option.info.persistent != persistent || std::visit(is_default, option.place)) continue;
    String sentence = complaint(option, parameters, has_store);
    if (!sentence.empty() && !use(std::move(sentence))) return;
  }
}

}  // namespace

Result<void> check_needs(const Parameters& parameters) {
  Result<void> checked;
  each_complaint(parameters, true, true, [&](const String& sentence) {
    checked = error(Status::kInvalidArgument, sentence);
    return false;
  });
  return checked;
}

Vector<String> idle_options(const Parameters& parameters, bool has_store) {
  Vector<String> sentences;
  each_complaint(parameters, false, has_store, [&](String sentence) {
    sentences.push_back(std::move(sentence));
    return true;
  });
  return sentences;
}

}  // namespace nd::engine
