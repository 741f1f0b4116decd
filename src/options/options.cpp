// Parses and prints values by the rows of the option table; a wrong key or value is answered with what would
// be right.
#include "options/options.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/word_list.hpp"
#include "options/option_table.hpp"
#include "reading/utf8_scan.hpp"
#include "words/normalize.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

// What decision=report changes in options that are not set: TR2007012 knows nothing that they add. All text
// counts, up to 112 fingerprints find candidates alone, and one trustable region is compared.
struct ReportDefault {
  std::string_view key;
  std::string_view value;
  bool always;  // else of the LCS partition alone: another detector finds its own candidates
};
constexpr ReportDefault kReportDefaults[] = {
    {"block_weights", "none", false},      {"spotsigs", "false", false}, {"x_relaxed", "false", false},
    {"x_fingerprint_buckets", "7", false}, {"x_rounds", "1", true},      {"x_trustable", "true", true}};

// Consecutive tokens: in a script without spaces each character is one.
bool is_word(std::string_view word) {
  Vector<text::Token> tokens;
  text::append_tokens(word, 0, tokens);
  uint32_t end = 0;
  for (const text::Token& token : tokens) {
    if (token.text.begin != end) return false;
    end = token.text.end;
  }
  return !word.empty() && end == word.size();
}

// Selects the built-in list.
constexpr std::string_view kDefaultWords = "default";

// Levenshtein distance, for "did you mean"; keys are short.
size_t edit_distance(std::string_view a, std::string_view b) {
  Vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// What other programs call it: of these names the nearest in spelling is something else, or nothing.
constexpr std::string_view kOtherNames[][2] = {
    {"threshold similarity similarity_threshold jaccard", "same_document"},
    {"memory max_memory memory_limit budget", "memory_budget_bytes"},
    {"method algorithm", "detector"},
    {"ttl max_age", "page_ttl_s"}};

std::string_view key_otherwise_called(std::string_view name) {
  std::string_view key;
  for (const auto& row : kOtherNames) {
    for_each_word(row[0], [&](std::string_view other) { key = other == name ? row[1] : key; });
  }
  return key;
}

String in_lower_case(std::string_view key) {
  String lower(key);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view without_prefix(std::string_view key) noexcept {
  return key.starts_with(kExperimentalPrefix) ? key.substr(kExperimentalPrefix.size()) : key;
}

Error unknown_key(std::string_view key) {
  key = key.substr(0, 64);
  const String lower = in_lower_case(key);
  const std::string_view name = without_prefix(lower);
  if (const Option* experimental = find_option(String(kExperimentalPrefix).append(key))) {
    return error(Status::kInvalidArgument, "option \"", key, "\" is experimental and called \"",
                 experimental->info.key, "\": the next release may change it");
  }
  bool is_constant = false;
  for_each_word(former_options(), [&](std::string_view former) { is_constant |= former == name; });
  if (is_constant)
    return error(Status::kInvalidArgument, "\"", key, "\" is no option any more but a constant");
  const auto distance = [&](const Option& option) {
    return edit_distance(name, without_prefix(option.info.key));
  };
  std::string_view meant = key_otherwise_called(name);
  if (meant.empty()) {
    const auto nearest = std::ranges::min_element(option_table(), {}, distance);
    if (distance(*nearest) * 3 > name.size())
      return error(Status::kInvalidArgument, "no option is called \"", key, "\"");
    meant = nearest->info.key;
  }
  return error(Status::kInvalidArgument, "no option is called \"", key, "\"; the nearest is \"", meant, "\"");
}

Error bad_value(const Option& option, std::string_view value) {
  const std::string_view type = option.info.type;
  const char* wanted = type == "integer"  ? "\" is not an integer in "
                       : type == "number" ? "\" is not a number in "
                       : type == "words"  ? "\" is not "
                                          : "\" is not one of ";
  return error(Status::kInvalidArgument, "option ", option.info.key, ": \"", value.substr(0, 64), wanted,
               option.info.range);
}

template <typename T>
bool parse_number(std::string_view text, T& out) noexcept {
  const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), out);
  return end.ec == std::errc{} && end.ptr == text.data() + text.size() && !text.empty();
}

// Whether a number is in `range`, "least..most", both included. NaN is in no range.
bool is_in_range(std::string_view range, double value) noexcept {
  const size_t dots = range.find("..");
  double least = 0, most = 0;
  return dots != std::string_view::npos && parse_number(range.substr(0, dots), least) &&
         parse_number(range.substr(dots + 2), most) && value >= least && value <= most;
}

bool is_choice(const Option& option) noexcept {
  return std::string_view(option.info.type) == "choice";
}

// Choices are separated by '|' and numbered from 0; "" beyond the last.
std::string_view choice_of_number(std::string_view range, uint32_t number) noexcept {
  for (; number > 0 && !range.empty(); --number) {
    const size_t bar = range.find('|');
    range = bar == std::string_view::npos ? std::string_view{} : range.substr(bar + 1);
  }
  return range.substr(0, range.find('|'));
}

