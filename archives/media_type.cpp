// Reads declared types as browsers do and knows the first bytes of formats without text, to count them by
// their reason.
#include "archives/media_type.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "archives/header_fields.hpp"
#include "archives/input_kind.hpp"

namespace ndc {
namespace {

constexpr size_t kSniffedBytes = 4096;
constexpr std::string_view kHtml = "text/html";
constexpr std::string_view kXhtml = "application/xhtml+xml";
constexpr std::string_view kText = "text/plain";
constexpr std::string_view kUnknown = "application/octet-stream";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kXml = "application/xml";

constexpr std::string_view kPageTypes[] = {kHtml, kXhtml, "application/vnd.wap.xhtml+xml", kText,
                                           "text/markdown"};

// Servers send these when they do not know; to browsers the first two are the same as none.
constexpr std::string_view kNone[] = {"unknown/unknown", "application/unknown"};
constexpr std::string_view kMeaningless[] = {kUnknown, "binary/octet-stream", "application/x-unknown",
                                             "content/unknown"};

struct Reason {
  std::string_view key;
  std::string_view name;
  std::string_view plural;
};

constexpr Reason kReasons[] = {
    {"lost_revisits", "revisit of a page that is not there", "revisits of pages that are not there"},
    {"costly_revisits", "revisit that takes too much reading again",
     "revisits that take too much reading again"},
    {"costly_codings", "payload that expands too much", "payloads that expand too much"},
    {"archive_notes", "note of the archiving tool", "notes of the archiving tool"},
    {"not_followed", "link or device that was not followed", "links or devices that were not followed"},
    {"style_sheets", "style sheet", "style sheets"},
    {"scripts", "script", "scripts"},
    {"json", "JSON document", "JSON documents"},
    {"feeds", "feed", "feeds"},
    {"xml", "XML document", "XML documents"},
    {"images", "image", "images"},
    {"sound_or_film", "sound or film", "sounds or films"},
    {"fonts", "font", "fonts"},
    {"pdf", "PDF document", "PDF documents"},
    {"other", "file of another kind", "files of other kinds"},
};
static_assert(std::size(kReasons) == kLeftOutReasons);

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}

// Removes the next of the values that commas separate; a comma within quotes separates nothing.
std::string_view take_value(std::string_view& values) {
  bool quoted = false;
  size_t end = 0;
  for (; end < values.size() && (quoted || values[end] != ','); ++end) {
    if (values[end] == '"') quoted = !quoted;
    if (quoted && values[end] == '\\') ++end;
  }
  end = std::min(end, values.size());
  const std::string_view value = values.substr(0, end);
  values.remove_prefix(std::min(end + 1, values.size()));
  return value;
}

// A token of RFC 9110, 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || kMarks.find(c) != std::string_view::npos;
  });
}

// "text/html" of "Text/HTML; charset=gbk", as browsers read it (MIME Sniffing, 4.4); empty: no media type, as
// "html" and "text/html charset=gbk", or a range, as "*/*".
std::string type_of_value(std::string_view value) {
  const std::string_view type = trimmed(value.substr(0, value.find(';')));
  const size_t slash = type.find('/');
  if (slash == std::string_view::npos || type.find('*') != std::string_view::npos) return {};
  return is_token(type.substr(0, slash)) && is_token(type.substr(slash + 1)) ? lower(type) : std::string();
}

template <typename List>
bool is_in(const List& list, std::string_view type) {
  return std::find(std::begin(list), std::end(list), type) != std::end(list);
}

bool is_xml(std::string_view type) {
  return type == "text/xml" || type == kXml || (type.ends_with("+xml") && type != kXhtml);
}

// What is so declared is inspected in any case.
bool may_be_page_type(std::string_view type) {
  return is_in(kPageTypes, type) || is_xml(type);
}

std::string_view type_of_magic(std::string_view body) {
  using Entry = std::pair<std::string_view, std::string_view>;
  static constexpr Entry kMagics[] = {
      {"%PDF-", "application/pdf"},
      {"\x89PNG\r\n", "image/png"},
      {"\xFF\xD8\xFF", "image/jpeg"},
      {"GIF87a", "image/gif"},
      {"GIF89a", "image/gif"},
      {"wOFF", "font/woff"},
      {"wOF2", "font/woff2"},
      {"OTTO", "font/otf"},
      {"PK\x03\x04", "application/zip"},
      {"\x1f\x8b\x08", "application/gzip"},
  };
  for (const auto& [magic, type] : kMagics) {
    if (body.starts_with(magic)) return type;
  }
  if (body.starts_with("RIFF") && body.substr(std::min<size_t>(8, body.size())).starts_with("WEBP"))
    return "image/webp";
  return {};
}

std::string_view type_of_element(std::string_view element) {
  using Entry = std::pair<std::string_view, std::string_view>;
  static constexpr Entry kElements[] = {
      {"rss", "application/rss+xml"},
      {"feed", "application/atom+xml"},
      {"rdf:rdf", "application/rdf+xml"},
      {"urlset", kXml},
      {"sitemapindex", kXml},
      {"svg", "image/svg+xml"},
      {"opensearchdescription", kXml},
  };
  for (const auto& [name, type] : kElements) {
    if (element == name) return type;
  }
  return {};
}

bool is_json(std::string_view body) {
  const std::string_view content = trimmed(body);
  if (content.empty()) return false;
  const bool object = content.front() == '{' && content.back() == '}';
  const bool array = content.front() == '[' && content.back() == ']';
  return (object || array) && nlohmann::json::accept(content.begin(), content.end());
}

