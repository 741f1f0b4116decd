// Runs steps [1] to [5] in order, and normalises and cuts in portions, so that a page beyond the token limit
// costs no more.
#include "text/page_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/utf8.hpp"
#include "reading/site.hpp"
#include "text/block_tokens.hpp"
#include "text/sentences.hpp"

namespace nd::text {

namespace {

// Text is normalised and cut into tokens in portions of about this many bytes, so that little work is wasted
// on a page that has more tokens than are wanted; most pages are one portion. Not tuned.
constexpr size_t kPortionBytes = 64 * 1024;

}  // namespace

Result<PageReader> PageReader::create() {
  Result<Normalizer> normalizer = Normalizer::create();
  if (!normalizer) return std::move(normalizer).failure();
  return PageReader(*std::move(normalizer));
}

Result<void> PageReader::read(std::string_view url, std::span<const uint8_t> body,
                              std::string_view content_type, const PageLimits& limits, Document& out) {
  out.clear();
  doubt_ = Doubt::kNone;
  assign_host(out.host, url);
  out.site = site_of_host(out.host);
  if (body.size() > limits.page_bytes) {
    body = body.first(static_cast<size_t>(limits.page_bytes));
    out.body_cut = true;
  }
  // [1] What kind of content it is.
  out.kind = content_kind(body, content_type);
  if (out.kind == ContentKind::kNone) return {};
  // [2] Bytes to UTF-8.
  const bool is_html = out.kind == ContentKind::kHtml;
  Result<Decoded> decoded = decoder_.decode(body, content_type, is_html);
  if (!decoded) return std::move(decoded).failure();
  out.work.add(Work::kDecode, decoded->read_bytes);
  out.charset = decoded->charset;
  out.charset_source = decoded->source;
  // [3] Markup to blocks of visible text.
  if (is_html) {
    const bool is_fast = limits.html_reader == kFastReader;
    Result<void> extracted =
        is_fast ? extractor_.extract(decoded->text, out.site, limits.html, out.extraction)
                : extractor_.extract_by_libxml2(decoded->text, out.site, limits.html, out.extraction);
    if (!extracted) return extracted;
    if (is_fast) doubt_ = extractor_.doubt();
    out.work.add(out.extraction.work);
  } else {
    extract_plain_text(decoded->text, limits.html, out.extraction);
    out.work.add(Work::kBlocks, decoded->text.size());
  }
  out.markup_limited = out.extraction.limited;
  // [4] One normal form, cut into tokens and sentences.
  const uint64_t icu_bytes = normalizer_.icu_bytes();
  normalize_blocks(limits, out);
  read_title(out);
  out.work.add(Work::kText, normalizer_.icu_bytes() - icu_bytes);
  // [5] Main content against boilerplate.
  if (limits.block_weights == kNoWeights) {
    for (DocumentBlock& block : out.blocks)
      block.weight = 1.0F;
  } else {
    weigher_.weigh(out, limits.block_weights == kLearnedWeights ? limits.block_model : nullptr);
  }
  return {};
}

void PageReader::normalize_blocks(const PageLimits& limits, Document& out) {
  const Vector<TextBlock>& sources = out.extraction.blocks;
  for (size_t next = 0; next < sources.size();) {
    if (out.tokens.size() >= limits.tokens) {
      out.tokens_limited = true;
      return;
    }
    const size_t first = out.blocks.size();
    const size_t first_token = out.tokens.size();
    const size_t first_sentence = out.sentences.size();
    const size_t first_byte = out.text.size();
    next = append_blocks(next, out);
    // Each byte is written once and read three times: for tokens, their hashes and sentences.
    out.work.add(Work::kText, 4 * (out.text.size() - first_byte));
    const size_t cut = cut_tokens(out, first, limits.tokens);
    if (cut > first && out.tokens.size() >= limits.tokens) next = drop_blocks(cut, out);
    const auto blocks = std::span(out.blocks).subspan(first);
    cut_sentences(out.text, blocks, out.sentences);
    out.work.add(Work::kText,
                 (out.tokens.size() - first_token) + (out.sentences.size() - first_sentence) + blocks.size());
    for (const DocumentBlock& block : blocks)
      out.width += block.width;
  }
}

// The words of the title, in the same form as the text's.
void PageReader::read_title(Document& out) {
  const std::string_view title = out.extraction.title;
  if (title.empty()) return;
  title_.clear();
  normalizer_.append(title, title_.text);
  DocumentBlock block{};
  block.text.end = static_cast<uint32_t>(title_.text.size());
  if (block.text.empty()) return;
  title_.blocks.push_back(block);
  title_.text.push_back('\n');
  cut_tokens(title_, 0, kTitleTokens);
  out.title.assign(title_.tokens.begin(), title_.tokens.end());
  out.work.add(Work::kText, title.size() + out.title.size());
}

// The normal forms of the blocks from `source` on. Returns the first that is left.
size_t PageReader::append_blocks(size_t source, Document& out) {
  const Extraction& extraction = out.extraction;
  const size_t enough = out.text.size() + kPortionBytes;
  for (; source < extraction.blocks.size() && out.text.size() < enough; ++source) {
    const TextBlock& from = extraction.blocks[source];
    DocumentBlock block{};
    block.source = static_cast<uint32_t>(source);
    block.text.begin = static_cast<uint32_t>(out.text.size());
    normalizer_.append(extraction.text, from.text, out.text);
    out.work.add(Work::kText, from.text.size());
    block.text.end = static_cast<uint32_t>(out.text.size());
    if (block.text.empty()) continue;
    block.link_share = static_cast<float>(from.linked_bytes) / static_cast<float>(from.text.size());
    out.blocks.push_back(block);
    out.text.push_back('\n');
  }
  return source;
}

// Drops the blocks behind the first `count`. Returns the source of the first that is dropped.
size_t PageReader::drop_blocks(size_t count, Document& out) {
  out.blocks.resize(count);
  out.text.resize(out.blocks.back().text.end + 1);
  return out.blocks.back().source + 1;
}

namespace {

bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; });
}

}  // namespace

void extract_plain_text(std::string_view text, const HtmlLimits& limits, Extraction& out) {
  out.clear();
  if (text.size() > limits.text_bytes) {
    text = whole_characters(text, limits.text_bytes);
    out.limited = true;
  }
  out.text.assign(text);
  out.containers.push_back({0});
  Range paragraph{0, 0};
  const auto close = [&] {
    if (paragraph.empty()) return;
    if (out.blocks.size() >= limits.blocks) {
      out.limited = true;
    } else {
      out.blocks.push_back({paragraph, 0, 0, 0, 0, 0});
    }
    paragraph = {0, 0};
  };
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = std::min(text.find('\n', begin), text.size());
    if (is_blank(text.substr(begin, newline - begin))) {
      close();
    } else {
      if (paragraph.empty()) paragraph.begin = static_cast<uint32_t>(begin);
      paragraph.end = static_cast<uint32_t>(newline);
    }
    begin = newline + 1;
  }
  close();
}

}  // namespace nd::text
