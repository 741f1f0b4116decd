// The calls of ndc_archives.h: arguments are checked here, and no exception goes further.
#include "archives/ndc_archives.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"
#include "archives/header_fields.hpp"
#include "archives/media_type.hpp"
#include "archives/stored_bytes.hpp"

namespace ndc {

// What the caller reads.
class CallerBytes final : public StoredBytes {
 public:
  explicit CallerBytes(const nd_archive_input& input) : read_(input.read), context_(input.ctx) {
    if (input.end != ND_ARCHIVE_SIZE_UNKNOWN) size_ = input.end;
  }

  std::optional<size_t> read(uint64_t offset, char* out, size_t size) override {
    if (has_failed_) return std::nullopt;
    const int64_t count = read_(offset, out, size, context_);
    has_failed_ = count < 0 || static_cast<uint64_t>(count) > size;
    if (has_failed_) return std::nullopt;
    return static_cast<size_t>(count);
  }
  std::optional<uint64_t> size() const override { return size_; }

  bool has_failed() const { return has_failed_; }
  void read_again() { has_failed_ = false; }

 private:
  const nd_archive_read_fn read_;
  void* const context_;
  std::optional<uint64_t> size_;
  bool has_failed_ = false;
};

namespace {

constexpr size_t kMessageBytes = 512;
constexpr uint64_t kMostPageBytes = uint64_t{1} << 30;
// A larger struct_size was never set.
constexpr size_t kStructSizeLimit = 4096;

thread_local char last_message[kMessageBytes];

nd_status fail(nd_status status, std::string_view message) noexcept {
  const size_t size = message.copy(last_message, kMessageBytes - 1);
  last_message[size] = '\0';
  return status;
}

// Of a failure that says nothing about the archive.
nd_status fail_with(nd_status status) noexcept {
  if (status == ND_ERR_IO) return fail(status, "the bytes of the archive could not be read");
  if (status == ND_ERR_NO_MEMORY) return fail(status, "out of memory");
  return fail(status, "unexpected failure inside the library");
}

template <typename Body>
nd_status guarded(Body&& body) noexcept {
  last_message[0] = '\0';
  try {
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc&) {
    return fail_with(ND_ERR_NO_MEMORY);
  } catch (...) {
    return fail_with(ND_ERR_INTERNAL);
  }
}

PageRules rules_of(const nd_archive_input& input) {
  PageRules rules;
  rules.all_statuses = (input.flags & ND_ARCHIVE_ALL_STATUSES) != 0;
  if (input.max_page_bytes != 0) rules.max_page_bytes = static_cast<size_t>(input.max_page_bytes);
  if (input.max_expansion != 0) rules.limits.max_expansion = input.max_expansion;
  if (input.max_files != 0) rules.limits.max_files = static_cast<size_t>(input.max_files);
  return rules;
}

int32_t kind_of(PageOutcome outcome) {
  switch (outcome) {
    case PageOutcome::kPage:
      return ND_ARCHIVE_PAGE;
    case PageOutcome::kNoPage:
      return ND_ARCHIVE_NO_PAGE;
    case PageOutcome::kLeftOut:
      return ND_ARCHIVE_LEFT_OUT;
    case PageOutcome::kOtherStatus:
      return ND_ARCHIVE_OTHER_STATUS;
    case PageOutcome::kDamaged:
      return ND_ARCHIVE_DAMAGE;
  }
  return ND_ARCHIVE_DAMAGE;
}

// As ndcapi.h has it: what the caller has no room for is left out, what it has beyond ours is zero.
void write_item(const nd_archive_item& item, nd_archive_item* out) noexcept {
  constexpr size_t kHead = sizeof item.struct_size;
  auto* const bytes = reinterpret_cast<char*>(out);
  const size_t size = std::min<size_t>(out->struct_size, sizeof item);
  std::memcpy(bytes + kHead, reinterpret_cast<const char*>(&item) + kHead, size - kHead);
  std::memset(bytes + size, 0, out->struct_size - size);
}

}  // namespace
}  // namespace ndc

