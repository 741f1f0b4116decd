#include "text/element_names.hpp"

namespace nd::text {
namespace {

constexpr size_t kSlots = 2 * kMaxUnknownElements;

// Never 0.
uint64_t hash_of(const TagName& name) noexcept {
  uint64_t hash = mix(name.key);
  for (size_t i = 16; i < name.written.size(); ++i) {
    const char c = name.written[i];
    const auto lower_case = static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    hash = (hash ^ lower_case) * 0x100000001b3U;
  }
  return hash | 1;
}

}  // namespace

void ElementNames::reset() {
  if (count_ != 0 || hashes_.empty()) hashes_.assign(kSlots, 0);
  ids_.resize(kSlots);
  count_ = 0;
  probes_ = 0;
}

bool ElementNames::identify_unknown(const TagName& name, ElementId& id) noexcept {
  const uint64_t hash = hash_of(name);
  size_t slot = hash % kSlots;
  ++probes_;
  for (; hashes_[slot] != 0 && hashes_[slot] != hash; ++probes_)
    slot = (slot + 1) % kSlots;
  if (hashes_[slot] == 0) {
    if (count_ == kMaxUnknownElements) return false;
    hashes_[slot] = hash;
    ids_[slot] = static_cast<ElementId>(kFirstUnknownElement + count_++);
  }
  id = ids_[slot];
  return true;
}

}  // namespace nd::text
