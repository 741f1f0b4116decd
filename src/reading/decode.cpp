// Weighs the declarations against the bytes and decodes by the charset that remains; docs/html.md has the
// cases.
#include "reading/decode.hpp"

#include <array>

#include "reading/byte_statistics.hpp"
#include "reading/byte_structure.hpp"
#include "reading/charset_detector.hpp"
#include "reading/charset_labels.hpp"
#include "reading/content_type.hpp"
#include "reading/meta_prescan.hpp"
#include "reading/transcode.hpp"
#include "reading/twice_encoded.hpp"
#include "reading/utf8_scan.hpp"

namespace nd::text {
namespace {

// Fewer characters than this are no reason to overrule a declaration, nor to consider it confirmed.
constexpr size_t kCharactersToOverrule = 16;
// Fewer than this are no reason to guess a charset when nothing is declared.
constexpr size_t kCharactersToGuess = 4;

struct Declaration {
  Charset charset;
  CharsetSource source;
};

struct Choice {
  Charset charset = Charset::kWindows1252;
  CharsetSource source = CharsetSource::kFallback;
  size_t skip = 0;  // bytes of the byte order mark
};

// The header's and the page's, in this order. "replacement" is ignored; x-user-defined is taken for
// windows-1252, as the HTML Standard does in meta elements.
class Declarations {
 public:
  Declarations(std::span<const uint8_t> body, std::string_view content_type, bool is_html) noexcept {
    add(find_charset(declared_charset(content_type)), CharsetSource::kHttpHeader);
    if (is_html) add(prescan_charset(body), CharsetSource::kMeta);
  }

  const Declaration* begin() const noexcept { return items_.data(); }
  const Declaration* end() const noexcept { return items_.data() + count_; }

  bool names(Charset charset) const noexcept { return source_of(charset) != CharsetSource::kValidity; }

  // Where the charset was named; kValidity if nowhere.
  CharsetSource source_of(Charset charset) const noexcept {
    for (const Declaration& declaration : *this) {
      if (declaration.charset == charset) return declaration.source;
    }
    return CharsetSource::kValidity;
  }

 private:
  void add(std::optional<Charset> charset, CharsetSource source) noexcept {
    if (charset == Charset::kUserDefined) charset = Charset::kWindows1252;
    if (!charset || *charset == Charset::kReplacement || names(*charset)) return;
    items_[count_++] = {*charset, source};
  }

  std::array<Declaration, 2> items_{};
  size_t count_ = 0;
};

std::optional<Choice> byte_order_mark(std::span<const uint8_t> body) noexcept {
  const auto starts_with = [&](std::string_view mark) {
    return std::string_view(reinterpret_cast<const char*>(body.data()), body.size()).starts_with(mark);
  };
  Choice choice{Charset::kUtf8, CharsetSource::kByteOrderMark, 0};
  if (starts_with("\xEF\xBB\xBF")) {
    choice.skip = 3;
  } else if (starts_with("\xFE\xFF")) {
    choice = {Charset::kUtf16Be, CharsetSource::kByteOrderMark, 2};
  } else if (starts_with("\xFF\xFE")) {
    choice = {Charset::kUtf16Le, CharsetSource::kByteOrderMark, 2};
  } else {
    return std::nullopt;
  }
  return choice;
}

bool is_utf8(const Utf8Scan& scan) noexcept {
  return scan.sequence_count > 0 &&
         scan.malformed_count * kToleratedShare <= scan.sequence_count + scan.malformed_count;
}

bool is_damaged_utf8(const Utf8Scan& scan) noexcept {
  return scan.sequence_count > 0 && scan.malformed_count * kDamagedShare <= scan.sequence_count;
}

// The evidence for one page, and the conclusion drawn from it.
class Judgement {
 public:
  Judgement(std::span<const uint8_t> body, const Utf8Scan& scan, const Declarations& declarations) noexcept
      : body_(body), scan_(scan), declarations_(declarations) {}

  uint64_t passes() const noexcept { return passes_; }

  // Everything but ICU's detector, from the strongest evidence to the weakest.
  std::optional<Choice> judge() noexcept {
    if (const auto choice = utf16()) return choice;
    if (scan_.is_ascii()) return ascii();
    if (is_utf8(scan_)) return Choice{Charset::kUtf8, declarations_.source_of(Charset::kUtf8)};
    for (const Declaration& declaration : declarations_) {
      if (const auto choice = confirmed(declaration)) return choice;
    }
    if (const auto charset = plausible_double_byte(kCharactersToGuess)) {
      return Choice{*charset, declarations_.source_of(*charset)};
    }
    return damaged();
  }

