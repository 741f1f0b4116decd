#include "text/block_tokens.hpp"

#include "text/stop_words.hpp"
#include "text/token_scan.hpp"

namespace nd::text {
namespace {

class BlockTokens {
 public:
  BlockTokens(Document& document, size_t first, uint32_t limit) noexcept
      : document_(document), limit_(limit), block_(first), text_begin_(document.blocks[first].text.begin) {
    open();
  }

  // Of tokens in order; places count from the first block's text on.
  void operator()(size_t begin, size_t end, uint32_t token_width) {
    begin += text_begin_;
    while (begin >= block_end_) {
      if (is_full_) return;
      next_block();
    }
    const Token token = make_token(document_.text, begin, end + text_begin_, token_width);
    document_.tokens.push_back(token);
    width_ += token.width;
    stop_count_ += function_words_.contains(token.hash);
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
    block.tokens.begin = static_cast<uint32_t>(document_.tokens.size());
    block_end_ = block.text.end;
    width_ = stop_count_ = 0;
  }

  void close() {
    Vector<Token>& tokens = document_.tokens;
    DocumentBlock& block = document_.blocks[block_];
    if (tokens.size() > limit_) cut_to_limit(block);
    is_full_ = tokens.size() >= limit_;
    block.tokens.end = static_cast<uint32_t>(tokens.size());
    block.width = width_;
    block.stop_share = block.tokens.empty()
                           ? 0.0F
                           : static_cast<float>(stop_count_) / static_cast<float>(block.tokens.size());
  }

  void cut_to_limit(const DocumentBlock& block) {
    document_.tokens.resize(limit_);
    document_.tokens_limited = true;
    width_ = stop_count_ = 0;
    for (size_t i = block.tokens.begin; i < document_.tokens.size(); ++i) {
      width_ += document_.tokens[i].width;
      stop_count_ += function_words_.contains(document_.tokens[i].hash);
    }
  }

  const FunctionWords& function_words_ = FunctionWords::instance();
  Document& document_;
  const uint32_t limit_;
  size_t block_;
  const size_t text_begin_;
  size_t block_end_ = 0;
  uint32_t width_ = 0;
  uint32_t stop_count_ = 0;
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
