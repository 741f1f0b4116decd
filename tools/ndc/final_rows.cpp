#include "final_rows.hpp"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <type_traits>

namespace ndc {
namespace {

// By its URL where it has one: a page that has moved has another id.
void renew_ids(nd_engine* engine, Row& row) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status found = row.url.empty() ? nd_get_page(engine, row.result.page_id, &info, nullptr, nullptr)
                                          : nd_find_page(engine, row.url.data(), row.url.size(), &info);
  if (found == ND_OK) {
    row.result.page_id = info.page_id;
    row.result.group_id = info.group_id;
    return;
  }
  uint64_t current = 0;
  if (nd_resolve_group(engine, row.result.group_id, &current) == ND_OK) row.result.group_id = current;
}

}  // namespace

bool FinalRows::open() {
  file_.reset(std::tmpfile());
  if (file_ == nullptr) fail("cannot make a temporary file: ");
  return error_.empty();
}

void FinalRows::put(std::string_view text) {
  const uint64_t size = text.size();
  if (std::fwrite(&size, sizeof size, 1, file_.get()) != 1 ||
      (size != 0 && std::fwrite(text.data(), size, 1, file_.get()) != 1)) {
    fail("cannot write a temporary file: ");
  }
}

void FinalRows::add(const Row& row) {
  static_assert(std::is_trivially_copyable_v<nd_result>);
  if (!error_.empty()) return;
  if (std::fwrite(&row.result, sizeof row.result, 1, file_.get()) != 1)
    fail("cannot write a temporary file: ");
  put(row.url);
  put(row.representative ? "1" + *row.representative : "0");
  ++count_;
}

bool FinalRows::take(std::string& text) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file_.get()) != 1) return false;
  text.resize(size);
  return size == 0 || std::fread(text.data(), size, 1, file_.get()) == 1;
}

bool FinalRows::read(Row& row) {
  std::string representative;
  if (std::fread(&row.result, sizeof row.result, 1, file_.get()) != 1 || !take(row.url) ||
      !take(representative) || representative.empty()) {
    return false;
  }
  row.representative.reset();
  if (representative[0] == '1') row.representative = representative.substr(1);
  return true;
}

bool FinalRows::write(nd_engine* engine, const KeptPages* kept, RowWriter& output) {
  if (error_.empty() && (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0))
    fail("cannot write a temporary file: ");
  Row row;
  for (uint64_t i = 0; i < count_ && error_.empty(); ++i) {
    if (!read(row)) {
      fail("cannot read a temporary file: ");
    } else {
      renew_ids(engine, row);
      if (kept != nullptr) row.kept = kept->kept_instead_of(row.url);
      output.add(row);
    }
  }
  return error_.empty();
}

void FinalRows::fail(const char* what) {
  if (error_.empty()) error_ = what + std::generic_category().message(errno);
}

}  // namespace ndc
