// Writes and views the records; in a store, the numbers of a page take as many bytes as they need.
#include "collection/page_record.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

static_assert(std::is_trivially_copyable_v<PageData> && std::is_trivially_copyable_v<GroupData>);
static_assert(std::has_unique_object_representations_v<GroupData>, "no padding may go into files");

bool is_aligned(const void* data) noexcept {
  return reinterpret_cast<uintptr_t>(data) % alignof(uint64_t) == 0;
}

void append(const void* data, size_t size, Vector<uint8_t>& out) {
  if (size == 0) return;
  const size_t at = out.size();
  out.resize(at + size);
  std::memcpy(out.data() + at, data, size);
}

void append(const Vector<uint64_t>& numbers, Vector<uint8_t>& out) {
  append(numbers.data(), numbers.size() * sizeof(uint64_t), out);
}

Vector<uint64_t> copied(std::span<const uint64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::string_view text_of(store::Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Calls visit(field) for the fields of a page by the way in which they are packed, in a fixed order.
template <typename Visitor>
void visit_numbers(PageData& page, Visitor&& visit) {
  visit(page.answer.verdict);
  visit(page.answer.flags);
  visit(page.answer.page_id);
  visit(page.answer.group_id);
  visit(page.answer.matched_page_id);
  visit(page.answer.related_group_id);
  visit(page.text);
  visit(page.width);
  visit(page.site_magnitude);
  visit(page.first_fetched_at_ms);
  visit(page.last_fetched_at_ms);  // after the first time
  visit(page.marks);
  visit(page.url_size);
}
template <typename Visitor>
void visit_hashes(PageData& page, Visitor&& visit) {
  visit(page.site);
  visit(page.digest.low);
  visit(page.digest.high);
}
template <typename Visitor>
void visit_shares(PageData& page, Visitor&& visit) {
  visit(page.answer.resemblance);
  visit(page.answer.containment);
  visit(page.answer.page_coverage);
  visit(page.answer.matched_coverage);
  visit(page.answer.probability);
}

// Modulo 2^64: times of a damaged file may be anything.
int64_t difference(int64_t a, int64_t b) noexcept {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t sum(int64_t a, int64_t b) noexcept {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

std::optional<PageRecord::View> PageRecord::parse(store::Bytes bytes) noexcept {
  ByteReader in(bytes);
  const uint8_t mark = in.number<uint8_t>();
  PageData page;
  visit_numbers(page, [&in](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(in.short_number());
  });
  page.last_fetched_at_ms = sum(page.last_fetched_at_ms, page.first_fetched_at_ms);
  visit_hashes(page, [&in](uint64_t& hash) { hash = in.number<uint64_t>(); });
  uint8_t bit = 1;
  visit_shares(page, [&](double& share) {
    if ((mark & bit) != 0) share = in.number<double>();
    bit = static_cast<uint8_t>(bit << 1);
  });
  const store::Bytes url = in.rest();
  if (!in.ok() || url.size() != page.url_size || mark >= bit) return {};
  return View{ReadPageData(page), text_of(url)};
}

void PageRecord::write(Vector<uint8_t>& out) const {
  PageData written = data;
  written.last_fetched_at_ms = difference(data.last_fetched_at_ms, data.first_fetched_at_ms);
  written.url_size = static_cast<uint32_t>(url.size());
  uint8_t mark = 0;  // which of the shares are not 0
  uint8_t bit = 1;
  visit_shares(written, [&](double& share) {
    if (std::bit_cast<uint64_t>(share) != 0) mark |= bit;
    bit = static_cast<uint8_t>(bit << 1);
  });
  ByteWriter writer(out);
  writer.number(mark);
  visit_numbers(written, [&](auto& number) { writer.short_number(static_cast<uint64_t>(number)); });
  visit_hashes(written, [&](uint64_t& hash) { writer.number(hash); });
  visit_shares(written, [&](double& share) {
    if (std::bit_cast<uint64_t>(share) != 0) writer.number(share);
  });
  writer.raw(url.data(), url.size());
}

std::optional<GroupRecord::View> GroupRecord::parse(store::Bytes bytes) noexcept {
  if (bytes.size() < sizeof(GroupData) || !is_aligned(bytes.data())) return {};
  const auto* data = reinterpret_cast<const GroupData*>(bytes.data());
  if (data->first_count > kFirstMembers) return {};
  const uint64_t count = uint64_t{data->first_count} + data->part_count + data->member_key_count;
  if (bytes.size() != sizeof(GroupData) + count * sizeof(uint64_t)) return {};
  const std::span<const uint64_t> lists{reinterpret_cast<const uint64_t*>(data + 1),
                                        static_cast<size_t>(count)};
  return View{data, lists.first(data->first_count), lists.subspan(data->first_count, data->part_count),
              lists.last(data->member_key_count)};
}

GroupRecord GroupRecord::copy(const View& view) {
  return {*view.data, copied(view.first), copied(view.parts), copied(view.member_keys)};
}

void GroupRecord::write(Vector<uint8_t>& out) const {
  GroupData written = data;
  written.first_count = static_cast<uint32_t>(first.size());
  written.part_count = static_cast<uint32_t>(parts.size());
  written.member_key_count = static_cast<uint32_t>(member_keys.size());
  append(&written, sizeof written, out);
  append(first, out);
  append(parts, out);
  append(member_keys, out);
}

std::optional<MemberPart::View> MemberPart::parse(store::Bytes bytes) noexcept {
  if (bytes.size() % sizeof(uint64_t) != 0 || bytes.empty() || !is_aligned(bytes.data())) return {};
  if (bytes.size() > kPartMembers * sizeof(uint64_t)) return {};
  return View{reinterpret_cast<const uint64_t*>(bytes.data()), bytes.size() / sizeof(uint64_t)};
}

void MemberPart::write(Vector<uint8_t>& out) const {
  append(pages, out);
}

}  // namespace nd::engine