struct nd_archive {
  explicit nd_archive(const nd_archive_input& input)
      : name(input.name),
        begin(input.begin),
        rules(ndc::rules_of(input)),
        bytes(std::make_shared<ndc::CallerBytes>(input)),
        reader(name, bytes, rules.max_page_bytes, rules.limits) {}

  // Without the name, which the caller knows.
  std::string reason() const {
    const std::string& error = reader.error();
    return error.starts_with(name + ": ") ? error.substr(name.size() + 2) : error;
  }

  const std::string name;
  const uint64_t begin;
  const ndc::PageRules rules;
  const std::shared_ptr<ndc::CallerBytes> bytes;
  ndc::ArchiveReader reader;
  ndc::ArchiveItem item;
  bool has_begun = false;
  nd_status failure = ND_OK;
};

namespace ndc {
namespace {

nd_status check(const nd_archive_input* input) {
  if (input == nullptr) return fail(ND_ERR_INVALID_ARGUMENT, "input is NULL");
  if (input->struct_size < sizeof *input || input->struct_size > kStructSizeLimit)
    return fail(ND_ERR_INVALID_ARGUMENT, "input: struct_size is not set, or too small");
  const auto* const bytes = reinterpret_cast<const char*>(input);
  const bool has_more =
      std::any_of(bytes + sizeof *input, bytes + input->struct_size, [](char c) { return c != 0; });
  if (has_more || (input->flags & ~uint32_t{ND_ARCHIVE_ALL_STATUSES}) != 0)
    return fail(ND_ERR_UNSUPPORTED_VERSION, "input sets what this version of the library does not know");
  if (input->name == nullptr || input->read == nullptr)
    return fail(ND_ERR_INVALID_ARGUMENT, "input: the name or the function that reads is NULL");
  if (input->begin > input->end) return fail(ND_ERR_INVALID_ARGUMENT, "input: it ends before it begins");
  if (input->max_page_bytes > kMostPageBytes)
    return fail(ND_ERR_INVALID_ARGUMENT, "input: max_page_bytes is more than 1 GiB");
  return ND_OK;
}

nd_status end_with(const nd_archive& archive, nd_status status) {
  return status == ND_ERR_CORRUPT ? fail(status, archive.reason()) : fail_with(status);
}

uint32_t number_of(LeftOut reason) {
  if (reason == LeftOut::kLostRevisit) return ND_LEFT_OUT_LOST_REVISIT;
  if (reason == LeftOut::kCostlyRevisit) return ND_LEFT_OUT_COSTLY_REVISIT;
  return reason == LeftOut::kCostlyCodings ? ND_LEFT_OUT_COSTLY_CODINGS : ND_LEFT_OUT_OTHER;
}

nd_archive_item item_of(const ArchiveItem& item, const std::string& name) {
  nd_archive_item out = ND_ARCHIVE_ITEM_INIT;
  out.kind = kind_of(item.outcome);
  out.file = name.c_str();
  const InputPosition& position = item.readable ? item.record.position : item.damage.position;
  out.file_offset = position.file_offset;
  out.member_offset = position.member_offset;
  if (item.readable) out.flags |= ND_ARCHIVE_ITEM_RECORD;
  if (item.readable && item.record.is_separate) out.flags |= ND_ARCHIVE_ITEM_SEPARATE;
  const auto give = [](std::string_view text, const char*& data, size_t& size) {
    data = text.data();
    size = text.size();
  };
  if (item.outcome == PageOutcome::kDamaged) give(item.damage.reason, out.reason, out.reason_size);
  if (item.outcome == PageOutcome::kLeftOut) {
    out.left_out = number_of(item.page.left_out);
    give(name_of(item.page.left_out), out.reason, out.reason_size);
  }
  if (item.outcome != PageOutcome::kPage) return out;
  if (item.page.truncated) out.flags |= ND_ARCHIVE_ITEM_TRUNCATED;
  if (item.record.is_revisit) out.flags |= ND_ARCHIVE_ITEM_REVISIT;
  give(item.page.url, out.url, out.url_size);
  give(item.page.content_type, out.content_type, out.content_type_size);
  give(item.page.body, out.body, out.body_size);
  out.fetched_at_ms = item.page.fetched_at_ms;
  return out;
}

}  // namespace
}  // namespace ndc

