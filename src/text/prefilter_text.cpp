// The text of a page, as the prefilter passes it on: into the runs; that of titles, and white space in the
// shell, through the parser. There, references and characters that cost the parser an error message are
// rewritten or left out. White space that nobody will see is left out, as are the bodies of scripts and
// styles.
#include "text/prefilter.hpp"

namespace nd::text {
namespace {

// libxml2 2.9 hands on text in pieces of this size, and looks at each of them whether it is white space.
constexpr size_t kTextPieceBytes = 1000;
// In the shell. Text, whatever comes before and behind.
constexpr char kParagraphMarker = '=';

}  // namespace

void Prefilter::text() {
  if (open_.in_title()) return text_through_parser();
  if (block_begins_) {
    drop_blanks();
    if (at_ == end_ || *at_ == '<') return;
  }
  if (open_.in_shell()) {
    if (!opens_paragraph()) return;
    open_paragraph();
  }
  if (with_runs_) return text_to_run();
  text_through_parser();
}

// White space at the beginning of a block is trimmed anyway.
void Prefilter::drop_blanks() {
  const char* const behind = skip_many_blanks(at_, end_);
  if (behind == at_) return;
  const bool matters_to_parser =
      static_cast<size_t>(behind - at_) >= kTextPieceBytes ||
      (behind != end_ && (*behind == '&' || is(*behind, kControl) || is_noncharacter(behind, end_)));
  if (matters_to_parser && open_.in_shell()) return;
  drop(behind);
}

void Prefilter::text_through_parser() {
  after_text_ = true;
  block_begins_ = false;
  for (;;) {
    at_ = text_stop(at_, end_);
    if (at_ == end_ || *at_ == '<') return;
    if (*at_ == '&') {
      at_ = written_reference();
    } else {
      drop(at_ + (is(*at_, kControl) ? 1 : 3));
    }
  }
}

// The reference at at_. Makes it one that the parser reads alike and without complaint; returns where text
// goes on.
const char* Prefilter::written_reference() {
  const bool is_literal = at_ < raw_end_ && !raw_references_;
  const CharacterReference found = is_literal ? CharacterReference{at_, false, 0}
                                              : entities_.reference(at_, end_, EntityNames::Place::kText);
  if (found.end == at_) {
    flush(at_ + 1);
    out_.append("amp;");
    return at_ + 1;
  }
  if (!found.valid) {
    drop(found.end);
    return at_;
  }
  flush(at_);
  write_reference(out_, found);
  kept_ = found.end;
  return found.end;
}

// The run of text at at_, where text may not stand: it opens a paragraph, unless it is white space before a
// tag or the end. That is passed on, the parser may look at it. What is no text at all is left out.
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
      block_begins_ = false;
      if (blanks >= kTextPieceBytes) start_paragraph();
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

// Up to `until`, but for the controls between them.
void Prefilter::keep_blanks(const char* until) {
  while (at_ != until) {
    if (is(*at_, kBlank)) {
      ++at_;
    } else {
      drop(at_ + (is(*at_, kControl) ? 1 : 3));
    }
  }
}

// All text up to the next tag.
void Prefilter::text_to_run() {
  after_text_ = true;
  flush(at_);
  for (const char* next = at_;;) {
    next = text_stop(next, end_);
    const bool at_tag = next == end_ || *next == '<';
    CharacterReference special{next, false, 0};
    if (!at_tag && *next == '&') {
      const bool is_literal = next < raw_end_ && !raw_references_;
      if (!is_literal) special = entities_.reference(next, end_, EntityNames::Place::kText);
      if (special.end == next) {
        ++next;
        continue;
      }
    } else if (!at_tag) {
      special.end += is(*next, kControl) ? 1 : 3;
    }
    add_text(at_, next);
    at_ = kept_ = next;
    if (at_tag || is_full()) return;
    if (special.valid) {
      add_character(special.value);
      if (special.second != 0) add_character(special.second);
      at_ = kept_ = special.end;
    } else {
      drop(special.end);
    }
    next = at_;
  }
}

void Prefilter::start_paragraph() {
  const uint32_t remaining = open_.start_paragraph();
  if (hidden_.level > remaining) hidden_ = Hidden{};
  forget_openings();
}

// What follows need not make the parser open one: it may be blank once the controls are left out.
void Prefilter::open_paragraph() {
  start_paragraph();
  if (with_runs_) {
    begin_run(kParagraphMarker);
  } else {
    flush(at_);
    out_.append("<p>");
  }
}

// A script or the like with its body; at_ is at its start tag.
void Prefilter::hidden_raw_text(const StartTag& tag, bool leave_out) {
  if (!leave_out) {
    attributes_.clear();
    write_tag(tag);
    opened_[open_.size()].can_go = false;
  }
  const char* const end_tag = raw_text_end(tag.behind, end_, known(tag.id));
  drop(end_tag);
  if (!leave_out || end_tag == end_) return;
  open_.pop();
  const char* const close = end_tag_close(end_tag + 2 + tag.name.size(), end_);
  drop(close == end_ ? end_ : close + 1);
}

// The element that has just been opened holds text only.
void Prefilter::begin_raw_text(const StartTag& tag, RawText raw) {
  raw_end_ = raw_text_end(tag.behind, end_, known(tag.id));
  raw_references_ = raw == RawText::kReferences;
}

}  // namespace nd::text
