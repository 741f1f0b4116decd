#include "text/prefilter.hpp"

#include <libxml/HTMLparser.h>

#include <cstring>

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
constexpr uint32_t kMostImplied = 3;  // html, body, p
// Keeps the text before it apart from the text behind it, where that matters to the parser.
constexpr std::string_view kSeparator = "<!---->";
// An end tag that matches nothing.
constexpr std::string_view kNothing = "</x>";

bool holds_raw_text(Element element) noexcept {
  return element == Element::kScript || element == Element::kStyle;
}

bool has_reference(std::string_view value) noexcept {
  return value.find('&') != std::string_view::npos;
}

bool is_misplaceable(ElementId id) noexcept {
  return id == id_of(Element::kHtml) || id == id_of(Element::kHead) || id == id_of(Element::kBody);
}

// origin_of() sees no further than the '&' at `reference`, whatever that stands for.
bool origin_ends_before(std::string_view url, size_t reference) noexcept {
  const std::string_view before = url.substr(0, reference);
  const std::string_view origin = origin_of(before);
  if (!origin.empty()) return origin.end() != before.end();
  size_t at = 0;
  while (at < before.size() && static_cast<unsigned char>(before[at]) <= ' ')
    ++at;
  const auto is_scheme_byte = [&](char c) { return is(c, kNameByte | kNameStart) || c == '+'; };
  while (at < before.size() && is_scheme_byte(before[at]))
    ++at;
  return at + 2 < before.size();
}

}  // namespace

std::string_view Prefilter::run(std::string_view html, uint32_t depth) {
  if (html.starts_with("\xef\xbb\xbf")) html.remove_prefix(3);
  out_.clear();
  open_.reset(depth);
  opened_.resize(depth + 1);
  unknown_names_.assign(kUnknownSlots, 0);
  unknown_ids_.resize(kUnknownSlots);
  unknown_count_ = 0;
  after_text_ = false;
  fragile_ = false;
  block_begins_ = true;
  behind_doctype_ = nullptr;
  hidden_ = Hidden{};
  limited_ = false;
  if (html.empty()) return {};
  at_ = kept_ = html.data();
  end_ = html.data() + html.size();
  prolog_size_ = SIZE_MAX;
  prolog();
  prolog_size_ = written();
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
  // With nothing here the parser would take what follows for the prolog, where doctypes and white space
  // differ.
  if (out_.size() == prolog_size_) out_.append(kNothing);
  kept_ = at_ = until;
  if (fragile_ || (after_text_ && open_.in_shell())) {
    out_.append(kSeparator);
    after_text_ = false;
    fragile_ = false;
  }
}

void Prefilter::note_markup() noexcept {
  after_text_ = false;
  fragile_ = false;
}

// Stands for tags that are left out but separate blocks.
void Prefilter::separate() {
  if (block_begins_) return;
  flush(at_);
  out_.append("<br>");
  note_markup();
  note_separation(kSeparates);
}

