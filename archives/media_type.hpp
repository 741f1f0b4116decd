// The kind of a record's content, by its declaration and its first bytes, and why it is not a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ndc {

// Why something that might be a page is left out.
enum class LeftOut : unsigned char {
  kLostRevisit,    // a revisit of a page that is not in the inputs
  kCostlyRevisit,  // a revisit whose page would take too much reading again
  kCostlyCodings,  // a payload whose codings give too much for the bytes of the file
  kArchiveNotes,   // what the archiving tool wrote of itself: metadata:, urn:pageinfo:, ...
  kNotFollowed,    // links to folders, devices, pipes and the like in a folder
  kStyleSheet,
  kScript,
  kJson,
  kFeed,
  kXml,
  kImage,
  kSoundOrFilm,
  kFont,
  kPdf,
  kOther,
};
inline constexpr size_t kLeftOutReasons = static_cast<size_t>(LeftOut::kOther) + 1;

// "style sheet" and "style sheets", for counts.
std::string_view name_of(LeftOut reason);
std::string_view plural_of(LeftOut reason);
// "style_sheets", for tables.
std::string_view key_of(LeftOut reason);

// The media type that a Content-Type header names, without parameters and in lower case: "text/html". Of
// several the last one counts, but one that may be a page before one that is none. Empty: it names none, as
// `html`, `text/html charset=gbk` and `"text/html"` do not, or says that it is not known.
std::string declared_type(std::string_view header);

// The same, or what `body` tells where nothing is declared or nothing that means anything
// ("application/octet-stream"). What is declared as HTML, text or XML is taken for what its bytes show, if
// they are a feed, JSON, an image or the like.
std::string media_type(std::string_view header, std::string_view body);

// Whether media_type() would give the same answer for any body.
bool is_settled(std::string_view header);

// By the file name's extension; empty: the bytes decide.
std::string_view media_type_of_name(std::string_view path);

// Why a record of this media type is no page, where the type is not wanted.
LeftOut category_of(std::string_view media_type);

// Which media types are pages.
class WantedTypes {
 public:
  // HTML, XHTML and text.
  WantedTypes();

  // Adds "type/subtype" or "type/*"; "*/*" adds everything. False: the text has neither form.
  bool add(std::string_view pattern);

  bool includes(std::string_view media_type) const;

 private:
  std::vector<std::string> types_;
  bool everything_ = false;
};

// Whether the URL is that of a note of the tool that made the archive, and not of the web.
bool is_archive_note(std::string_view url);

}  // namespace ndc
