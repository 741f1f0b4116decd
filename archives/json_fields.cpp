// The names that known data sets use, and the parsing of a caller's own.
#include "archives/json_fields.hpp"

#include <algorithm>
#include <utility>

namespace ndc {
namespace {

constexpr std::array<std::string_view, kJsonFields> kFieldNames = {"url", "html", "text", "date",
                                                                   "content_type"};

// As data sets of web pages call them, the first that a line has counts: C4 (timestamp), RefinedWeb
// (content), RedPajama (raw_content, date_download), Dolma (id, metadata.url), OSCAR (warc_headers),
// Firecrawl (rawHtml, markdown, metadata.sourceURL).
constexpr std::pair<JsonField, std::string_view> kCommonNames[] = {
    {JsonField::kUrl, "url"},
    {JsonField::kUrl, "uri"},
    {JsonField::kUrl, "target_uri"},
    {JsonField::kUrl, "metadata.url"},
    {JsonField::kUrl, "metadata.sourceURL"},
    {JsonField::kUrl, "meta.url"},
    {JsonField::kUrl, "warc_headers.warc-target-uri"},
    {JsonField::kUrl, "metadata.warc_headers.warc-target-uri"},
    {JsonField::kUrl, "id"},
    {JsonField::kHtml, "html"},
    {JsonField::kHtml, "raw_html"},
    {JsonField::kHtml, "rawHtml"},
    {JsonField::kText, "text"},
    {JsonField::kText, "content"},
    {JsonField::kText, "raw_content"},
    {JsonField::kText, "page_content"},
    {JsonField::kText, "markdown"},
    {JsonField::kDate, "date"},
    {JsonField::kDate, "timestamp"},
    {JsonField::kDate, "date_download"},
    {JsonField::kDate, "warc_headers.warc-date"},
    {JsonField::kDate, "metadata.warc_headers.warc-date"},
    {JsonField::kContentType, "content_type"},
};

}  // namespace

bool JsonFields::set(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals + 1 == assignment.size()) return false;
  const auto field = std::find(kFieldNames.begin(), kFieldNames.end(), assignment.substr(0, equals));
  if (field == kFieldNames.end()) return false;
  names_[static_cast<size_t>(field - kFieldNames.begin())] = assignment.substr(equals + 1);
  return true;
}

std::string JsonFields::shown(JsonField field) const {
  const auto number = static_cast<size_t>(field);
  return "\"" + (names_[number].empty() ? std::string(kFieldNames[number]) : names_[number]) + "\"";
}

std::optional<JsonFields::Meaning> JsonFields::meaning_of(std::string_view path) const {
  for (size_t number = 0; number < kJsonFields; ++number) {
    if (!names_[number].empty() && names_[number] == path) return Meaning{static_cast<JsonField>(number), 0};
  }
  size_t rank = 0;
  for (const auto& [field, name] : kCommonNames) {
    if (name == path && names_[static_cast<size_t>(field)].empty()) return Meaning{field, rank};
    ++rank;
  }
  return std::nullopt;
}

}  // namespace ndc
