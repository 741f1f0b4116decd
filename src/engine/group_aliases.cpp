#include "engine/group_aliases.hpp"

#include <algorithm>
#include <type_traits>

namespace nd::engine {
namespace {

static_assert(std::has_unique_object_representations_v<AliasData>, "no padding may go into files");

// An id leads to its group through at most one unfinished merge. A damaged store may say otherwise.
constexpr int kSteps = 2;

}  // namespace

std::optional<AliasRecord::View> AliasRecord::parse(store::Bytes bytes) noexcept {
  if (bytes.size() != sizeof(AliasData) ||
      reinterpret_cast<uintptr_t>(bytes.data()) % alignof(AliasData) != 0) {
    return std::nullopt;
  }
  return reinterpret_cast<const AliasData*>(bytes.data());
}

void AliasRecord::write(Vector<uint8_t>& out) const {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&data);
  out.insert(out.end(), bytes, bytes + sizeof data);
}

uint64_t GroupAliases::resolve(uint64_t group_id) const noexcept {
  for (int step = 0; step < kSteps; ++step) {
    const std::optional<const AliasData*> alias = aliases_.find(group_id);
    if (!alias || (*alias)->current == 0) break;
    group_id = (*alias)->current;
  }
  return group_id;
}

bool GroupAliases::is_alias(uint64_t group_id) const noexcept {
  const std::optional<const AliasData*> alias = aliases_.find(group_id);
  return alias && (*alias)->current != 0;
}

bool GroupAliases::is_unfinished(uint64_t group_id) const noexcept {
  return std::ranges::find(unfinished_, group_id) != unfinished_.end();
}

bool GroupAliases::is_busy(uint64_t group_id) const noexcept {
  return std::ranges::any_of(unfinished_, [&](uint64_t younger) {
    const AliasData* alias = find(younger);
    return younger == group_id ||
           (alias != nullptr && (alias->current == group_id || alias->remainder == group_id));
  });
}

uint64_t GroupAliases::joining(uint64_t group_id) const noexcept {
  const auto younger = std::ranges::find_if(unfinished_, [&](uint64_t each) {
    const AliasData* alias = find(each);
    return alias != nullptr && alias->current == group_id;
  });
  return younger == unfinished_.end() ? 0 : *younger;
}

const AliasData* GroupAliases::find(uint64_t group_id) const noexcept {
  const std::optional<const AliasData*> alias = aliases_.find(group_id);
  return alias ? *alias : nullptr;
}

AliasRecord& GroupAliases::find_or_add(uint64_t group_id) {
  if (AliasRecord* known = aliases_.change(group_id)) return *known;
  return aliases_.insert(group_id, AliasRecord{});
}

void GroupAliases::prepare(uint64_t older, uint64_t younger) {
  unfinished_.reserve(unfinished_.size() + 1);
  // A group's record without ids means nothing: a failed merge may have left it behind.
  find_or_add(older);
  find_or_add(younger);
}

void GroupAliases::begin(uint64_t older, uint64_t younger, bool witnessed) noexcept {
  AliasData& to = aliases_.change(older)->data;  // both in memory since prepare()
  AliasData& from = aliases_.change(younger)->data;
  from.current = older;
  from.next = to.first;
  from.witnessed = witnessed ? 1 : 0;
  to.first = younger;
  unfinished_.push_back(younger);
}

void GroupAliases::set_remainder(uint64_t younger, uint64_t group_id) {
  if (AliasRecord* alias = aliases_.change(younger)) alias->data.remainder = group_id;
}

bool GroupAliases::turn(uint64_t younger, size_t count) {
  AliasRecord* from = aliases_.change(younger);
  AliasRecord* to = from == nullptr ? nullptr : aliases_.change(from->data.current);
  if (to == nullptr) return true;
  for (; from->data.first != 0 && count > 0; --count) {
    const uint64_t turned = from->data.first;
    AliasRecord* alias = aliases_.change(turned);
    if (alias == nullptr || alias->data.current != younger) {  // of a damaged store
      from->data.first = 0;
      break;
    }
    from->data.first = alias->data.next;
    alias->data.current = from->data.current;
    alias->data.next = to->data.first;
    to->data.first = turned;
  }
  return from->data.first == 0;
}

void GroupAliases::finish(uint64_t younger) {
  AliasRecord* alias = aliases_.change(younger);
  std::erase(unfinished_, younger);
  if (alias == nullptr) return;
  alias->data.remainder = 0;
  alias->data.witnessed = 0;
}

bool GroupAliases::read_state(ByteReader& in) {
  unfinished_ = in.numbers();
  return in.ok() && unfinished_.size() <= kUnfinishedMerges;
}

}  // namespace nd::engine