 private:
  std::optional<Choice> utf16() noexcept {
    // Without a NUL there is no ASCII in it, no mark-up and no line end.
    if (!scan_.has_nul) return std::nullopt;
    ++passes_;
    const bool is_declared = declarations_.names(Charset::kUtf16Le) || declarations_.names(Charset::kUtf16Be);
    const bool is_other_text = scan_.is_ascii() || is_utf8(scan_);
    const auto charset = detect_utf16(body_, is_declared, is_other_text);
    if (!charset) return is_other_text ? std::nullopt : utf16_of_header();
    for (const Declaration& declaration : declarations_) {
      if (charset_form(declaration.charset) == CharsetForm::kUtf16)
        return Choice{*charset, declaration.source};
    }
    return Choice{*charset, CharsetSource::kValidity};
  }

  // The header is believed even if the page has hardly any ASCII; a page whose own declaration can be read is
  // not in UTF-16.
  std::optional<Choice> utf16_of_header() noexcept {
    for (const Declaration& declaration : declarations_) {
      const bool is_utf16 = charset_form(declaration.charset) == CharsetForm::kUtf16;
      if (!is_utf16 || declaration.source != CharsetSource::kHttpHeader) continue;
      ++passes_;
      if (may_be_utf16(body_, declaration.charset)) return Choice{declaration.charset, declaration.source};
    }
    return std::nullopt;
  }

  // The declared charset's name if the charset makes no difference. UTF-16 is already ruled out. Escapes show
  // ISO-2022-JP whatever is declared, as other bytes show UTF-8.
  Choice ascii() noexcept {
    ++passes_;
    if (is_iso_2022_jp(body_)) return {Charset::kIso2022Jp, declarations_.source_of(Charset::kIso2022Jp)};
    for (const Declaration& declaration : declarations_) {
      if (charset_form(declaration.charset) != CharsetForm::kUtf16)
        return {declaration.charset, declaration.source};
    }
    return {Charset::kUtf8, CharsetSource::kValidity};
  }

  // The declared charset if the bytes support it, or the one that they show instead; nothing if they refute
  // it.
  std::optional<Choice> confirmed(const Declaration& declaration) noexcept {
    switch (charset_form(declaration.charset)) {
      case CharsetForm::kDoubleByte:
        return confirmed_double_byte(declaration);
      case CharsetForm::kSingleByte:
        return confirmed_single_byte(declaration);
      default:
        return std::nullopt;
    }
  }

  std::optional<Choice> confirmed_double_byte(const Declaration& declaration) noexcept {
    const ByteStructure structure = scan(declaration.charset);
    const Choice choice{declaration.charset, declaration.source};
    if (is_plausible(declaration.charset, structure, kCharactersToOverrule)) return choice;
    if (!structure.is_valid()) return std::nullopt;
    const auto other = plausible_double_byte(kCharactersToOverrule);
    return other ? Choice{*other, declarations_.source_of(*other)} : choice;
  }

  // Nearly any bytes decode in a single-byte charset, so what they look like decides.
  std::optional<Choice> confirmed_single_byte(const Declaration& declaration) noexcept {
    if (declarations_.names(Charset::kUtf8) && is_damaged_utf8(scan_)) return std::nullopt;
    // Thai has no blanks between words, and so the pairs that GB 18030 has.
    if (declaration.charset == Charset::kWindows874 && is_thai())
      return Choice{declaration.charset, declaration.source};
    if (const auto other = plausible_double_byte(kCharactersToOverrule)) {
      return Choice{*other, declarations_.source_of(*other)};
    }
    return Choice{declaration.charset, declaration.source};
  }

  // Text that is nearly UTF-8 is nothing else: by chance hardly one sequence in ten of another charset is
  // well formed, while the accented letters of UTF-8, all with the same lead byte, look like Hangul.
  std::optional<Charset> plausible_double_byte(size_t least_characters) noexcept {
    if (is_damaged_utf8(scan_)) return std::nullopt;
    return detect_double_byte(body_, least_characters, passes_);
  }

  // For bytes that decode in no charset without damage.
  std::optional<Choice> damaged() noexcept {
    if (is_damaged_utf8(scan_)) return Choice{Charset::kUtf8, declarations_.source_of(Charset::kUtf8)};
    for (const Declaration& declaration : declarations_) {
      if (charset_form(declaration.charset) != CharsetForm::kDoubleByte) continue;
      if (scan(declaration.charset).is_damaged()) return Choice{declaration.charset, declaration.source};
    }
    return std::nullopt;
  }

