#include "text/prefilter.hpp"

#include "text/site.hpp"

namespace nd::text {
namespace {

// libxml2 2.9 hands on text in pieces of this size, and looks at each of them whether it is white space.
constexpr size_t kTextPieceBytes = 1000;
constexpr size_t kMaxValueBytes = 65536;
constexpr size_t kUnknownSlots = 2 * kMaxUnknownElements;
// The shortest and the longest name of an entity in HTML 4.
constexpr size_t kMinEntityBytes = 2;
constexpr size_t kMaxEntityBytes = 8;
// Keeps the text before it apart from the text behind it, where that matters to the parser.
constexpr std::string_view kSeparator = "<!---->";

bool holds_raw_text(Element element) noexcept { return element == Element::kScript || element == Element::kStyle; }

bool has_reference(std::string_view value) noexcept { return value.find('&') != std::string_view::npos; }

bool is_misplaceable(ElementId id) noexcept {
  return id == id_of(Element::kHtml) || id == id_of(Element::kHead) || id == id_of(Element::kBody);
}

// origin_of() sees no further than the '&' at `reference`, whatever that stands for.
bool origin_ends_before(std::string_view url, size_t reference) noexcept {
  const std::string_view before = url.substr(0, reference);
  const std::string_view origin = origin_of(before);
  if (!origin.empty()) return origin.end() != before.end();
  size_t at = 0;
  while (at < before.size() && static_cast<unsigned char>(before[at]) <= ' ') ++at;
  const auto is_scheme_byte = [&](char c) { return is(c, kNameByte | kNameStart) || c == '+'; };
  while (at < before.size() && is_scheme_byte(before[at])) ++at;
  return at + 2 < before.size();
}

}  // namespace

std::string_view Prefilter::run(std::string_view html, uint32_t depth) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  out_.clear();
  open_.reset(depth);
  unknown_names_.assign(kUnknownSlots, 0);
  unknown_ids_.resize(kUnknownSlots);
  unknown_count_ = 0;
  ignored_by_parser_ = 0;
  after_text_ = false;
  limited_ = false;
  if (html.empty()) return {};
  at_ = kept_ = html.data();
  end_ = html.data() + html.size();
  prolog();
  content();
  flush(end_);
  return out_;
}

void Prefilter::flush(const char* until) {
  out_.append(kept_, static_cast<size_t>(until - kept_));
  kept_ = until;
}

// Leaves out [at_, until).
void Prefilter::drop(const char* until) {
  flush(at_);
  kept_ = at_ = until;
  if (after_text_ && open_.in_shell()) {
    out_.append(kSeparator);
    after_text_ = false;
  }
}

// The same for a tag beyond the limit.
void Prefilter::drop_tag(const char* until, ElementId id) {
  drop(until);
  if ((traits_of(known(id)).flags & kSeparates) == 0) return;
  out_.append("<br>");
  after_text_ = false;
}

void Prefilter::prolog() {
  const auto skip_comments_and_instructions = [this] {
    for (;;) {
      at_ = skip_blanks(at_, end_);
      if (starts_with_word(at_, end_, "<!--")) {
        drop(comment_end(at_ + 4, end_));
      } else if (starts_with_word(at_, end_, "<?")) {
        const char* const behind = instruction_end(at_, end_);
        if (behind == nullptr) {
          at_ += 2;
        } else {
          drop(behind);
        }
      } else {
        return;
      }
    }
  };
  skip_comments_and_instructions();
  if (!starts_with_word(at_, end_, "<!doctype")) return;
  at_ = doctype_end(at_ + 9, end_);
  skip_comments_and_instructions();
}

void Prefilter::content() {
  while (at_ != end_) {
    if (*at_ != '<') {
      text();
      continue;
    }
    const char next = at_ + 1 == end_ ? '\0' : at_[1];
    if (is(next, kLetter)) {
      start_tag();
    } else if (next == '/') {
      end_tag();
    } else if (next == '!') {
      declaration();
    } else if (next == '?') {
      instruction();
    } else {
      ++at_;
      after_text_ = true;
    }
  }
}

