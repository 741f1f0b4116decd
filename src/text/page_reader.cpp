#include "text/page_reader.hpp"

#include <utility>

#include "text/plain_text.hpp"
#include "text/sentences.hpp"
#include "text/site.hpp"
#include "text/stop_words.hpp"

namespace nd::text {
namespace {

// Share of the function words among the tokens, and the width of all.
void describe_tokens(const Document& document, DocumentBlock& block) {
  uint32_t stop_count = 0;
  for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i) {
    const Token& token = document.tokens[i];
    block.width += token.width;
    stop_count += is_stop_word(token.hash) || is_chinese_function_character(token.hash);
  }
  block.stop_share =
      block.tokens.empty() ? 0.0F : static_cast<float>(stop_count) / static_cast<float>(block.tokens.size());
}

}  // namespace

Result<PageReader> PageReader::create() {
  Result<Normalizer> normalizer = Normalizer::create();
  if (!normalizer) return std::move(normalizer).failure();
  return PageReader(*std::move(normalizer));
}

Result<void> PageReader::read(std::string_view url, std::span<const uint8_t> body,
                              std::string_view content_type, const PageLimits& limits, Document& out) {
  out.clear();
  out.host = host_of(url);
  out.site = site_of_host(out.host);
  if (body.size() > limits.page_bytes) {
    body = body.first(static_cast<size_t>(limits.page_bytes));
    out.body_cut = true;
  }
  // [1] What is it?
  out.kind = content_kind(body, content_type);
  if (out.kind == ContentKind::kNone) return {};
  // [2] Bytes to UTF-8.
  const bool is_html = out.kind == ContentKind::kHtml;
  Result<Decoded> decoded = decoder_.decode(body, content_type, is_html);
  if (!decoded) return std::move(decoded).failure();
  out.charset = decoded->charset;
  out.charset_source = decoded->source;
  // [3] Markup to blocks of visible text.
  if (is_html) {
    Result<void> extracted = extractor_.extract(decoded->text, out.site, limits.html, out.extraction);
    if (!extracted) return extracted;
  } else {
    extract_plain_text(decoded->text, limits.html, out.extraction);
  }
  out.markup_limited = out.extraction.limited;
  // [4] One normal form, cut into tokens and sentences.
  normalize_blocks(limits, out);
  // [5] Main content against frame.
  weigher_.weigh(out);
  return {};
}

void PageReader::normalize_blocks(const PageLimits& limits, Document& out) {
  const Extraction& extraction = out.extraction;
  for (uint32_t i = 0; i < extraction.blocks.size(); ++i) {
    if (out.tokens.size() >= limits.tokens) {
      out.tokens_limited = true;
      return;
    }
    const TextBlock& source = extraction.blocks[i];
    DocumentBlock block{};
    block.source = i;
    block.text.begin = static_cast<uint32_t>(out.text.size());
    normalizer_.append(source.text.of(extraction.text), out.text);
    block.text.end = static_cast<uint32_t>(out.text.size());
    if (block.text.empty()) continue;
    const std::string_view text = block.text.of(out.text);
    block.tokens.begin = static_cast<uint32_t>(out.tokens.size());
    append_tokens(text, block.text.begin, out.tokens);
    if (out.tokens.size() > limits.tokens) {
      out.tokens.resize(limits.tokens);
      out.tokens_limited = true;
    }
    block.tokens.end = static_cast<uint32_t>(out.tokens.size());
    block.sentences.begin = static_cast<uint32_t>(out.sentences.size());
    append_sentences(text, block.text.begin, out.sentences);
    block.sentences.end = static_cast<uint32_t>(out.sentences.size());
    block.link_share = static_cast<float>(source.linked_bytes) / static_cast<float>(source.text.size());
    describe_tokens(out, block);
    out.width += block.width;
    out.blocks.push_back(block);
    out.text.push_back('\n');
  }
}

}  // namespace nd::text
