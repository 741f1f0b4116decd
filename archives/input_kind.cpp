// Looks at the first bytes of an input, and at later records where the beginning is damaged or could be a
// quotation.
#include "archives/input_kind.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "archives/arc_line.hpp"
#include "archives/header_fields.hpp"
#include "archives/json_lines_reader.hpp"

namespace ndc {
namespace {

constexpr size_t kLookedBytes = size_t{64} << 10;
constexpr size_t kMaxTagNameBytes = 32;
constexpr std::string_view kUtf16Marks[] = {"\xFF\xFE", "\xFE\xFF"};

using MagicName = std::pair<std::string_view, const char*>;

// Where they begin a file, and are whole enough to be recognised there, they are unpacked.
constexpr std::array<MagicName, 5> kPackedKinds{{
    {"BZh", "bzip2 data, damaged or within other compressed data"},
    {"\xFD"
     "7zXZ",
     "xz data, damaged or within other compressed data"},
    {"\x04\x22\x4D\x18", "lz4 data, damaged or within other compressed data"},
    {"\x28\xb5\x2f\xfd", "zstd data, damaged or within other compressed data"},
    {"\x1f\x8b", "gzip data, damaged or within other compressed data"},
}};

// nullptr: with none of them.
template <size_t kCount>
const char* name_by_magic(const std::array<MagicName, kCount>& kinds, std::string_view start) {
  for (const auto& [magic, name] : kinds) {
    if (start.starts_with(magic)) return name;
  }
  return nullptr;
}

std::string_view without_leading_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
  return text;
}

// Reads until `size` bytes are ahead, or to the end.
std::string_view look(InputStream& stream, size_t size) {
  while (stream.ahead().size() < size && stream.fill()) {
  }
  return stream.ahead().substr(0, size);
}

bool has_later_warc_record(std::string_view bytes) {
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (begins_warc_record(bytes.substr(at + 1))) return true;
  }
  return false;
}

// Texts quote ARC lines and JSON too. What is no text, or was damaged, quotes nothing; else there must be an
// HTTP header behind the line, and another record, or the end, where it says.
bool has_later_arc_record(std::string_view bytes, bool quotes) {
  for (size_t begin = 0, end = bytes.find('\n'); end != std::string_view::npos;
       begin = end + 1, end = bytes.find('\n', begin)) {
    const std::optional<size_t> at = arc_line_within(bytes.substr(begin, end - begin));
    if (!at) continue;
    if (!quotes) return true;
    const std::optional<ArcLine> line = parse_arc_line(bytes.substr(begin + *at, end - begin - *at));
    const std::string_view block = bytes.substr(end + 1);
    if (!block.starts_with("HTTP/")) continue;
    const bool is_long = line->length >= block.size() && bytes.size() == kLookedBytes;
    if (is_long || line->length == block.size()) return true;
    if (line->length > block.size()) continue;
    const std::string_view behind = without_leading_space(block.substr(static_cast<size_t>(line->length)));
    if (behind.empty() || begins_arc_record(behind)) return true;
  }
  return false;
}

// What the lines behind the first say for JSON lines, and against them.
struct JsonLineVotes {
  size_t pages = 0;
  size_t elements = 0;  // pages but for a comma behind them: those of an array
  size_t others = 0;    // these and any other lines, from the first page on
};

JsonLineVotes votes_of_later_lines(std::string_view bytes, bool is_cut, const JsonFields& fields) {
  JsonLineVotes votes;
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    const size_t end = bytes.find('\n', at + 1);
    const std::string_view line = trimmed(bytes.substr(at + 1, end - at - 1));
    if (line.empty()) continue;
    const auto is_page = [&fields](std::string_view text) {
      return text.starts_with('{') && json_line_fault(text, fields).empty();
    };
    // Of a line that is not here as a whole its beginning decides.
    if (is_page(line) || (is_cut && end == std::string_view::npos && line.starts_with("{\""))) {
      ++votes.pages;
      continue;
    }
    if (votes.pages > 0) ++votes.others;
    if (line.ends_with(',') && is_page(line.substr(0, line.size() - 1))) ++votes.elements;
  }
  return votes;
}

// What a later line of damaged data shows.
std::optional<InputKind> kind_of_later_lines(std::string_view start, const JsonFields& fields, bool damaged) {
  const bool quotes = !damaged && looks_like_text(start);
  if (has_later_warc_record(start)) return InputKind::kWarc;
  if (quotes && looks_like_html(start)) return std::nullopt;
  if (has_later_arc_record(start, quotes)) return InputKind::kArc;
  const JsonLineVotes votes = votes_of_later_lines(start, start.size() == kLookedBytes, fields);
  const bool are_lines = votes.pages >= votes.others && votes.pages > votes.elements;
  if (votes.pages > 0 && (!quotes || are_lines)) return InputKind::kJsonLines;
  return std::nullopt;
}

