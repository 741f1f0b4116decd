#include "text/sentences.hpp"

#include <array>

#include "core/utf8.hpp"

namespace nd::text {
namespace {

// How much a mark needs around it to end a sentence; the order is that of strength.
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

// Bytes with which a mark that ends sentences can begin.
constexpr std::array<bool, 256> kCanBegin = [] {
  std::array<bool, 256> table{};
  for (const char c : {'.', '!', '?', ';', '\xd8', '\xdb', '\xe0', '\xe2', '\xe3', '\xef'}) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();

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

}  // namespace

// [4] ... and into sentences.
void append_sentences(std::string_view text, uint32_t offset, Vector<Range>& out) {
  const auto shifted = [&](size_t position) { return offset + static_cast<uint32_t>(position); };
  size_t begin = 0;
  size_t position = 0;
  while (position < text.size()) {
    if (static_cast<unsigned char>(text[position]) <= ' ' && position == begin) {
      begin = ++position;
      continue;
    }
    if (!kCanBegin[static_cast<unsigned char>(text[position])]) {
      ++position;
      continue;
    }
    size_t after = position;
    if (!ends_sentence(mark_of(next_code_point(text, after)))) {
      position = after;
    } else if (read_marks(text, position)) {
      out.push_back({shifted(begin), shifted(position)});
      begin = position;
    }
  }
  size_t end = text.size();
  while (end > begin && static_cast<unsigned char>(text[end - 1]) <= ' ')
    --end;
  if (end > begin) out.push_back({shifted(begin), shifted(end)});
}

}  // namespace nd::text
