// Collects text between the tags that end a block, collapses its white space, and mends what references to C1
// controls meant.
#include "reading/block_builder.hpp"

#include <algorithm>
#include <cstring>

#include "core/utf8.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text {
namespace {

// Unicode White_Space and the zero-width space and no-break space, in UTF-8. The length of the white space
// character at `at`, 0 if there is none.
size_t white_space_length(std::string_view text, size_t at) noexcept {
  const auto byte = [&](size_t offset) {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return first <= ' ' || first == 0x7f ? 1 : 0;
  switch (first) {
    case 0xc2:
      return byte(1) == 0xa0 ? 2 : 0;
    case 0xe1:
      return byte(1) == 0x9a && byte(2) == 0x80 ? 3 : 0;
    case 0xe2:
      if (byte(1) == 0x80) {
        return (byte(2) >= 0x80 && byte(2) <= 0x8b) || byte(2) == 0xa8 || byte(2) == 0xa9 || byte(2) == 0xaf
                   ? 3
                   : 0;
      }
      return byte(1) == 0x81 && byte(2) == 0x9f ? 3 : 0;
    case 0xe3:
      return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    case 0xef:
      return byte(1) == 0xbb && byte(2) == 0xbf ? 3 : 0;
    default:
      return 0;
  }
}

constexpr bool is_ascii_white_space(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7f;
}

size_t leading_ascii_white_space(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  const char* at = skip_many_blanks(text.data(), end);
  while (at != end && is_ascii_white_space(*at))
    ++at;
  return static_cast<size_t>(at - text.data());
}

size_t leading_white_space(std::string_view text) noexcept {
  size_t at = leading_ascii_white_space(text);
  while (at < text.size()) {
    const size_t length = white_space_length(text, at);
    if (length == 0) break;
    at += length;
  }
  return at;
}

// The length without the white space at the end.
size_t visible_length(std::string_view text) noexcept {
  size_t end = text.size();
  while (end > 0) {
    size_t last = end - 1;
    if (static_cast<unsigned char>(text[last]) < 0x80) {
      if (!is_ascii_white_space(text[last])) break;
      end = last;
      continue;
    }
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xc0) == 0x80)
      --last;
    if (white_space_length(text.substr(0, end), last) != end - last) break;
    end = last;
  }
  return end;
}

// The position of the next C1 control (U+0080..U+009F), text.size() if there is none.
size_t find_c1(std::string_view text, size_t at) noexcept {
  while (at + 1 < text.size()) {
    const void* const lead = std::memchr(text.data() + at, 0xc2, text.size() - 1 - at);
    if (lead == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(lead) - text.data());
    if (static_cast<unsigned char>(text[at + 1]) < 0xa0) return at;
    at += 2;
  }
  return text.size();
}

// References to C1 controls mean the characters of windows-1252 (HTML Living Standard, 13.2.5.80); the same
// characters in the text itself come from pages that were mistaken for Latin-1. `follow`: the second byte in
// UTF-8.
std::string_view meant_by_c1(char follow) noexcept {
  static constexpr std::string_view kWindows1252[32] = {
      "\u20ac",   "\xc2\x81", "\u201a", "\u0192", "\u201e", "\u2026",   "\u2020", "\u2021",
      "\u02c6",   "\u2030",   "\u0160", "\u2039", "\u0152", "\xc2\x8d", "\u017d", "\xc2\x8f",
      "\xc2\x90", "\u2018",   "\u2019", "\u201c", "\u201d", "\u2022",   "\u2013", "\u2014",
      "\u02dc",   "\u2122",   "\u0161", "\u203a", "\u0153", "\xc2\x9d", "\u017e", "\u0178"};
  return kWindows1252[static_cast<unsigned char>(follow) & 0x1f];
}

}  // namespace

void BlockBuilder::start(Extraction& out, const HtmlLimits& limits) {
  out.clear();
  out.containers.push_back(Container{0});
  out_ = &out;
  limits_ = limits;
  limits_.text_bytes = std::min(limits.text_bytes, UINT32_MAX - 1);
  scope_ = Scope{};
  outer_.clear();
  links_.clear();
  in_block_ = false;
  full_ = false;
  visible_end_ = 0;
  pending_linked_ = 0;
  work_ = 0;
}

// Containers are created with their first block, but still in order of opening.
void BlockBuilder::create_containers() {
  if (scope_.container != kPending) return;
  outer_.push_back(scope_);
  size_t first = outer_.size() - 1;
  while (outer_[first - 1].container == kPending)
    --first;
  work_ += outer_.size() - first;
  for (size_t i = first; i < outer_.size(); ++i) {
    outer_[i].container = outer_[i - 1].container;
    if (!outer_[i].holds_blocks) continue;
    if (out_->containers.size() >= limits_.blocks) {
      out_->limited = true;
      continue;
    }
    out_->containers.push_back(Container{outer_[i - 1].container});
    outer_[i].container = static_cast<uint32_t>(out_->containers.size() - 1);
  }
  scope_ = outer_.back();
  outer_.pop_back();
}

