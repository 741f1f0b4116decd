// What an experiment found: rows under named columns, for programs and for the figures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.hpp"

namespace nd::eval {

// monostate: does not apply; "-" in TSV, null in JSON.
using Cell = std::variant<std::monostate, std::string, uint64_t, double>;

struct Column {
  std::string name;   // snake_case
  std::string unit;   // "pages", "1" for a share of one, "" for text
  std::string about;  // one sentence
};

class Table {
 public:
  Table(std::string name, std::string about, std::vector<Column> columns)
      : name_(std::move(name)), about_(std::move(about)), columns_(std::move(columns)) {}

  // As many cells as columns.
  void add_row(std::vector<Cell> row);

  const std::string& name() const { return name_; }
  const std::string& about() const { return about_; }
  size_t row_count() const { return rows_.size(); }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }

  // NAME.tsv: a head of the columns' names, then the rows; tabs and line ends of a cell become %XX.
  // NAME.json:
  // {"name", "about", "columns": [{"name", "unit", "about"}], "rows": [[...]]}. Errors: kIo.
  Result<void> write(const std::string& folder) const;

 private:
  std::string name_, about_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace nd::eval
