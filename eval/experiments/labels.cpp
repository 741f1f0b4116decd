// Reads the columns that are named in the first line of a TSV, and refuses lines that are too long or too
// short.
#include "labels.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace nd::eval {
namespace {

constexpr size_t kLineLimit = size_t{1} << 20;  // bytes
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// As std::getline(), but of a line that is too long no more than shows it.
bool read_line(std::istream& file, std::string& line) {
  line.clear();
  for (int c = file.get(); c != std::char_traits<char>::eof(); c = file.get()) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
    if (line.size() > kLineLimit) return true;
  }
  return !line.empty();
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t begin = 0;;) {
    const size_t end = line.find('\t', begin);
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

// The position of a column; npos if it is missing.
struct Columns {
  static constexpr size_t kNowhere = SIZE_MAX;
  size_t url = kNowhere, group = kNowhere, kind = kNowhere, site = kNowhere;

  explicit Columns(const std::vector<std::string_view>& names) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "url") url = i;
      if (names[i] == "group") group = i;
      if (names[i] == "kind") kind = i;
      if (names[i] == "site") site = i;
    }
  }
};

std::string field(const std::vector<std::string_view>& fields, size_t column) {
  return column < fields.size() ? std::string(fields[column]) : std::string();
}

}  // namespace

Result<Labels> Labels::read(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return error(Status::kIo, "cannot read the labels ", path, ": ", std::generic_category().message(errno));
  const auto fault = [&path](uint64_t number, std::string_view what) {
    return error(Status::kInvalidArgument, path, ":", std::to_string(number), ": ", what);
  };
  Labels labels;
  std::optional<Columns> columns;
  std::string line;
  for (uint64_t number = 1; read_line(file, line); ++number) {
    if (line.size() > kLineLimit) return fault(number, "a line longer than a megabyte");
    std::string_view text = line;
    if (number == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() || (columns && text.starts_with('#'))) continue;
    if (text.starts_with('#')) text.remove_prefix(1);
    const std::vector<std::string_view> fields = split(text);
    if (!columns) {
      columns.emplace(fields);
      if (columns->url == Columns::kNowhere || columns->group == Columns::kNowhere)
        return fault(number, "the head has no columns url and group, separated by tabs");
      continue;
    }
    Label label{field(fields, columns->group), field(fields, columns->kind), field(fields, columns->site)};
    std::string url = field(fields, columns->url);
    if (url.empty() || label.group.empty()) return fault(number, "a row without url or group");
    if (!labels.by_url_.emplace(std::move(url), std::move(label)).second)
      return fault(number, "a URL that stands in an earlier row");
  }
  if (file.bad()) return error(Status::kIo, "cannot read the labels ", path);
  if (!columns) return fault(1, "no head with the columns url and group");
  return labels;
}

const Label* Labels::find(std::string_view url) const {
  const auto found = by_url_.find(std::string(url));
  return found == by_url_.end() ? nullptr : &found->second;
}

}  // namespace nd::eval