void Prefilter::declaration() {
  if (starts_with_word(at_, end_, "<!--")) return drop(comment_end(at_ + 4, end_));
  if (!starts_with_word(at_, end_, "<!doctype")) {
    ++at_;
    after_text_ = true;
    return;
  }
  at_ = doctype_end(at_ + 9, end_);
  after_text_ = false;
  // Right behind a misplaced doctype, an end tag or another doctype is text.
  if (starts_with_word(at_, end_, "</") || starts_with_word(at_, end_, "<!doctype")) {
    ++at_;
    after_text_ = true;
  }
}

void Prefilter::instruction() {
  if (const char* const behind = instruction_end(at_, end_)) return drop(behind);
  at_ += 2;
  after_text_ = false;
}

void Prefilter::start_tag() {
  const MarkupName name = read_markup_name(at_ + 1, end_);
  StartTag tag;
  tag.name_end = name.written.data() + name.written.size();
  const bool identified = identify(name, tag.id);
  read_attributes(tag);
  const bool complete = tag.close != end_;
  tag.self_closing = complete && *tag.close == '/';
  tag.behind = tag.close + (complete ? (tag.self_closing ? 2 : 1) : 0);
  if (!identified) return drop(tag.behind);
  if (const size_t dot = name.written.find('.'); dot != std::string_view::npos) {
    // libxml2 looks ahead as far as the dot only, and closes elements for what stands before it.
    ElementId before_dot = 0;
    if (identify(read_markup_name(at_ + 1, at_ + 1 + dot), before_dot)) open_.close_for(before_dot);
  }
  const Element element = known(tag.id);
  const unsigned flags = traits_of(element).flags;
  const bool stays = complete && !tag.self_closing && (flags & kIsVoid) == 0;
  const OpenElements::Start start = open_.start(tag.id, stays);
  const bool changes_nothing = start.closed == 0 && !start.implied;
  if (start.discarded) return misplaced_tag(tag, start);
  limited_ |= start.beyond_limit && stays;
  if (stays && holds_raw_text(element)) return raw_text(tag, changes_nothing || start.beyond_limit);
  if (start.beyond_limit) return drop_tag(tag.behind, tag.id);
  choose_attributes(element, stays);
  if (complete && !stays && changes_nothing && attributes_.empty() && (flags & kSeparates) == 0 &&
      element != Element::kTitle) {
    return drop(tag.behind);
  }
  write_tag(tag);
}

// An ignored html, head or body. The parser has to see it only for what else it does.
void Prefilter::misplaced_tag(const StartTag& tag, const OpenElements::Start& start) {
  const bool closes_innermost = tag.self_closing && !start.beyond_limit;
  if (tag.self_closing) open_.pop();
  if (start.closed == 0 && !closes_innermost) return drop(tag.behind);
  attributes_.clear();
  write_tag(tag);
  ++ignored_by_parser_;
}

void Prefilter::end_tag() {
  const MarkupName name = read_markup_name(at_ + 2, end_);
  if (name.written.empty()) {
    // "</" vanishes, what follows is text.
    at_ += 2;
    after_text_ = false;
    return;
  }
  const char* const name_end = name.written.data() + name.written.size();
  const char* const close = find_byte(name_end, end_, '>');
  const char* const behind = close == end_ ? end_ : close + 1;
  ElementId id = 0;
  if (!identify(name, id)) return drop(behind);
  const bool ignored_by_parser = is_misplaceable(id) && open_.misplaced() != 0 && ignored_by_parser_ != 0;
  const OpenElements::End end = open_.end(id);
  if (ignored_by_parser) {
    --ignored_by_parser_;
  } else if (end == OpenElements::End::kIgnored) {
    return drop(behind);
  } else if (end == OpenElements::End::kHidden) {
    return drop_tag(behind, id);
  }
  if (close != end_ && close != name_end) {
    flush(name_end);
    kept_ = close;
  }
  at_ = behind;
  after_text_ = false;
}

// A script or style with its body; at_ is at its start tag.
void Prefilter::raw_text(const StartTag& tag, bool leave_out) {
  if (!leave_out) {
    attributes_.clear();
    write_tag(tag);
  }
  const char* at = tag.behind;
  while (at != end_ && !ends_raw_text(at, known(tag.id))) {
  }
  drop(at);
  const bool own_end =
      starts_with_word(at, end_, "</") && find_element(read_markup_name(at + 2, end_).key) == known(tag.id);
  if (!leave_out || !own_end) return;
  open_.pop();
  const char* const close = find_byte(at, end_, '>');
  drop(close == end_ ? end_ : close + 1);
}

