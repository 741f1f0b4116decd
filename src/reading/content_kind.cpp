// The magic numbers of formats without text, and the signs of markup, both from MIME Sniffing and the
// formats' own specifications.
#include "reading/content_kind.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "reading/ascii.hpp"
#include "reading/charset_labels.hpp"
#include "reading/content_type.hpp"

namespace nd::text {
namespace {

using namespace std::string_view_literals;

constexpr size_t kSniffedBytes = 2048;
constexpr size_t kTagWithin = 512;

// Beginnings of formats that hold no text for us: MIME Sniffing, section 6, and the formats' own
// specifications.
constexpr std::string_view kBinaryBeginnings[] = {
    "\x89PNG\r\n\x1a\n"sv,
    "GIF87a"sv,
    "GIF89a"sv,
    "\xff\xd8\xff"sv,  // JPEG
    "\0\0\1\0"sv,      // Windows icon
    "\0\0\2\0"sv,      // Windows cursor
    "II*\0"sv,         // TIFF
    "MM\0*"sv,         // TIFF
    "8BPS\0\1"sv,      // Photoshop
    "OggS\0"sv,
    "fLaC"sv,
    "MThd\0\0\0\6"sv,  // MIDI
    ".snd\0"sv,
    "ID3\2"sv,
    "ID3\3"sv,
    "ID3\4"sv,
    "\x1a\x45\xdf\xa3"sv,  // Matroska, WebM
    "\0\0\1\xba"sv,        // MPEG program stream
    "\0\0\1\xb3"sv,        // MPEG video
    "FLV\1"sv,
    "\x30\x26\xb2\x75\x8e\x66\xcf\x11"sv,  // ASF, WMV
    "\x1f\x8b\x08"sv,                      // gzip
    "\x1f\x9d"sv,                          // compress
    "PK\3\4"sv,                            // ZIP and what is built on it: OOXML, ODF, EPUB, JAR, APK
    "PK\5\6"sv,
    "Rar!\x1a\7"sv,
    "7z\xbc\xaf\x27\x1c"sv,
    "\xfd"
    "7zXZ\0"sv,
    "\x28\xb5\x2f\xfd"sv,  // Zstandard
    "LZIP\1"sv,
    "MSCF\0\0\0\0"sv,                      // cabinet
    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,  // compound file: DOC, XLS, PPT, MSI
    "%PDF-"sv,
    "%!PS"sv,
    "{\\rtf"sv,
    "\0asm"sv,  // WebAssembly
    "\x7f"
    "ELF"sv,
    "\xca\xfe\xba\xbe"sv,  // Java class, Mach-O
    "\xcf\xfa\xed\xfe"sv,  // Mach-O
    "\xce\xfa\xed\xfe"sv,
    "dex\n0"sv,
    "SQLite format 3\0"sv,
    "wOFF"sv,
    "wOF2"sv,
    "OTTO\0"sv,
    "ttcf\0"sv,
    "\0\1\0\0\0"sv,  // TrueType
    "AT&TFORM"sv,    // DjVu
};

// Formats whose marks follow a length or a size: RIFF (WebP, WAV, AVI), ISO base media (MP4, HEIF, AVIF),
// AIFF, bzip2; and Windows programs and bitmaps, whose two letters could also begin a text.
bool is_binary_container(std::string_view head) noexcept {
  const std::string_view type = head.size() >= 12 ? head.substr(8, 4) : ""sv;
  if (head.starts_with("RIFF")) return type == "WEBP" || type == "WAVE" || type == "AVI ";
  if (head.starts_with("FORM")) return type == "AIFF" || type == "AIFC";
  if (head.size() >= 12 && head[0] == '\0' && head.substr(4, 4) == "ftyp") return true;
  if (head.size() >= 12 && head.starts_with("BZh") && head.substr(4, 3) == "1AY") return true;
  const bool has_two_letters = head.starts_with("MZ") || head.starts_with("BM");
  return has_two_letters && head.substr(0, 64).find('\0') != std::string_view::npos;
}

// "Binary data bytes", and NUL among them.
constexpr std::array<uint8_t, 256> kIsBinaryByte = [] {
  std::array<uint8_t, 256> table{};
  for (size_t byte = 0; byte < 0x20; ++byte)
    table[byte] = byte != '\t' && byte != '\n' && byte != '\f' && byte != '\r' && byte != 0x1b;
  return table;
}();

bool declares_utf16(std::string_view content_type) noexcept {
  const std::optional<Charset> charset = find_charset(declared_charset(content_type));
  return charset && charset_form(*charset) == CharsetForm::kUtf16;
}

// Bytes of UTF-16 come in pairs of which at most one is a control or zero: the zero bytes of ASCII all stand
// at the same parity, and nothing else there is binary.
bool has_binary_bytes(std::span<const uint8_t> head, std::string_view content_type) noexcept {
  const auto is_excess = [&](size_t count) { return count > 4 && count * 16 > head.size(); };
  // A table rather than a branch: for most pages this loop is all that runs.
  size_t binary = 0;
  for (const uint8_t byte : head)
    binary += kIsBinaryByte[byte];
  if (!is_excess(binary)) return false;
  size_t zeros[2] = {0, 0};
  size_t controls = 0;
  for (size_t i = 0; i < head.size(); ++i) {
    if (head[i] == 0) ++zeros[i & 1];
    if (head[i] != 0 && kIsBinaryByte[head[i]] != 0) ++controls;
  }
  const bool has_mark =
      head.size() >= 2 && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff));
  // High bytes of alphabets (Cyrillic is 04) and low bytes of ideographs look like controls in UTF-16.
  if (has_mark || declares_utf16(content_type)) return is_excess(std::min(zeros[0], zeros[1]));
  const size_t stray = std::min(zeros[0], zeros[1]) + controls;
  const bool is_utf16 = std::max(zeros[0], zeros[1]) * 40 >= head.size() && stray * 8 <= head.size();
  return !is_utf16 || is_excess(std::min(zeros[0], zeros[1]));
}