void Prefilter::prolog() {
  const auto skip_comments_and_instructions = [this] {
    for (;;) {
      at_ = skip_blanks(at_, end_);
      if (starts_with_word(at_, end_, "<!--")) {
        drop(comment_end(at_ + 4, end_));
      } else if (starts_with_word(at_, end_, "<?")) {
        const char* const behind = instruction_end(at_, end_);
        drop(behind == nullptr ? at_ + 2 : behind);
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
      literal_bracket();
    }
  }
}

// A '<' that begins no tag. In the output something that does might come to stand behind it.
void Prefilter::literal_bracket() {
  if (open_.in_shell()) {
    // Unlike a reference, it opens no paragraph.
    ++at_;
    fragile_ = true;
  } else {
    flush(at_);
    out_.append("&lt;");
    kept_ = ++at_;
  }
  after_text_ = true;
  block_begins_ = false;
}

void Prefilter::declaration() {
  if (starts_with_word(at_, end_, "<!--")) return drop(comment_end(at_ + 4, end_));
  if (!starts_with_word(at_, end_, "<!doctype")) return literal_bracket();
  at_ = behind_doctype_ = doctype_end(at_ + 9, end_);
  after_text_ = false;
  fragile_ = true;
  // Right behind a misplaced doctype, an end tag or another doctype is text.
  if (starts_with_word(at_, end_, "</") || starts_with_word(at_, end_, "<!doctype")) literal_bracket();
}

void Prefilter::instruction() {
  const char* const behind = instruction_end(at_, end_);
  drop(behind == nullptr ? at_ + 2 : behind);
}

void Prefilter::start_tag() {
  const TagName name = read_tag_name(at_ + 1, end_);
  StartTag tag;
  tag.name_end = name.written.data() + name.written.size();
  const bool identified = identify(name, tag.id);
  read_attributes(tag);
  const bool complete = tag.close != end_;
  tag.self_closing = complete && *tag.close == '/';
  tag.behind = tag.close + (complete ? (tag.self_closing ? 2 : 1) : 0);
  if (!identified) return drop(tag.behind);
  bool closed_by_prefix = false;
  if (const size_t dot = name.written.find('.'); dot != std::string_view::npos && at_ != behind_doctype_) {
    // libxml2 looks ahead as far as the dot only, and closes elements for what stands before it; not right
    // behind a doctype.
    ElementId before_dot = 0;
    if (identify(read_tag_name(at_ + 1, at_ + 1 + dot), before_dot)) {
      closed_by_prefix = open_.close_for(before_dot);
    }
    if (hidden_.level > open_.size()) hidden_ = Hidden{};
  }
  const Element element = known(tag.id);
  const unsigned flags = traits_of(element).flags;
  const bool stays = complete && !tag.self_closing && (flags & kIsVoid) == 0;
  const OpenElements::Start start = open_.start(tag.id, stays);
  const bool changes_nothing = start.closed == 0 && !start.implied && !closed_by_prefix;
  if (hidden_.level > start.remaining) hidden_ = Hidden{};
  if (start.implied) forget_openings();
  if (start.discarded) return misplaced_tag(tag, start);
  limited_ |= start.beyond_limit && stays;
  if (stays && holds_raw_text(element)) return raw_text(tag, changes_nothing || start.beyond_limit);
  if (start.beyond_limit) {
    drop(tag.behind);
    if ((flags & kSeparates) != 0) separate();
    return;
  }
  choose_attributes(element, stays);
  const bool separates = (flags & kSeparates) != 0;
  if (complete && !stays && changes_nothing && attributes_.empty() && (!separates || block_begins_) &&
      element != Element::kTitle && !is_misplaceable(tag.id)) {
    return drop(tag.behind);
  }
  const Mark before = mark();
  write_tag(tag);
  if (stays) note_opening(tag, before, changes_nothing);
  note_separation(flags);
}

void Prefilter::note_opening(const StartTag& tag, const Mark& before, bool changes_nothing) {
  const Element element = known(tag.id);
  const uint32_t level = open_.size();
  opened_[level] = Opened{before, tag.id, written(),
                          changes_nothing && element != Element::kTitle && !is_misplaceable(tag.id)};
  if (hidden_.level != 0 || open_.is_open(Element::kTitle)) return;
  const Hiding hides = hiding(element);
  if (hides == Hiding::kNo) return;
  // Its own tag separates blocks, nothing inside does.
  note_separation(traits_of(element).flags);
  hidden_ = Hidden{level, changes_nothing && hides == Hiding::kYes, before, open_.shell_state()};
}

// An ignored html, head or body: what it closes is closed by end tags in its place.
void Prefilter::misplaced_tag(const StartTag& tag, const OpenElements::Start& start) {
  drop(tag.behind);
  for (uint32_t distance = start.closed; distance > 0; --distance) {
    out_.append("</").append(traits_of(known(open_.above_innermost(distance))).name).append(">");
    note_markup();
  }
  if (!tag.self_closing) return;
  // "/>" takes away the innermost element instead. There is no end tag for that: the parser has to see this.
  if (!start.beyond_limit) {
    const std::string_view name = traits_of(known(tag.id)).name;
    out_.append("<").append(name).append("/>");
    // And has to ignore the end tag that it then expects.
    out_.append("</").append(name).append(">");
    note_markup();
  }
  open_.pop();
  if (hidden_.level > open_.size()) hidden_ = Hidden{};
}

void Prefilter::end_tag() {
  const TagName name = read_tag_name(at_ + 2, end_);
  if (name.written.empty()) {
    // "</" vanishes, what follows is text.
    return drop(at_ + 2);
  }
  const char* const name_end = name.written.data() + name.written.size();
  const char* const close = find_byte(name_end, end_, '>');
  const char* const behind = close == end_ ? end_ : close + 1;
  ElementId id = 0;
  if (!identify(name, id)) return drop(behind);
  const OpenElements::End end = open_.end(id);
  if (hidden_.level > open_.size() && leave_out_hidden(id, behind)) return;
  if (end == OpenElements::End::kClosed && leave_out_empty(id, behind)) return;
  if (end == OpenElements::End::kIgnored) {
    return drop(behind);
  } else if (end == OpenElements::End::kHidden) {
    drop(behind);
    if ((traits_of(known(id)).flags & kSeparates) != 0) separate();
    return;
  }
  if (close != end_ && close != name_end) {
    flush(name_end);
    kept_ = close;
  }
  at_ = behind;
  note_markup();
  note_separation(traits_of(known(id)).flags);
}

void Prefilter::note_separation(unsigned flags) noexcept {
  if (hidden_.level == 0 && (flags & kSeparates) != 0 && !open_.is_open(Element::kTitle))
    block_begins_ = true;
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
      separates_shell(id)) {
    return false;
  }
  go_back(hidden.before, id, behind);
  return true;
}

