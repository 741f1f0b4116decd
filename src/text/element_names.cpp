#include "text/element_names.hpp"

namespace nd::text {

bool ElementNames::identify_unknown(const TagName& name, ElementId& id) {
  Words sought{name.key.low, name.key.high};
  for (size_t at = 16; at < name.written.size(); at += 16) {
    const NameKey part = lower_case_key(name.written.substr(at), name.written.size() - at);
    sought[at / 8] = part.low;
    sought[at / 8 + 1] = part.high;
  }
  // The last of them has a 0 where this name ends, which no longer name has.
  const size_t last_word = name.written.size() / 8;
  size_t low = 0;
  size_t high = order_.size();
  while (low != high) {
    const size_t middle = low + (high - low) / 2;
    const Words& known = names_[order_[middle]];
    size_t word = 0;
    while (word != last_word && known[word] == sought[word])
      ++word;
    comparisons_ += word + 1;
    if (known[word] == sought[word]) {
      id = static_cast<ElementId>(kFirstUnknownElement + order_[middle]);
      return true;
    }
    if (known[word] < sought[word]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (names_.size() == kMaxUnknownElements) return false;
  const auto number = static_cast<ElementId>(names_.size());
  names_.push_back(sought);
  order_.insert(order_.begin() + static_cast<ptrdiff_t>(low), number);
  id = static_cast<ElementId>(kFirstUnknownElement + number);
  return true;
}

}  // namespace nd::text
