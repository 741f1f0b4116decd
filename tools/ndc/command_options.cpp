// Attaches the shared options to a command and makes library options of what they say, with a message for
// each wrong value.
#include "command_options.hpp"

#include <new>
#include <sstream>
#include <string_view>
#include <utility>

#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kSmallestPageLimit = 1024;
constexpr size_t kLargestPageLimit = size_t{1} << 30;
constexpr size_t kLargestFileLimit = 1000000000;
constexpr size_t kLargestExpansion = 1000000000;

bool share_word(std::string_view words, std::string_view others) {
  std::istringstream all{std::string(words)};
  const std::string looked_through = " " + std::string(others) + " ";
  for (std::string word; all >> word;)
    if (looked_through.find(" " + word + " ") != std::string::npos) return true;
  return false;
}

OptionsHandle make_default_options() {
  nd_options* created = nullptr;
  if (nd_options_new(&created) != ND_OK) throw std::bad_alloc();
  return OptionsHandle(created);
}

std::string value_of(const nd_options* options, const char* key) {
  size_t size = 0;
  nd_options_get(options, key, nullptr, &size);
  std::string value(++size, '\0');
  nd_options_get(options, key, value.data(), &size);
  value.resize(size);
  return value;
}

// `use`: bool(const nd_option_info&, const std::string& value) of each option that is not its default, until
// false.
template <typename Use>
void each_set_option(const nd_options* options, const Use& use) {
  const OptionsHandle defaults = make_default_options();
  // What decision=report sets is nothing that somebody asked for.
  const OptionsHandle decided = make_default_options();
  const auto decides = [](std::string_view key) { return key == "detector" || key == "decision"; };
  for (const char* key : {"detector", "decision"})
    nd_options_set(decided.get(), key, value_of(options, key).c_str());
  nd_option_info info = ND_OPTION_INFO_INIT;
  for (size_t index = 0; nd_options_describe(index, &info) == ND_OK; ++index) {
    const std::string value = value_of(options, info.key);
    if (value == value_of(defaults.get(), info.key)) continue;
    if (!decides(info.key) && value == value_of(decided.get(), info.key)) continue;
    if (!use(info, value)) return;
  }
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  CLI::Validator validator = CLI::IsMember(std::move(words));
  return validator.description("");
}

CLI::Validator in_range(size_t low, size_t high) {
  CLI::Validator validator = CLI::Range(low, high);
  return validator.description("");
}

void add_page_rules(CLI::App& command, PageRules& rules) {
  command.add_flag("--all-statuses", rules.all_statuses, "Take HTTP responses other than 2xx as pages too");
  command
      .add_option("--max-page-bytes", rules.max_page_bytes,
                  "Cut decoded pages at this size, at most 1 GiB; they count as truncated")
      ->type_name("N")
      ->check(in_range(kSmallestPageLimit, kLargestPageLimit))
      ->capture_default_str();
  command
      .add_option_function<std::vector<std::string>>(
          "--mime",
          [&rules](const std::vector<std::string>& patterns) {
            for (const std::string& pattern : patterns) {
              if (!rules.wanted.add(pattern))
                throw CLI::ValidationError("--mime",
                                           "\"" + pattern + "\" is no media type: TYPE/SUBTYPE or TYPE/*");
            }
          },
          "Take these media types as pages too, separated by commas: application/json, text/*; */* takes "
          "all. "
          "HTML, XHTML and text always are")
      ->delimiter(',')
      ->type_name("TYPES")
      ->allow_extra_args(false);
  command
      .add_option("--max-files", rules.limits.max_files, "Refuse inputs that come to more files than this")
      ->type_name("N")
      ->check(in_range(1, kLargestFileLimit))
      ->capture_default_str();
  command
      .add_option(
          "--max-expansion", rules.limits.max_expansion,
          "Stop reading a compressed file that gives more than this many bytes for one, and 64 MiB beside; "
          "and leave out payloads whose codings give more, and revisits for which more would be read again")
      ->type_name("N")
      ->check(in_range(1, kLargestExpansion))
      ->capture_default_str();
}

void add_json_fields(CLI::App& command, PageRules& rules) {
  command
      .add_option_function<std::vector<std::string>>(
          "--fields",
          [&rules](const std::vector<std::string>& assignments) {
            for (const std::string& assignment : assignments) {
              if (!rules.limits.json_fields.set(assignment))
                throw CLI::ValidationError("--fields", "\"" + assignment +
                                                           "\" is no field: url=NAME, html=NAME, text=NAME, "
                                                           "date=NAME or content_type=NAME");
            }
          },
          "Of JSON lines: what the members are called that have a page's url, html, text, date and "
          "content_type, "
          "separated by commas; a.b is b within a. Else the common names are looked for")
      ->delimiter(',')
      ->type_name("FIELD=NAME,...")
      ->allow_extra_args(false);
}

