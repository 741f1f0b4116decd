// Rewrites a page as browsers read it, so that libxml2's reading of it is what ours must be.
#include "corrected_markup_oracle.hpp"

#include <utility>

#include "reading/entity_names.hpp"
#include "reading/markup_scan.hpp"

namespace nd::text::test {
namespace {

class Correction {
 public:
  explicit Correction(std::string_view html) noexcept
      : at_(html.data()), end_(html.data() + html.size()), raw_end_(at_) {}

  String run() {
    while (at_ != end_) {
      if (*at_ == '<') {
        bracket();
      } else if (*at_ == '&') {
        const bool is_literal = at_ < raw_end_ && raw_ == RawText::kLiteral;
        is_literal ? put("&amp;", at_ + 1) : reference(end_, EntityNames::Place::kText);
      } else {
        copy(at_ + 1);
      }
    }
    return std::move(out_);
  }

 private:
  void copy(const char* until) {
    out_.append(at_, until);
    at_ = until;
  }
  // Writes `text` in place of the input up to `until`.
  void put(std::string_view text, const char* until) {
    out_.append(text);
    at_ = until;
  }

  void bracket() {
    const char next = at_ + 1 == end_ ? '\0' : at_[1];
    // NOLINTNEXTLINE(bugprone-branch-clone): the questions are asked in this order.
    if (at_ < raw_end_) {
      put("&lt;", at_ + 1);
    } else if (is(next, kLetter)) {
      start_tag();
    } else if (const char* const behind = comment_end(at_, end_)) {
      put("<!---->", behind);
    } else if (next == '/' && at_ + 2 != end_) {
      end_tag();
    } else {
      put("&lt;", at_ + 1);
    }
  }

  void start_tag() {
    const TagName name = read_tag_name(at_ + 1, end_);
    copy(name.written.data() + name.written.size());
    copy(skip_blanks(at_, end_));
    while (!ends_tag(at_, end_)) {
      const char* behind = at_;
      const std::string_view value = read_attribute(behind, end_).value;
      if (!value.empty()) {
        copy(value.data());
        while (at_ != value.data() + value.size())
          *at_ == '&' ? reference(value.data() + value.size(), EntityNames::Place::kAttribute)
                      : copy(at_ + 1);
      }
      copy(behind);
    }
    if (at_ == end_) return;
    const bool is_empty = *at_ == '/';
    copy(at_ + (is_empty ? 2 : 1));
    if (is_empty) return;
    const Element element = find_element(name.key);
    in_svg_ |= element == Element::kSvg;
    raw_ = raw_text_of(element, in_svg_);
    if (raw_ == RawText::kNone) return;
    raw_end_ = raw_text_end(at_, end_, element);
    if (raw_ == RawText::kHidden) at_ = raw_end_;
  }

  void end_tag() {
    const TagName name = read_tag_name(at_ + 2, end_);
    copy(name.written.data() + name.written.size());
    at_ = end_tag_close(at_, end_);
    in_svg_ &= find_element(name.key) != Element::kSvg;
  }

  // Numbers stay unchanged if the parser reads them the same way, or leaves them out.
  void reference(const char* end, EntityNames::Place place) {
    const CharacterReference found = entities_.reference(at_, end, place);
    if (found.end == at_) {
      put("&amp;", at_ + 1);
    } else if (found.valid) {
      write_reference(out_, found);
      at_ = found.end;
    } else {
      copy(found.end);
    }
  }

  const char* at_;
  const char* end_;
  const char* raw_end_;  // before it a '<' is text
  RawText raw_ = RawText::kNone;
  bool in_svg_ = false;
  EntityNames entities_;
  String out_;
};

}  // namespace

String corrected_markup(std::string_view html) {
  return Correction(html).run();
}

Result<void> extract_plain(HtmlExtractor& extractor, std::string_view html, std::string_view site,
                           const HtmlLimits& limits, Extraction& out) {
  return extractor.extract_unfiltered(corrected_markup(html), site, limits, out);
}

}  // namespace nd::text::test
