// The walk over a text that finds its tokens; word_segmenter.hpp says what a token is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/utf8.hpp"
#include "words/byte_masks.hpp"
#include "words/character_classes.hpp"

namespace nd::text {

// Calls visit(begin, end, width) for the tokens of well-formed text, in order. ASCII other than letters and
// digits is in no token, so everything between is a run: a plain run is a token as it is; only the others are
// read character by character.
template <typename Visit>
class TokenScan {
 public:
  TokenScan(std::string_view text, Visit& visit) noexcept : text_(text), visit_(visit) {}

  void run() {
    for_each_64_bytes(text_, [this](const char* at, size_t offset) {
      take_masks(byte_masks_detail::word_masks(at), offset);
    });
    if (is_open_) take_run(run_, text_.size(), is_high_);
  }

 private:
  // The bits from `bit` on.
  static constexpr uint64_t from(unsigned bit) noexcept { return ~uint64_t{0} << bit; }

  void take_masks(WordMasks masks, size_t offset) {
    // A set bit where a run begins or ends.
    uint64_t edges = masks.word ^ (masks.word << 1 | uint64_t{is_open_});
    if (is_open_) {
      if (edges == 0) {
        is_high_ |= masks.high != 0;
        return;
      }
      const auto end = static_cast<unsigned>(std::countr_zero(edges));
      edges &= edges - 1;
      take_run(run_, offset + end, is_high_ || (masks.high & ~from(end)) != 0);
      is_open_ = false;
    }
    while (edges != 0) {
      const auto begin = static_cast<unsigned>(std::countr_zero(edges));
      edges &= edges - 1;
      const uint64_t high = masks.high & from(begin);
      if (edges == 0) {
        is_open_ = true;
        run_ = offset + begin;
        is_high_ = high != 0;
        return;
      }
      const auto end = static_cast<unsigned>(std::countr_zero(edges));
      edges &= edges - 1;
      take_run(offset + begin, offset + end, (high & ~from(end)) != 0);
    }
  }

  void take_run(size_t begin, size_t end, bool is_high) {
    if (is_high) {
      read_run(begin, end);
    } else {
      visit_(begin, end, static_cast<uint32_t>(end - begin));
    }
  }

  unsigned char byte(size_t position) const noexcept { return static_cast<unsigned char>(text_[position]); }

  // Ideographs, kana and their like have three bytes and are most of what is not ASCII.
  char32_t next(size_t& position, size_t end) const noexcept {
    const unsigned char lead = byte(position);
    if (lead - 0xe1U < 0xfU && end - position >= 3) {
      const unsigned second = byte(position + 1) ^ 0x80U;
      const unsigned third = byte(position + 2) ^ 0x80U;
      if ((second | third) < 0x40) {
        position += 3;
        return (lead & 0xfU) << 12 | second << 6 | third;
      }
    }
    return next_code_point(text_.substr(0, end), position);
  }

  // Reads a run that is not plain.
  void read_run(size_t position, size_t end) {
    while (position < end) {
      const size_t begin = position;
      if (byte(position) < 0x80) {
        read_word(begin, position, end, 0);
        continue;
      }
      const char32_t c = next(position, end);
      const CharacterClass kind = classes_.of(c);
      if (kind.is_spaceless()) {
        uint32_t token_width = width(c);
        take_marks(position, end, token_width);
        visit_(begin, position, token_width);
      } else if (kind.is_in_run()) {
        read_word(begin, position, end, width(c));
      }
    }
  }

  void take_marks(size_t& position, size_t end, uint32_t& token_width) const noexcept {
    // No mark is encoded with a lead byte below 0xCC, none in the ideographs' E4..E9.
    while (position < end && byte(position) >= 0xcc && static_cast<unsigned>(byte(position) - 0xe4) > 5U) {
      size_t after = position;
      const char32_t c = next(after, end);
      if (!classes_.of(c).is_mark()) return;
      token_width += width(c);
      position = after;
    }
  }

  // The rest of a word of which [begin, position) is known and `token_width` wide.
  void read_word(size_t begin, size_t& position, size_t end, uint32_t token_width) {
    while (position < end) {
      size_t after = position + 1;
      char32_t c = byte(position);
      if (c >= 0x80) {
        after = position;
        c = next(after, end);
        if (!classes_.of(c).is_in_run()) break;
      }
      token_width += width(c);
      position = after;
    }
    visit_(begin, position, token_width);
  }

  const CharacterClasses& classes_ = CharacterClasses::instance();
  const std::string_view text_;
  Visit& visit_;
  size_t run_ = 0;        // where the open run began
  bool is_open_ = false;  // a run extends beyond the end of the 64 bytes
  bool is_high_ = false;  // it holds more than ASCII
};

}  // namespace nd::text
