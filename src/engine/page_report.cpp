// Writes what the steps up to [6] made of a page: kind, charset, fields, and blocks with their weights.
#include "engine/page_report.hpp"

#include <string_view>
#include <utility>

#include "core/json.hpp"
#include "engine/kept_copy.hpp"

namespace nd::engine {
namespace {

std::string_view kind_name(text::ContentKind kind) {
  switch (kind) {
    case text::ContentKind::kHtml:
      return "html";
    case text::ContentKind::kPlainText:
      return "text";
    case text::ContentKind::kNone:
      return "none";
  }
  return "none";
}

std::string_view source_name(text::CharsetSource source) {
  switch (source) {
    case text::CharsetSource::kByteOrderMark:
      return "bom";
    case text::CharsetSource::kHttpHeader:
      return "http";
    case text::CharsetSource::kMeta:
      return "meta";
    case text::CharsetSource::kValidity:
      return "validity";
    case text::CharsetSource::kDetector:
      return "detector";
    case text::CharsetSource::kFallback:
      return "fallback";
  }
  return "fallback";
}

constexpr std::pair<uint16_t, std::string_view> kContextNames[] = {
    {text::kInHeading, "heading"},       {text::kInList, "list"},       {text::kInTable, "table"},
    {text::kInNavigation, "navigation"}, {text::kInHeader, "header"},   {text::kInFooter, "footer"},
    {text::kInAside, "aside"},           {text::kInArticle, "article"}, {text::kInForm, "form"},
    {text::kInPre, "preformatted"},      {text::kInQuote, "quote"},
};

Result<void> write_blocks(const text::Document& document, JsonWriter& json) {
  Result<text::WordSegmenter> segmenter = text::WordSegmenter::create();
  if (!segmenter) return std::move(segmenter).failure();
  Vector<text::Range> words;
  json.key("blocks").begin_array();
  for (const text::DocumentBlock& block : document.blocks) {
    const std::string_view text = block.text.of(document.text);
    words.clear();
    segmenter->append_words(text, 0, words);
    json.begin_object()
        .member("text", text)
        .member("weight", double{block.weight})
        .member("words", uint64_t{words.size()});
    json.member("link_share", double{block.link_share}).member("stop_share", double{block.stop_share});
    json.key("context").begin_array();
    const uint16_t context = document.extraction.blocks[block.source].context;
    for (const auto& [bit, name] : kContextNames) {
      if (context & bit) json.value(name);
    }
    json.end_array().end_object();
  }
  json.end_array();
  return {};
}

}  // namespace

Result<void> write_page_report(const text::Document& document, const Features& features, String& out) {
  const text::Extraction& extraction = document.extraction;
  JsonWriter json(out);
  json.begin_object();
  json.member("kind", kind_name(document.kind)).member("charset", document.charset);
  json.member("charset_source", source_name(document.charset_source));
  json.member("title", std::string_view(extraction.title))
      .member("language", std::string_view(extraction.language));
  json.member("keywords", std::string_view(extraction.keywords))
      .member("description", std::string_view(extraction.description));
  const String canonical = resolve_link(features.url(), extraction.canonical_url);
  json.member("canonical", std::string_view(extraction.canonical_url))
      .member("canonical_url", std::string_view(canonical))
      .member("site", std::string_view(document.site));
  json.key("alternates").begin_array();
  for (const text::AlternateLink& link : extraction.alternates) {
    json.begin_object()
        .member("language", std::string_view(link.language))
        .member("url", std::string_view(link.url))
        .end_object();
  }
  json.end_array();
  json.member("width", features.header().width).member("content_width", features.header().content_width);
  json.member("tokens", uint64_t{document.tokens.size()})
      .member("sentences", uint64_t{document.sentences.size()});
  json.member("fingerprints", features.header().fingerprint_count)
      .member("keys", features.header().key_count);
  if (Result<void> written = write_blocks(document, json); !written) return written;
  json.member("limited", (features.header().flags & kFeatureLimited) != 0);
  json.end_object();
  return {};
}

}  // namespace nd::engine