nd_status nd_archive_open(const nd_archive_input* input, nd_archive** archive_out) {
  if (archive_out != nullptr) *archive_out = nullptr;
  return ndc::guarded([&]() -> nd_status {
    if (archive_out == nullptr) return ndc::fail(ND_ERR_INVALID_ARGUMENT, "archive_out is NULL");
    if (const nd_status status = ndc::check(input); status != ND_OK) return status;
    auto archive = std::make_unique<nd_archive>(*input);
    if (!archive->reader.check())
      return ndc::end_with(*archive, archive->bytes->has_failed() ? ND_ERR_IO : ND_ERR_CORRUPT);
    // What lies before the place that failed is still to be given.
    archive->bytes->read_again();
    // What is in a WACZ is called after it.
    if (archive->begin > 0 && archive->reader.name_of(0) != archive->name)
      return ndc::fail(ND_ERR_INVALID_ARGUMENT, "input: a WACZ begins at byte 0");
    if (archive->begin > 0) archive->reader.select(0, archive->begin);
    *archive_out = archive.release();
    return ND_OK;
  });
}

void nd_archive_close(nd_archive* archive) {
  delete archive;
}

size_t nd_archive_file_count(const nd_archive* archive) {
  return archive == nullptr ? 0 : archive->reader.input_count();
}

const char* nd_archive_file_name(const nd_archive* archive, size_t file) {
  if (file >= nd_archive_file_count(archive)) return nullptr;
  return archive->reader.name_of(file).c_str();
}

nd_status nd_archive_select(nd_archive* archive, size_t file) {
  return ndc::guarded([&]() -> nd_status {
    if (archive == nullptr) return ndc::fail(ND_ERR_INVALID_ARGUMENT, "archive is NULL");
    if (archive->has_begun) return ndc::fail(ND_ERR_INVALID_ARGUMENT, "reading has begun");
    if (file >= archive->reader.input_count()) return ndc::fail(ND_ERR_NOT_FOUND, "there are fewer files");
    archive->reader.select(file, archive->begin);
    return ND_OK;
  });
}

nd_status nd_archive_next(nd_archive* archive, nd_archive_item* item_out) {
  const nd_status status = ndc::guarded([&]() -> nd_status {
    if (archive == nullptr || item_out == nullptr)
      return ndc::fail(ND_ERR_INVALID_ARGUMENT, "an argument is NULL");
    if (item_out->struct_size < sizeof *item_out || item_out->struct_size > ndc::kStructSizeLimit)
      return ndc::fail(ND_ERR_INVALID_ARGUMENT, "item_out: struct_size is not set, or too small");
    ndc::write_item(ND_ARCHIVE_ITEM_INIT, item_out);
    archive->has_begun = true;
    if (archive->failure != ND_OK) return ndc::end_with(*archive, archive->failure);
    ndc::ArchiveItem& item = archive->item;
    const bool has_item = ndc::read_item(archive->reader, item);
    // What came before the failure is given; what looks like damage, or like a lost revisit, may be for want
    // of bytes.
    const bool is_whole =
        has_item && item.readable && !ndc::equals_ignoring_case(item.record.type, "revisit");
    if (archive->bytes->has_failed() && !is_whole) return ndc::end_with(*archive, ND_ERR_IO);
    if (!has_item && !archive->reader.error().empty()) return ndc::end_with(*archive, ND_ERR_CORRUPT);
    if (!has_item) return ND_OK;
    ndc::decode_item(archive->rules, item);
    ndc::write_item(ndc::item_of(item, archive->reader.path()), item_out);
    return ND_OK;
  });
  // After an exception as well: it may have come between two steps of the reader, which would then pass over
  // records.
  if (archive != nullptr && status != ND_OK && status != ND_ERR_INVALID_ARGUMENT) archive->failure = status;
  return status;
}

const char* nd_archive_last_error(void) {
  return ndc::last_message;
}