// [3] Events to blocks.
// What is in a shadow root and what is around it are different words: a blank, which changes nothing where an
// element separates them.
void BlockBuilder::open(const ElementOpening& opening) {
  if (opening.is_shadow_root) text(" ");
  outer_.push_back(scope_);
  const ElementTraits& traits = traits_of(opening.element);
  const unsigned flags = scope_.hidden ? 0U : traits.flags;
  scope_.separates = (flags & kSeparates) != 0;
  scope_.holds_blocks = (flags & kHoldsBlocks) != 0;
  scope_.links = opening.links;
  scope_.takes_shadow_root = (flags & kTakesShadowRoot) != 0;
  scope_.is_shadow_root = opening.is_shadow_root;
  scope_.hidden |= opening.hidden || ((flags & kHides) != 0 && !opening.is_shadow_root);
  if (scope_.links) links_.push_back(Link{kNoAnchor, opening.same_site});
  if (scope_.separates) end_block();
  if (scope_.holds_blocks) scope_.container = kPending;
  uint16_t context = traits.context | opening.role_context;
  if ((scope_.context & kInArticle) != 0) context &= static_cast<uint16_t>(~(kInHeader | kInFooter));
  if ((context & kNamedAny) != 0) {
    scope_.context &= static_cast<uint16_t>(~kNamedNearest);
    if ((context & kNamedAny) == kNamedContent) context |= kNamedNearest;
  }
  scope_.context |= context;
  if (traits.heading_level != 0) scope_.heading_level = traits.heading_level;
}

void BlockBuilder::close() {
  if (outer_.empty()) return;
  if (scope_.separates) end_block();
  if (scope_.links) links_.pop_back();
  if (scope_.is_shadow_root) text(" ");
  scope_ = outer_.back();
  outer_.pop_back();
}

void BlockBuilder::break_line() {
  if (!scope_.hidden) end_block();
}

void BlockBuilder::text(std::string_view characters) {
  ++work_;
  if (scope_.hidden || full_) return;
  work_ += characters.size();
  // Most of the text between blocks is the indentation of their tags.
  if (!in_block_) characters.remove_prefix(leading_ascii_white_space(characters));
  if (characters.empty()) return;
  size_t begin = 0;
  for (size_t at = 0; (at = find_c1(characters, at)) != characters.size(); at += 2) {
    take(characters.substr(begin, at - begin));
    take(meant_by_c1(characters[at + 1]));
    begin = at + 2;
  }
  take(characters.substr(begin));
}

void BlockBuilder::take(std::string_view characters) {
  if (full_) return;
  if (!in_block_) {
    characters.remove_prefix(leading_white_space(characters));
    if (characters.empty() || !begin_block()) return;
  }
  String& text = out_->text;
  const std::string_view taken = whole_characters(characters, limits_.text_bytes - text.size());
  if (taken.size() < characters.size()) {
    full_ = true;
    out_->limited = true;
  }
  const size_t begin = text.size();
  text.append(taken);
  const size_t visible = visible_length(taken);
  if (visible != 0) note_visible(begin, begin + visible);
  if (!links_.empty()) pending_linked_ += static_cast<uint32_t>(taken.size() - visible);
}

bool BlockBuilder::begin_block() {
  String& text = out_->text;
  const size_t separator = text.empty() ? 0 : 1;
  if (out_->blocks.size() >= limits_.blocks || text.size() + separator + 4 > limits_.text_bytes) {
    full_ = true;
    out_->limited = true;
    return false;
  }
  if (separator != 0) text.push_back('\n');
  create_containers();
  block_ = TextBlock{};
  block_.text.begin = static_cast<uint32_t>(text.size());
  block_.container = scope_.container;
  block_.context = scope_.context;
  block_.heading_level = scope_.heading_level;
  block_.depth = UINT8_MAX;
  visible_end_ = text.size();
  pending_linked_ = 0;
  in_block_ = true;
  return true;
}

void BlockBuilder::note_visible(size_t begin, size_t end) {
  block_.linked_bytes += pending_linked_;
  pending_linked_ = 0;
  block_.context &= scope_.context;
  block_.depth = static_cast<uint8_t>(std::min<size_t>(block_.depth, outer_.size()));
  visible_end_ = end;
  if (links_.empty()) return;
  block_.linked_bytes += static_cast<uint32_t>(end - begin);
  Link& link = links_.back();
  if (link.anchor == kNoAnchor) {
    if (out_->anchors.size() >= limits_.anchors) {
      out_->limited = true;
      return;
    }
    link.anchor = static_cast<uint32_t>(out_->anchors.size());
    const auto first =
        static_cast<uint32_t>(begin + leading_white_space(std::string_view(out_->text).substr(begin)));
    out_->anchors.push_back(Anchor{Range{first, first}, link.same_site});
  }
  out_->anchors[link.anchor].text.end = static_cast<uint32_t>(end);
}

void BlockBuilder::end_block() {
  if (!in_block_) return;
  in_block_ = false;
  out_->text.resize(visible_end_);
  block_.text.end = static_cast<uint32_t>(visible_end_);
  if (!block_.text.empty()) out_->blocks.push_back(block_);
}

void BlockBuilder::finish() {
  end_block();
}

void append_folded(String& field, std::string_view text, size_t limit) {
  bool space = false;
  for (size_t at = 0; at < text.size();) {
    if (const size_t length = white_space_length(text, at); length != 0) {
      space = true;
      at += length;
      continue;
    }
    size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      ++end;
    std::string_view character = text.substr(at, end - at);
    if (find_c1(character, 0) == 0) character = meant_by_c1(character[1]);
    const bool separate = space && !field.empty();
    if (field.size() + (separate ? 1 : 0) + character.size() > limit) return;
    if (separate) field.push_back(' ');
    field.append(character);
    space = false;
    at = end;
  }
}

}  // namespace nd::text
