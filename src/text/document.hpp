// A page as the detectors see it: normalised blocks with their tokens, sentences and weights.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/memory.hpp"
#include "core/work_tally.hpp"
#include "reading/content_kind.hpp"
#include "reading/decode.hpp"
#include "reading/extraction.hpp"
#include "words/word_segmenter.hpp"

namespace nd::text {

struct DocumentBlock {
  Range text;        // in Document::text
  Range tokens;      // in Document::tokens
  Range sentences;   // in Document::sentences
  uint32_t width;    // of its tokens, in units of the LCS partition
  uint32_t source;   // index in Extraction::blocks (0 for plain text)
  float link_share;  // 0..1 of its text that is in links
  float stop_share;  // 0..1 of its tokens that are function words (or function characters)
  float weight = 0;  // 0..1, how likely it is main content; see main_content.hpp
};

// More of a title says nothing more about what the page is. Not tuned.
inline constexpr uint32_t kTitleTokens = 64;

struct Document {
  ContentKind kind = ContentKind::kNone;
  String host;               // of the URL, "" if unknown
  String site;               // registrable domain, "" if unknown
  std::string_view charset;  // static
  CharsetSource charset_source = CharsetSource::kFallback;
  Extraction extraction;  // fields and raw blocks; plain text has one block per paragraph
  String text;            // normalised blocks, separated by '\n'
  Vector<DocumentBlock> blocks;
  Vector<Token> tokens;
  Vector<Range> sentences;
  Vector<Token> title;    // of the title element, at most kTitleTokens; their ranges refer to no text here
  uint64_t width = 0;     // of all tokens
  bool body_cut = false;  // longer than page_bytes
  bool markup_limited = false;  // depth, blocks or text bytes
  bool tokens_limited = false;  // more tokens than the limit
  WorkTally work;               // of making it

  // Keeps the capacity.
  void clear() noexcept {
    kind = ContentKind::kNone;
    host.clear();
    site.clear();
    charset = {};
    charset_source = CharsetSource::kFallback;
    extraction.clear();
    text.clear();
    blocks.clear();
    tokens.clear();
    sentences.clear();
    title.clear();
    width = 0;
    body_cut = markup_limited = tokens_limited = false;
    work = WorkTally();
  }
  uint64_t memory_bytes() const noexcept {
    return text.capacity() + blocks.capacity() * sizeof(DocumentBlock) +
           (tokens.capacity() + title.capacity()) * sizeof(Token) + sentences.capacity() * sizeof(Range) +
           extraction.text.capacity() + extraction.blocks.capacity() * sizeof(TextBlock) +
           extraction.containers.capacity() * sizeof(Container) +
           extraction.anchors.capacity() * sizeof(Anchor);
  }
};

}  // namespace nd::text