// `is_cut`: there is more than `start`.
DetectedInput detect_json(std::string_view start, bool is_cut, const JsonFields& fields, bool damaged) {
  const size_t end = start.find('\n');
  // The rest of a longer line is judged when it is read.
  if (damaged || (is_cut && end == std::string_view::npos)) return {InputKind::kJsonLines, {}};
  const std::string reason = json_line_fault(start.substr(0, end), fields);
  if (reason.empty()) return {InputKind::kJsonLines, {}};
  const JsonLineVotes votes = votes_of_later_lines(start, is_cut, fields);
  if (votes.pages > votes.elements) return {InputKind::kJsonLines, {}};
  return {InputKind::kOther, "JSON, but not one page a line: in its first line, " + reason};
}

}  // namespace

DetectedInput detect_input(InputStream& stream, const JsonFields& fields) {
  std::string_view start = look(stream, 1);
  if (start.empty()) {
    const bool damaged = stream.first_damage() != nullptr;
    return {damaged ? InputKind::kWarc : InputKind::kEmpty, {}};
  }
  start = look(stream, kWarcMagicBytes);
  if (begins_warc_record(start)) return {InputKind::kWarc, {}};
  start = look(stream, kLookedBytes);
  const bool damaged = stream.first_damage() != nullptr;
  const std::string_view content = without_leading_space(without_byte_order_mark(start));
  if (begins_warc_version(content)) return {InputKind::kWarc, {}};
  if (content.starts_with("filedesc:") || begins_arc_record(content)) return {InputKind::kArc, {}};
  if (content.starts_with('{')) return detect_json(content, start.size() == kLookedBytes, fields, damaged);
  if (const auto kind = kind_of_later_lines(start, fields, damaged)) return {*kind, {}};
  if (looks_like_html(start)) return {InputKind::kHtml, {}};
  const std::string looks_like = describe_bytes(start);
  if (damaged) return {InputKind::kWarc, {}};
  if (name_by_magic(kPackedKinds, start) != nullptr) return {InputKind::kPacked, looks_like};
  return {looks_like == "plain text" ? InputKind::kText : InputKind::kOther, looks_like};
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

bool is_zip(std::string_view start) {
  return start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
}

std::string describe_bytes(std::string_view start) {
  static constexpr std::array<MagicName, 17> kKinds{{
      {"%PDF-", "a PDF file"},
      {"\x89PNG", "a PNG image"},
      {"\xFF\xD8\xFF", "a JPEG image"},
      {"GIF8", "a GIF image"},
      {"RIFF", "a WebP image or a sound"},
      {"\x7f"
       "ELF",
       "a program"},
      {"SQLite format 3", "an SQLite database"},
      {"PK\x03\x04", "a ZIP file"},
      {"PK\x05\x06", "an empty ZIP file"},
      {"Rar!", "a RAR file"},
      {"7z\xBC\xAF\x27\x1C", "a 7z file"},
      {"PAR1", "a Parquet file"},
      {"OTTO", "a font"},
      {"wOF", "a font"},
      {"ndc", "a file of ndc's"},
      {"!<arch>", "a package or a library"},
      {"\xD0\xCF\x11\xE0", "an old Office document"},
  }};
  if (const char* name = name_by_magic(kPackedKinds, start)) return name;
  if (const char* name = name_by_magic(kKinds, start)) return name;
  if (start.size() > 262 && start.substr(257).starts_with("ustar")) return "a tar archive";
  for (const std::string_view mark : kUtf16Marks) {
    if (start.starts_with(mark)) return "text in UTF-16";
  }
  const std::string_view content = without_leading_space(without_byte_order_mark(start));
  if (content.starts_with('[')) return "JSON or plain text";
  if (content.starts_with("<?xml")) return "XML";
  return looks_like_text(start) ? "plain text" : "binary data";
}

bool looks_like_text(std::string_view start) {
  return std::all_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t' || byte == '\f' || byte == 0x1b;
  });
}

std::string first_element(std::string_view start) {
  start = without_leading_space(without_byte_order_mark(start));
  while (start.starts_with("<?") || start.starts_with("<!")) {
    const bool comment = start.starts_with("<!--");
    const std::string_view end = comment ? "-->" : ">";
    size_t at = start.find(end, comment ? 4 : 0);
    // A document type may hold declarations of its own.
    const size_t bracket = start.find('[');
    if (!comment && bracket < at) at = start.find("]>", bracket);
    if (at == std::string_view::npos) return {};
    start = without_leading_space(start.substr(start.find('>', at) + 1));
  }
  if (!start.starts_with('<')) return {};
  start.remove_prefix(1);
  const size_t end = std::min(start.find_first_of(" \t\r\n\f/>"), start.size());
  if (end == 0 || end > kMaxTagNameBytes) return {};
  std::string name(start.substr(0, end));
  for (char& c : name)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return name;
}

bool looks_like_html(std::string_view start) {
  static constexpr std::string_view kElements[] = {"html",  "head", "body",  "title", "meta", "script",
                                                   "style", "div",  "table", "p",     "h1",   "link",
                                                   "br",    "base", "a",     "font",  "span", "frameset"};
  const std::string_view content = without_leading_space(without_byte_order_mark(start));
  if (starts_with_ignoring_case(content, "<!doctype html")) return true;
  const std::string name = first_element(content);
  return std::find(std::begin(kElements), std::end(kElements), name) != std::end(kElements);
}

}  // namespace ndc
