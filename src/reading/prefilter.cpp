// Reads tag by tag, copies what is safe, and writes end tags where libxml2 would have searched for them.
#include "reading/prefilter.hpp"

namespace nd::text {
namespace {

// Separates the text before it from the text after it, where that matters to the parser.
constexpr std::string_view kSeparator = "<!---->";
// An end tag that matches nothing.
constexpr std::string_view kNothing = "</x>";
constexpr std::string_view kBreak = "<br>";

}  // namespace

// [3] Writes a page with the same text that is safe to give to libxml2.
std::string_view Prefilter::run(std::string_view html, uint32_t depth) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  out_.clear();
  open_.reset(depth, OpenElements::most_steps(html.size()));
  names_.reset();
  after_text_ = false;
  in_svg_ = false;
  limited_ = false;
  work_ = html.size();  // bytes are not read again once decided on
  if (html.empty()) return {};
  const uint64_t in_vain = entities_.bytes_in_vain();
  at_ = kept_ = raw_end_ = html.data();
  end_ = html.data() + html.size();
  prolog_size_ = SIZE_MAX;
  prolog();
  prolog_size_ = out_.size() + static_cast<size_t>(at_ - kept_);
  content();
  limited_ |= open_.gave_up();
  flush(at_);
  work_ += entities_.bytes_in_vain() - in_vain + open_.steps() + names_.comparisons() + out_.size();
  return out_;
}

void Prefilter::flush(const char* until) {
  if (until == kept_) return;
  out_.append(kept_, until);
  kept_ = until;
}

// Leaves out [at_, until).
void Prefilter::drop(const char* until) {
  flush(at_);
  // If nothing were written here, the parser would treat what follows as the prolog, where white space is
  // handled differently.
  if (out_.size() == prolog_size_) out_.append(kNothing);
  kept_ = at_ = until;
  if (after_text_ && open_.in_shell()) {
    out_.append(kSeparator);
    after_text_ = false;
  }
}

// Replaces tags that are left out but separate blocks.
void Prefilter::separate() {
  flush(at_);
  if (!out_.ends_with(kBreak)) out_.append(kBreak);
  after_text_ = false;
}

// The extraction does not use a doctype.
void Prefilter::prolog() {
  for (;;) {
    at_ = skip_blanks(at_, end_);
    const char* const behind = at_ != end_ && *at_ == '<' ? comment_end(at_, end_) : nullptr;
    if (behind == nullptr) return;
    drop(behind);
  }
}

void Prefilter::content() {
  for (; at_ != end_; ++work_) {
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
      drop(behind);
    } else {
      literal_bracket();
    }
  }
}

// A '<' that begins no tag. In the output it could be followed by something that makes it a tag.
void Prefilter::literal_bracket() {
  if (open_.in_shell()) open_paragraph();
  flush(at_);
  out_.append("&lt;");
  kept_ = ++at_;
  after_text_ = true;
}

void Prefilter::start_tag() {
  const TagName name = read_tag_name(at_ + 1, end_);
  StartTag tag;
  tag.name = name.written;
  tag.name_end = name.written.data() + name.written.size();
  const bool identified = names_.identify(name, tag.id);
  tag.close = attributes_.read(tag.name_end, end_, known(tag.id));
  const bool complete = tag.close != end_;
  tag.self_closing = complete && *tag.close == '/';
  tag.behind = tag.close + (complete ? (tag.self_closing ? 2 : 1) : 0);
  if (!identified) {
    limited_ = true;
    return drop(tag.behind);
  }
  if (name.has_dot) {
    // libxml2 looks ahead as far as the dot only, and closes elements for what stands before it.
    ElementId before_dot = 0;
    if (names_.identify(read_tag_name(at_ + 1, at_ + 1 + name.written.find('.')), before_dot))
      open_.close_for(before_dot);
  }
  const Element element = known(tag.id);
  const unsigned flags = traits_of(element).flags;
  const bool stays = complete && !tag.self_closing && (flags & kIsVoid) == 0;
  const OpenElements::Start start = open_.start(tag.id, stays);
  if (start.discarded) return misplaced_tag(tag, start);
  limited_ |= start.beyond_limit && stays;
  in_svg_ |= stays && element == Element::kSvg;
  const RawText raw = stays ? raw_text_of(element, in_svg_) : RawText::kNone;
  if (raw != RawText::kNone) {
    raw_end_ = raw_text_end(tag.behind, end_, element);
    raw_references_ = raw == RawText::kReferences;
  }
  if (start.beyond_limit) {
    drop(tag.behind);
    if ((flags & kSeparates) != 0) separate();
  } else {
    attributes_.choose(element, stays);
    write_tag(tag);
  }
  if (raw == RawText::kHidden) drop(raw_end_);
}

