// Reads tag by tag with the tables of OpenElements, and stops at the first doubt.
#include "reading/markup_reader.hpp"

#include <bit>
#include <cstring>

#include "core/utf8.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text {
// [3] Markup to elements and text.
Doubt MarkupReader::read(std::string_view html, uint32_t depth, PageBuilder& page) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  page_ = &page;
  depth_ = depth;
  doubt_ = Doubt::kNone;
  open_.reset(depth, OpenElements::most_steps(html.size()));
  names_.reset();
  work_ = html.size();
  const uint64_t in_vain = entities_.bytes_in_vain();
  at_ = html.data();
  end_ = html.data() + html.size();
  raw_end_ = at_;
  in_svg_ = false;
  if (!html.empty()) {
    prolog();
    content();
  }
  if (doubt_ == Doubt::kNone && open_.gave_up()) doubt_ = Doubt::kWork;
  work_ += entities_.bytes_in_vain() - in_vain + open_.steps() + names_.comparisons();
  return doubt_;
}

uint64_t MarkupReader::memory_bytes() const noexcept {
  uint64_t bytes = names_.memory_bytes();
  for (const String& value : decoded_)
    bytes += value.capacity();
  return bytes;
}

void MarkupReader::release() noexcept {
  names_.release();
  for (String& value : decoded_)
    String().swap(value);
}

// White space before the first tag or text does not belong to the page's text.
void MarkupReader::prolog() {
  for (;;) {
    at_ = skip_blanks(at_, end_);
    const char* const behind = at_ != end_ && *at_ == '<' ? comment_end(at_, end_) : nullptr;
    if (behind == nullptr) return;
    at_ = behind;
  }
}

void MarkupReader::content() {
  while (at_ != end_ && !page_->full()) {
    ++work_;
    if (*at_ != '<') {
      text();
      continue;
    }
    const char next = at_ + 1 == end_ ? '\0' : at_[1];
    // NOLINTNEXTLINE(bugprone-branch-clone): the questions are asked in this order.
    if (at_ < raw_end_) {
      literal_bracket();
    } else if (is(next, kLetter)) {
      start_tag();
    } else if (next == '/') {
      end_tag();
    } else if (const char* const behind = comment_end(at_, end_)) {
      at_ = behind;
    } else {
      literal_bracket();
    }
  }
}

// A '<' that begins no tag.
void MarkupReader::literal_bracket() {
  if (open_.in_shell() && !open_paragraph()) return;
  page_->text({at_++, 1});
}

inline void MarkupReader::start_tag() {
  const TagName name = read_tag_name(at_ + 1, end_);
  ElementId id = 0;
  if (name.has_dot || !names_.identify(name, id)) return doubt(Doubt::kTagName);
  const Element element = known(id);
  const char* const close = needed_.read(name.written.data() + name.written.size(), end_, element);
  if (close == end_) return doubt(Doubt::kUnclosedTag);
  const bool self_closing = *close == '/';
  at_ = close + (self_closing ? 2 : 1);
  const bool stays = !self_closing && (traits_of(element).flags & kIsVoid) == 0;
  const OpenElements::Start start = open_.start(id, stays);
  if (start.beyond_limit) return doubt(Doubt::kDepth);
  for (uint32_t i = 0; i < start.closed; ++i)
    page_->close();
  if (start.discarded) {
    if (self_closing) doubt(Doubt::kMisplacedTag);
    return;
  }
  if (start.implied) tell_of_implied(start.remaining, open_.size() - (stays ? 1 : 0));
  open_element(element, stays);
}

// Tracks html, head, body and a paragraph that have just been opened.
void MarkupReader::tell_of_implied(uint32_t from, uint32_t to) {
  for (uint32_t level = from; level != to; ++level)
    page_->open(open_.element_at(level));
}

inline void MarkupReader::open_element(Element element, bool stays) {
  needed_.choose(element, stays);
  if (!stays && needed_.empty() && element != Element::kTitle) {
    // It cannot have content: its only effect is that it separates text.
    if ((traits_of(element).flags & kSeparates) != 0) page_->break_line();
    return;
  }
  if (needed_.empty()) {
    page_->open(element);
  } else {
    needed_.decode(element, entities_, decoded_, attributes_);
    if (element == Element::kTemplate && is_in_made_up_element()) {
      attributes_.remove(Attribute::kShadowRootMode);
    }
    page_->open(element, attributes_, needed_.names());
  }
  in_svg_ |= stays && element == Element::kSvg;
  if (!stays) {
    page_->close();
  } else if (const RawText raw = raw_text_of(element, in_svg_); raw != RawText::kNone) {
    raw_end_ = raw_text_end(at_, end_, element);
    raw_references_ = raw == RawText::kReferences;
    if (raw == RawText::kHidden) at_ = raw_end_;
  }
}

