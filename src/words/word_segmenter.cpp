// Scans plain text by the rules of UAX #29 with own code, and leaves the rest to ICU's break iterator.
#include "words/word_segmenter.hpp"

#include <unicode/ubrk.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/hash.hpp"
#include "core/utf8.hpp"
#include "words/character_classes.hpp"
#include "words/cjk_dictionary.hpp"
#include "words/token_scan.hpp"

namespace nd::text {

void append_tokens(std::string_view text, uint32_t offset, Vector<Token>& out) {
  const auto push = [&](size_t begin, size_t end, uint32_t token_width) {
    Token token = unhashed_token(begin + offset, end + offset, token_width);
    token.hash = token_hash(text.substr(begin, end - begin));
    out.push_back(token);
  };
  TokenScan(text, push).run();
}

namespace {

bool is_spaceless(std::string_view text, const Token& token) noexcept {
  // No script without spaces begins below U+0E00.
  if (static_cast<unsigned char>(text[token.text.begin]) < 0xe0) return false;
  size_t position = token.text.begin;
  return CharacterClasses::instance().of(next_code_point(text, position)).is_spaceless();
}

}  // namespace

Result<DictionaryWords> DictionaryWords::create() {
  Result<WordSegmenter> segmenter = WordSegmenter::create();
  if (!segmenter) return std::move(segmenter).failure();
  return DictionaryWords(*std::move(segmenter));
}

void DictionaryWords::append(std::string_view text, std::span<const Token> tokens, Vector<Word>& out) {
  for (size_t i = 0; i < tokens.size();) {
    size_t end = i;
    while (end < tokens.size() && is_spaceless(text, tokens[end]))
      ++end;
    if (end == i) {
      out.push_back({tokens[i].text, tokens[i].hash});
      ++i;
      continue;
    }
    const Range stretch{tokens[i].text.begin, tokens[end - 1].text.end};
    segments_.clear();
    segmenter_.append_words(stretch.of(text), stretch.begin, segments_);
    for (const Range& word : segments_)
      out.push_back({word, static_cast<uint32_t>(stable_hash(word.of(text)))});
    i = end;
  }
}

namespace {

constexpr bool is_cjk(WordBreak kind) noexcept {
  return kind == WordBreak::kIdeograph || kind == WordBreak::kKatakana;
}

// Buffers for one run of ideographs and kana.
struct RunBuffers {
  Vector<char16_t> characters;
  Vector<uint8_t> lengths;
  uint64_t work = 0;  // see WordSegmenter::work()
};

// Word boundaries by the rules of UAX #29 for text without opaque characters and up to a space, as ICU's
// root rules draw them; inside runs of ideographs and kana by the dictionary. The comments name the rules.
class PlainScanner {
 public:
  PlainScanner(const CharacterClasses& classes, std::string_view text, uint32_t offset, RunBuffers& run,
               Vector<Range>& out) noexcept
      : classes_(classes), text_(text), offset_(offset), run_(run), out_(out) {}

  // Reads from `position` to the next space or the end, and moves `position` there. False at an opaque
  // character: `position` is then behind it or before it, and ICU must read on from segment_begin();
  // everything before has been appended.
  bool scan(size_t& position) {
    begin_ = position;
    while (position < text_.size() && text_[position] != ' ') {
      const size_t at = position;
      const CharacterClass kind = classes_.of(next_code_point(text_, position));
      if (!(is_cjk(kind.word_break()) ? read_run(at, position) : read(kind, at, position))) return false;
    }
    if (middle_ != kNoMiddle) end_segment(middle_);
    end_segment(position);
    return true;
  }

  // A position where a segment begins by the rules, whatever precedes it.
  size_t segment_begin() const noexcept { return begin_; }

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
        // The only opaque character that is frequent in plain text is a colon.
        if (text_[at] != ':' || !stands_alone(next)) return false;
        end_segment_before(at);
        last_ = WordBreak::kOther;
        break;
      case WordBreak::kIdeograph:  // see read_run()
      case WordBreak::kKatakana:
        break;
    }
    alphanumeric_ |= kind.is_alphanumeric();
    return true;
  }

  // Whether the colon that ends at `next` joins nothing even where ICU lets it join letters.
  bool stands_alone(size_t next) const noexcept {
    if (last_ != WordBreak::kLetter || next == text_.size()) return true;
    const WordBreak kind = classes_.of(next_code_point(text_, next)).word_break();
    return kind != WordBreak::kLetter && kind != WordBreak::kExtend && kind != WordBreak::kOpaque;
  }

