// Lists the rows of the library's own table, for people or as JSON.
#include "options_command.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "command_options.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kColumns = 6;
using Line = std::array<std::string, kColumns>;

// All that are experimental, or all others. False after a message.
bool read_options(bool experimental, std::vector<nd_option_info>& options) {
  for (size_t index = 0;; ++index) {
    nd_option_info info = ND_OPTION_INFO_INIT;
    const nd_status status = nd_options_describe(index, &info);
    if (status == ND_ERR_NOT_FOUND) return true;
    if (status != ND_OK) {
      print_message(library_failure(status));
      return false;
    }
    if (std::string_view(info.key).starts_with("x_") == experimental) options.push_back(info);
  }
}

void write_table(const std::vector<nd_option_info>& options, OutputFile& output) {
  std::vector<Line> lines{{"key", "type", "default", "range", "needs", "meaning"}};
  for (const nd_option_info& info : options)
    lines.push_back({info.key, info.type, info.default_value, info.range, info.needs, info.help});
  std::array<size_t, kColumns> widths{};
  for (const Line& line : lines) {
    for (size_t column = 0; column < kColumns; ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  for (const Line& line : lines) {
    std::string text;
    for (size_t column = 0; column + 1 < kColumns; ++column)
      text += padded_right(line[column], widths[column] + 2);
    output.write_line(text + line.back());
  }
}

// An array with one object a line.
void write_json(const std::vector<nd_option_info>& options, OutputFile& output) {
  output.write_line("[");
  for (const nd_option_info& info : options) {
    const nlohmann::ordered_json object{
        {"key", info.key},     {"type", info.type},      {"default", info.default_value},
        {"range", info.range}, {"meaning", info.help},   {"persistent", info.persistent != 0},
        {"needs", info.needs}, {"acts_on", info.acts_on}};
    output.write_line(object.dump() + (&info == &options.back() ? "" : ","));
  }
  output.write_line("]");
}

}  // namespace

CLI::App* OptionsCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("options", "List the library's options for --option KEY=VALUE");
  command->add_option("--format", format_, "Table, or a JSON array, which also says what a store keeps")
      ->check(one_of({"table", "json"}))
      ->type_name("table|json")
      ->capture_default_str();
  command->add_flag("--experimental", experimental_,
                    "List the experimental ones, which may change in any release");
  command->footer(
      "Examples:\n"
      "  ndc options\n"
      "  ndc dedup --option same_document=0.9 crawl.warc.gz");
  return command;
}

ExitCode OptionsCommand::run() const {
  std::vector<nd_option_info> options;
  if (!read_options(experimental_, options)) return ExitCode::kError;
  OutputFile output;
  output.open("-");
  if (format_ == "json")
    write_json(options, output);
  else
    write_table(options, output);
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
