#include "text/prefilter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nd::text {
namespace {

constexpr uint32_t kMostImplied = 3;  // html, body, p
// Keeps the text before it apart from the text behind it, where that matters to the parser.
constexpr std::string_view kSeparator = "<!---->";
// An end tag that matches nothing.
constexpr std::string_view kNothing = "</x>";
// An element may be taken back with so many unwritten start tags around it, which it had written: one empty
// element after another would have all of them written each time. Not tuned; on the pages of the project's
// corpora there are seldom more than three.
constexpr uint32_t kMostTakenBack = 16;
// Open elements that are looked through for end tags, by the page's bytes. One in its place takes a step for
// four bytes or more; one that nothing matches takes, without a bound, as many as elements are open. Not
// tuned.
constexpr uint64_t kStepsPerByte = 4;
constexpr uint64_t kFreeSteps = 65536;

// Nothing else depends on its having been opened, or on its being open.
bool can_be_left_out(Element element) noexcept {
  return element != Element::kTitle && (traits_of(element).flags & kIsShell) == 0;
}

}  // namespace

// [3] First half: a smaller page with the same text.
std::string_view Prefilter::run(std::string_view html, std::string_view site, uint32_t depth,
                                uint32_t most_pieces) {
  most_pieces_ = most_pieces;
  with_runs_ = true;
  return filter(html, site, depth);
}

std::string_view Prefilter::run_without_runs(std::string_view html, std::string_view site, uint32_t depth) {
  most_pieces_ = UINT32_MAX;
  with_runs_ = false;
  return filter(html, site, depth);
}

std::string_view Prefilter::filter(std::string_view html, std::string_view site, uint32_t depth) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  out_.cut(0);
  open_.reset(depth, kStepsPerByte * html.size() + kFreeSteps);
  opened_.resize(std::max(depth, kMostImplied) + 1);
  names_.reset();
  after_text_ = false;
  block_begins_ = true;
  in_svg_ = false;
  hidden_ = Hidden{};
  runs_.clear();
  named_.clear();
  run_end_ = 0;
  unwritten_ = Unwritten{};
  targets_.start(site);
  limited_ = false;
  work_ = html.size();  // what has been decided on is never gone back to
  if (html.empty()) return {};
  const uint64_t in_vain = entities_.bytes_in_vain();
  at_ = kept_ = raw_end_ = html.data();
  end_ = html.data() + html.size();
  prolog_size_ = SIZE_MAX;
  prolog();
  prolog_size_ = written();
  content();
  limited_ |= at_ != end_ || open_.gave_up();
  while (unwritten_.count != 0)
    end_unwritten();
  flush(at_);
  work_ += entities_.bytes_in_vain() - in_vain + open_.steps() + names_.comparisons() + out_.size() +
           runs_.piece_count();
  return out_.view();
}

void Prefilter::flush(const char* until) {
  if (until == kept_) return;
  out_.append(kept_, static_cast<size_t>(until - kept_), static_cast<size_t>(end_ - kept_));
  kept_ = until;
}

// Leaves out [at_, until).
void Prefilter::drop(const char* until) {
  flush(at_);
  // With nothing here the parser would take what follows for the prolog, where white space differs.
  if (out_.size() == prolog_size_) out_.append(kNothing);
  kept_ = at_ = until;
  if (after_text_ && open_.in_shell()) {
    out_.append(kSeparator);
    after_text_ = false;
  }
}

// Stands for tags that are left out but separate blocks.
void Prefilter::separate() {
  if (block_begins_) return;
  if (!with_runs_ || open_.in_shell() || open_.in_title()) {
    flush(at_);
    out_.append("<br>");
    after_text_ = false;
  } else if (!hides_text()) {
    go_on_with_run();
    runs_.add(InlineRuns::Kind::kBreak);
  }
  note_separation(kSeparates);
}

// A doctype says nothing to the extraction.
void Prefilter::prolog() {
  for (;;) {
    at_ = skip_blanks(at_, end_);
    const char* const behind = at_ != end_ && *at_ == '<' ? comment_end(at_, end_) : nullptr;
    if (behind == nullptr) return;
    drop(behind);
  }
}

