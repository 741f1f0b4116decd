// The tables of elements, built at compile time: what each is to the extraction, and what it closes in
// libxml2 2.9.
#include "reading/html_elements.hpp"

#include "reading/extraction.hpp"

namespace nd::text {
namespace {

struct Description {
  std::string_view name;
  uint8_t flags = 0;
  uint16_t context = 0;
};

constexpr uint8_t kSection = kSeparates | kHoldsBlocks;

constexpr std::array<Description, kElements> kDescriptions = {{
    {"", kTakesShadowRoot},  // if its name is one of a custom element
    {"a"},
    {"abbr"},
    {"acronym"},
    {"address", kSection},
    {"annotation", kHides},
    {"applet", kHides},
    {"area", kIsVoid},
    {"article", kSection | kTakesShadowRoot, kInArticle},
    {"aside", kSection | kTakesShadowRoot, kInAside},
    {"audio", kHides},
    {"b"},
    {"base", kIsVoid},
    {"basefont", kIsVoid},
    {"bdo"},
    {"big"},
    {"blockquote", kSection | kTakesShadowRoot, kInQuote},
    {"body", kSection | kIsShell | kTakesShadowRoot},
    {"br", kSeparates | kIsVoid},
    {"button", kSeparates, kInForm},
    {"canvas", kHides},
    {"caption", kSeparates},
    {"center", kSection},
    {"cite"},
    {"code", 0, kInPre},
    {"col", kIsVoid},
    {"colgroup"},
    {"dd", kSection},
    {"del"},
    {"details", kSection},
    {"dfn"},
    {"dialog", kSection},
    {"dir", kSection, kInList},
    {"div", kSection | kTakesShadowRoot},
    {"dl", kSection, kInList},
    {"dt", kSection},
    {"em"},
    {"embed"},
    {"fieldset", kSection},
    {"figcaption", kSection},
    {"figure", kSection},
    {"font"},
    {"footer", kSection | kTakesShadowRoot, kInFooter},
    {"form", kSection, kInForm},
    {"frame", kIsVoid},
    {"frameset", kSeparates},
    {"g"},
    {"h1", kSeparates | kTakesShadowRoot, kInHeading},
    {"h2", kSeparates | kTakesShadowRoot, kInHeading},
    {"h3", kSeparates | kTakesShadowRoot, kInHeading},
    {"h4", kSeparates | kTakesShadowRoot, kInHeading},
    {"h5", kSeparates | kTakesShadowRoot, kInHeading},
    {"h6", kSeparates | kTakesShadowRoot, kInHeading},
    {"head", kSeparates | kIsShell},
    {"header", kSection | kTakesShadowRoot, kInHeader},
    {"hgroup", kSection},
    {"hr", kSeparates | kIsVoid},
    {"html", kSeparates | kIsShell},
    {"i"},
    {"iframe", kHides},
    {"img", kIsVoid},
    {"input", kIsVoid},
    {"ins"},
    {"isindex", kIsVoid},
    {"kbd"},
    {"label", 0, kInForm},
    {"legend", kSeparates},
    {"li", kSection},
    {"link", kIsVoid},
    {"listing", kSeparates, kInPre},
    {"main", kSection | kTakesShadowRoot, kInArticle},
    {"map"},
    {"mark"},
    {"menu", kSection, kInList},
    {"meta", kIsVoid},
    {"nav", kSection | kTakesShadowRoot, kInNavigation},
    {"noembed", kHides},
    {"noframes", kHides},
    {"noscript", kHides},
    {"object", kHides},
    {"ol", kSection, kInList},
    {"optgroup", kSeparates, kInForm},
    {"option", kSeparates, kInForm},
    {"p", kSeparates | kTakesShadowRoot},
    {"param", kIsVoid},
    {"path"},
    {"picture"},
    {"plaintext", kSeparates, kInPre},
    {"pre", kSeparates, kInPre},
    {"q", 0, kInQuote},
    {"s"},
    {"samp"},
    {"script", kHides},
    {"search", kSection},
    {"section", kSection | kTakesShadowRoot},
    {"select", kSeparates, kInForm},
    {"small"},
    {"source"},
    {"span", kTakesShadowRoot},
    {"strike"},
    {"strong"},
    {"style", kHides},
    {"sub"},
    {"summary", kSeparates},
    {"sup"},
    {"svg", kHides},
    {"table", kSection, kInTable},
    {"tbody", kSeparates},
    {"td", kSection},
    {"template", kHides},
    {"textarea", kSeparates, kInForm | kInPre},
    {"tfoot", kSeparates},
    {"th", kSection},
    {"thead", kSeparates},
    {"time"},
    {"title"},
    {"tr", kSection},
    {"tt"},
    {"u"},
    {"ul", kSection, kInList},
    {"var"},
    {"video", kHides},
    {"wbr"},
    {"xmp", kSeparates, kInPre},
}};

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
     "font "
     "form frameset h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small span "
     "strike "
     "strong sub sup table tt u ul var xmp",
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

constexpr Element element_named(std::string_view name) {
  for (size_t i = 1; i < kElements; ++i) {
    if (kDescriptions[i].name == name) return static_cast<Element>(i);
  }
  throw "no such element";
}

template <typename Visit>
constexpr void for_each_word(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const size_t end = words.find(' ') == std::string_view::npos ? words.size() : words.find(' ');
    visit(words.substr(0, end));
    words.remove_prefix(end == words.size() ? end : end + 1);
  }
}

constexpr Tables build_tables() {
  Tables tables;
  for (size_t i = 0; i < kElements; ++i) {
    tables.traits[i].name = kDescriptions[i].name;
    tables.traits[i].flags = kDescriptions[i].flags;
    tables.traits[i].context = kDescriptions[i].context;
    if (i == 0) continue;
    const NameKey key = name_key(kDescriptions[i].name);
    Element& slot = tables.index.elements[element_slot(key)];
    if (slot != Element::kUnknown) throw "two names in one slot";
    slot = static_cast<Element>(i);
    tables.index.keys[i] = key;
  }
  for (size_t level = 1; level <= 6; ++level) {
    tables.traits[static_cast<size_t>(Element::kH1) + level - 1].heading_level = static_cast<uint8_t>(level);
  }
  for (const Priority& priority : kPriorities) {
    tables.traits[static_cast<size_t>(priority.element)].end_priority = priority.value;
  }
  for (const Closing& closing : kClosings) {
    for_each_word(closing.started, [&](std::string_view started) {
      ElementSet& closes = tables.traits[static_cast<size_t>(element_named(started))].closes;
      for_each_word(closing.closed, [&](std::string_view closed) { closes.insert(element_named(closed)); });
    });
  }
  return tables;
}

constexpr Tables kTables = build_tables();

static_assert(kDescriptions[static_cast<size_t>(Element::kH1)].name == "h1");
static_assert(kDescriptions[static_cast<size_t>(Element::kP)].name == "p");
static_assert(kDescriptions[kElements - 1].name == "xmp");

}  // namespace

constinit const std::array<ElementTraits, kElements> kElementTraits = kTables.traits;
constinit const ElementIndex kElementIndex = kTables.index;

}  // namespace nd::text
