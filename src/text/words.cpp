#include "text/words.hpp"

#include <algorithm>
#include <array>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "text/character_classes.hpp"

namespace nd::text {
namespace {

constexpr uint32_t kWidestToken = 0xffff;

constexpr std::array<bool, 256> kAsciiAlphanumeric = [] {
  std::array<bool, 256> table{};
  for (size_t c = 0; c < 128; ++c) {
    table[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
  return table;
}();

class Tokenizer {
 public:
  Tokenizer(std::string_view text, uint32_t offset, Vector<Token>& out) noexcept
      : text_(text), offset_(offset), out_(out) {}

  void run() {
    size_t position = 0;
    while (position < text_.size()) {
      const size_t begin = position;
      const unsigned char first = byte(position);
      if (kAsciiAlphanumeric[first]) {
        take_run(begin, position, 0);
      } else if (first < 0x80) {
        ++position;
      } else {
        take_wide(begin, position);
      }
    }
  }

 private:
  unsigned char byte(size_t position) const noexcept { return static_cast<unsigned char>(text_[position]); }

  void push(size_t begin, size_t end, uint32_t token_width) {
    const std::string_view word = text_.substr(begin, end - begin);
    out_.push_back({{offset_ + static_cast<uint32_t>(begin), offset_ + static_cast<uint32_t>(end)},
                    static_cast<uint32_t>(stable_hash(word)),
                    static_cast<uint16_t>(std::min(token_width, kWidestToken))});
  }

  // A token that starts with a character beyond ASCII.
  void take_wide(size_t begin, size_t& position) {
    const char32_t c = next_code_point(text_, position);
    const CharacterClass kind = classes_.of(c);
    if (kind.is_spaceless()) {
      uint32_t token_width = width(c);
      take_marks(position, token_width);
      push(begin, position, token_width);
    } else if (kind.is_in_run()) {
      take_run(begin, position, width(c));
    }
  }

  void take_marks(size_t& position, uint32_t& token_width) const noexcept {
    // No mark is encoded with a lead byte below 0xCC, none in the ideographs' E4..E9.
    while (position < text_.size() && byte(position) >= 0xcc &&
           static_cast<unsigned>(byte(position) - 0xe4) > 5U) {
      size_t next = position;
      const char32_t c = next_code_point(text_, next);
      if (!classes_.of(c).is_mark()) return;
      token_width += width(c);
      position = next;
    }
  }

  // The rest of a run of which [begin, position) is known and `token_width` wide.
  void take_run(size_t begin, size_t& position, uint32_t token_width) {
    while (true) {
      const size_t ascii_begin = position;
      while (position < text_.size() && kAsciiAlphanumeric[byte(position)])
        ++position;
      token_width += static_cast<uint32_t>(position - ascii_begin);
      if (position == text_.size() || byte(position) < 0x80) break;
      size_t next = position;
      const char32_t c = next_code_point(text_, next);
      if (!classes_.of(c).is_in_run()) break;
      token_width += width(c);
      position = next;
    }
    push(begin, position, token_width);
  }

  const CharacterClasses& classes_ = CharacterClasses::instance();
  const std::string_view text_;
  const uint32_t offset_;
  Vector<Token>& out_;
};

}  // namespace

// [4] ... cut into tokens ...
void append_tokens(std::string_view text, uint32_t offset, Vector<Token>& out) {
  Tokenizer(text, offset, out).run();
}

}  // namespace nd::text
