// Keeps the stack in step tag by tag, with bounded searches, so that a page of unclosed tags takes linear
// time.
#include "reading/open_elements.hpp"

namespace nd::text {
namespace {

// How far below the limit elements are still distinguished, so that their end tags close the right ones.
constexpr uint32_t kTrackedBeyondLimit = 256;
// How far from the innermost element an end tag is still searched for once a page has had too many searches.
// Not tuned.
constexpr uint32_t kNearElements = 16;

bool may_stand_in_head(ElementId id) noexcept {
  switch (known(id)) {
    case Element::kScript:
    case Element::kStyle:
    case Element::kMeta:
    case Element::kLink:
    case Element::kTitle:
    case Element::kBase:
      return true;
    default:
      return false;
  }
}

bool is_shell(ElementId id) noexcept {
  return (traits_of(known(id)).flags & kIsShell) != 0;
}

uint8_t end_priority(ElementId id) noexcept {
  return traits_of(known(id)).end_priority;
}

}  // namespace

void OpenElements::reset(uint32_t depth_limit, uint64_t most_steps) {
  depth_limit_ = depth_limit;
  stack_.resize(depth_limit + kTrackedBeyondLimit);
  size_ = 0;
  misplaced_ = 0;
  steps_ = 0;
  most_steps_ = most_steps;
  gave_up_ = false;
  had_head_ = false;
  had_body_ = false;
  open_.fill(0);
}

void OpenElements::note_shell(ElementId id) noexcept {
  had_head_ |= id == id_of(Element::kHead) || id == id_of(Element::kBody);
  had_body_ |= id == id_of(Element::kBody);
}

void OpenElements::push(ElementId id) {
  if (size_ == stack_.size()) return;
  note_shell(id);
  stack_[size_++] = id;
  ++open_[id];
}

void OpenElements::pop() noexcept {
  if (size_ == 0) return;
  ++steps_;
  --open_[stack_[--size_]];
}

bool OpenElements::close_innermost_for(Element started) {
  if (size_ == 0) return false;
  const Element innermost_element = known(stack_[size_ - 1]);
  if (!traits_of(started).closes.contains(innermost_element)) return false;
  pop();
  return true;
}

bool OpenElements::close_for(ElementId id) {
  const uint32_t before = size_;
  while (close_innermost_for(known(id))) {
  }
  return size_ != before;
}

bool OpenElements::imply_for(ElementId id) {
  const Element element = known(id);
  if (element == Element::kHtml) return false;
  bool implied = false;
  if (size_ == 0) {
    push(id_of(Element::kHtml));
    implied = true;
  }
  if (element == Element::kBody || element == Element::kHead) return implied;
  if (size_ <= 1 && may_stand_in_head(id)) {
    if (had_head_) return implied;
    push(id_of(Element::kHead));
    return true;
  }
  if (element == Element::kNoframes || element == Element::kFrame || element == Element::kFrameset)
    return implied;
  if (had_body_ || is_open(Element::kHead)) return implied;
  push(id_of(Element::kBody));
  return true;
}

OpenElements::Start OpenElements::start_any(ElementId id, bool stays) {
  Start result;
  while (close_innermost_for(known(id)))
    result.closed += size_ < depth_limit_ ? 1 : 0;
  result.remaining = size_;
  result.implied = imply_for(id);
  if (id == id_of(Element::kHtml)) {
    result.discarded = size_ > 0;
  } else if (id == id_of(Element::kHead)) {
    result.discarded = size_ != 1;
  } else if (id == id_of(Element::kBody)) {
    result.discarded = is_open(Element::kBody);
  }
  result.beyond_limit = size_ >= depth_limit_;
  if (result.discarded) {
    ++misplaced_;
  } else if (stays) {
    push(id);
  } else {
    note_shell(id);
  }
  return result;
}

// The position of the element that an end tag closes.
uint32_t OpenElements::match(ElementId id) noexcept {
  if (open_[id] == 0) return kNoMatch;
  if (is_shell(id) && misplaced_ > 0) return kNoMatch;
  const uint8_t priority = end_priority(id);
  const uint32_t last = steps_ < most_steps_ || size_ <= kNearElements ? 0 : size_ - kNearElements;
  uint32_t at = size_ - 1;  // it is open, so there is one
  while (at != last && stack_[at] != id && end_priority(stack_[at]) <= priority)
    --at;
  steps_ += size_ - at;
  if (stack_[at] == id) return at;
  gave_up_ |= last != 0 && at == last;
  return kNoMatch;
}

OpenElements::End OpenElements::end_any(ElementId id) {
  if (is_shell(id) && misplaced_ > 0) {
    --misplaced_;
    return End::kIgnored;
  }
  const uint32_t at = match(id);
  if (at == kNoMatch) return End::kIgnored;
  while (size_ > at)
    pop();
  return at < depth_limit_ ? End::kClosed : End::kHidden;
}

uint32_t OpenElements::start_paragraph() {
  close_for(id_of(Element::kP));
  const uint32_t remaining = size_;
  imply_for(id_of(Element::kP));
  push(id_of(Element::kP));
  return remaining;
}

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
