#include "text/page_builder.hpp"

#include "text/class_names.hpp"

namespace nd::text {
namespace {

// A whole page that is hidden is shown by its script.
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
  title_depth_ = 0;
  title_seen_ = false;
}

// [3] Elements to blocks and fields.
void PageBuilder::open(Element element, const Attributes& attributes, uint16_t names) {
  ElementOpening opening;
  opening.element = element;
  if (element == Element::kTitle && !blocks_.hidden()) {
    if (!title_seen_) title_depth_ = blocks_.depth() + 1;
    title_seen_ = true;
    opening.hidden = true;
  }
  if (names_blocks(element)) opening.role_context = names;
  if (!attributes.empty()) {
    if (!blocks_.hidden()) fields_.element(element, attributes);
    opening.role_context |= context_of_role(attributes[Attribute::kRole]);
    if (names_blocks(element)) {
      opening.role_context |= static_cast<uint16_t>(context_of_names(attributes[Attribute::kClass]) |
                                                    context_of_names(attributes[Attribute::kId]));
    }
    opening.hidden |= is_hidden(element, attributes);
    if (element == Element::kA && attributes.has(Attribute::kHref)) {
      opening.links = true;
      opening.same_site = targets_.is_own(attributes[Attribute::kHref]);
    }
  }
  blocks_.open(opening);
}

void PageBuilder::finish() {
  blocks_.finish();
  fields_.finish();
}

}  // namespace nd::text
