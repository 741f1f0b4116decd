// Pages whose mark-up is expensive: depth, attributes, end tags that match nothing, names that nearly agree.
#include "hostile_page_text.hpp"

namespace ndc::bench {
namespace {

// Beyond the depth that a reader lets through: a title, and in it a start tag of very many attributes.
std::string title_beyond_depth(size_t bytes, unsigned variant) {
  std::string before;
  for (int depth = 0; depth < 300; ++depth)
    before += "<div>";
  return numbered(bytes, variant, before + "<title>word <i", ">text</i>",
                  [](uint64_t number) { return " a" + std::to_string(number) + "=1"; });
}

// Inline elements of long names around empty blocks, at which their start tags might all be written.
std::string empty_blocks_in_inline(size_t bytes, unsigned variant) {
  std::string before = "<a href=/>";
  for (int depth = 0; depth < 251; ++depth)
    before += "<" + std::string(100, 'x') + ">";
  return flood(bytes, variant, before, "<p></p><p hidden>w</p>");
}

// End tags of an element that is open below very many, and that none of them may close.
std::string blocked_end_tags(size_t bytes, unsigned variant) {
  std::string before = "<i><div>";
  for (int depth = 0; depth < 600; ++depth)
    before += "<b>";
  return flood(bytes, variant, before, "</i>");
}

// Elements of as many names as are distinguished, which differ in their last letters; then of one of them.
std::string alike_names(size_t bytes, unsigned variant) {
  std::string before;
  for (int number = 100; number < 612; ++number) {
    const std::string name = "xname" + std::to_string(number);
    before += "<" + name + "></" + name + ">";
  }
  return flood(bytes, variant, before, "<xname611></xname611>");
}

constexpr HostileKind kMarkup[] = {
    HostileKind{"inline-end-tags", "<b>, then as many </i>", kHtmlType,
                [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "</i>"); }},
    HostileKind{"block-end-tags", "<div>, then as many </i>", kHtmlType,
                [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<div>", "</i>"); }},
    HostileKind{"blocked-end-tags", "<i><div>, very many <b>, then </i>", kHtmlType, blocked_end_tags},
    HostileKind{"body-start-tags", "<b>, then as many <body>", kHtmlType,
                [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "<body>"); }},
    HostileKind{"paragraph-end-tags", "<b>, then as many </p>", kHtmlType,
                [](size_t bytes, unsigned variant) { return halves(bytes, variant, "<b>", "</p>"); }},
    HostileKind{"nested-blocks", "<div> that are never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<div>"); }},
    HostileKind{"nested-blocks-with-text", "<div>word that are never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<div>word "); }},
    HostileKind{
        "nested-tables", "<table><tr><td> that are never closed", kHtmlType,
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<table><tr><td>cell "); }},
    HostileKind{"nested-formatting", "<a href><b><i><font> that are never closed, with text", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "<a href=x><b><i><font>word ");
                }},
    HostileKind{"attributes", "one start tag with distinct attributes", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "<div", ">text</div>", [](uint64_t number) {
                    return " attribute-" + std::to_string(number) + "=\"of one start tag\"";
                  });
                }},
    HostileKind{"attribute-names", "start tags with distinct attributes", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "", [](uint64_t number) {
                    return "<i a" + std::to_string(number) + "=1>w</i>";
                  });
                }},
    HostileKind{"attribute-values", "attributes that are read, each long", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "",
                               "<p style=\"color:red;visibility: visible;display : block\" "
                               "role=\"a b c d e f\" aria-hidden=\"no\">word</p>");
                }},
    HostileKind{"attribute-ampersands", "values full of & that begin no entity", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "<a href=\"/?a&b&c&d&&&& &x;&#;\">w</a> ");
                }},
    HostileKind{"value-ampersands", "values that are read, nothing but & in them", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "<p style=\"" + std::string(2000, '&') + "\">w</p>");
                }},
    HostileKind{"value-references", "values that are read, full of &names; that are none and of &#;",
                kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "", [](uint64_t number) {
                    const std::string name = std::to_string(number);
                    return "<p role=\"&x" + name + ";&y" + name + ";&z" + name + ";&#;&#;\">w</p>";
                  });
                }},
    HostileKind{"empty-blocks-in-inline", "empty blocks in many inline elements", kHtmlType,
                empty_blocks_in_inline},
    HostileKind{"one-value", "one value of the whole page's length", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "<meta name=description content=\"", "& word ");
                }},
    HostileKind{"list-items", "lists within lists, items that are not closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<ul><li>w<li>"); }},
    HostileKind{"options", "options and cells outside of their elements", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "<option>w<td>w<tr><dd>w<dt></table></dl>");
                }},
    HostileKind{"comments", "empty comments between letters", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "w<!---->"); }},
    HostileKind{"title-beyond-depth", "a title too deep, with a tag of distinct attributes", kHtmlType,
                title_beyond_depth},
    HostileKind{"tag-names", "start tags of distinct names", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "", [](uint64_t number) {
                    return "<name" + std::to_string(number) + ">text of the element ";
                  });
                }},
    HostileKind{"closed-tag-names", "elements of distinct names, each closed", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "", [](uint64_t number) {
                    const std::string name = "name" + std::to_string(number);
                    return "<" + name + ">word</" + name + ">";
                  });
                }},
    HostileKind{"alike-names", "empty elements, of 512 names that are alike", kHtmlType, alike_names},
    HostileKind{"lone-ampersands", "& that begin no entity", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "& "); }},
    HostileKind{"unknown-entities", "&names; that are none", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return numbered(bytes, variant, "", "",
                                  [](uint64_t number) { return "&x" + std::to_string(number) + ";"; });
                }},
    HostileKind{"long-names", "& with names of thousands of letters that do not end", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  PageText page(bytes, variant);
                  page.repeat("&" + std::string(3000, 'a') + " ");
                  page.repeat("a");
                  return page.take();
                }},
    HostileKind{"nearly-hidden", "styles that nearly hide, with blanks between their letters", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(
                      bytes, variant, "",
                      "<p style=\"d i s p l a y : n o n d  d  v i s i b i l i t y : h i d d e v  v\">w");
                }},
    HostileKind{"far-blocks", "blocks of a letter within very many elements", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  std::string before;
                  for (int depth = 0; depth < 240; ++depth)
                    before += "<div>";
                  before +=
                      "<p>The story that is told here is one of the few that were not told before, and it is "
                      "as long as it has to be.</p>";
                  return flood(bytes, variant, before, "<p>w");
                }},
    HostileKind{"entities", "&amp; and character references", kHtmlType,
                [](size_t bytes, unsigned variant) {
                  return flood(bytes, variant, "", "&amp;&#65;&#x4e2d;&nbsp;&#1114112;");
                }},
    HostileKind{"left-brackets", "nothing but <", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<"); }},
    HostileKind{"open-comment", "a comment that is never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<!-- ", "- -> "); }},
    HostileKind{"open-comments", "comments that are never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<!--x"); }},
    HostileKind{
        "open-script", "a script that is never closed", kHtmlType,
        [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<script>", "</scrip <!-- "); }},
    HostileKind{"open-attribute", "an attribute's value that is never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "<a href=\"", "x='y>"); }},
    HostileKind{"open-attributes", "start tags whose values are never closed", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<a b='"); }},
    HostileKind{"declarations", "<!doctype and <? without end", kHtmlType,
                [](size_t bytes, unsigned variant) { return flood(bytes, variant, "", "<!doctype <?x "); }},
};

}  // namespace

std::span<const HostileKind> hostile_markup_kinds() {
  return kMarkup;
}

}  // namespace ndc::bench