  bool is_thai() noexcept {
    ++passes_;
    return ByteStatistics({reinterpret_cast<const char*>(body_.data()), body_.size()}).is_thai();
  }

  ByteStructure scan(Charset charset) noexcept {
    ++passes_;
    return scan_byte_structure(charset, body_);
  }

  std::span<const uint8_t> body_;
  const Utf8Scan& scan_;
  const Declarations& declarations_;
  uint64_t passes_ = 0;  // over the body
};

std::string_view without_marks(std::string_view text) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  while (text.starts_with(kMark))
    text.remove_prefix(kMark.size());
  return text;
}

}  // namespace

struct Decoder::State {
  // Chooses the charset; uses ICU's detector only if nothing else decided.
  Result<Choice> choose(std::span<const uint8_t> body, const Utf8Scan& scan,
                        const Declarations& declarations) {
    Judgement judgement(body, scan, declarations);
    const auto choice = judgement.judge();
    passes += judgement.passes();
    if (choice) return *choice;
    ++passes;
    Result<std::optional<Charset>> detected = detector.detect(body);
    if (!detected) return std::move(detected).failure();
    if (*detected) return Choice{**detected, CharsetSource::kDetector};
    for (const Declaration& declaration : declarations) {
      if (charset_form(declaration.charset) != CharsetForm::kUtf16) {
        return Choice{declaration.charset, declaration.source};
      }
    }
    return Choice{};
  }

  Decoded utf8(std::span<const uint8_t> body, const Utf8Scan& scan) {
    Decoded decoded;
    decoded.replaced_count = static_cast<uint32_t>(scan.malformed_count);
    if (scan.malformed_count == 0 && !scan.has_nul) {
      decoded.text = {reinterpret_cast<const char*>(body.data()), body.size() - scan.cut_bytes};
      if (scan.sequence_count != 0 && append_encoded_once(decoded.text, output)) decoded.text = output.text();
    } else {
      append_repaired_utf8(body, output);
      decoded.text = output.text();
    }
    return decoded;
  }

  Result<Decoded> transcode(Charset charset, std::span<const uint8_t> body) {
    const Result<size_t> malformed = transcoder.append(charset, body, output);
    if (!malformed) return malformed.failure();
    Decoded decoded;
    decoded.text = output.text();
    decoded.replaced_count = static_cast<uint32_t>(*malformed);
    return decoded;
  }

  Transcoder transcoder;
  CharsetDetector detector;
  Utf8Output output;
  uint64_t passes = 0;  // over the body at hand
};

Decoder::Decoder() : state_(make_owned<State>()) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

uint64_t Decoder::memory_bytes() const noexcept {
  return sizeof(State) + state_->output.memory_bytes();
}

void Decoder::release() noexcept {
  state_->output = Utf8Output();
}

// [2] Bytes to UTF-8.
Result<Decoded> Decoder::decode(std::span<const uint8_t> body, std::string_view content_type, bool is_html) {
  State& state = *state_;
  state.output.clear();
  state.passes = 1;  // of scan_utf8(); where there is a mark, of what comes next
  Choice choice;
  Utf8Scan scan;
  if (const auto mark = byte_order_mark(body)) {
    choice = *mark;
    body = body.subspan(choice.skip);
    if (choice.charset == Charset::kUtf8) scan = scan_utf8(body);
  } else {
    scan = scan_utf8(body);
    const Result<Choice> chosen = state.choose(body, scan, Declarations(body, content_type, is_html));
    if (!chosen) return chosen.failure();
    choice = *chosen;
  }
  const CharsetForm form = charset_form(choice.charset);
  const bool is_plain = choice.charset == Charset::kUtf8 ||
                        (scan.is_ascii() && form != CharsetForm::kUtf16 && form != CharsetForm::kEscaped);
  Result<Decoded> decoded =
      is_plain ? Result<Decoded>(state.utf8(body, scan)) : state.transcode(choice.charset, body);
  if (!decoded) return decoded;
  const size_t written = state.output.text().size();
  decoded->read_bytes = (state.passes + (written != 0 ? 1 : 0)) * body.size() + written;
  decoded->text = without_marks(decoded->text);
  decoded->charset = charset_name(choice.charset);
  decoded->source = choice.source;
  return decoded;
}

}  // namespace nd::text
