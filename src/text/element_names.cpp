#include "text/element_names.hpp"

namespace nd::text {
namespace {

constexpr size_t kSlots = 2 * kMaxUnknownElements;

}  // namespace

void ElementNames::reset() {
  if (count_ != 0 || hashes_.empty()) hashes_.assign(kSlots, 0);
  ids_.resize(kSlots);
  count_ = 0;
}

bool ElementNames::identify(const TagName& name, ElementId& id) noexcept {
  if (const Element element = find_element(name.key); element != Element::kUnknown) {
    id = id_of(element);
    return true;
  }
  size_t slot = name.hash % kSlots;
  while (hashes_[slot] != 0 && hashes_[slot] != name.hash)
    slot = (slot + 1) % kSlots;
  if (hashes_[slot] == 0) {
    if (count_ == kMaxUnknownElements) return false;
    hashes_[slot] = name.hash;
    ids_[slot] = static_cast<ElementId>(kFirstUnknownElement + count_++);
  }
  id = ids_[slot];
  return true;
}

}  // namespace nd::text