// The type that the bytes show beyond doubt; empty: none.
std::string_view type_of_bytes(std::string_view body) {
  const std::string_view start = body.substr(0, kSniffedBytes);
  if (const std::string_view type = type_of_magic(start); !type.empty()) return type;
  if (const std::string_view type = type_of_element(first_element(start)); !type.empty()) return type;
  return is_json(body) ? kJson : std::string_view();
}

std::string type_by_bytes_alone(bool declared, std::string_view body) {
  const std::string_view start = body.substr(0, kSniffedBytes);
  if (const std::string_view type = type_of_bytes(body); !type.empty()) return std::string(type);
  if (looks_like_html(start)) return std::string(kHtml);
  if (trimmed(start).starts_with("<?xml")) return std::string(kXml);
  // Servers call downloads "application/octet-stream".
  return std::string(!declared && looks_like_text(start) ? kText : kUnknown);
}

}  // namespace

std::string_view name_of(LeftOut reason) {
  return kReasons[static_cast<size_t>(reason)].name;
}

std::string_view plural_of(LeftOut reason) {
  return kReasons[static_cast<size_t>(reason)].plural;
}

std::string_view key_of(LeftOut reason) {
  return kReasons[static_cast<size_t>(reason)].key;
}

std::string declared_type(std::string_view header) {
  std::string declared;
  while (!header.empty()) {
    std::string type = type_of_value(take_value(header));
    if (type.empty() || is_in(kNone, type)) continue;
    if (may_be_page_type(type) || !may_be_page_type(declared)) declared = std::move(type);
  }
  return declared;
}

std::string media_type(std::string_view header, std::string_view body) {
  std::string type = declared_type(header);
  if (type.empty()) return type_by_bytes_alone(false, body);
  if (is_in(kMeaningless, type)) return type_by_bytes_alone(true, body);
  if (!may_be_page_type(type)) return type;
  if (const std::string_view shown = type_of_bytes(body); !shown.empty()) return std::string(shown);
  if (is_xml(type) && first_element(body.substr(0, kSniffedBytes)) == "html") return std::string(kXhtml);
  return type;
}

bool is_settled(std::string_view header) {
  const std::string type = declared_type(header);
  return !type.empty() && !may_be_page_type(type) && !is_in(kMeaningless, type);
}

std::string_view media_type_of_name(std::string_view path) {
  using Entry = std::pair<std::string_view, std::string_view>;
  static constexpr Entry kEndings[] = {
      {".css", "text/css"},
      {".js", "text/javascript"},
      {".mjs", "text/javascript"},
      {".json", kJson},
      {".svg", "image/svg+xml"},
      {".ico", "image/x-icon"},
      {".cdx", "text/x-cdx"},
      {".cdxj", "text/x-cdx"},
      {".log", "text/x-log"},
      {".csv", "text/csv"},
      {".tsv", "text/tab-separated-values"},
      {".mp4", "video/mp4"},
      {".mp3", "audio/mpeg"},
      {".ttf", "font/ttf"},
  };
  for (const auto& [ending, type] : kEndings) {
    if (path.size() > ending.size() && equals_ignoring_case(path.substr(path.size() - ending.size()), ending))
      return type;
  }
  return {};
}

LeftOut category_of(std::string_view type) {
  if (type == "text/css") return LeftOut::kStyleSheet;
  if (type.find("javascript") != std::string_view::npos || type.find("ecmascript") != std::string_view::npos)
    return LeftOut::kScript;
  if (type.find("json") != std::string_view::npos) return LeftOut::kJson;
  if (type == "application/rss+xml" || type == "application/atom+xml" || type == "application/rdf+xml" ||
      type == "application/feed+json")
    return LeftOut::kFeed;
  if (type.starts_with("image/")) return LeftOut::kImage;
  if (type.starts_with("audio/") || type.starts_with("video/")) return LeftOut::kSoundOrFilm;
  if (type.starts_with("font/") || type.find("font") != std::string_view::npos) return LeftOut::kFont;
  if (type == "application/pdf") return LeftOut::kPdf;
  return is_xml(type) ? LeftOut::kXml : LeftOut::kOther;
}

WantedTypes::WantedTypes() : types_(std::begin(kPageTypes), std::end(kPageTypes)) {}

bool WantedTypes::add(std::string_view pattern) {
  const std::string type = lower(trimmed(pattern));
  const size_t slash = type.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == type.size()) return false;
  const size_t star = type.find('*');
  if (type == "*/*") {
    everything_ = true;
  } else if (star != std::string::npos && (star != slash + 1 || star + 1 != type.size())) {
    return false;
  }
  types_.push_back(type);
  return true;
}

bool WantedTypes::includes(std::string_view media_type) const {
  return everything_ || std::any_of(types_.begin(), types_.end(), [media_type](const std::string& type) {
           if (!type.ends_with("/*")) return type == media_type;
           return media_type.starts_with(std::string_view(type).substr(0, type.size() - 1));
         });
}

bool is_archive_note(std::string_view url) {
  static constexpr std::string_view kNotes[] = {
      "metadata:",      "filedesc:",     "urn:pageinfo:", "urn:text:", "urn:text-final:", "urn:view:",
      "urn:thumbnail:", "urn:fullpage:", "urn:X-wpull:",  "dns:",      "whois:"};
  return std::any_of(std::begin(kNotes), std::end(kNotes),
                     [url](std::string_view note) { return starts_with_ignoring_case(url, note); });
}

}  // namespace ndc