// An ignored html, head or body: what it closes is closed by end tags in its place.
void Prefilter::misplaced_tag(const StartTag& tag, const OpenElements::Start& start) {
  drop(tag.behind);
  for (uint32_t distance = start.closed; distance > 0; --distance) {
    out_.append("</").append(traits_of(known(open_.above_innermost(distance))).name).append(">");
    after_text_ = false;
  }
  if (!tag.self_closing) return;
  // "/>" takes away the innermost element instead. There is no end tag for that: the parser has to see this.
  if (!open_.innermost_is_beyond_limit()) {
    const std::string_view name = traits_of(known(tag.id)).name;
    out_.append("<").append(name).append("/>");
    // The parser must also ignore the end tag that it then expects.
    out_.append("</").append(name).append(">");
    after_text_ = false;
  }
  open_.pop();
}

void Prefilter::write_tag(const StartTag& tag) {
  if (tag.close != tag.name_end) {
    flush(tag.name_end);
    if (!attributes_.empty()) attributes_.write(out_, known(tag.id), entities_);
    kept_ = tag.close;
  }
  at_ = tag.behind;
  after_text_ = false;
}

void Prefilter::end_tag() {
  const TagName name = read_tag_name(at_ + 2, end_);
  if (name.written.empty()) {
    const char* const behind = comment_end(at_, end_);
    return behind == nullptr ? literal_bracket() : drop(behind);
  }
  const char* const name_end = name.written.data() + name.written.size();
  const char* const close = end_tag_close(name_end, end_);
  const char* const behind = close == end_ ? end_ : close + 1;
  ElementId id = 0;
  if (!names_.identify(name, id)) return drop(behind);
  in_svg_ &= id != id_of(Element::kSvg);
  const OpenElements::End end = open_.end(id);
  if (end != OpenElements::End::kClosed) {
    drop(behind);
    const bool separates = (traits_of(known(id)).flags & kSeparates) != 0;
    if (end == OpenElements::End::kHidden && separates) separate();
    return;
  }
  if (close != name_end) {
    flush(name_end);
    kept_ = close;
  }
  at_ = behind;
  after_text_ = false;
}

// Text up to the next '<', without what costs the parser an error message.
void Prefilter::text() {
  if (open_.in_shell()) {
    if (!opens_paragraph()) return;
    open_paragraph();
  }
  after_text_ = true;
  for (;;) {
    at_ = text_stop(at_, end_);
    if (at_ == end_ || *at_ == '<') return;
    if (*at_ == '&') {
      reference();
    } else {
      drop(at_ + (is(*at_, kControl) ? 1 : 3));
    }
  }
}

// Writes a reference that the parser reads the same way and without an error message.
void Prefilter::reference() {
  const bool is_literal = at_ < raw_end_ && !raw_references_;
  const CharacterReference found = is_literal ? CharacterReference{at_, false, 0}
                                              : entities_.reference(at_, end_, EntityNames::Place::kText);
  if (found.end == at_) {
    flush(++at_);
    out_.append("amp;");
  } else if (!found.valid) {
    drop(found.end);
  } else {
    flush(at_);
    write_reference(out_, found);
    kept_ = at_ = found.end;
  }
}

// Whether the run of text at at_, where text may not stand, opens a paragraph: it does unless it is white
// space before a tag or the end. Such white space is passed on to the parser. What is not text at all is left
// out.
bool Prefilter::opens_paragraph() {
  for (;;) {
    size_t blanks = 0;
    const char* next = at_;
    for (; next != end_ && *next != '<' && *next != '&'; ++next) {
      if (is(*next, kControl)) continue;
      if (is_noncharacter(next, end_)) {
        next += 2;
        continue;
      }
      if (!is(*next, kBlank)) return true;
      ++blanks;
    }
    const bool before_reference = next != end_ && *next == '&';
    if (!before_reference) {
      keep_blanks(next);
      if (blanks == 0) return false;
      after_text_ = true;
      if (blanks >= OpenElements::kTextPieceBytes) open_.start_paragraph();
      return false;
    }
    if (blanks != 0) return true;
    if (next != at_) drop(next);
    if (next + 1 == end_ || next[1] != '#') return true;
    const CharacterReference numeric = read_numeric_reference(next, end_);
    if (numeric.valid || numeric.end == next) return true;
    drop(numeric.end);
  }
}

// The text that follows need not make the parser open one: it may be blank without its controls.
void Prefilter::open_paragraph() {
  open_.start_paragraph();
  flush(at_);
  out_.append("<p>");
}

// Up to `until`, except the controls between them.
void Prefilter::keep_blanks(const char* until) {
  while (at_ != until) {
    if (is(*at_, kBlank)) {
      ++at_;
    } else {
      drop(at_ + (is(*at_, kControl) ? 1 : 3));
    }
  }
}

}  // namespace nd::text
