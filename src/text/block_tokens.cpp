// Places the tokens of one pass over the text into the blocks they belong to, up to the limit of a page.
#include "text/block_tokens.hpp"

#include <span>
#include <string_view>

#include "words/stop_words.hpp"
#include "words/token_scan.hpp"

namespace nd::text {
namespace {

class BlockTokens {
 public:
  BlockTokens(Document& document, size_t first, uint32_t limit) noexcept
      : document_(document), limit_(limit), block_(first), text_begin_(document.blocks[first].text.begin) {
    open();
  }

  // Takes tokens in order; places count from the first block's text on.
  void operator()(size_t begin, size_t end, uint32_t token_width) {
    begin += text_begin_;
    while (begin >= block_end_) {
      if (is_full_) return;
      next_block();
    }
    document_.tokens.push_back(unhashed_token(begin, end + text_begin_, token_width));
  }

  // The number of blocks that have been cut.
  size_t finish() {
    while (!is_full_ && block_ + 1 < document_.blocks.size())
      next_block();
    if (!is_full_) close();
    return block_ + 1;
  }

 private:
  void next_block() {
    close();
    if (is_full_) return;
    ++block_;
    open();
  }

  void open() noexcept {
    DocumentBlock& block = document_.blocks[block_];
    block.width = 0;
    block.tokens.begin = static_cast<uint32_t>(document_.tokens.size());
    block_end_ = block.text.end;
  }

  void close() {
    Vector<Token>& tokens = document_.tokens;
    DocumentBlock& block = document_.blocks[block_];
    if (tokens.size() > limit_) {
      tokens.resize(limit_);
      document_.tokens_limited = true;
    }
    is_full_ = tokens.size() >= limit_;
    block.tokens.end = static_cast<uint32_t>(tokens.size());
    // A loop of its own, so that the hashes of several tokens are computed side by side.
    const std::string_view text = document_.text;
    uint32_t stop_count = 0;
    for (Token& token : std::span(tokens).subspan(block.tokens.begin)) {
      token.hash = token_hash(token.text.of(text));
      block.width += token.width;
      stop_count += function_words_.contains(token.hash);
    }
    block.stop_share = block.tokens.empty()
                           ? 0.0F
                           : static_cast<float>(stop_count) / static_cast<float>(block.tokens.size());
  }

  const FunctionWords& function_words_ = FunctionWords::instance();
  Document& document_;
  const uint32_t limit_;
  size_t block_;
  const size_t text_begin_;
  size_t block_end_ = 0;
  bool is_full_ = false;
};

}  // namespace

// [4] ... cut into tokens ...
size_t cut_tokens(Document& document, size_t first, uint32_t limit) {
  if (first >= document.blocks.size()) return document.blocks.size();
  BlockTokens blocks(document, first, limit);
  const size_t begin = document.blocks[first].text.begin;
  TokenScan(std::string_view(document.text).substr(begin, document.blocks.back().text.end - begin), blocks)
      .run();
  return blocks.finish();
}

}  // namespace nd::text
