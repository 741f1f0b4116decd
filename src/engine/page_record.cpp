#include "engine/page_record.hpp"

#include <cstring>
#include <type_traits>

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

}  // namespace

std::optional<PageRecord::View> PageRecord::parse(store::Bytes bytes) noexcept {
  if (bytes.size() < sizeof(PageData) || !is_aligned(bytes.data())) return {};
  const auto* data = reinterpret_cast<const PageData*>(bytes.data());
  if (data->url_size != bytes.size() - sizeof(PageData)) return {};
  return View{data, {reinterpret_cast<const char*>(bytes.data()) + sizeof(PageData), data->url_size}};
}

void PageRecord::write(Vector<uint8_t>& out) const {
  PageData written = data;
  written.url_size = static_cast<uint32_t>(url.size());
  append(&written, sizeof written, out);
  append(url.data(), url.size(), out);
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