std::string_view without_white_space(std::string_view text) noexcept {
  while (!text.empty() && is_ascii_space(text.front()))
    text.remove_prefix(1);
  return text;
}

bool starts_like_html(std::string_view head) noexcept {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (;;) {
    head = without_white_space(head);
    const bool is_comment = head.starts_with("<!--");
    if (!is_comment && !starts_with_ignoring_case(head, "<?xml")) break;
    const std::string_view close = is_comment ? "-->"sv : ">"sv;
    const size_t end = head.find(close);
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + close.size());
  }
  const auto starts_with_word = [&](std::string_view word) {
    return starts_with_ignoring_case(head, word) &&
           (head.size() == word.size() || is_ascii_space(head[word.size()]) || head[word.size()] == '>' ||
            head[word.size()] == '/');
  };
  return starts_with_word("<!doctype html") || starts_with_word("<html");
}

bool has_tag(std::string_view head) noexcept {
  head = head.substr(0, kTagWithin);
  for (size_t at = head.find('<'); at != std::string_view::npos; at = head.find('<', at + 1)) {
    if (at + 1 == head.size()) return false;
    const char next = head[at + 1];
    if (is_ascii_letter(next) || next == '!' || next == '?') return true;
    if (next == '/' && at + 2 < head.size() && is_ascii_letter(head[at + 2])) return true;
  }
  return false;
}

bool is_markup_type(std::string_view type) noexcept {
  return equals_ignoring_case(type, "text/html") || equals_ignoring_case(type, "text/xml") ||
         equals_ignoring_case(type, "application/xml") ||
         (ends_with_ignoring_case(type, "+xml") && !starts_with_ignoring_case(type, "image/"));
}

bool is_plain_text_type(std::string_view type) noexcept {
  constexpr std::string_view kApplicationTypes[] = {
      "application/json", "application/javascript", "application/x-javascript", "application/ecmascript",
      "application/yaml", "application/x-yaml",     "application/x-ndjson",     "application/x-subrip",
      "application/sql",  "application/toml",       "application/x-tex",        "application/x-sh"};
  return starts_with_ignoring_case(type, "text/") || ends_with_ignoring_case(type, "+json") ||
         std::any_of(std::begin(kApplicationTypes), std::end(kApplicationTypes),
                     [&](std::string_view known) { return equals_ignoring_case(type, known); });
}

// The types that servers send when they do not know.
bool is_unknown_type(std::string_view type) noexcept {
  return type.empty() || equals_ignoring_case(type, "unknown/unknown") ||
         equals_ignoring_case(type, "application/unknown");
}

bool may_hold_text(std::string_view type) noexcept {
  return is_markup_type(type) || is_plain_text_type(type);
}

// The last media type of the header, but one that may hold text before one that holds none.
std::string_view declared_type(std::string_view content_type) noexcept {
  std::string_view declared;
  while (!content_type.empty()) {
    const std::string_view type = media_type_essence(take_header_value(content_type));
    if (!type.empty() && (may_hold_text(type) || !may_hold_text(declared))) declared = type;
  }
  return declared;
}

// The ASCII characters of a beginning in UTF-16, so that the rules for markup can be applied to it.
struct NarrowHead {
  char bytes[kSniffedBytes];
  std::string_view text;  // in `bytes`, or the beginning itself where nothing is to be left out

  explicit NarrowHead(std::span<const uint8_t> head) noexcept {
    if (head.size() >= 2 && (head[0] ^ head[1]) == 1 && (head[0] & 0xfe) == 0xfe) head = head.subspan(2);
    text = {reinterpret_cast<const char*>(head.data()), head.size()};
    if (text.find('\0') == std::string_view::npos) return;
    size_t size = 0;
    for (const uint8_t byte : head) {
      if (byte != 0) bytes[size++] = static_cast<char>(byte);
    }
    text = {bytes, size};
  }
  NarrowHead(const NarrowHead&) = delete;
  NarrowHead& operator=(const NarrowHead&) = delete;
};

}  // namespace

// [1] The kind of a body.
ContentKind content_kind(std::span<const uint8_t> body, std::string_view content_type) noexcept {
  if (body.empty()) return ContentKind::kNone;
  const auto head = body.first(std::min(body.size(), kSniffedBytes));
  const std::string_view raw(reinterpret_cast<const char*>(head.data()), head.size());
  const bool is_binary = std::any_of(std::begin(kBinaryBeginnings), std::end(kBinaryBeginnings),
                                     [&](std::string_view beginning) { return raw.starts_with(beginning); });
  if (is_binary || is_binary_container(raw) || has_binary_bytes(head, content_type))
    return ContentKind::kNone;
  const NarrowHead narrow(head);
  if (starts_like_html(narrow.text)) return ContentKind::kHtml;
  const std::string_view type = declared_type(content_type);
  if (is_unknown_type(type)) return has_tag(narrow.text) ? ContentKind::kHtml : ContentKind::kPlainText;
  if (is_markup_type(type)) return ContentKind::kHtml;
  return is_plain_text_type(type) ? ContentKind::kPlainText : ContentKind::kNone;
}

}  // namespace nd::text
