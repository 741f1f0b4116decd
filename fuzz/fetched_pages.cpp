// Puts pages together from the pool by a few bytes of input each.
#include "fuzz/fetched_pages.hpp"

#include <algorithm>
#include <array>

#include "unit/page_sample.hpp"

namespace nd::fuzz {
namespace {

constexpr size_t kBodiesLimit = 40;
constexpr size_t kParagraphsLimit = 16;

constexpr std::array kUrls = {
    KnownUrl{"https://one.example.com/a", "example.com"},
    KnownUrl{"https://one.example.com/b", "example.com"},
    KnownUrl{"https://two.example.com/a?b=c", "example.com"},
    KnownUrl{"https://one.example.org/a", "example.org"},
    KnownUrl{"https://one.example.org/b", "example.org"},
    KnownUrl{"http://one.example.co.uk/", "example.co.uk"},
    KnownUrl{"http://two.example.co.uk/", "example.co.uk"},
    KnownUrl{"https://one.example.com/c", "example.com"},
    KnownUrl{"https://one.example.com/d", "example.com"},
    KnownUrl{"https://one.example.com/e", "example.com"},
    KnownUrl{"https://one.example.net/", "example.net"},
    KnownUrl{"no address", ""},
    KnownUrl{"\xff\xfe", ""},
    KnownUrl{"", ""},
};

constexpr std::array<std::string_view, 8> kContentTypes = {
    "text/html", "text/plain",      "text/html; charset=iso-8859-1", "text/html; charset=utf-16",
    "image/png", "application/pdf", "application/xhtml+xml",         "\xff;;"};

constexpr std::string_view kWideSentence =
    "\xe9\x80\x99\xe6\x98\xaf\xe4\xb8\x80\xe5\x80\x8b\xe7\xb6\xb2\xe9\xa0\x81\xe7\x9a\x84\xe4\xb8\xad\xe6\x96"
    "\x87"
    "\xe5\x8f\xa5\xe5\xad\x90\xe3\x80\x82";

// The first many are long, as of articles; then short ones; then other scripts and markup.
std::string paragraph_of(uint8_t number) {
  if (number < 160) return sample::paragraph(number % 40U);
  sample::Random random(number);
  if (number < 200) return sample::word(random);
  if (number < 230) return sample::sentence(random);
  std::string text;
  for (unsigned i = 230; i <= number; ++i)
    text += kWideSentence;
  return number < 245 ? text : "<ul><li><a href='/'>" + text + "</a><li>" + sample::word(random) + "</ul>";
}

std::string boilerplate_of(uint8_t number, bool is_head) {
  if (number % 4 == 0) return "";
  sample::Random random(1000U + number % 4U);
  std::string text = is_head ? "<nav>" : "<footer>";
  for (int i = 0; i < 6; ++i)
    text += "<a href='/x'>" + sample::word(random) + " " + sample::word(random) + "</a> ";
  return text + (is_head ? "</nav>" : "</footer>");
}

}  // namespace

nd_page FetchedPage::page() const {
  nd_page page = ND_PAGE_INIT;
  page.flags = flags;
  page.url = url.data();
  page.url_size = url.size();
  page.body = body.data();
  page.body_size = body.size();
  page.content_type = content_type.data();
  page.content_type_size = content_type.size();
  page.fetched_at_ms = fetched_at_ms;
  return page;
}

std::string FetchedPage::content() const {
  return content_type + '\n' + std::to_string(flags) + '\n' + body;
}

const KnownUrl& read_url(InputReader& input) {
  return kUrls[input.take_byte() % kUrls.size()];
}

std::string_view site_of(std::string_view url) {
  for (const KnownUrl& known : kUrls) {
    if (known.url == url) return known.site;
  }
  return {};
}

std::string FetchedPages::written(const Body& body) {
  if (body.kind == 1) return body.bytes;
  std::string text;
  if (body.kind == 2) {
    for (const uint8_t paragraph : body.paragraphs)
      text += paragraph_of(paragraph) + "\n\n";
    return text + body.bytes;
  }
  text = "<html><head><title>" + paragraph_of(200) + "</title></head><body>" +
         boilerplate_of(body.boilerplate, true);
  for (const uint8_t paragraph : body.paragraphs)
    text += "<p>" + paragraph_of(paragraph) + "</p>\n";
  return text + body.bytes + boilerplate_of(body.boilerplate, false) + "</body></html>";
}

FetchedPages::Body FetchedPages::next_body(InputReader& input) {
  const uint8_t choice = input.take_byte();
  Body body;
  if (choice % 8 >= 4 && !bodies_.empty()) {
    body = bodies_[input.take_byte() % bodies_.size()];
    if (choice % 8 >= 6) return body;
    const uint8_t place = input.take_byte();
    const uint8_t paragraph = input.take_byte();
    if (body.paragraphs.empty() || place % 4 == 0) {
      body.paragraphs.push_back(paragraph);
    } else if (place % 4 == 1) {
      body.paragraphs.erase(body.paragraphs.begin() + place / 4 % static_cast<int>(body.paragraphs.size()));
    } else {
      body.paragraphs[place / 4U % body.paragraphs.size()] = paragraph;
    }
    body.paragraphs.resize(std::min(body.paragraphs.size(), kParagraphsLimit));
    return body;
  }
  body.kind = choice / 8 % 4;
  body.boilerplate = choice / 32;
  const auto paragraphs = input.take_bytes(input.take_number(0, kParagraphsLimit));
  body.paragraphs.assign(paragraphs.begin(), paragraphs.end());
  if (body.kind != 0) body.bytes = InputReader::as_text(input.take_bytes(input.take_byte()));
  return body;
}

FetchedPage FetchedPages::next(InputReader& input) {
  FetchedPage page;
  page.url = read_url(input).url;
  const Body body = next_body(input);
  if (bodies_.size() < kBodiesLimit) bodies_.push_back(body);
  page.body = written(body);
  const uint8_t other = input.take_byte();
  if (other >= 240) page.content_type = kContentTypes[other % kContentTypes.size()];
  if (other == 239) page.flags = ND_PAGE_TRUNCATED;
  page.fetched_at_ms = 1 + input.take_byte();
  return page;
}

}  // namespace nd::fuzz