  // Reads a run of ideographs and kana whose first character is [at, position). ICU's rules keep it together
  // and apart from its neighbours, and leave the rest to its dictionary. False if only ICU can read on, as in
  // scan().
  bool read_run(size_t at, size_t& position) {
    const CjkDictionary* const dictionary = CjkDictionary::instance();
    if (dictionary == nullptr) return false;
    position = at;
    WordBreak first = WordBreak::kOther;
    WordBreak last = WordBreak::kOther;
    WordBreak next = WordBreak::kOther;
    bool is_bmp = true;
    run_.characters.clear();
    for (size_t end = at; end < text_.size(); position = end) {
      const char32_t c = next_code_point(text_, end);
      next = classes_.of(c).word_break();
      if (!is_cjk(next)) break;
      if (first == WordBreak::kOther) first = next;
      last = next;
      is_bmp &= c < 0x10000;
      run_.characters.push_back(c < 0x10000 ? static_cast<char16_t>(c) : kBeyondBmp);
    }
    // WB13b; WB4, of which the dictionary knows nothing; WB13a. No opaque character of ASCII joins a run.
    if (first == WordBreak::kKatakana && last_ == WordBreak::kJoiner) return false;
    end_segment_before(at);
    const bool is_joined =
        next == WordBreak::kExtend || (next == WordBreak::kJoiner && last == WordBreak::kKatakana) ||
        (next == WordBreak::kOpaque && static_cast<unsigned char>(text_[position]) >= 0x80);
    if (is_joined) return false;
    push_words(*dictionary, at, is_bmp);
    begin_ = position;
    last_ = WordBreak::kOther;
    return true;
  }

  void push_words(const CjkDictionary& dictionary, size_t begin, bool is_bmp) {
    run_.work += split_cjk_run(dictionary, run_.characters, run_.lengths);
    for (size_t i = 0; i < run_.lengths.size();) {
      const size_t next = i + run_.lengths[i];
      // Characters of the two classes have three bytes, but those beyond U+FFFF, which have four.
      size_t end = begin + 3 * (next - i);
      if (!is_bmp) {
        end += static_cast<size_t>(std::count(run_.characters.begin() + static_cast<ptrdiff_t>(i),
                                              run_.characters.begin() + static_cast<ptrdiff_t>(next),
                                              kBeyondBmp));
      }
      out_.push_back({offset_ + static_cast<uint32_t>(begin), offset_ + static_cast<uint32_t>(end)});
      begin = end;
      i = next;
    }
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

  // Ends the segment at `at`, or before the mark that turned out not to join.
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
  RunBuffers& run_;
  Vector<Range>& out_;
  size_t begin_ = 0;                    // of the segment
  size_t middle_ = kNoMiddle;           // the position of a mark that may join its neighbours
  WordBreak last_ = WordBreak::kOther;  // of the segment, marks not counted
  bool alphanumeric_ = false;           // the segment has a letter or digit
};

// Where ICU, reading on from `position`, may stop: at the end, or before one of these marks, which no rule
// joins to what precedes them.
size_t find_stop(std::string_view text, size_t position) noexcept {
  for (; position < text.size(); ++position) {
    if (std::string_view(" !?()").find(text[position]) != std::string_view::npos) break;
    const std::string_view rest = text.substr(position, 3);
    if (rest == "、" || rest == "。") break;
  }
  return position;
}

}  // namespace

struct WordSegmenter::State {
  UBreakIterator* iterator;
  const CharacterClasses& classes = CharacterClasses::instance();
  Vector<UChar> units;
  bool has_ideograph_engine = false;
  RunBuffers run;

  explicit State(UBreakIterator* opened) noexcept : iterator(opened) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ubrk_close(iterator); }

  // ICU finds the engine of a sound mark that both kana share only after it has seen another character of
  // that engine: its boundaries would depend on what it has read before.
  void load_ideograph_engine();
  void set_text(std::string_view text);
  void append_words(std::string_view text, uint32_t offset, Vector<Range>& out);
};

void WordSegmenter::State::load_ideograph_engine() {
  if (has_ideograph_engine) return;
  set_text("一一");
  ubrk_first(iterator);
  ubrk_next(iterator);
  has_ideograph_engine = true;
}

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
  run.work += text.size();
  load_ideograph_engine();
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
  State& state = *state_;
  state.run.work += text.size();
  // A space before anything but a space is a boundary on both sides, and no rule looks across it.
  size_t position = 0;
  while (position < text.size()) {
    if (text[position] == ' ') {
      ++position;
      continue;
    }
    PlainScanner scanner(state.classes, text, offset, state.run, out);
    if (scanner.scan(position)) continue;
    const size_t begin = scanner.segment_begin();
    position = find_stop(text, position);
    state.append_words(text.substr(begin, position - begin), offset + static_cast<uint32_t>(begin), out);
  }
}

void WordSegmenter::append_words_icu(std::string_view text, uint32_t offset, Vector<Range>& out) {
  state_->append_words(text, offset, out);
}

uint64_t WordSegmenter::work() const noexcept {
  return state_->run.work;
}

uint64_t WordSegmenter::memory_bytes() const noexcept {
  return state_->units.capacity() * sizeof(UChar) + state_->run.characters.capacity() * sizeof(char16_t) +
         state_->run.lengths.capacity();
}

}  // namespace nd::text
