// Writes tables as TSV and JSON; cells hold text of pages, so tabs and controls are escaped.
#include "table.hpp"

#include <cassert>
#include <charconv>
#include <cmath>
#include <fstream>

#include "core/json.hpp"
#include "core/memory.hpp"

namespace nd::eval {
namespace {

std::string shown(double number) {
  if (!std::isfinite(number)) return "-";
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, number, std::chars_format::general, 6);
  return std::string(text, written.ptr);
}

// A cell may hold what strangers wrote.
std::string shown(const std::string& text) {
  constexpr const char* kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out.empty() ? "-" : out;
}

std::string shown(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return shown(*text);
  if (const auto* count = std::get_if<uint64_t>(&cell)) return std::to_string(*count);
  if (const auto* number = std::get_if<double>(&cell)) return shown(*number);
  return "-";
}

void write_cell(const Cell& cell, JsonWriter& json) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(std::string_view(*text));
  } else if (const auto* count = std::get_if<uint64_t>(&cell)) {
    json.value(*count);
  } else if (const auto* number = std::get_if<double>(&cell)) {
    json.value(*number);
  } else {
    json.value(std::nan(""));  // null
  }
}

Result<void> write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) return error(Status::kIo, "cannot write ", path);
  return {};
}

}  // namespace

void Table::add_row(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

Result<void> Table::write(const std::string& folder) const {
  std::string rows;
  for (size_t i = 0; i < columns_.size(); ++i)
    rows += (i == 0 ? "" : "\t") + columns_[i].name;
  rows += '\n';
  for (const std::vector<Cell>& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i)
      rows += (i == 0 ? "" : "\t") + shown(row[i]);
    rows += '\n';
  }
  if (Result<void> written = write_file(folder + "/" + name_ + ".tsv", rows); !written) return written;
  String text;
  JsonWriter json(text);
  json.begin_object().member("name", std::string_view(name_)).member("about", std::string_view(about_));
  json.key("columns").begin_array();
  for (const Column& column : columns_)
    json.begin_object()
        .member("name", std::string_view(column.name))
        .member("unit", std::string_view(column.unit))
        .member("about", std::string_view(column.about))
        .end_object();
  json.end_array().key("rows").begin_array();
  for (const std::vector<Cell>& row : rows_) {
    json.begin_array();
    for (const Cell& cell : row)
      write_cell(cell, json);
    json.end_array();
  }
  json.end_array().end_object();
  text += '\n';
  return write_file(folder + "/" + name_ + ".json", text);
}

}  // namespace nd::eval
