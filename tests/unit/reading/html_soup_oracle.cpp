// Makes broken pages by chance out of pieces that readers of HTML differ about.
#include "html_soup.hpp"

namespace nd::text::test {

std::string HtmlSoup::words() {
  static const char* const kWords[] = {"one",   "Two ",    " three ", "\n",        "   ",    "中文",
                                       "，。",  "&amp;",   "&nbsp;",  "&lt;b&gt;", "&#146;", "&#x4e2d;",
                                       "a > b", "\"",      "é",       "\xC2\x92",  "&copy;", "1, 2. ",
                                       "\t",    "x=\"y\"", "’",       "　"};
  std::string text;
  for (size_t count = 1 + below(4); count > 0; --count)
    text += any_of(kWords);
  return text;
}

std::string HtmlSoup::attributes() {
  static const char* const kAttributes[] = {" class=\"a b\"",
                                            " id=x",
                                            " class=\"page-header nav\"",
                                            " class=sidebar",
                                            " class='na&#118; comment'",
                                            " id=mainContent",
                                            " id='entry&amp;'",
                                            " ID=footer",
                                            " href=\"/path?a=1&amp;b=2\"",
                                            " href='https://www.example.com/x'",
                                            " href=//other.example.org/y",
                                            " href",
                                            " HREF = \"http://a.example.co.uk:80/\"",
                                            " href=\"http&#58;//x.org/\"",
                                            " title=\"a > b\"",
                                            " title='<p>'",
                                            " hidden",
                                            " style=\"color: red\"",
                                            " style=\"Display : none\"",
                                            " style='display&#58;none'",
                                            " aria-hidden=true",
                                            " aria-hidden=\"false\"",
                                            " role=navigation",
                                            " role=\"main\"",
                                            " lang=EN",
                                            " data-x",
                                            " onclick=\"if (a<b) { c('>') }\"",
                                            " class=\"q\" class='r'",
                                            "\n\t width=\"3\"\n"};
  std::string text;
  while (!one_in(2))
    text += any_of(kAttributes);
  return text;
}

std::string HtmlSoup::misc() {
  static const char* const kMisc[] = {"<!-- a comment -->",
                                      "<!-- <p>no</p> -- > -->",
                                      "<!---->",
                                      "<script>if (a < b && c) document.write('</p>')</script>",
                                      "<style type=\"text/css\">p > a { color: red }</style>",
                                      "<script src=x></script>",
                                      "<noscript><img src=x><div>no</div></noscript>",
                                      "<template><li>no</template>",
                                      "<template shadowrootmode=open>yes</template>",
                                      "<x-y><template ShadowRootMode=CLOSED><p>yes</template></x-y>",
                                      "<iframe src=x>no</iframe>",
                                      "<iframe srcdoc='<p>yes<b>&amp;amp;'>no</iframe>",
                                      "<svg><title>no</title><path d=\"M0\"/><text>no</text></svg>",
                                      "<link rel=canonical href=\"https://example.com/c\">",
                                      "<meta name=description content=\"about &quot;it&quot;\">",
                                      "<wbr>",
                                      "<img alt=no src=x>",
                                      "<input type=hidden value=no>",
                                      "<input value=yes&amp;>",
                                      "<br>",
                                      "<br/>",
                                      "<hr>",
                                      "<i></i>",
                                      "<a href=/></a>",
                                      "<div></div>",
                                      "<p></p>",
                                      "<script></script>"};
  return any_of(kMisc);
}

std::string HtmlSoup::phrasing(int depth) {
  static const char* const kInline[] = {"a",    "b", "i",     "em",     "span",  "strong",
                                        "code", "q", "label", "my-tag", "small", "time"};
  std::string text;
  for (size_t count = 1 + below(4); count > 0; --count) {
    if (depth == 0 || one_in(2)) {
      text += words();
    } else if (one_in(5)) {
      text += misc();
    } else {
      const std::string name = any_of(kInline);
      text += "<" + name + attributes() + ">" + phrasing(depth - 1) + "</" + name + ">";
    }
  }
  return text;
}

std::string HtmlSoup::flow(int depth) {
  static const char* const kBlocks[] = {"div",   "article", "section",    "nav",    "header",   "footer",
                                        "aside", "main",    "blockquote", "form",   "fieldset", "figure",
                                        "DIV",   "center",  "button",     "details"};
  static const char* const kTexts[] = {"p", "h1", "h2", "h6", "pre", "address", "td", "P"};
  if (depth == 0) return phrasing(2);
  std::string text;
  for (size_t count = 1 + below(4); count > 0; --count) {
    const size_t kind = below(8);
    if (kind < 2) {
      const std::string name = any_of(kBlocks);
      text += "<" + name + attributes() + ">" + flow(depth - 1) + "</" + name + ">";
    } else if (kind < 4) {
      const std::string name = any_of(kTexts);
      text += "<" + name + attributes() + ">" + phrasing(2) + "</" + name + " >";
    } else if (kind == 4) {
      text += "<ul>\n";
      for (size_t items = below(4); items > 0; --items)
        text += "<li>" + flow(depth - 1) + (one_in(2) ? "</li>\n" : "\n");
      text += "</ul>";
    } else if (kind == 5) {
      text += "<table><tr>";
      for (size_t cells = below(4); cells > 0; --cells)
        text += "<td>" + flow(depth - 1) + (one_in(2) ? "</td>" : "");
      text += "</table>";
    } else {
      text += misc();
    }
    if (one_in(3)) text += "\n  ";
  }
  return text;
}

std::string HtmlSoup::valid_page() {
  std::string page = one_in(3) ? "" : "<!DOCTYPE html>\n";
  page += "<html" + attributes() + ">\n<head>\n <meta charset=gb2312>\n <title>" + words() + "</title>\n";
  while (!one_in(3))
    page += misc() + "\n";
  page += "</head>\n<body" + attributes() + ">\n" + flow(4) + "\n</body>\n</html>\n";
  return page;
}

std::string HtmlSoup::piece() {
  static const char* const kNames[] = {
      "p",    "div",  "b",    "a",     "li",     "td",     "tr",       "table",    "h1",
      "body", "html", "head", "title", "span",   "script", "style",    "noscript", "font",
      "ul",   "x-y",  "p.q",  "svg",   "meta",   "br",     "form",     "option",   "textarea",
      "link", "dd",   "dl",   "u",     "tbody",  "iframe", "frameset", "section",  "div:a",
      "i",    "pre",  "xmp",  "base",  "center", "caption"};
  static const char* const kBroken[] = {"<",
                                        "</",
                                        "<>",
                                        "</>",
                                        "< p>",
                                        "<!",
                                        "<!-",
                                        "<!--",
                                        "-->",
                                        "<!-->",
                                        "--!>",
                                        "<?php a ?>",
                                        "<?xml",
                                        "<? b>",
                                        "<?",
                                        ">",
                                        "<![CDATA[ x ]]>",
                                        "<!doctype html>",
                                        "<!--->",
                                        "<!---->x-->",
                                        "<![if !IE]>",
                                        "<!X>",
                                        "</ X>",
                                        "</中>",
                                        "&copy 2024",
                                        "&notit;",
                                        "&notin;",
                                        "&eacute",
                                        "&NotEqualTilde;",
                                        "&CounterClockwiseContourIntegral;",
                                        "&#xD800;",
                                        "&#x80;",
                                        "<a href='?a=1&copy=2&lt'>",
                                        "<title>a<b>&copy</title >",
                                        "<textarea>a</b><!-- x --></textareas></TEXTAREA/>",
                                        "<xmp>&lt;<p></xmp>",
                                        "<plaintext>",
                                        "<script><!--<script></script>--></script>",
                                        "<iframe><p></iframe\x0c>",
                                        "<iframe srcdoc='</div>&lt;<li>\x01&#1;&#x80;&copy'>",
                                        "<template shadowrootmode=open>",
                                        "</template>",
                                        "<svg>",
                                        "</svg>",
                                        "<svg><title><p>",
                                        "<!DOCTYPE a PUBLIC \"b>c\" 'd'>",
                                        "&",
                                        "&&",
                                        "&#",
                                        "&#;",
                                        "&#x;",
                                        "&#0;",
                                        "&#1;",
                                        "&#xFFFF;",
                                        "&#65",
                                        "&#x110000;",
                                        "&foo;",
                                        "&foo",
                                        "&amp",
                                        "&nbsp",
                                        "&中;",
                                        "&amp中;",
                                        "&a;",
                                        "&verylongname;",
                                        "\x01",
                                        "\x0c",
                                        "\xEF\xBF\xBE",
                                        "\xEF\xBF\xBF",
                                        "\xEF\xBC\x8C",
                                        "\"",
                                        "'",
                                        "=",
                                        "</p",
                                        "</ div>",
                                        "<_x>",
                                        "<:y",
                                        "<a href=\"x",
                                        "<p class='",
                                        "<div a=b/>",
                                        "<p/>",
                                        "</script",
                                        "</scripty>",
                                        "<script></div>",
                                        "<script><noscript>",
                                        "<script/>",
                                        "<script></body></script>",
                                        "<style></style",
                                        "<body/>",
                                        "<html/>",
                                        "<div =x \"y z>",
                                        "<a href=>",
                                        "<p a = >",
                                        "<中>",
                                        "<b\xC2\xA0>",
                                        "</b x=\">\">",
                                        "<span style=\"display:none\">",
                                        "<div hidden>",
                                        "<i hidden style='display:&#110;one'>"};
  switch (below(6)) {
    case 0:
      return words();
    case 1:
      return any_of(kBroken);
    case 2:
      return misc();
    case 3:
      return std::string("</") + any_of(kNames) + (one_in(5) ? " >" : ">");
    default:
      return std::string("<") + any_of(kNames) + attributes() + (one_in(10) ? "/>" : ">");
  }
}

std::string HtmlSoup::broken_page() {
  std::string page;
  for (size_t count = 1 + below(40); count > 0; --count) {
    page += piece();
    if (one_in(60)) page += std::string(900 + below(300), ' ');
  }
  return page;
}

}  // namespace nd::text::test