void add_parts_flag(CLI::App& command, bool& leaves_out_parts) {
  command.add_flag("--leave-out-parts", leaves_out_parts,
                   "Leave out as well pages that contain the one that is kept and much more, and those that "
                   "lie in it with much more; else they are kept too");
}

void add_caution(CLI::App& command, std::string& caution) {
  command
      .add_option(
          "--caution", caution,
          "How sure one must be of a copy: all text is equal; very probably the same document, and "
          "hardly any text of its own is lost; or as ndc decides, with little text only if it is very "
          "probable")
      ->check(one_of({"equal", "careful", "normal"}))
      ->type_name("equal|careful|normal")
      ->capture_default_str();
}

bool fits_caution(const std::string& caution, bool leaves_out_parts, const nd_options* options) {
  if (caution == "equal" && leaves_out_parts) {
    print_message("--caution equal leaves out what is equal, and --leave-out-parts what is not");
    return false;
  }
  if (caution != "careful") return true;
  const bool has_probability =
      value_of(options, "decision") == "document" && value_of(options, "decide") == "lcs";
  if (!has_probability)
    print_message(
        "--caution careful asks for a probability, which --option decision=report and decide=method do not "
        "give");
  return has_probability;
}

void add_library_options(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--option", settings, "Set an option of the library; may be repeated (see `ndc options`)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

OptionsHandle make_library_options(const std::vector<std::string>& settings) {
  nd_options* created = nullptr;
  if (nd_options_new(&created) != ND_OK) {
    print_message(nd_last_error());
    return nullptr;
  }
  OptionsHandle options(created);
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      print_message("--option wants KEY=VALUE, not \"" + setting + "\"");
      return nullptr;
    }
    const std::string key = setting.substr(0, equals);
    const nd_status status = nd_options_set(options.get(), key.c_str(), setting.c_str() + equals + 1);
    if (status != ND_OK) {
      print_message("--option " + setting + ": " + library_failure(status));
      return nullptr;
    }
  }
  return options;
}

OptionsHandle options_acting_on(std::string_view things, const nd_options* options) {
  OptionsHandle acting = make_default_options();
  each_set_option(options, [&](const nd_option_info& info, const std::string& value) {
    if (share_word(info.acts_on, things)) nd_options_set(acting.get(), info.key, value.c_str());
    return true;
  });
  return acting;
}

bool all_act_on(std::string_view things, const nd_options* options, std::string_view command) {
  bool all_act = true;
  each_set_option(options, [&](const nd_option_info& info, const std::string& value) {
    all_act = share_word(info.acts_on, things);
    if (!all_act)
      print_message("--option " + std::string(info.key) + "=" + value + ": it has no effect on " +
                    std::string(command) + ", but on " + info.acts_on);
    return all_act;
  });
  return all_act;
}

void report_line(int32_t, const char* message, size_t size, void*) {
  print_message(std::string_view(message, size));
}

EngineHandle open_engine(const OptionsHandle& options, bool& wrong_option, bool warns) {
  nd_engine* engine = nullptr;
  const nd_status status = nd_open(nullptr, options.get(), &engine);
  wrong_option = status == ND_ERR_INVALID_ARGUMENT;
  if (status != ND_OK) print_message("cannot open an engine: " + library_failure(status));
  if (status == ND_OK && warns) nd_set_logger(engine, report_line, nullptr);
  return EngineHandle(engine);
}

nd_page library_page(const ArchivePage& page) {
  nd_page given = ND_PAGE_INIT;
  given.flags = page.truncated ? ND_PAGE_TRUNCATED : 0;
  given.url = page.url.data();
  given.url_size = page.url.size();
  given.body = page.body.data();
  given.body_size = page.body.size();
  given.content_type = page.content_type.data();
  given.content_type_size = page.content_type.size();
  given.fetched_at_ms = page.fetched_at_ms;
  return given;
}

std::string left_out_in_words(const ArchiveCounts& counts) {
  std::string words;
  for (size_t reason = 0; reason < kLeftOutReasons; ++reason) {
    const uint64_t count = counts.left_out[reason];
    if (count == 0) continue;
    const LeftOut left_out = static_cast<LeftOut>(reason);
    if (!words.empty()) words += ", ";
    words += with_separators(count) + " " + std::string(count == 1 ? name_of(left_out) : plural_of(left_out));
  }
  return words;
}

std::string library_failure(nd_status status) {
  const std::string_view detail = nd_last_error();
  return std::string(detail.empty() ? std::string_view(nd_status_string(status)) : detail);
}

ExitCode exit_code_of(const ArchiveCounts& counts) {
  return counts.damaged > 0 ? ExitCode::kSkipped : ExitCode::kDone;
}

}  // namespace ndc
