// Spools the rows, and reads them back with the ids that hold in the end.
#include "waiting_rows.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <type_traits>

#include "command_options.hpp"
#include "engine_pages.hpp"

namespace ndc {
namespace {

// The page of the row as it is known now: by its URL if it has one, since a page that has moved has another
// id.
std::optional<nd_page_info> page_of(nd_engine* engine, const Row& row) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status found = row.url.empty() ? nd_get_page(engine, row.result.page_id, &info, nullptr, nullptr)
                                          : nd_find_page(engine, row.url.data(), row.url.size(), &info);
  return found == ND_OK ? std::optional(info) : std::nullopt;
}

// 0: it is no page, or none any more.
uint64_t group_of_page(nd_engine* engine, uint64_t page_id) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  const bool is_there = page_id != 0 && nd_get_page(engine, page_id, &info, nullptr, nullptr) == ND_OK;
  return is_there ? info.group_id : 0;
}

}  // namespace

void name_other_pages(nd_engine* engine, bool with_founder, Row& row) {
  const nd_result& result = row.result;
  const uint64_t representative = result.matched_page_id != 0 ? result.matched_page_id : result.group_id;
  row.representative = representative == result.page_id ? row.url : url_of(engine, representative);
  if (!with_founder) return;
  row.founder = result.group_id == result.page_id   ? row.url
                : result.group_id == representative ? row.representative
                                                    : url_of(engine, result.group_id);
}

bool WaitingRows::open() {
  file_.reset(std::tmpfile());
  if (file_ == nullptr) fail("cannot make a temporary file: ");
  return error_.empty();
}

void WaitingRows::put(std::string_view text) {
  const uint64_t size = text.size();
  if (std::fwrite(&size, sizeof size, 1, file_.get()) != 1 ||
      (size != 0 && std::fwrite(text.data(), size, 1, file_.get()) != 1)) {
    fail("cannot write a temporary file: ");
  }
}

void WaitingRows::add(const Row& row, const RecordOrigin& origin) {
  static_assert(std::is_trivially_copyable_v<nd_result>);
  if (!error_.empty()) return;
  if (std::fwrite(&row.result, sizeof row.result, 1, file_.get()) != 1 ||
      std::fwrite(&origin.number, sizeof origin.number, 1, file_.get()) != 1)
    fail("cannot write a temporary file: ");
  put(row.url);
  put(origin.record_id);
  put(origin.date);
  ++count_;
}

bool WaitingRows::take(std::string& text) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file_.get()) != 1) return false;
  text.resize(size);
  return size == 0 || std::fread(text.data(), size, 1, file_.get()) == 1;
}

bool WaitingRows::read(Row& row, RecordOrigin& origin) {
  const bool is_read = std::fread(&row.result, sizeof row.result, 1, file_.get()) == 1 &&
                       std::fread(&origin.number, sizeof origin.number, 1, file_.get()) == 1 &&
                       take(row.url) && take(origin.record_id) && take(origin.date);
  if (!is_read) fail("cannot read a temporary file: ");
  return is_read;
}

bool WaitingRows::rewind() {
  if (error_.empty() && (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0))
    fail("cannot write a temporary file: ");
  return error_.empty();
}

bool WaitingRows::find_last_rows(nd_engine* engine) {
  if (!rewind()) return false;
  Row row;
  RecordOrigin origin;
  for (uint64_t index = 0; index < count_; ++index) {
    if (!read(row, origin)) return false;
    if (row.result.verdict == ND_UNCHANGED) continue;
    if (const std::optional<nd_page_info> page = page_of(engine, row)) last_row_of_[page->page_id] = index;
  }
  return true;
}

void WaitingRows::renew(nd_engine* engine, uint64_t index, Row& row) const {
  if (const std::optional<nd_page_info> page = page_of(engine, row)) {
    row.result.page_id = page->page_id;
    row.result.group_id = page->group_id;
  }
  const auto last = last_row_of_.find(row.result.page_id);
  // The page's group is that of its last text, which may be quite another one.
  if (last != last_row_of_.end() && index < last->second)
    row.result.group_id = group_of_page(engine, row.result.matched_page_id);
}

bool WaitingRows::write(nd_engine* engine,
                        const std::function<void(Row& row, const RecordOrigin& origin)>& give) {
  if (!find_last_rows(engine) || !rewind()) return false;
  Row row;
  RecordOrigin origin;
  for (uint64_t index = 0; index < count_; ++index) {
    if (!read(row, origin)) return false;
    renew(engine, index, row);
    name_other_pages(engine, true, row);
    give(row, origin);
  }
  return true;
}

void WaitingRows::fail(const char* what) {
  if (error_.empty()) error_ = what + std::generic_category().message(errno);
}

}  // namespace ndc