void Prefilter::content() {
  for (; at_ != end_ && !is_full(); ++work_) {
    if (*at_ != '<') {
      text();
      continue;
    }
    const char next = at_ + 1 == end_ ? '\0' : at_[1];
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

// Brackets that begin no tag. In the output something that does might come to stand behind them.
void Prefilter::literal_bracket() {
  // One that stands before another one begins none for sure.
  const char* until = at_ + 1;
  while (end_ - until >= 2 && until[0] == '<' && until[1] == '<')
    ++until;
  if (open_.in_shell()) open_paragraph();
  if (!with_runs_ || open_.in_title()) {
    flush(at_);
    for (; at_ != until; ++at_)
      out_.append("&lt;");
    kept_ = at_;
  } else {
    add_text(at_, until);
    flush(at_);
    kept_ = at_ = until;
  }
  after_text_ = true;
  block_begins_ = false;
}

inline void Prefilter::start_tag() {
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
  bool closed_by_prefix = false;
  if (name.has_dot) {
    // libxml2 looks ahead as far as the dot only, and closes elements for what stands before it.
    ElementId before_dot = 0;
    if (names_.identify(read_tag_name(at_ + 1, at_ + 1 + name.written.find('.')), before_dot)) {
      closed_by_prefix = open_.close_for(before_dot);
    }
    if (hidden_.level > open_.size()) hidden_ = Hidden{};
  }
  const Element element = known(tag.id);
  const unsigned flags = traits_of(element).flags;
  const bool stays = complete && !tag.self_closing && (flags & kIsVoid) == 0;
  const bool in_shell = open_.in_shell();
  const OpenElements::Start start = open_.start(tag.id, stays);
  const bool changes_nothing = start.closed == 0 && !start.implied && !closed_by_prefix;
  if (hidden_.level > start.remaining) hidden_ = Hidden{};
  if (start.implied) forget_openings();
  if (start.discarded) return misplaced_tag(tag, start);
  limited_ |= start.beyond_limit && stays;
  in_svg_ |= stays && element == Element::kSvg;
  const RawText raw = stays ? raw_text_of(element, in_svg_) : RawText::kNone;
  if (raw == RawText::kHidden) return hidden_raw_text(tag, changes_nothing || start.beyond_limit);
  if (raw != RawText::kNone) begin_raw_text(tag, raw);
  if (start.beyond_limit) {
    drop(tag.behind);
    if ((flags & kSeparates) != 0) separate();
    return;
  }
  attributes_.choose(element, stays);
  const bool separates = (flags & kSeparates) != 0;
  if (complete && !stays && changes_nothing && attributes_.empty() && (!separates || block_begins_) &&
      can_be_left_out(element)) {
    return drop(tag.behind);
  }
  if (changes_nothing && complete && !in_shell && !open_.in_title()) {
    if (with_runs_ && !stays && separates && attributes_.empty() && can_be_left_out(element)) {
      drop(tag.behind);
      return separate();
    }
    ElementOpening opening;
    if (stays && !name.has_dot && is_inline(tag, opening)) return leave_unwritten(tag, opening);
  }
  const Mark before = mark();
  write_tag(tag);
  if (stays) note_opening(tag, before, changes_nothing);
  note_separation(flags);
}

inline void Prefilter::note_opening(const StartTag& tag, const Mark& before, bool changes_nothing) {
  const Element element = known(tag.id);
  const uint32_t level = open_.size();
  Opened& opened = opened_[level];
  opened.before = before;
  opened.id = tag.id;
  opened.behind = written();
  const bool can_be_taken_back = changes_nothing && before.unwritten.count <= kMostTakenBack;
  opened.can_go = can_be_taken_back && can_be_left_out(element);
  if (hidden_.level != 0 || open_.in_title()) return;
  const Hiding hides = attributes_.hiding(element);
  if (hides == Hiding::kNo) return;
  // Its own tag separates blocks, nothing inside does.
  note_separation(traits_of(element).flags);
  const bool for_sure = hides == Hiding::kYes;
  hidden_ = Hidden{level, for_sure, can_be_taken_back && for_sure, before, open_.shell_state()};
}

// An ignored html, head or body: what it closes is closed by end tags in its place.
void Prefilter::misplaced_tag(const StartTag& tag, const OpenElements::Start& start) {
  if (start.closed > 0 || tag.self_closing) write_unwritten();
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
    // And has to ignore the end tag that it then expects.
    out_.append("</").append(name).append(">");
    after_text_ = false;
  }
  open_.pop();
  if (hidden_.level > open_.size()) hidden_ = Hidden{};
}

// Whether "</name>" of the innermost element stands here, in lower case: nearly every end tag is that, and
// needs not be read then. The size of the name, 0 if not.
inline size_t Prefilter::innermost_ends_here() const noexcept {
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

inline void Prefilter::end_tag() {
  ElementId id = open_.innermost();
  const size_t size = innermost_ends_here();
  const char* name_end = at_ + 2 + size;
  const char* close = name_end;
  if (size == 0) {
    const TagName name = read_tag_name(at_ + 2, end_);
    if (name.written.empty()) {
      const char* const behind = comment_end(at_, end_);
      return behind == nullptr ? literal_bracket() : drop(behind);
    }
    name_end = name.written.data() + name.written.size();
    close = end_tag_close(name_end, end_);
    if (!names_.identify(name, id)) return drop(close == end_ ? end_ : close + 1);
  }
  const char* const behind = close == end_ ? end_ : close + 1;
  in_svg_ &= id != id_of(Element::kSvg);
  const OpenElements::End end = open_.end(id);
  if (hidden_.level > open_.size() && leave_out_hidden(id, behind)) return;
  if (end == OpenElements::End::kClosed) {
    if (unwritten_.count != 0 && open_.size() + 1 == unwritten_.below + unwritten_.count) {
      end_unwritten();
      return drop(behind);
    }
    if (leave_out_empty(id, behind)) return;
  }
  if (end == OpenElements::End::kIgnored) {
    return drop(behind);
  } else if (end == OpenElements::End::kHidden) {
    drop(behind);
    if ((traits_of(known(id)).flags & kSeparates) != 0) separate();
    return;
  }
  write_unwritten();
  if (close != name_end) {
    flush(name_end);
    kept_ = close;
  }
  at_ = behind;
  after_text_ = false;
  note_separation(traits_of(known(id)).flags);
}

inline void Prefilter::note_separation(unsigned flags) noexcept {
  // Of no foreseeable outcome, so without a branch.
  block_begins_ |= static_cast<unsigned>(hidden_.level == 0) &
                   static_cast<unsigned>((flags & kSeparates) != 0) &
                   static_cast<unsigned>(!open_.in_title());
}

// Implied elements have taken the outermost levels.
void Prefilter::forget_openings() noexcept {
  for (uint32_t level = 1; level <= kMostImplied; ++level)
    opened_[level].can_go = false;
}

// The outermost element that hides its content has just been closed, by an end tag up to `behind`. If nothing
// in it has touched what is outside, the parser need not see it.
bool Prefilter::leave_out_hidden(ElementId id, const char* behind) {
  const Hidden hidden = hidden_;
  hidden_ = Hidden{};
  if (!hidden.can_go || open_.size() + 1 != hidden.level || open_.shell_state() != hidden.shell_state ||
      needs_own_break(id)) {
    return false;
  }
  go_back(hidden.before, id, behind);
  return true;
}

// <br> cannot stand for an element here: it would open the body, as it might in a frameset.
inline bool Prefilter::needs_own_break(ElementId id) const noexcept {
  return (traits_of(known(id)).flags & kSeparates) != 0 && (!with_runs_ || open_.in_shell());
}

// An element with nothing in it needs no tags, unless they separate blocks.
inline bool Prefilter::leave_out_empty(ElementId id, const char* behind) {
  const Opened& opened = opened_[open_.size() + 1];
  if (needs_own_break(id)) return false;
  if (!opened.can_go || opened.id != id || opened.behind != written()) return false;
  go_back(opened.before, id, behind);
  return true;
}

inline Prefilter::Mark Prefilter::mark() const noexcept {
  return Mark{written(), runs_.mark(), run_end_, unwritten_, after_text_, block_begins_};
}

void Prefilter::go_back(const Mark& mark, ElementId id, const char* behind) {
  if (out_.size() < mark.output) {
    flush(kept_ + (mark.output - out_.size()));
  } else {
    work_ += out_.size() - mark.output;  // may have to be written again
    out_.cut(mark.output);
  }
  while (!named_.empty() && named_.back().place > mark.output)
    named_.pop_back();
  kept_ = at_ = behind;
  runs_.go_back(mark.runs);
  run_end_ = mark.run_end;
  unwritten_ = mark.unwritten;
  after_text_ = mark.after_text;
  block_begins_ = mark.block_begins;
  drop(behind);
  if ((traits_of(known(id)).flags & kSeparates) != 0) separate();
}

void Prefilter::write_attributes(Element element) {
  if (!with_runs_) attributes_.write_names(out_);
  attributes_.write(out_, element, entities_);
  if (with_runs_ && attributes_.names() != 0) named_.push_back({out_.size(), attributes_.names()});
}

void Prefilter::write_tag(const StartTag& tag) {
  write_unwritten();
  if (tag.close != tag.name_end) {
    flush(tag.name_end);
    if (!attributes_.empty()) write_attributes(known(tag.id));
    kept_ = tag.close;
  }
  at_ = tag.behind;
  after_text_ = false;
}

}  // namespace nd::text
