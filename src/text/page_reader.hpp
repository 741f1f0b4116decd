// The text layer from end to end: the bytes of a page to a Document.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "reading/decode.hpp"
#include "reading/extraction.hpp"
#include "reading/html.hpp"
#include "text/document.hpp"
#include "text/main_content.hpp"
#include "words/normalize.hpp"

namespace nd::text {

// How blocks are weighed (main_content.hpp): by the model for HTML and the rules for plain text; by the rules
// for both; or not at all, so that every block counts the same, for texts whose boilerplate has
// already been removed.
enum BlockWeights : uint32_t { kLearnedWeights = 0, kRuleWeights = 1, kNoWeights = 2 };

// The reader of HTML. The text is the same.
enum HtmlReader : uint32_t {
  kFastReader = 0,     // our own (markup_reader.hpp), and libxml2 for the pages that it leaves
  kLibxml2Reader = 1,  // libxml2 alone, behind the prefilter
};

struct PageLimits {
  uint64_t page_bytes = 16 * 1024 * 1024;
  uint32_t tokens = 65536;
  HtmlLimits html;
  uint32_t html_reader = kFastReader;
  uint32_t block_weights = kLearnedWeights;
  const BlockModel* block_model = &kBlockModel;  // of learned weights; another one is for measurements
};

// Threads: one object, one thread at a time; keep it for many pages.
class PageReader {
 public:
  static Result<PageReader> create();

  // `url` only determines the site; `content_type` is the HTTP header's value; both may be empty. Nothing in
  // the bytes is ever an error.
  Result<void> read(std::string_view url, std::span<const uint8_t> body, std::string_view content_type,
                    const PageLimits& limits, Document& out);

  // The reason why the last page was left to libxml2; also kNone if that was requested or if it is not HTML.
  Doubt doubt() const noexcept { return doubt_; }

  // The weigher of the last page.
  const ContentWeigher& weigher() const noexcept { return weigher_; }

  // The memory of decoder, extractor, normaliser and weigher, without the document.
  uint64_t memory_bytes() const noexcept {
    return decoder_.memory_bytes() + extractor_.memory_bytes() + normalizer_.memory_bytes() +
           weigher_.memory_bytes();
  }
  // Frees what grows with the page.
  void release() noexcept {
    decoder_.release();
    extractor_.release();
    weigher_ = ContentWeigher();
  }

 private:
  explicit PageReader(Normalizer normalizer) : normalizer_(std::move(normalizer)) {}
  void normalize_blocks(const PageLimits& limits, Document& out);
  size_t append_blocks(size_t source, Document& out);
  static size_t drop_blocks(size_t count, Document& out);
  void read_title(Document& out);

  Decoder decoder_;
  HtmlExtractor extractor_;
  Doubt doubt_ = Doubt::kNone;
  Normalizer normalizer_;
  ContentWeigher weigher_;
  Document title_;  // scratch of read_title()
};

// Step [3] of a text/plain page: blank lines separate blocks. `text` is the decoder's output.
void extract_plain_text(std::string_view text, const HtmlLimits& limits, Extraction& out);

}  // namespace nd::text
