// The tables of elements, built at compile time: what each is to the extraction, and what it closes in
// libxml2 2.9.
#include "reading/html_elements.hpp"

#include "core/word_list.hpp"
#include "reading/extraction.hpp"

namespace nd::text {
namespace {

// In the order of Element, from the second on.
constexpr std::string_view kElementNames =
    "a abbr acronym address annotation applet area article aside audio b base basefont bdo big blockquote "
    "body br button canvas caption center cite code col colgroup dd del details dfn dialog dir div dl dt "
    "em embed fieldset figcaption figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header "
    "hgroup hr html i iframe img input ins isindex kbd label legend li link listing main map mark menu "
    "meta nav noembed noframes noscript object ol optgroup option p param path picture plaintext pre q s "
    "samp script search section select small source span strike strong style sub summary sup svg table "
    "tbody td template textarea tfoot th thead time title tr tt u ul var video wbr xmp";

// Which elements have a flag, and which give their text a context.
struct Marking {
  uint16_t bits;
  std::string_view elements;
};
constexpr uint8_t kSection = kSeparates | kHoldsBlocks;
// clang-format off
constexpr Marking kElementFlags[] = {
    {kSection,
     "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption "
     "figure footer form header hgroup li main menu nav ol search section table td th tr ul"},
    {kSeparates,
     "br button caption frameset h1 h2 h3 h4 h5 h6 head hr html legend listing optgroup option p "
     "plaintext pre select summary tbody textarea tfoot thead xmp"},
    {kHides,
     "annotation applet audio canvas iframe noembed noframes noscript object script style svg template "
     "video"},
    {kIsVoid, "area base basefont br col frame hr img input isindex link meta param"},
    {kIsShell, "body head html"},
    {kTakesShadowRoot,
     "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span"},
};
constexpr Marking kElementContexts[] = {
    {kInArticle, "article main"},
    {kInAside, "aside"},
    {kInQuote, "blockquote q"},
    {kInForm, "button form label optgroup option select textarea"},
    {kInPre, "code listing plaintext pre textarea xmp"},
    {kInList, "dir dl menu ol ul"},
    {kInFooter, "footer"},
    {kInHeading, "h1 h2 h3 h4 h5 h6"},
    {kInHeader, "header"},
    {kInNavigation, "nav"},
    {kInTable, "table"},
};
// clang-format on

// Which innermost open elements a start tag closes. libxml2 2.9 follows the omissible end tags of the HTML 4
// DTD and by what old browsers did; the tests compare every pair with the library.
struct Closing {
  std::string_view started;
  std::string_view closed;
};
constexpr Closing kClosings[] = {
    {"a", "a"},
    {"address menu ol pre", "p ul"},
    {"blockquote caption dir div h1 h2 h3 h4 h5 h6 head hr listing title xmp", "p"},
    {"body frameset", "link p style title"},
    {"center", "b font i p"},
    {"col", "caption col p"},
    {"colgroup", "caption col colgroup p"},
    {"dd dl", "address dir dt listing menu p pre xmp"},
    {"dt", "address dd dir listing menu p pre xmp"},
    {"fieldset", "a h1 h2 h3 h4 h5 h6 legend listing p pre xmp"},
    {"form", "address dir dl form h1 h2 h3 h4 h5 h6 hr listing menu ol p pre ul xmp"},
    {"li", "address dl h1 h2 h3 h4 h5 h6 li listing p pre xmp"},
    {"noscript", "script"},
    {"optgroup option", "option"},
    {"p", "b big h1 h2 h3 h4 h5 h6 i p s small strike tt u"},
    {"table", "a h1 h2 h3 h4 h5 h6 listing p pre xmp"},
    {"tbody", "caption col colgroup p tbody td tfoot th thead tr"},
    {"td th", "a b font i p span td th u"},
    {"tfoot", "caption col colgroup p tbody td th thead tr"},
    {"thead", "caption col colgroup"},
    {"tr", "caption col colgroup p td th tr"},
    {"ul", "address dir listing menu ol p pre xmp"},
    {"a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt em fieldset "
     "font form frameset h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small "
     "span strike strong sub sup table tt u ul var xmp",
     "head"},
};

struct Priority {
  Element element;
  uint8_t value;
};
constexpr Priority kPriorities[] = {
    {Element::kDiv, 150},   {Element::kTd, 160},    {Element::kTh, 160},    {Element::kTr, 170},
    {Element::kThead, 180}, {Element::kTbody, 180}, {Element::kTfoot, 180}, {Element::kTable, 190},
    {Element::kHead, 200},  {Element::kBody, 200},  {Element::kHtml, 220},
};

struct Tables {
  std::array<ElementTraits, kElements> traits;
  ElementIndex index;
};

constexpr Tables build_tables() {
  Tables tables;
  size_t next = 1;
  for_each_word(kElementNames, [&](std::string_view name) {
    tables.traits[next].name = name;
    tables.index.keys[next] = name_key(name);
    Element& slot = tables.index.elements[element_slot(name_key(name))];
    if (slot != Element::kUnknown) throw "two names in one slot";
    slot = static_cast<Element>(next++);
  });
  if (next != kElements) throw "a name is missing";
  const auto named = [&tables](std::string_view name) {
    const Element element = tables.index.elements[element_slot(name_key(name))];
    if (tables.traits[static_cast<size_t>(element)].name != name) throw "no such element";
    return element;
  };
  const auto for_each = [&](std::string_view names, const auto& visit) {
    for_each_word(names, [&](std::string_view name) {
      const Element element = named(name);
      visit(tables.traits[static_cast<size_t>(element)], element);
    });
  };
  // If its name is one of a custom element.
  tables.traits[static_cast<size_t>(Element::kUnknown)].flags = kTakesShadowRoot;
  for (const auto& [bits, names] : kElementFlags)
    for_each(names,
             [bits = bits](ElementTraits& traits, Element) { traits.flags |= static_cast<uint8_t>(bits); });
  for (const auto& [bits, names] : kElementContexts)
    for_each(names, [bits = bits](ElementTraits& traits, Element) { traits.context |= bits; });
  for (size_t level = 1; level <= 6; ++level) {
    tables.traits[static_cast<size_t>(Element::kH1) + level - 1].heading_level = static_cast<uint8_t>(level);
  }
  for (const Priority& priority : kPriorities) {
    tables.traits[static_cast<size_t>(priority.element)].end_priority = priority.value;
  }
  for (const auto& [started, closed] : kClosings) {
    ElementSet closes;
    for_each(closed, [&](ElementTraits&, Element element) { closes.insert(element); });
    for_each(started, [&](ElementTraits& traits, Element) { traits.closes.insert(closes); });
  }
  return tables;
}

constexpr Tables kTables = build_tables();

static_assert(kTables.traits[static_cast<size_t>(Element::kH1)].name == "h1");
static_assert(kTables.traits[static_cast<size_t>(Element::kP)].name == "p");
static_assert(kTables.traits[kElements - 1].name == "xmp");

}  // namespace

constinit const std::array<ElementTraits, kElements> kElementTraits = kTables.traits;
constinit const ElementIndex kElementIndex = kTables.index;

}  // namespace nd::text