// Whether a tag stands at `at` that ends the raw text; if not, moves on. Tags of other elements are looked at only
// at the very beginning, and behind an end tag that is ignored.
bool Prefilter::ends_raw_text(const char*& at, Element element) {
  if (starts_with_word(at, end_, "</")) {
    const MarkupName name = read_markup_name(at + 2, end_);
    ElementId id = 0;
    if (!name.written.empty()) {
      if (identify(name, id) && open_.would_close(id)) return true;
      const char* const close = find_byte(at, end_, '>');
      at = close == end_ ? end_ : close + 1;
    } else {
      at += 2;
    }
    return false;
  }
  if (*at == '<') {
    const MarkupName name = read_markup_name(at + 1, end_);
    if (traits_of(find_element(name.key)).closes.contains(element)) return true;
  }
  at = raw_text_end(at, end_, traits_of(element).name);
  return false;
}

// An id for every name; false if there are too many made-up ones.
bool Prefilter::identify(const MarkupName& name, ElementId& id) {
  if (name.has_key()) {
    if (const Element element = find_element(name.key); element != Element::kUnknown) {
      id = id_of(element);
      return true;
    }
  }
  size_t slot = name.hash % kUnknownSlots;
  while (unknown_names_[slot] != 0 && unknown_names_[slot] != name.hash) slot = (slot + 1) % kUnknownSlots;
  if (unknown_names_[slot] == 0) {
    if (unknown_count_ == kMaxUnknownElements) {
      limited_ = true;
      return false;
    }
    unknown_names_[slot] = name.hash;
    unknown_ids_[slot] = static_cast<ElementId>(kFirstUnknownElement + unknown_count_++);
  }
  id = unknown_ids_[slot];
  return true;
}

// ---- Attributes

void Prefilter::read_attributes(StartTag& tag) {
  attributes_.clear();
  uint32_t seen = 0;
  const char* at = skip_blanks(tag.name_end, end_);
  while (!ends_tag(at, end_)) {
    const MarkupAttribute markup = read_attribute(at, end_);
    if (markup.name.written.empty() || !markup.name.has_key()) continue;
    const Attribute attribute = find_attribute(markup.name.key);
    if (attribute == Attribute::kOther) continue;
    const uint32_t bit = 1U << static_cast<uint32_t>(attribute);
    if ((seen & bit) != 0) continue;
    seen |= bit;
    if (is_needed(attribute, known(tag.id), markup.value)) attributes_.push_back(Kept{attribute, markup});
  }
  tag.close = at;
}

bool Prefilter::is_needed(Attribute attribute, Element element, std::string_view value) const noexcept {
  switch (attribute) {
    case Attribute::kHidden: return true;
    case Attribute::kRole: return context_of_role(value) != 0 || has_reference(value);
    case Attribute::kAriaHidden: return aria_hides(value) || has_reference(value);
    case Attribute::kStyle: return style_hides(value) || has_reference(value);
    case Attribute::kHref: return element == Element::kA || element == Element::kLink;
    case Attribute::kRel:
    case Attribute::kHreflang: return element == Element::kLink;
    case Attribute::kLang:
    case Attribute::kXmlLang: return element == Element::kHtml;
    case Attribute::kName:
    case Attribute::kProperty:
    case Attribute::kHttpEquiv:
    case Attribute::kContent: return element == Element::kMeta;
    case Attribute::kOther:
    case Attribute::kCount: break;
  }
  return false;
}

std::string_view Prefilter::value_of(Attribute attribute) const noexcept {
  for (const Kept& kept : attributes_) {
    if (kept.attribute == attribute) return kept.markup.value;
  }
  return {};
}

// What is_needed() cannot tell from one attribute alone.
void Prefilter::choose_attributes(Element element, bool stays) {
  if (attributes_.empty()) return;
  bool needed = stays;
  if (element == Element::kHtml) {
    needed = true;
  } else if (element == Element::kLink) {
    const std::string_view rel = value_of(Attribute::kRel);
    needed = link_types(rel) != 0 || has_reference(rel);
  } else if (element == Element::kMeta) {
    const std::string_view name = value_of(Attribute::kName);
    const std::string_view property = value_of(Attribute::kProperty);
    const std::string_view http_equiv = value_of(Attribute::kHttpEquiv);
    needed = meta_field(name, property, http_equiv) != MetaField::kNone || has_reference(name) ||
             has_reference(property) || has_reference(http_equiv);
  }
  if (!needed) attributes_.clear();
}