std::optional<uint32_t> number_of_choice(std::string_view range, std::string_view value) noexcept {
  if (value.empty()) return {};
  for (uint32_t number = 0;; ++number) {
    const std::string_view choice = choice_of_number(range, number);
    if (choice.empty()) return {};
    if (choice == value) return number;
  }
}

}  // namespace

const Option* find_option(std::string_view key) noexcept {
  const std::span<const Option> options = option_table();
  const auto found =
      std::ranges::find_if(options, [key](const Option& option) { return key == option.info.key; });
  return found == options.end() ? nullptr : &*found;
}

String value_of(const Option& option, Parameters& parameters) {
  if (is_choice(option))
    return String(choice_of_number(option.info.range, std::get<Place<uint32_t>>(option.place)(parameters)));
  return std::visit(
      [&](auto place) -> String {
        const auto& value = place(parameters);
        if constexpr (std::is_same_v<decltype(value), const bool&>) {
          return String(value ? "true" : "false");
        } else if constexpr (std::is_same_v<decltype(value), const String&>) {
          return value.empty() ? String(kDefaultWords) : value;
        } else {
          char text[40];
          const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
          return String(text, static_cast<size_t>(end.ptr - text));
        }
      },
      option.place);
}

Result<String> word_list_of(std::string_view value) {
  if (value.size() > kWordListBytesLimit) return String();
  const text::Utf8Scan scan = text::scan_utf8({reinterpret_cast<const uint8_t*>(value.data()), value.size()});
  if (scan.malformed_count != 0 || scan.cut_bytes != 0) return String();
  const bool has_controls =
      std::any_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (has_controls) return String();
  Result<text::Normalizer> normalizer = text::Normalizer::create();
  if (!normalizer) return std::move(normalizer).failure();
  Vector<String> words;
  for (size_t begin = 0; begin < value.size();) {
    const size_t end = std::min(value.find_first_of(" ,", begin), value.size());
    if (end > begin) {
      String word;
      normalizer->append(value.substr(begin, end - begin), word);
      if (!is_word(word)) return String();
      words.push_back(std::move(word));
    }
    begin = end + 1;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  if (words.size() > kListedWordsLimit) return String();
  String list;
  for (const String& word : words) {
    if (!list.empty()) list.push_back(' ');
    list.append(word);
  }
  // Words may be longer in normal form, and a store must be able to record the list.
  if (list.size() > kWordListBytesLimit) return String();
  return list;
}

Result<void> Options::set(std::string_view key, std::string_view value) {
  const Option* option = find_option(key);
  if (option == nullptr) return unknown_key(key);
  Result<void> set = set_value(*option, value);
  if (!set) return set;
  set_.set(static_cast<size_t>(option - option_table().data()));
  if (key == "decision" || key == "detector") take_report_defaults();
  return set;
}

void Options::take_report_defaults() {
  const bool is_report = parameters_.decision.kind() == DecisionKind::kReport;
  for (const ReportDefault& value : kReportDefaults) {
    const Option& option = *find_option(value.key);
    const bool applies = is_report && (value.always || parameters_.detector.is_lcs());
    // Values of a table, which are in range.
    if (!is_set(value.key)) (void)set_value(option, applies ? value.value : option.info.default_value);
  }
  parameters_.index.all_of_one_key = is_report;
}

bool Options::is_set(std::string_view key) const noexcept {
  const Option* option = find_option(key);
  return option != nullptr && set_.test(static_cast<size_t>(option - option_table().data()));
}

Result<void> Options::set_value(const Option& known, std::string_view value) {
  const Option* option = &known;
  if (is_choice(*option)) {
    const std::optional<uint32_t> number = number_of_choice(option->info.range, value);
    if (!number) return bad_value(*option, value);
    std::get<Place<uint32_t>>(option->place)(parameters_) = *number;
    return {};
  }
  const auto set_number = [&](auto& place) -> Result<void> {
    std::remove_reference_t<decltype(place)> number{};
    if (!parse_number(value, number)) return bad_value(*option, value);
    if (!is_in_range(option->info.range, static_cast<double>(number))) return bad_value(*option, value);
    place = number;
    return {};
  };
  return std::visit(
      [&](auto place) -> Result<void> {
        auto& target = place(parameters_);
        if constexpr (std::is_same_v<decltype(target), bool&>) {
          const bool is_true = value == "true" || value == "on";
          if (!is_true && value != "false" && value != "off") return bad_value(*option, value);
          target = is_true;
          return {};
        } else if constexpr (std::is_same_v<decltype(target), String&>) {
          Result<String> words = word_list_of(value);
          if (!words) return std::move(words).failure();
          if (words->empty()) return bad_value(*option, value);
          target = *words == kDefaultWords ? String() : *std::move(words);
          return {};
        } else {
          return set_number(target);
        }
      },
      option->place);
}

Result<String> Options::get(std::string_view key) const {
  const Option* option = find_option(key);
  if (option == nullptr) return unknown_key(key);
  Parameters parameters = parameters_;  // places are of mutable parameters; a copy keeps this const
  return value_of(*option, parameters);
}

}  // namespace nd::engine
