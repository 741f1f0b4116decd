// The prescan of the HTML Standard, 13.2.3.2, over the bytes as they came.
#include "reading/meta_prescan.hpp"

#include <algorithm>

#include "reading/ascii.hpp"

namespace nd::text {
namespace {

size_t skip_spaces(std::string_view text, size_t at) noexcept {
  while (at < text.size() && is_ascii_space(text[at]))
    ++at;
  return at;
}

struct MetaAttribute {
  std::string_view name;
  std::string_view value;
};

// A cursor over the prescanned bytes. Reaching their end in the middle of anything ends the whole search, as
// in the standard: `exhausted` then stays true.
class Prescan {
 public:
  explicit Prescan(std::string_view html) noexcept : html_(html) {}

  std::optional<Charset> run() noexcept {
    while (at_ < html_.size()) {
      const size_t tag = html_.find('<', at_);
      if (tag == std::string_view::npos) return std::nullopt;
      at_ = tag;
      const std::string_view rest = html_.substr(at_);
      if (rest.starts_with("<!--")) {
        skip_comment();
      } else if (is_meta(rest)) {
        at_ += 5;
        if (const auto charset = read_meta()) return charset;
      } else if (rest.size() > 1 && (is_ascii_letter(rest[1]) ||
                                     (rest[1] == '/' && rest.size() > 2 && is_ascii_letter(rest[2])))) {
        skip_tag();
      } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        at_ = after(">", at_ + 2);
      } else {
        ++at_;
      }
    }
    return std::nullopt;
  }

 private:
  static bool is_meta(std::string_view rest) noexcept {
    return rest.size() > 5 && equals_ignoring_case(rest.substr(0, 5), "<meta") &&
           (is_ascii_space(rest[5]) || rest[5] == '/');
  }

  size_t after(std::string_view text, size_t from) const noexcept {
    const size_t found = html_.find(text, from);
    return found == std::string_view::npos ? html_.size() : found + text.size();
  }

  // The two hyphens of the start may be those of the end: "<!-->".
  void skip_comment() noexcept { at_ = after("-->", at_ + 2); }

  void skip_tag() noexcept {
    while (at_ < html_.size() && !is_ascii_space(html_[at_]) && html_[at_] != '>')
      ++at_;
    while (next_attribute()) {
    }
  }

  std::optional<Charset> read_meta() noexcept {
    bool seen_pragma = false;
    bool seen_content = false;
    bool seen_charset = false;
    bool is_content_type = false;
    bool from_content = false;
    std::optional<Charset> charset;
    bool has_label = false;
    while (const auto attribute = next_attribute()) {
      // The first of equally named attributes counts.
      if (equals_ignoring_case(attribute->name, "http-equiv") && !seen_pragma) {
        seen_pragma = true;
        is_content_type = equals_ignoring_case(attribute->value, "content-type");
      } else if (equals_ignoring_case(attribute->name, "content") && !seen_content) {
        seen_content = true;
        const auto found = find_charset(charset_parameter(attribute->value));
        if (found && !has_label) {
          charset = found;
          has_label = from_content = true;
        }
      } else if (equals_ignoring_case(attribute->name, "charset") && !seen_charset) {
        seen_charset = true;
        charset = find_charset(attribute->value);
        has_label = true;
        from_content = false;
      }
    }
    if (exhausted_ || (from_content && !is_content_type)) return std::nullopt;
    return charset;
  }

  // Past the attribute; nothing at the end of the tag, whose '>' is then passed.
  std::optional<MetaAttribute> next_attribute() noexcept {
    while (at_ < html_.size() && (is_ascii_space(html_[at_]) || html_[at_] == '/'))
      ++at_;
    if (is_exhausted()) return std::nullopt;
    if (html_[at_] == '>') {
      ++at_;
      return std::nullopt;
    }
    const size_t name = at_;
    // A '=' at the very start belongs to the name.
    if (html_[at_] == '=') ++at_;
    while (at_ < html_.size() && html_[at_] != '=' && html_[at_] != '>' && html_[at_] != '/' &&
           !is_ascii_space(html_[at_])) {
      ++at_;
    }
    MetaAttribute attribute{html_.substr(name, at_ - name), {}};
    at_ = skip_spaces(html_, at_);
    if (is_exhausted()) return std::nullopt;
    if (html_[at_] != '=') return attribute;
    at_ = skip_spaces(html_, at_ + 1);
    if (is_exhausted()) return std::nullopt;
    attribute.value = read_value();
    return exhausted_ ? std::nullopt : std::optional(attribute);
  }

  std::string_view read_value() noexcept {
    const char quote = html_[at_];
    if (quote == '"' || quote == '\'') {
      const size_t begin = ++at_;
      at_ = html_.find(quote, begin);
      if (at_ == std::string_view::npos) at_ = html_.size();
      if (is_exhausted()) return {};
      return html_.substr(begin, at_++ - begin);
    }
    const size_t begin = at_;
    while (at_ < html_.size() && !is_ascii_space(html_[at_]) && html_[at_] != '>')
      ++at_;
    if (is_exhausted()) return {};
    return html_.substr(begin, at_ - begin);
  }

  bool is_exhausted() noexcept {
    exhausted_ |= at_ >= html_.size();
    return exhausted_;
  }

  std::string_view html_;
  size_t at_ = 0;
  bool exhausted_ = false;
};

// HTML Standard, 13.2.3.2, "get an XML encoding".
std::optional<Charset> xml_declaration_charset(std::string_view html) noexcept {
  if (!html.starts_with("<?xml")) return std::nullopt;
  std::string_view declaration = html.substr(0, html.find('>'));
  const size_t found = declaration.find("encoding");
  if (declaration.size() == html.size() || found == std::string_view::npos) return std::nullopt;
  size_t at = skip_spaces(declaration, found + 8);
  if (at >= declaration.size() || declaration[at] != '=') return std::nullopt;
  at = skip_spaces(declaration, at + 1);
  if (at >= declaration.size() || (declaration[at] != '"' && declaration[at] != '\'')) return std::nullopt;
  const size_t close = declaration.find(declaration[at], at + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return find_charset(declaration.substr(at + 1, close - at - 1));
}

}  // namespace

std::string_view charset_parameter(std::string_view content) noexcept {
  constexpr std::string_view kName = "charset";
  size_t at = 0;
  for (;;) {
    at = find_ignoring_case(content, kName, at);
    if (at == std::string_view::npos) return {};
    at = skip_spaces(content, at + kName.size());
    if (at < content.size() && content[at] == '=') break;
  }
  at = skip_spaces(content, at + 1);
  if (at >= content.size()) return {};
  const char quote = content[at];
  if (quote == '"' || quote == '\'') {
    const size_t close = content.find(quote, at + 1);
    return close == std::string_view::npos ? std::string_view{} : content.substr(at + 1, close - at - 1);
  }
  size_t end = at;
  while (end < content.size() && !is_ascii_space(content[end]) && content[end] != ';')
    ++end;
  return content.substr(at, end - at);
}

std::optional<Charset> prescan_charset(std::span<const uint8_t> html) noexcept {
  const std::string_view head(reinterpret_cast<const char*>(html.data()),
                              std::min(html.size(), kPrescanBytes));
  std::optional<Charset> charset = Prescan(head).run();
  if (!charset) charset = xml_declaration_charset(head);
  if (charset == Charset::kUtf16Be || charset == Charset::kUtf16Le) return Charset::kUtf8;
  if (charset == Charset::kUserDefined) return Charset::kWindows1252;
  return charset;
}

}  // namespace nd::text
