// Passes elements to blocks and fields, and keeps frames for later, each of which is a page in the page.
#include "reading/page_builder.hpp"

#include <utility>

#include "core/utf8.hpp"
#include "reading/ascii.hpp"
#include "reading/block_builder.hpp"
#include "reading/class_names.hpp"

namespace nd::text {

namespace {

constexpr size_t kMaxFieldBytes = 4096;
constexpr size_t kMaxTitleBytesAsWritten = 4 * kMaxFieldBytes;
constexpr size_t kMaxLanguageTagBytes = 64;
constexpr size_t kMaxAlternates = 256;
// Frames in frames, and frames of a page. A document is a part of the one around it, so that all together
// have at most kMaxFrameDepth times the bytes of the page. Not tuned.
constexpr uint32_t kMaxFrameDepth = 4;
constexpr size_t kMaxFrames = 256;

void set_once(String& field, std::string_view value) {
  if (field.empty()) append_folded(field, value, kMaxFieldBytes);
}

String language_tag(std::string_view text) {
  String tag(whole_characters(trim_blanks(text.substr(0, text.find(','))), kMaxLanguageTagBytes));
  for (char& c : tag) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return tag;
}

}  // namespace

void PageFields::start(Extraction& out) {
  out_ = &out;
  title_.clear();
  open_graph_description_.clear();
  language_of_root_ = false;
}

void PageFields::element(Element element, const Attributes& attributes) {
  switch (element) {
    case Element::kHtml: {
      String tag = language_tag(attributes[Attribute::kLang]);
      if (tag.empty()) tag = language_tag(attributes[Attribute::kXmlLang]);
      if (language_of_root_ || tag.empty()) return;
      out_->language = std::move(tag);
      language_of_root_ = true;
      return;
    }
    case Element::kMeta:
      return meta(attributes);
    case Element::kLink:
      return link(attributes);
    default:
      return;
  }
}

void PageFields::meta(const Attributes& attributes) {
  const std::string_view content = attributes[Attribute::kContent];
  switch (meta_field(attributes[Attribute::kName], attributes[Attribute::kProperty],
                     attributes[Attribute::kHttpEquiv])) {
    case MetaField::kKeywords:
      return set_once(out_->keywords, content);
    case MetaField::kDescription:
      return set_once(out_->description, content);
    case MetaField::kOpenGraphDescription:
      return set_once(open_graph_description_, content);
    case MetaField::kLanguage:
      if (out_->language.empty()) out_->language = language_tag(content);
      return;
    case MetaField::kNone:
      return;
  }
}

void PageFields::link(const Attributes& attributes) {
  const uint8_t types = link_types(attributes[Attribute::kRel]);
  if (types == 0) return;
  const std::string_view url = trim_blanks(attributes[Attribute::kHref]);
  if (url.empty() || url.size() > kMaxFieldBytes) return;
  if ((types & kCanonical) != 0 && out_->canonical_url.empty()) out_->canonical_url = url;
  if ((types & kAlternate) != 0 && out_->alternates.size() < kMaxAlternates) {
    String language = language_tag(attributes[Attribute::kHreflang]);
    if (!language.empty()) out_->alternates.push_back(AlternateLink{std::move(language), String(url)});
  }
}

// One byte more than the limit: it tells whether a character ends there.
void PageFields::title_text(std::string_view characters) {
  title_.append(characters.substr(0, kMaxTitleBytesAsWritten + 1 - title_.size()));
}

void PageFields::finish() {
  append_folded(out_->title, whole_characters(title_, kMaxTitleBytesAsWritten), kMaxFieldBytes);
  if (out_->description.empty()) out_->description = open_graph_description_;
}

namespace {

// If a whole page is hidden, its script shows it.
bool is_hidden(Element element, const Attributes& attributes) noexcept {
  if (element == Element::kHtml || element == Element::kBody) return false;
  return attributes.has(Attribute::kHidden) || aria_hides(attributes[Attribute::kAriaHidden]) ||
         style_hides(attributes[Attribute::kStyle]);
}

}  // namespace

void PageBuilder::start(Extraction& out, std::string_view site, const HtmlLimits& limits) {
  blocks_.start(out, limits);
  fields_.start(out);
  targets_.start(site);
  out_ = &out;
  frames_.clear();
  frames_begun_ = 0;
  frame_depth_ = 0;
  title_depth_ = 0;
  title_seen_ = false;
}

// [3] Elements to blocks and fields.
void PageBuilder::open(Element element, const Attributes& attributes, uint16_t names) {
  ElementOpening opening;
  opening.element = element;
  if (element == Element::kTitle && !blocks_.hidden()) {
    if (!title_seen_ && frame_depth_ == 0) title_depth_ = blocks_.depth() + 1;
    title_seen_ = true;
    opening.hidden = true;
  }
  if (names_blocks(element)) opening.role_context = names;
  if (!attributes.empty()) {
    if (!blocks_.hidden() && frame_depth_ == 0) fields_.element(element, attributes);
    opening.role_context |= context_of_role(attributes[Attribute::kRole]);
    if (names_blocks(element)) {
      opening.role_context |= static_cast<uint16_t>(context_of_names(attributes[Attribute::kClass]) |
                                                    context_of_names(attributes[Attribute::kId]));
    }
    // The attributes of a shadow root's template do not apply to anything: it is no element of the page.
    opening.is_shadow_root = element == Element::kTemplate &&
                             makes_shadow_root(attributes[Attribute::kShadowRootMode]) &&
                             blocks_.attach_shadow_root();
    opening.hidden |= !opening.is_shadow_root && is_hidden(element, attributes);
    if (element == Element::kIframe && attributes.has(Attribute::kSrcdoc) && !opening.hidden &&
        !blocks_.hidden()) {
      keep_frame(attributes[Attribute::kSrcdoc]);
    }
    if (element == Element::kA && attributes.has(Attribute::kHref)) {
      opening.links = true;
      opening.same_site = targets_.is_own(attributes[Attribute::kHref]);
    }
  }
  blocks_.open(opening);
  if (element != Element::kInput) return;
  const std::string_view value = attributes[Attribute::kValue];
  if (value.empty() || !shows_value(attributes[Attribute::kType])) return;
  blocks_.break_line();
  blocks_.text(value);
  blocks_.break_line();
}

void PageBuilder::keep_frame(std::string_view document) {
  if (frame_depth_ == kMaxFrameDepth || frames_.size() == kMaxFrames) {
    out_->limited = true;
    return;
  }
  frames_.push_back({String(document), frame_depth_ + 1});
}

bool PageBuilder::begin_frame(String& document) {
  if (frames_begun_ == frames_.size() || full()) return false;
  while (blocks_.depth() != 0)
    blocks_.close();
  blocks_.break_line();
  title_depth_ = 0;
  document = std::move(frames_[frames_begun_].document);
  frame_depth_ = frames_[frames_begun_++].depth;
  return true;
}

void PageBuilder::finish() {
  frames_.clear();
  blocks_.finish();
  fields_.finish();
}

}  // namespace nd::text