void Prefilter::write_tag(const StartTag& tag) {
  if (tag.close != tag.name_end) {
    flush(tag.name_end);
    const bool is_anchor = tag.id == id_of(Element::kA);
    for (const Kept& kept : attributes_) {
      if (is_anchor && kept.attribute == Attribute::kHref && write_target(kept.markup.value)) continue;
      write_attribute(kept.markup);
    }
    kept_ = tag.close;
  }
  at_ = tag.behind;
  after_text_ = false;
}

void Prefilter::write_attribute(const MarkupAttribute& attribute) {
  out_.push_back(' ');
  if (attribute.value.size() > kMaxValueBytes) {
    size_t size = static_cast<size_t>(attribute.value.data() - attribute.written.data()) + kMaxValueBytes;
    while ((static_cast<unsigned char>(attribute.written[size]) & 0xc0) == 0x80) --size;
    out_.append(attribute.written.substr(0, size));
    if (attribute.quote != '\0') out_.push_back(attribute.quote);
  } else {
    out_.append(attribute.written);
  }
  if (attribute.quote == '\0') out_.push_back(' ');
}

// Of the target of an anchor only the origin is of interest. False if a reference might hide it.
bool Prefilter::write_target(std::string_view url) {
  const size_t reference = url.find('&');
  if (reference != std::string_view::npos && !origin_ends_before(url, reference)) return false;
  const std::string_view origin = origin_of(url);
  if (origin.size() > kMaxValueBytes || origin.find('"') != std::string_view::npos) return false;
  out_.append(" href");
  if (!origin.empty()) {
    out_.append("=\"");
    out_.append(origin);
    out_.push_back('"');
  }
  return true;
}

// ---- Text

void Prefilter::text() {
  const char* begin = at_;
  while (at_ != end_) {
    while (at_ != end_ && !is(*at_, kTextStop)) ++at_;
    if (at_ == end_ || *at_ == '<') break;
    if (*at_ == '&') {
      const bool in_shell = open_.in_shell();
      note_text(begin, at_);
      at_ = reference(in_shell && !open_.in_shell());
      begin = at_;
    } else if (is(*at_, kControl)) {
      flush(at_);
      kept_ = ++at_;
    } else if (is_noncharacter(at_, end_)) {
      flush(at_);
      kept_ = at_ += 3;
    } else {
      ++at_;
    }
  }
  note_text(begin, at_);
}

// A run of text up to `next`, where a tag, a reference or the end follows: where text may not stand it opens a
// paragraph, unless it is white space before a tag or the end.
void Prefilter::note_text(const char* begin, const char* next) {
  if (begin == next) return;
  after_text_ = true;
  if (!open_.in_shell()) return;
  size_t blanks = 0;
  for (const char* at = begin; at != next; ++at) {
    if (is(*at, kControl)) continue;
    if (is_noncharacter(at, next)) {
      at += 2;
      continue;
    }
    if (!is(*at, kBlank)) return open_.start_paragraph();
    ++blanks;
  }
  const bool before_reference = next != end_ && *next == '&';
  if (blanks >= kTextPieceBytes || (blanks != 0 && before_reference)) open_.start_paragraph();
}

// The reference at at_. Makes it one that the parser reads without complaint; returns where text goes on.
// `opened_paragraph`: that it follows white space has opened one, so it must not go.
const char* Prefilter::reference(bool opened_paragraph) {
  const char* const name = at_ + 1;
  if (name != end_ && *name == '#') {
    const CharacterReference numeric = read_numeric_reference(at_, end_);
    if (!numeric.valid) {
      if (opened_paragraph) return numeric.end;
      flush(at_);
      kept_ = numeric.end;
      return numeric.end;
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
  while (behind != end_ && is(*behind, kNameByte)) ++behind;
  const auto size = static_cast<size_t>(behind - name);
  if (behind != end_ && *behind == ';' && is(*name, kLetter) && size >= kMinEntityBytes && size <= kMaxEntityBytes) {
    return behind + 1;
  }
  flush(name);
  out_.append("amp;");
  return name;
}

void Prefilter::note_reference() {
  after_text_ = true;
  if (open_.in_shell()) open_.start_paragraph();
}

}  // namespace nd::text
