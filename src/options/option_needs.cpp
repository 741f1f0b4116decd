// Evaluates what the option table says of an option's effect, and words the complaint about one without any.
#include "options/option_needs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "options/option_table.hpp"
#include "options/options.hpp"

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

// Empty if the option acts on one of `things`.
String complaint_of_call(const Option& option, std::string_view things) {
  String listed;
  std::string_view left = option.info.acts_on;
  while (!left.empty()) {
    const std::string_view thing = take_part(left, ' ');
    for (std::string_view worked_with = things; !worked_with.empty();) {
      if (take_part(worked_with, ' ') == thing) return {};
    }
    listed.append(listed.empty() ? "" : left.empty() ? " and " : ", ").append(thing);
  }
  return String("option ").append(option.info.key).append(" has no effect here: it acts on ").append(listed);
}

// The sentences of `complain`, String(const Option&, Parameters&), about the options that are not their
// defaults.
template <typename Complain>
Vector<String> complaints(const Parameters& given, const Complain& complain) {
  Parameters parameters = given;  // places are of mutable parameters
  Parameters defaults;
  Vector<String> sentences;
  for (const Option& option : option_table()) {
    const auto is_default = [&](auto place) { return place(parameters) == place(defaults); };
    if (std::visit(is_default, option.place)) continue;
    String sentence = complain(option, parameters);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

Result<void> refuse_first(const Vector<String>& sentences) {
  if (sentences.empty()) return {};
  return error(Status::kInvalidArgument, sentences.front());
}

}  // namespace

Result<void> check_needs(const Parameters& parameters) {
  return refuse_first(complaints(parameters, [](const Option& option, Parameters& all) {
    return option.info.persistent ? complaint(option, all, true) : String();
  }));
}

Vector<String> idle_options(const Parameters& parameters, bool has_store) {
  return complaints(parameters, [&](const Option& option, Parameters& all) {
    if (option.info.persistent) return String();
    String idle = complaint(option, all, has_store);
    const bool of_an_engine = std::string_view(option.info.acts_on) != "partitions";
    return idle.empty() && !of_an_engine ? complaint_of_call(option, "engines") : idle;
  });
}

Result<void> check_acts_on(const Options& options, std::string_view things) {
  if (!options.is_any_set()) return {};  // as in most comparisons of two pages, of which there are very many
  return refuse_first(complaints(options.parameters(), [&](const Option& option, Parameters&) {
    // decision=report changes others, for which nobody asked.
    return options.is_set(option.info.key) ? complaint_of_call(option, things) : String();
  }));
}

Vector<String> options_without_use(const Parameters& parameters, std::string_view things) {
  return complaints(parameters, [&](const Option& option, Parameters&) {
    return option.info.persistent ? String() : complaint_of_call(option, things);
  });
}

}  // namespace nd::engine
