// libxml2's stack of open elements, kept in step with the parser from the outside, so that the prefilter
// knows what a tag will do: which elements it closes, which it implies, and whether it does anything at all.
//
// Source of the rules: the behaviour of libxml2 2.9's HTML parser (start tags close innermost elements, html,
// head, body and p are implied, end tags close nothing across an element of higher priority). Another version
// may differ on broken markup; then one end tag too many or too few may be dropped, but never text.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "core/memory.hpp"
#include "reading/html_elements.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text {

// An Element, or kFirstUnknownElement + the number of an unknown name.
using ElementId = uint16_t;
inline constexpr ElementId kFirstUnknownElement = 256;
inline constexpr ElementId kMaxUnknownElements = 512;

constexpr ElementId id_of(Element element) noexcept {
  return static_cast<ElementId>(element);
}
constexpr Element known(ElementId id) noexcept {
  return id < kFirstUnknownElement ? static_cast<Element>(id) : Element::kUnknown;
}

class OpenElements {
 public:
  // Elements beyond `depth_limit` are tracked (up to a bound of their own) but hidden from the parser. After
  // the elements of end tags have been searched for in `most_steps` places, they are searched for only near
  // the innermost element.
  void reset(uint32_t depth_limit, uint64_t most_steps = UINT64_MAX);
  // The limit for a page of so many bytes. A well-placed end tag takes at most a step per four bytes; one
  // without a match would take as many steps as there are open elements. Not tuned.
  static constexpr uint64_t most_steps(size_t page_bytes) noexcept {
    return 4 * uint64_t{page_bytes} + 65536;
  }
  // libxml2 2.9 passes on text in pieces of this size, and tests for each whether it is white space.
  static constexpr size_t kTextPieceBytes = 1000;

  // The effect of a start tag.
  struct Start {
    uint32_t closed = 0;        // elements closed by it that the parser knows of
    uint32_t remaining = 0;     // elements that it left open
    bool implied = false;       // it opened html, head or body
    bool discarded = false;     // misplaced html, head or body: the tag itself is ignored
    bool beyond_limit = false;  // the parser must not see the element
  };
  // `stays`: neither void nor written as <x/>.
  Start start(ElementId id, bool stays) {
    if (!opens_plainly(traits_of(known(id)))) return start_any(id, stays);
    Start result;
    result.remaining = size_;
    if (stays) {
      stack_[size_++] = id;
      ++open_[id];
    }
    return result;
  }
  // Closes what a start tag of this name would close; false if that is nothing.
  bool close_for(ElementId id);

  enum class End : uint8_t {
    kIgnored,  // matches nothing, or nothing that it may close
    kClosed,
    kHidden,  // closed only elements that the parser does not know of
  };
  End end(ElementId id) {
    const bool plain = size_ != 0 && size_ <= depth_limit_ && stack_[size_ - 1] == id &&
                       (traits_of(known(id)).flags & kIsShell) == 0;
    if (!plain) return end_any(id);
    --open_[id];
    --size_;
    return End::kClosed;
  }

  // Text other than white space, where no text is allowed, opens a p. Returns how many elements it left open.
  uint32_t start_paragraph();
  // Innermost is none, html or head: white space is ignored here, other text opens a p.
  bool in_shell() const noexcept {
    return size_ == 0 || stack_[size_ - 1] == id_of(Element::kHtml) ||
           stack_[size_ - 1] == id_of(Element::kHead);
  }
  // The parser does not know of the innermost element.
  bool innermost_is_beyond_limit() const noexcept { return size_ > depth_limit_; }
  ElementId innermost() const noexcept { return size_ == 0 ? ElementId{0} : stack_[size_ - 1]; }
  void pop() noexcept;
  // Of an element that start() has just closed, if the tag was discarded: 0 is the innermost that is left, 1
  // the next.
  ElementId above_innermost(uint32_t distance) const noexcept { return stack_[size_ - 1 + distance]; }
  uint32_t size() const noexcept { return size_; }
  // The outermost is 0; `level` is below size().
  ElementId id_at(uint32_t level) const noexcept { return stack_[level]; }
  Element element_at(uint32_t level) const noexcept { return known(stack_[level]); }
  // Open elements that were looked through or closed one by one, since reset().
  uint64_t steps() const noexcept { return steps_; }
  // Whether the search for an element was cut short.
  bool gave_up() const noexcept { return gave_up_; }
  bool is_open(Element element) const noexcept { return open_[static_cast<size_t>(element)] != 0; }

 private:
  static constexpr uint32_t kNoMatch = UINT32_MAX;
  // Most start tags: nothing to close, to imply or to refuse.
  bool opens_plainly(const ElementTraits& started) const noexcept {
    return size_ > 1 && size_ < depth_limit_ && (had_body_ || is_open(Element::kHead)) &&
           (started.flags & kIsShell) == 0 && !started.closes.contains(known(stack_[size_ - 1]));
  }
  Start start_any(ElementId id, bool stays);
  End end_any(ElementId id);
  uint32_t match(ElementId id) noexcept;
  void push(ElementId id);
  void note_shell(ElementId id) noexcept;
  bool close_innermost_for(Element started);
  bool imply_for(ElementId id);

  Vector<ElementId> stack_;
  uint32_t size_ = 0;
  uint32_t depth_limit_ = 0;
  uint32_t misplaced_ = 0;  // ignored html, head, body: as many end tags of these are ignored
  uint64_t steps_ = 0;
  uint64_t most_steps_ = 0;
  bool gave_up_ = false;
  bool had_head_ = false;
  bool had_body_ = false;
  std::array<uint16_t, kFirstUnknownElement + kMaxUnknownElements> open_{};
};

// Numbers for the names of the elements on one page.
//
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
  // Whether an unknown element is a custom one: its name has a hyphen.
  bool is_custom(ElementId id) const noexcept {
    return std::memchr(names_[id - kFirstUnknownElement].data(), '-', sizeof(Words)) != nullptr;
  }
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