// <br> cannot stand for an element here: it would open the body.
bool Prefilter::separates_shell(ElementId id) const noexcept {
  return (traits_of(known(id)).flags & kSeparates) != 0 && open_.in_shell();
}

// An element with nothing in it needs no tags, unless they separate blocks.
bool Prefilter::leave_out_empty(ElementId id, const char* behind) {
  const Opened& opened = opened_[open_.size() + 1];
  if (separates_shell(id)) return false;
  if (!opened.can_go || opened.id != id || opened.behind != written()) return false;
  go_back(opened.before, id, behind);
  return true;
}

Prefilter::Mark Prefilter::mark() {
  flush(at_);
  return Mark{out_.size(), after_text_, fragile_, block_begins_};
}

void Prefilter::go_back(const Mark& mark, ElementId id, const char* behind) {
  out_.resize(mark.output);
  kept_ = at_ = behind;
  after_text_ = mark.after_text;
  fragile_ = mark.fragile;
  block_begins_ = mark.block_begins;
  drop(behind);
  if ((traits_of(known(id)).flags & kSeparates) != 0) separate();
}

// A script or style with its body; at_ is at its start tag.
void Prefilter::raw_text(const StartTag& tag, bool leave_out) {
  if (!leave_out) {
    attributes_.clear();
    write_tag(tag);
    opened_[open_.size()].can_go = false;
  }
  const char* at = tag.behind;
  while (at != end_ && !ends_raw_text(at, known(tag.id))) {
  }
  drop(at);
  const bool own_end =
      starts_with_word(at, end_, "</") && find_element(read_tag_name(at + 2, end_).key) == known(tag.id);
  if (!leave_out || !own_end) return;
  open_.pop();
  const char* const close = find_byte(at, end_, '>');
  drop(close == end_ ? end_ : close + 1);
}

// Whether a tag stands at `at` that ends the raw text; if not, moves on. Tags of other elements are looked at
// only at the very beginning, and behind an end tag that is ignored.
bool Prefilter::ends_raw_text(const char*& at, Element element) {
  if (starts_with_word(at, end_, "</")) {
    const TagName name = read_tag_name(at + 2, end_);
    ElementId id = 0;
    if (!name.written.empty()) {
      if (identify(name, id)) {
        if (open_.would_close(id)) return true;
        open_.end(id);
      }
      const char* const close = find_byte(at, end_, '>');
      at = close == end_ ? end_ : close + 1;
    } else {
      at += 2;
    }
    return false;
  }
  if (*at == '<') {
    const TagName name = read_tag_name(at + 1, end_);
    if (traits_of(find_element(name.key)).closes.contains(element)) return true;
  }
  at = raw_text_end(at, end_, traits_of(element).name);
  return false;
}

