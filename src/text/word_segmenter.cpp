#include <unicode/ubrk.h>
#include <unicode/utf16.h>

#include <new>
#include <utility>

#include "core/utf8.hpp"
#include "text/character_classes.hpp"
#include "text/words.hpp"

namespace nd::text {
namespace {

// Word boundaries by the rules of UAX #29 for text without opaque characters and up to a space, as ICU's
// root rules draw them. The comments name the rules.
class PlainScanner {
 public:
  PlainScanner(const CharacterClasses& classes, std::string_view text, uint32_t offset,
               Vector<Range>& out) noexcept
      : classes_(classes), text_(text), offset_(offset), out_(out) {}

  // Reads from `position` to the next space or the end, and moves `position` there. False where a character
  // is opaque; the words appended so far are then to be taken back.
  bool scan(size_t& position) {
    begin_ = position;
    while (position < text_.size() && text_[position] != ' ') {
      const size_t at = position;
      const CharacterClass kind = classes_.of(next_code_point(text_, position));
      if (!read(kind, at, position)) return false;
    }
    if (middle_ != kNoMiddle) end_segment(middle_);
    end_segment(position);
    return true;
  }

 private:
  static constexpr size_t kNoMiddle = static_cast<size_t>(-1);

  bool read(CharacterClass kind, size_t at, size_t next) {
    switch (kind.word_break()) {
      case WordBreak::kLetter:
      case WordBreak::kHangul:
      case WordBreak::kNumber:
      case WordBreak::kJoiner:
        join(kind.word_break(), at);
        break;
      case WordBreak::kMidLetter:
      case WordBreak::kMidNumber:
      case WordBreak::kMidBoth:
        read_middle(kind.word_break(), at);
        break;
      case WordBreak::kExtend:  // WB4: belongs to what stands before it
        // Behind a marked Hangul syllable ICU's rules and its dictionary code disagree.
        if (last_ == WordBreak::kHangul) return false;
        break;
      case WordBreak::kOther:
        end_segment_before(at);
        last_ = WordBreak::kOther;
        break;
      case WordBreak::kOpaque:
        // The only opaque character that is frequent in plain text is a colon behind a word.
        if (text_[at] != ':' || (next < text_.size() && text_[next] != ' ')) return false;
        end_segment_before(at);
        last_ = WordBreak::kOther;
        break;
    }
    alphanumeric_ |= kind.is_alphanumeric();
    return true;
  }

  // WB5, WB8, WB9, WB10, WB13a, WB13b; over a middle WB6, WB7, WB11, WB12.
  void join(WordBreak kind, size_t at) {
    if (middle_ != kNoMiddle) {
      if (kind == last_) {
        middle_ = kNoMiddle;
      } else {
        end_segment_before(at);
      }
    } else if (last_ == WordBreak::kOther || (kind == WordBreak::kHangul) != (last_ == WordBreak::kHangul)) {
      end_segment_before(at);
    }
    last_ = kind;
  }

  void read_middle(WordBreak kind, size_t at) {
    const bool joins = (last_ == WordBreak::kLetter && kind != WordBreak::kMidNumber) ||
                       (last_ == WordBreak::kNumber && kind != WordBreak::kMidLetter);
    if (middle_ == kNoMiddle && joins) {
      middle_ = at;
      return;
    }
    end_segment_before(at);
    last_ = WordBreak::kOther;
  }

  // Ends the segment at `at`, or at the middle that turned out to be none.
  void end_segment_before(size_t at) {
    end_segment(middle_ != kNoMiddle ? middle_ : at);
    middle_ = kNoMiddle;
    begin_ = at;
  }

  void end_segment(size_t end) {
    if (alphanumeric_) {
      out_.push_back({offset_ + static_cast<uint32_t>(begin_), offset_ + static_cast<uint32_t>(end)});
    }
    alphanumeric_ = false;
  }

  const CharacterClasses& classes_;
  const std::string_view text_;
  const uint32_t offset_;
  Vector<Range>& out_;
  size_t begin_ = 0;                    // of the segment
  size_t middle_ = kNoMiddle;           // where a mark stands that may join what stands around it
  WordBreak last_ = WordBreak::kOther;  // of the segment, marks not counted
  bool alphanumeric_ = false;           // the segment has a letter or digit
};

}  // namespace

struct WordSegmenter::State {
  UBreakIterator* iterator;
  const CharacterClasses& classes = CharacterClasses::instance();
  Vector<UChar> units;

  explicit State(UBreakIterator* opened) noexcept : iterator(opened) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ubrk_close(iterator); }

  void set_text(std::string_view text);
  void append_words(std::string_view text, uint32_t offset, Vector<Range>& out);
};

void WordSegmenter::State::set_text(std::string_view text) {
  units.clear();
  for (size_t position = 0; position < text.size();) {
    const char32_t c = next_code_point(text, position);
    if (c < 0x10000) {
      units.push_back(static_cast<UChar>(c));
    } else {
      units.push_back(U16_LEAD(c));
      units.push_back(U16_TRAIL(c));
    }
  }
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText(iterator, units.data(), static_cast<int32_t>(units.size()), &status);
  if (U_FAILURE(status)) throw std::bad_alloc();
}

void WordSegmenter::State::append_words(std::string_view text, uint32_t offset, Vector<Range>& out) {
  if (text.empty()) return;
  set_text(text);
  size_t position = 0;
  int32_t unit = ubrk_first(iterator);
  for (int32_t end = ubrk_next(iterator); end != UBRK_DONE; end = ubrk_next(iterator)) {
    const size_t begin = position;
    bool alphanumeric = false;
    while (unit < end) {
      const char32_t c = next_code_point(text, position);
      unit += c < 0x10000 ? 1 : 2;
      alphanumeric |= classes.of(c).is_alphanumeric();
    }
    if (alphanumeric) {
      out.push_back({offset + static_cast<uint32_t>(begin), offset + static_cast<uint32_t>(position)});
    }
  }
}

Result<WordSegmenter> WordSegmenter::create() {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator* iterator = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status)) return error(Status::kInternal, "ICU has no word rules: ", u_errorName(status));
  try {
    return WordSegmenter(make_owned<State>(iterator));
  } catch (const std::bad_alloc&) {
    ubrk_close(iterator);
    throw;
  }
}

WordSegmenter::WordSegmenter(Owned<State> state) noexcept : state_(std::move(state)) {}
WordSegmenter::WordSegmenter(WordSegmenter&&) noexcept = default;
WordSegmenter& WordSegmenter::operator=(WordSegmenter&&) noexcept = default;
WordSegmenter::~WordSegmenter() = default;

void WordSegmenter::append_words(std::string_view text, uint32_t offset, Vector<Range>& out) {
  // A space that stands before anything but a space is a boundary on both sides, and no rule looks across it.
  size_t position = 0;
  while (position < text.size()) {
    if (text[position] == ' ') {
      ++position;
      continue;
    }
    const size_t begin = position;
    const size_t known = out.size();
    if (!PlainScanner(state_->classes, text, offset, out).scan(position)) {
      out.resize(known);
      position = std::min(text.find(' ', begin), text.size());
      state_->append_words(text.substr(begin, position - begin), offset + static_cast<uint32_t>(begin), out);
    }
  }
}

void WordSegmenter::append_words_icu(std::string_view text, uint32_t offset, Vector<Range>& out) {
  state_->append_words(text, offset, out);
}

}  // namespace nd::text
