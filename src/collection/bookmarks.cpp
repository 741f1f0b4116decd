// Checks the limits of names and data, because bookmarks are written whole into every snapshot.
#include "collection/bookmarks.hpp"

#include <algorithm>
#include <utility>

namespace nd::engine {

Result<void> Bookmarks::check(std::string_view name, std::span<const uint8_t> data) const {
  if (name.empty()) return error(Status::kInvalidArgument, "a bookmark needs a name");
  if (name.size() > kNameBytes)
    return error(Status::kLimit, "the name of a bookmark is longer than 255 bytes");
  if (data.size() > kDataBytes) return error(Status::kLimit, "a bookmark has more than 4096 bytes");
  if (!data.empty() && bookmarks_.size() >= kNames && find(name) == nullptr)
    return error(Status::kLimit, "there are 1000 bookmarks already");
  return {};
}

void Bookmarks::set(std::string_view name, std::span<const uint8_t> data) {
  const auto known = std::ranges::find(bookmarks_, name, &Bookmark::name);
  if (data.empty()) {
    if (known != bookmarks_.end()) bookmarks_.erase(known);
    return;
  }
  Vector<uint8_t> bytes(data.begin(), data.end());
  if (known != bookmarks_.end()) {
    known->data.swap(bytes);
  } else {
    bookmarks_.push_back({String(name), std::move(bytes)});
  }
}

const Vector<uint8_t>* Bookmarks::find(std::string_view name) const noexcept {
  const auto known = std::ranges::find(bookmarks_, name, &Bookmark::name);
  return known == bookmarks_.end() ? nullptr : &known->data;
}

void Bookmarks::write(ByteWriter& out) const {
  out.number(uint64_t{bookmarks_.size()});
  for (const Bookmark& bookmark : bookmarks_)
    out.text(bookmark.name).bytes(bookmark.data);
}

Result<void> Bookmarks::read(ByteReader& in) {
  bookmarks_.clear();
  const uint64_t count = in.number<uint64_t>();
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::string_view name = in.text();
    const std::span<const uint8_t> data = in.bytes();
    if (Result<void> possible = check(name, data); !in.ok() || !possible || data.empty())
      return error(Status::kCorrupt, "a store with an impossible bookmark");
    set(name, data);
  }
  return {};
}

}  // namespace nd::engine