// An id for every name; false if there are too many made-up ones.
bool Prefilter::identify(const TagName& name, ElementId& id) {
  if (const Element element = find_element(name.key); element != Element::kUnknown) {
    id = id_of(element);
    return true;
  }
  size_t slot = name.hash % kUnknownSlots;
  while (unknown_names_[slot] != 0 && unknown_names_[slot] != name.hash)
    slot = (slot + 1) % kUnknownSlots;
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
    const Attribute attribute = find_attribute(markup.name);
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
    case Attribute::kHidden:
      return true;
    case Attribute::kRole:
      return context_of_role(value) != 0 || has_reference(value);
    case Attribute::kAriaHidden:
      return aria_hides(value) || has_reference(value);
    case Attribute::kStyle:
      return style_hides(value) || has_reference(value);
    case Attribute::kHref:
      return element == Element::kA || element == Element::kLink;
    case Attribute::kRel:
    case Attribute::kHreflang:
      return element == Element::kLink;
    case Attribute::kLang:
    case Attribute::kXmlLang:
      return element == Element::kHtml;
    case Attribute::kName:
    case Attribute::kProperty:
    case Attribute::kHttpEquiv:
    case Attribute::kContent:
      return element == Element::kMeta;
    case Attribute::kOther:
    case Attribute::kCount:
      break;
  }
  return false;
}

Prefilter::Hiding Prefilter::hiding(Element element) const noexcept {
  if ((traits_of(element).flags & kHides) != 0) return Hiding::kYes;
  if (element == Element::kHtml || element == Element::kBody) return Hiding::kNo;
  Hiding result = Hiding::kNo;
  for (const Kept& kept : attributes_) {
    switch (kept.attribute) {
      case Attribute::kHidden:
        return Hiding::kYes;
      case Attribute::kAriaHidden:
      case Attribute::kStyle:
        if (!has_reference(kept.markup.value)) return Hiding::kYes;
        result = Hiding::kMaybe;
        break;
      default:
        break;
    }
  }
  return result;
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
    const uint8_t types = link_types(rel);
    needed = (types & kCanonical) != 0 || has_reference(rel) ||
             ((types & kAlternate) != 0 && !value_of(Attribute::kHreflang).empty());
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
  note_markup();
}

void Prefilter::write_attribute(const MarkupAttribute& attribute) {
  out_.push_back(' ');
  if (attribute.value.size() > kMaxValueBytes) {
    size_t size = static_cast<size_t>(attribute.value.data() - attribute.written.data()) + kMaxValueBytes;
    while ((static_cast<unsigned char>(attribute.written[size]) & 0xc0) == 0x80)
      --size;
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
  if (block_begins_) drop_blanks();
  const char* begin = at_;
  while (at_ != end_) {
    while (at_ != end_ && !is(*at_, kTextStop))
      ++at_;
    if (at_ == end_ || *at_ == '<') break;
    if (*at_ == '&') {
      const bool in_shell = open_.in_shell();
      note_text(begin, at_);
      at_ = reference(in_shell && !open_.in_shell());
      begin = at_;
    } else if (is(*at_, kControl)) {
      drop(at_ + 1);
    } else if (is_noncharacter(at_, end_)) {
      drop(at_ + 3);
    } else {
      ++at_;
    }
  }
  note_text(begin, at_);
}

// White space at the beginning of a block is trimmed anyway.
void Prefilter::drop_blanks() {
  const char* const behind = skip_blanks(at_, end_);
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
  if (behind != end_ && *behind == ';' && is_entity({name, size})) return behind + 1;
  flush(name);
  out_.append("amp;");
  return name;
}

// Asked of libxml2, whose list is searched from one end to the other; so the answers are remembered.
bool Prefilter::is_entity(std::string_view name) {
  if (name.size() < kMinEntityBytes || name.size() > kMaxEntityBytes) return false;
  std::array<char, kMaxEntityBytes + 1> text{};
  std::memcpy(text.data(), name.data(), name.size());
  uint64_t key = 0;
  std::memcpy(&key, text.data(), sizeof key);
  Entity& entity = entities_[mix(NameKey{key, 0}) % entities_.size()];
  if (entity.key != key)
    entity = Entity{key, htmlEntityLookup(reinterpret_cast<const xmlChar*>(text.data())) != nullptr};
  return entity.known;
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
