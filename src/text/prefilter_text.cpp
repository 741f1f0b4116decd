// The text of a page, as the prefilter passes it on: references and characters that cost the parser an error
// message are rewritten or left out, white space that nobody will see is left out.
#include "text/prefilter.hpp"

namespace nd::text {
namespace {

// libxml2 2.9 hands on text in pieces of this size, and looks at each of them whether it is white space.
constexpr size_t kTextPieceBytes = 1000;

}  // namespace

void Prefilter::text() {
  if (block_begins_) {
    drop_blanks();
    if (at_ != end_ && *at_ == '<') return;
  }
  const char* begin = at_;
  for (;;) {
    at_ = text_stop(at_, end_);
    if (at_ == end_ || *at_ == '<') break;
    if (*at_ == '&') {
      const bool in_shell = open_.in_shell();
      note_text(begin, at_);
      at_ = reference(in_shell && !open_.in_shell());
      begin = at_;
    } else {
      drop(at_ + (is(*at_, kControl) ? 1 : 3));
    }
  }
  note_text(begin, at_);
}

// White space at the beginning of a block is trimmed anyway.
void Prefilter::drop_blanks() {
  const char* const behind = skip_many_blanks(at_, end_);
  if (behind == at_ || open_.is_open(Element::kTitle)) return;
  const bool matters_to_parser =
      static_cast<size_t>(behind - at_) >= kTextPieceBytes || (behind != end_ && *behind == '&');
  if (matters_to_parser && open_.in_shell()) return;
  drop(behind);
}

// A run of text up to `next`, where a tag, a reference or the end follows: where text may not stand it opens
// a paragraph, unless it is white space before a tag or the end.
void Prefilter::note_text(const char* begin, const char* next) {
  if (begin == next) return;
  after_text_ = true;
  block_begins_ = false;
  if (!open_.in_shell()) return;
  size_t blanks = 0;
  for (const char* at = begin; at != next; ++at) {
    if (is(*at, kControl)) continue;
    if (is_noncharacter(at, next)) {
      at += 2;
      continue;
    }
    if (!is(*at, kBlank)) return start_paragraph();
    ++blanks;
  }
  const bool before_reference = next != end_ && *next == '&';
  if (blanks >= kTextPieceBytes || (blanks != 0 && before_reference)) start_paragraph();
}

// The reference at at_. Makes it one that the parser reads without complaint; returns where text goes on.
// `opened_paragraph`: that it follows white space has opened one, so it must not go.
const char* Prefilter::reference(bool opened_paragraph) {
  const char* const name = at_ + 1;
  if (name != end_ && *name == '#') {
    const CharacterReference numeric = read_numeric_reference(at_, end_);
    if (!numeric.valid) {
      drop(numeric.end);
      if (opened_paragraph) out_.append("&#0;");
      return at_;
    }
    note_reference();
    if (!numeric.terminated) {
      flush(numeric.end);
      out_.push_back(';');
    }
    return numeric.end;
  }
  note_reference();
  const char* behind = name;
  while (behind != end_ && is(*behind, kNameByte))
    ++behind;
  const auto size = static_cast<size_t>(behind - name);
  if (behind != end_ && *behind == ';' && entities_.contain({name, size})) return behind + 1;
  flush(name);
  out_.append("amp;");
  return name;
}

void Prefilter::note_reference() {
  after_text_ = true;
  fragile_ = false;
  block_begins_ = false;
  if (open_.in_shell()) start_paragraph();
}

void Prefilter::start_paragraph() {
  open_.start_paragraph();
  forget_openings();
}

}  // namespace nd::text
