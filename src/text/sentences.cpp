// Visits only the places where a mark can stand, and judges each by what stands around it.
#include "text/sentences.hpp"

#include <bit>
#include <optional>

#include "core/utf8.hpp"
#include "words/byte_masks.hpp"

namespace nd::text {
namespace {

// What a mark needs around it to end a sentence, in ascending order of strength.
enum class Mark : uint8_t { kNone, kClosing, kFullStop, kPlain, kWide };

constexpr Mark mark_of(char32_t c) noexcept {
  switch (c) {
    case U'.':
    case U'…':
      return Mark::kFullStop;
    case U'!':
    case U'?':
    case U';':
    case U'\u061b':  // Arabic semicolon
    case U'\u061f':  // Arabic question mark
    case U'\u06d4':  // Arabic full stop
    case U'\u0964':  // danda
    case U'\u0965':  // double danda
      return Mark::kPlain;
    case U'。':
    case U'\uff61':  // half-width ideographic full stop
    case U'！':
    case U'？':
    case U'；':
    case U'．':
      return Mark::kWide;
    case U'"':
    case U'\'':
    case U')':
    case U']':
    case U'}':
    case U'»':
    case U'’':
    case U'”':
    case U'」':
    case U'』':
    case U'】':
    case U'》':
    case U'〉':
    case U'〕':
    case U'）':
      return Mark::kClosing;
    default:
      return Mark::kNone;
  }
}

constexpr bool ends_sentence(Mark mark) noexcept {
  return mark >= Mark::kFullStop;
}

bool is_wide_before(std::string_view text, size_t position) noexcept {
  if (position < 3) return false;
  size_t start = position - 1;
  while (start > position - 3 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
    --start;
  if (start > 0 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
  return is_wide(next_code_point(text, start));
}

// Reads the run of marks at `position` to its end. True if a sentence ends there.
bool read_marks(std::string_view text, size_t& position) noexcept {
  const size_t begin = position;
  Mark strongest = Mark::kNone;
  bool wide_within = false;
  while (position < text.size()) {
    size_t next = position;
    const char32_t c = next_code_point(text, next);
    const Mark mark = mark_of(c);
    if (mark == Mark::kNone) {
      if (c <= U' ' || is_wide(c)) return true;
      break;
    }
    wide_within |= mark == Mark::kClosing && is_wide(c);
    if (mark > strongest) strongest = mark;
    position = next;
  }
  return position == text.size() || strongest == Mark::kWide || wide_within ||
         (strongest == Mark::kPlain && is_wide_before(text, begin));
}

// The sentences of one piece of a text, given the places where a mark may stand.
class Piece {
 public:
  Piece(std::string_view text, uint32_t offset, Vector<Range>& out) noexcept
      : text_(text), offset_(offset), out_(out) {
    begin_sentence(0);
  }

  // Places come in order; not all are marks.
  void mark_at(size_t place) {
    if (place < position_) return;
    position_ = place;
    size_t after = place;
    if (!ends_sentence(mark_of(next_code_point(text_, after)))) {
      position_ = after;
    } else if (read_marks(text_, position_)) {
      push(position_);
      begin_sentence(position_);
    }
  }

  void finish() {
    size_t end = text_.size();
    while (end > begin_ && static_cast<unsigned char>(text_[end - 1]) <= ' ')
      --end;
    if (end > begin_) push(end);
  }

 private:
  void begin_sentence(size_t at) noexcept {
    while (at < text_.size() && static_cast<unsigned char>(text_[at]) <= ' ')
      ++at;
    begin_ = position_ = at;
  }
  void push(size_t end) {
    out_.push_back({offset_ + static_cast<uint32_t>(begin_), offset_ + static_cast<uint32_t>(end)});
  }

  std::string_view text_;
  uint32_t offset_;
  Vector<Range>& out_;
  size_t begin_ = 0;     // of the sentence
  size_t position_ = 0;  // up to here the text is read
};

// Calls visit(place) for each byte of `text` with which a mark can begin.
template <typename Visit>
void for_each_place(std::string_view text, const Visit& visit) {
  for_each_64_bytes(text, [&](const char* at, size_t offset) {
    for (MarkMask mask = byte_masks_detail::mark_mask(at); mask != 0; mask &= mask - 1)
      visit(offset + static_cast<size_t>(std::countr_zero(mask)));
  });
}

}  // namespace

// [4] ... and into sentences.
void cut_sentences(std::string_view text, std::span<DocumentBlock> blocks, Vector<Range>& out) {
  if (blocks.empty()) return;
  auto block = blocks.begin();
  const auto open = [&] {
    block->sentences.begin = static_cast<uint32_t>(out.size());
    return Piece(block->text.of(text), block->text.begin, out);
  };
  const auto close = [&](Piece& piece) {
    piece.finish();
    block->sentences.end = static_cast<uint32_t>(out.size());
  };
  std::optional<Piece> piece(open());
  const uint32_t begin = block->text.begin;
  for_each_place(text.substr(begin, blocks.back().text.end - begin), [&](size_t place) {
    place += begin;
    while (place >= block->text.end) {
      close(*piece);
      ++block;
      piece.emplace(open());
    }
    piece->mark_at(place - block->text.begin);
  });
  close(*piece);
  while (++block != blocks.end()) {
    piece.emplace(open());
    close(*piece);
  }
}

}  // namespace nd::text
