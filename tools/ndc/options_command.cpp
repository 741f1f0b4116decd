#include "options_command.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "command_options.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kColumns = 5;
using Line = std::array<std::string, kColumns>;

// False after a message.
bool read_lines(std::vector<Line>& lines) {
  for (size_t index = 0;; ++index) {
    nd_option_info info = ND_OPTION_INFO_INIT;
    const nd_status status = nd_options_describe(index, &info);
    if (status == ND_ERR_NOT_FOUND) return true;
    if (status != ND_OK) {
      report(library_failure(status));
      return false;
    }
    lines.push_back({info.key, info.type, info.default_value, info.range, info.help});
  }
}

}  // namespace

CLI::App* OptionsCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("options", "List the library's options for --option KEY=VALUE");
  command->footer(
      "Examples:\n"
      "  ndc options\n"
      "  ndc dedup --option resemblance=0.5 crawl.warc.gz");
  return command;
}

ExitCode OptionsCommand::run() const {
  std::vector<Line> lines{{"key", "type", "default", "range", "meaning"}};
  if (!read_lines(lines)) return ExitCode::kError;
  std::array<size_t, kColumns> widths{};
  for (const Line& line : lines) {
    for (size_t column = 0; column < kColumns; ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  OutputFile output;
  output.open("-");
  for (const Line& line : lines) {
    std::string text;
    for (size_t column = 0; column + 1 < kColumns; ++column)
      text += padded_right(line[column], widths[column] + 2);
    output.write_line(text + line.back());
  }
  if (output.close()) return ExitCode::kDone;
  report(output.error());
  return ExitCode::kError;
}

}  // namespace ndc
