// The tables of elements against libxml2, pair by pair.
#include "reading/html_elements.hpp"

#include <gtest/gtest.h>
#include <libxml/HTMLparser.h>

#include <string>
#include <vector>

#include "reading/open_elements.hpp"

namespace nd::text {
namespace {

TEST(FindElement, FindsEveryNameAndNothingElse) {
  for (size_t i = 1; i < kElements; ++i) {
    const auto element = static_cast<Element>(i);
    EXPECT_EQ(find_element(name_key(traits_of(element).name)), element);
    if (i > 1) {
      EXPECT_LT(traits_of(static_cast<Element>(i - 1)).name, traits_of(element).name);
    }
  }
  for (const char* name : {"", "x", "div2", "A", "my-element", "blockquote-but-longer"}) {
    EXPECT_EQ(find_element(name_key(name)), Element::kUnknown) << name;
  }
}

TEST(LowerCaseKey, EqualsTheKeyOfTheLowerCaseName) {
  std::string every;
  for (char c = '-'; c <= 'z'; ++c)
    every.push_back(c);
  for (size_t size = 1; size <= 20; ++size) {
    for (size_t begin = 0; begin + size <= every.size(); ++begin) {
      const std::string name = every.substr(begin, size);
      std::string lower_case = name;
      for (char& c : lower_case)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      EXPECT_EQ(lower_case_key(std::string_view(every).substr(begin, size), every.size() - begin),
                name_key(lower_case));
      EXPECT_EQ(lower_case_key(name, name.size()), name_key(lower_case));
    }
  }
}

// The elements open at the end of `html`, as the parser sees them.
std::vector<std::string> open_in_parser(const std::string& html) {
  struct Events {
    std::vector<std::string> open;
    std::vector<std::string> deepest;
  } events;
  htmlSAXHandler sax{};
  sax.startElement = [](void* to, const xmlChar* name, const xmlChar**) {
    static_cast<Events*>(to)->open.emplace_back(reinterpret_cast<const char*>(name));
  };
  sax.endElement = [](void* to, const xmlChar*) { static_cast<Events*>(to)->open.pop_back(); };
  sax.characters = [](void* to, const xmlChar* text, int) {
    auto& self = *static_cast<Events*>(to);
    if (*text == '$') self.deepest = self.open;
  };
  htmlDocPtr document = htmlSAXParseDoc(BAD_CAST html.c_str(), "UTF-8", &sax, &events);
  if (document != nullptr) xmlFreeDoc(document);
  return events.deepest;
}

// A known element, or one that neither side knows.
struct NamedElement {
  ElementId id;
  std::string name;
  bool stays;
};

std::vector<NamedElement> elements_that_may_hold_markup() {
  std::vector<NamedElement> elements = {{kFirstUnknownElement, "x-y", true}};
  for (size_t i = 1; i < kElements; ++i) {
    const auto element = static_cast<Element>(i);
    if (element == Element::kScript || element == Element::kStyle) continue;
    elements.push_back(
        {id_of(element), std::string(traits_of(element).name), (traits_of(element).flags & kIsVoid) == 0});
  }
  return elements;
}

std::vector<std::string> names_of(const OpenElements& open) {
  std::vector<std::string> names;
  for (uint32_t level = 0; level != open.size(); ++level) {
    const Element element = open.element_at(level);
    names.emplace_back(element == Element::kUnknown ? "x-y" : std::string(traits_of(element).name));
  }
  return names;
}

// What each start tag closes and implies: at the beginning of a page, and in its body.
TEST(OpenElements, FollowsTheParserForTheStartTagsOfEveryPairOfElements) {
  const std::vector<NamedElement> elements = elements_that_may_hold_markup();
  OpenElements open;
  for (const NamedElement& outer : elements) {
    for (const NamedElement& inner : elements) {
      for (const bool in_body : {false, true}) {
        open.reset(100);
        if (in_body) open.start(id_of(Element::kBody), true);
        if (in_body) open.start(id_of(Element::kDiv), true);
        open.start(outer.id, outer.stays);
        open.start(inner.id, inner.stays);
        if (open.in_shell()) open.start_paragraph();
        const std::string page = (in_body ? "<body><div><" : "<") + outer.name + "><" + inner.name + ">$";
        ASSERT_EQ(names_of(open), open_in_parser(page)) << page;
      }
    }
  }
}

// What each end tag closes, with every other element in its way, and with two.
TEST(OpenElements, FollowsTheParserForTheEndTagsOfEveryPairOfElements) {
  const std::vector<NamedElement> elements = elements_that_may_hold_markup();
  OpenElements open;
  for (const NamedElement& outer : elements) {
    for (const NamedElement& inner : elements) {
      for (const bool has_third : {false, true}) {
        open.reset(100);
        open.start(id_of(Element::kBody), true);
        open.start(id_of(Element::kDiv), true);
        open.start(outer.id, outer.stays);
        open.start(inner.id, inner.stays);
        if (has_third) open.start(id_of(Element::kB), true);
        open.end(outer.id);
        if (open.in_shell()) open.start_paragraph();
        const std::string page = "<body><div><" + outer.name + "><" + inner.name + ">" +
                                 (has_third ? "<b>" : "") + "</" + outer.name + ">$";
        ASSERT_EQ(names_of(open), open_in_parser(page)) << page;
      }
    }
  }
}

TEST(OpenElements, EndTagsStopAtElementsOfHigherPriority) {
  OpenElements open;
  open.reset(100);
  for (const Element element : {Element::kBody, Element::kB, Element::kDiv, Element::kI})
    open.start(id_of(element), true);
  EXPECT_EQ(open.end(id_of(Element::kB)), OpenElements::End::kIgnored);
  EXPECT_EQ(open.end(id_of(Element::kU)), OpenElements::End::kIgnored);
  EXPECT_EQ(open.end(id_of(Element::kDiv)), OpenElements::End::kClosed);
  EXPECT_EQ(open.innermost(), id_of(Element::kB));
}

TEST(OpenElements, TellsWhatIsBeyondTheLimit) {
  OpenElements open;
  open.reset(4);
  open.start(id_of(Element::kBody), true);
  EXPECT_FALSE(open.start(id_of(Element::kDiv), true).beyond_limit);
  EXPECT_FALSE(open.start(id_of(Element::kB), true).beyond_limit);
  EXPECT_TRUE(open.start(id_of(Element::kI), true).beyond_limit);
  EXPECT_EQ(open.end(id_of(Element::kI)), OpenElements::End::kHidden);
  EXPECT_EQ(open.end(id_of(Element::kB)), OpenElements::End::kClosed);
  for (int i = 0; i < 100000; ++i)
    open.start(id_of(Element::kDiv), true);
  EXPECT_LT(open.size(), 1000U);
}

}  // namespace
}  // namespace nd::text