// Whether the element around the innermost, which has just been opened and stays, is neither known nor
// custom.
bool MarkupReader::is_in_made_up_element() const noexcept {
  const ElementId outer = open_.id_at(open_.size() - 2);
  return outer >= kFirstUnknownElement && !names_.is_custom(outer);
}

// Whether "</name>" of the innermost element is here, in lower case: nearly every end tag is, and then need
// not be parsed. Returns the size of the name, 0 if not.
inline size_t MarkupReader::innermost_ends_here() const noexcept {
  constexpr size_t kLongest = 7;
  const Element element = known(open_.innermost());
  const size_t size = traits_of(element).name.size();
  if (size == 0 || size > kLongest || end_ - at_ < 10) return 0;
  uint64_t word = 0;
  std::memcpy(&word, at_ + 2, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  const uint64_t expected = key_of(element).low | uint64_t{'>'} << (8 * size);
  return (word ^ expected) << (8 * (kLongest - size)) == 0 ? size : 0;
}

inline void MarkupReader::end_tag() {
  ElementId id = open_.innermost();
  const size_t size = innermost_ends_here();
  const char* behind = at_ + 2 + size + 1;
  if (size == 0) {
    const TagName name = read_tag_name(at_ + 2, end_);
    if (name.written.empty()) {
      const char* const comment = comment_end(at_, end_);
      if (comment == nullptr) return literal_bracket();
      at_ = comment;
      return;
    }
    if (name.has_dot) return doubt(Doubt::kTagName);
    const char* const close = end_tag_close(name.written.data() + name.written.size(), end_);
    if (close == end_) return doubt(Doubt::kUnclosedTag);
    if (!names_.identify(name, id)) return doubt(Doubt::kTagName);
    behind = close + 1;
  }
  at_ = behind;
  in_svg_ &= id != id_of(Element::kSvg);
  const uint32_t before = open_.size();
  open_.end(id);
  for (uint32_t level = open_.size(); level != before; ++level)
    page_->close();
}

void MarkupReader::text() {
  if (open_.in_shell() && !opens_paragraph()) return;
  if (page_->ignores_text()) {
    at_ = find_near_byte(at_, end_, '<');
    return;
  }
  if (page_->ignores_blanks()) at_ = skip_many_blanks(at_, end_);
  const char* begin = at_;
  for (;;) {
    at_ = text_stop(at_, end_);
    if (at_ == end_ || *at_ == '<') break;
    special_text(begin);
  }
  if (at_ != begin) page_->text({begin, static_cast<size_t>(at_ - begin)});
}

// A reference, or a sequence that is no character at all. The text from `begin` on has not been passed on
// yet.
void MarkupReader::special_text(const char*& begin) {
  CharacterReference special{at_, false, 0};
  if (*at_ == '&') {
    const bool is_literal = at_ < raw_end_ && !raw_references_;
    if (!is_literal) special = entities_.reference(at_, end_, EntityNames::Place::kText);
    if (special.end == at_) {
      ++at_;
      return;
    }
  } else {
    special.end += is(*at_, kControl) ? 1 : 3;
  }
  if (at_ != begin) page_->text({begin, static_cast<size_t>(at_ - begin)});
  begin = at_ = special.end;
  if (!special.valid) return;
  character_.clear();
  append_utf8(character_, special.value);
  if (special.second != 0) append_utf8(character_, special.second);
  page_->text(character_);
}

// The text at at_, where no text is allowed: it opens a paragraph, unless it is white space before a tag or
// the end. Such white space is text, but opens nothing.
bool MarkupReader::opens_paragraph() {
  const char* const behind = skip_many_blanks(at_, end_);
  const bool at_tag = behind == end_ || *behind == '<';
  if (at_tag && static_cast<size_t>(behind - at_) < OpenElements::kTextPieceBytes) {
    page_->text({at_, static_cast<size_t>(behind - at_)});
    at_ = behind;
    return false;
  }
  if (at_tag || is(*behind, kTextStop)) {
    doubt(Doubt::kShellText);
    return false;
  }
  return open_paragraph();
}

bool MarkupReader::open_paragraph() {
  const uint32_t before = open_.size();
  const uint32_t remaining = open_.start_paragraph();
  for (uint32_t level = remaining; level != before; ++level)
    page_->close();
  if (open_.size() > depth_) {
    doubt(Doubt::kDepth);
    return false;
  }
  tell_of_implied(remaining, open_.size());
  return true;
}

}  // namespace nd::text
