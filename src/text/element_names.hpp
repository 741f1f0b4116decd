// Numbers for the names of the elements on one page.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "text/markup_scan.hpp"
#include "text/open_elements.hpp"

namespace nd::text {

class ElementNames {
 public:
  void reset();
  // Places of the table that were looked at for unknown names, since reset().
  uint64_t probes() const noexcept { return probes_; }
  // False if the name is unknown and there have been too many unknown ones.
  bool identify(const TagName& name, ElementId& id) noexcept {
    const Element element = find_element(name.key);
    id = id_of(element);
    return element != Element::kUnknown || identify_unknown(name, id);
  }

 private:
  bool identify_unknown(const TagName& name, ElementId& id) noexcept;

  Vector<uint64_t> hashes_;  // of the unknown names, a hash table; 0 is free
  Vector<ElementId> ids_;
  ElementId count_ = 0;
  uint64_t probes_ = 0;
};

}  // namespace nd::text
