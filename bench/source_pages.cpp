// Reads an archive into memory and parses it with libxml2 alone, the floor that a check is compared with.
#include "source_pages.hpp"

#include <libxml/parserInternals.h>

#include <cstdio>
#include <cstdlib>

#include "archives/archive_page.hpp"
#include "archives/archive_reader.hpp"
#include "cpu_clock.hpp"
#include "reading/decode.hpp"

namespace ndc::bench {
namespace {

constexpr size_t kRecordBytes = size_t{64} << 20;

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(1);
}

// take(page) for each page of an archive; damaged records are passed over.
template <typename Take>
void read_archive(const std::string& path, Take&& take) {
  ArchiveReader reader({path}, kRecordBytes);
  WarcRecord record;
  RecordDamage damage;
  ArchivePage page;
  std::string reason;
  for (;;) {
    const auto outcome = reader.next(record, damage);
    if (outcome == ArchiveReader::Outcome::kEnd) return;
    if (outcome == ArchiveReader::Outcome::kReadError) fail(reader.error());
    if (outcome == ArchiveReader::Outcome::kDamaged) continue;
    if (page_from_record(record, {}, page, reason) == PageOutcome::kPage) take(page);
  }
}

}  // namespace

nd_page SourcePage::as_input() const {
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.body = raw.data();
  page.body_size = raw.size();
  page.content_type = content_type.data();
  page.content_type_size = content_type.size();
  page.fetched_at_ms = 1;
  return page;
}

std::string sample_archive() {
  return NDC_SOURCE_DIR "/data/sample/documentation.warc.gz";
}

std::vector<SourcePage> read_source_pages(const std::string& path) {
  std::vector<SourcePage> pages;
  nd::text::Decoder decoder;
  read_archive(path, [&](const ArchivePage& page) {
    const std::string_view body = page.body;
    const auto decoded =
        decoder.decode({reinterpret_cast<const uint8_t*>(body.data()), body.size()}, page.content_type, true);
    if (!decoded) return;
    pages.push_back({page.url, page.content_type, std::string(body), std::string(decoded->text)});
  });
  if (pages.empty()) fail(path + " holds no page");
  return pages;
}

double reading_seconds(const std::string& path) {
  const double start = thread_cpu_seconds();
  read_archive(path, [](const ArchivePage&) {});
  return thread_cpu_seconds() - start;
}

uint64_t raw_bytes(std::span<const SourcePage> pages) {
  uint64_t bytes = 0;
  for (const SourcePage& page : pages)
    bytes += page.raw.size();
  return bytes;
}

BareParser::BareParser() : context_(htmlNewParserCtxt(), htmlFreeParserCtxt) {
  htmlSAXHandler handlers{};
  handlers.startElement = [](void*, const xmlChar*, const xmlChar**) {};
  handlers.endElement = [](void*, const xmlChar*) {};
  handlers.characters = [](void*, const xmlChar*, int) {};
  handlers.cdataBlock = [](void*, const xmlChar*, int) {};
  handlers.ignorableWhitespace = [](void*, const xmlChar*, int) {};
  handlers.comment = [](void*, const xmlChar*) {};
  *context_->sax = handlers;
}

void BareParser::parse(std::string_view utf8) {
  htmlCtxtReset(context_.get());
  htmlCtxtUseOptions(context_.get(), HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
  xmlParserInputBufferPtr buffer =
      xmlParserInputBufferCreateMem(utf8.data(), static_cast<int>(utf8.size()), XML_CHAR_ENCODING_UTF8);
  inputPush(context_.get(), xmlNewIOInputStream(context_.get(), buffer, XML_CHAR_ENCODING_NONE));
  // When told that this is UTF-8, the parser does not take undeclared pages for Latin-1.
  xmlSwitchEncoding(context_.get(), XML_CHAR_ENCODING_UTF8);
  context_->encoding = xmlStrdup(BAD_CAST "UTF-8");
  htmlParseDocument(context_.get());
}

double bare_parse_seconds(std::span<const SourcePage> pages) {
  BareParser parser;
  const double start = thread_cpu_seconds();
  for (const SourcePage& page : pages)
    parser.parse(page.utf8);
  return thread_cpu_seconds() - start;
}

}  // namespace ndc::bench
