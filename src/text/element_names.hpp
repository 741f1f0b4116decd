// Numbers for the names of the elements on one page.
#pragma once

#include <array>
#include <cstdint>

#include "core/memory.hpp"
#include "text/markup_scan.hpp"
#include "text/open_elements.hpp"

namespace nd::text {

// Unknown names are kept in order, not hashed: two of them never count as one, and no page can crowd them.
class ElementNames {
 public:
  void reset() noexcept {
    names_.clear();
    order_.clear();
    comparisons_ = 0;
  }
  // Words of eight letters that were compared to find unknown names, since reset().
  uint64_t comparisons() const noexcept { return comparisons_; }
  uint64_t memory_bytes() const noexcept {
    return names_.capacity() * sizeof(Words) + order_.capacity() * sizeof(ElementId);
  }
  void release() noexcept {
    Vector<Words>().swap(names_);
    Vector<ElementId>().swap(order_);
  }
  // False if the name is unknown and there have been too many unknown ones. Cost: of unknown names, ten are
  // compared at most.
  bool identify(const TagName& name, ElementId& id) {
    const Element element = find_element(name.key);
    id = id_of(element);
    return element != Element::kUnknown || identify_unknown(name, id);
  }

 private:
  // In lower case, as NameKey; the last byte is 0.
  using Words = std::array<uint64_t, (kMaxNameBytes / 16 + 1) * 2>;

  bool identify_unknown(const TagName& name, ElementId& id);

  Vector<Words> names_;      // by number
  Vector<ElementId> order_;  // their numbers, ascending by words
  uint64_t comparisons_ = 0;
};

}  // namespace nd::text
