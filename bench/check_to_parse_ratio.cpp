// What nd_check_page costs, measured against a bare parse: libxml2's SAX parser over the same pages, with
// handlers that do nothing and a reused context. Both in one process, in turn, so that the machine's drift
// meets both.
//
//   check_to_parse_ratio PAGES.warc.gz [ROUNDS]
//
// The parser gets each page as UTF-8 (decoding is not its work); the library gets the raw bytes and starts
// with an empty engine in every round. CPU time of the thread; the median of the rounds is the figure.
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <ndcapi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "archive_page.hpp"
#include "archive_reader.hpp"
#include "text/decode.hpp"

namespace {

struct Page {
  std::string url, content_type, raw, utf8;
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::vector<Page> read_pages(const char* path) {
  std::vector<Page> pages;
  ndc::ArchiveReader reader({path}, size_t{64} << 20);
  ndc::WarcRecord record;
  ndc::RecordDamage damage;
  ndc::ArchivePage page;
  std::string reason;
  nd::text::Decoder decoder;
  for (;;) {
    const auto outcome = reader.next(record, damage);
    if (outcome == ndc::ArchiveReader::Outcome::kEnd) return pages;
    if (outcome == ndc::ArchiveReader::Outcome::kReadError) {
      std::fprintf(stderr, "%s\n", reader.error().c_str());
      std::exit(1);
    }
    if (outcome == ndc::ArchiveReader::Outcome::kDamaged) continue;
    if (ndc::page_from_record(record, {}, page, reason) != ndc::PageOutcome::kPage) continue;
    const auto decoded = decoder.decode(
        {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()}, page.content_type, true);
    if (!decoded) continue;
    pages.push_back({page.url, page.content_type, std::string(page.body), std::string(decoded->text)});
  }
}

// Handlers that do nothing, so that the parser's own work is all there is.
htmlSAXHandler silent_handlers() {
  htmlSAXHandler handlers{};
  handlers.startElement = [](void*, const xmlChar*, const xmlChar**) {};
  handlers.endElement = [](void*, const xmlChar*) {};
  handlers.characters = [](void*, const xmlChar*, int) {};
  handlers.cdataBlock = [](void*, const xmlChar*, int) {};
  handlers.ignorableWhitespace = [](void*, const xmlChar*, int) {};
  handlers.comment = [](void*, const xmlChar*) {};
  return handlers;
}

double bare_parse(const std::vector<Page>& pages) {
  htmlSAXHandler handlers = silent_handlers();
  const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> context(htmlNewParserCtxt(),
                                                                           htmlFreeParserCtxt);
  *context->sax = handlers;
  const double start = cpu_seconds();
  for (const Page& page : pages) {
    htmlCtxtReset(context.get());
    htmlCtxtUseOptions(context.get(), HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
    xmlParserInputBufferPtr buffer = xmlParserInputBufferCreateMem(
        page.utf8.data(), static_cast<int>(page.utf8.size()), XML_CHAR_ENCODING_UTF8);
    xmlParserInputPtr input = xmlNewIOInputStream(context.get(), buffer, XML_CHAR_ENCODING_NONE);
    inputPush(context.get(), input);
    // Told that this is UTF-8, the parser does not take undeclared pages for Latin-1.
    xmlSwitchEncoding(context.get(), XML_CHAR_ENCODING_UTF8);
    context->encoding = xmlStrdup(BAD_CAST "UTF-8");
    htmlParseDocument(context.get());
  }
  return cpu_seconds() - start;
}

double check_all(const std::vector<Page>& pages, uint64_t& near) {
  nd_engine* engine = nullptr;
  if (nd_open(nullptr, nullptr, &engine) != ND_OK) {
    std::fprintf(stderr, "%s\n", nd_last_error());
    std::exit(1);
  }
  near = 0;
  const double start = cpu_seconds();
  for (const Page& source : pages) {
    nd_page page = ND_PAGE_INIT;
    page.url = source.url.data();
    page.url_size = source.url.size();
    page.body = source.raw.data();
    page.body_size = source.raw.size();
    page.content_type = source.content_type.data();
    page.content_type_size = source.content_type.size();
    nd_result result = ND_RESULT_INIT;
    if (nd_check_page(engine, &page, &result) != ND_OK) std::exit(1);
    near += result.verdict == ND_NEAR || result.verdict == ND_EXACT;
  }
  const double seconds = cpu_seconds() - start;
  nd_close(engine);
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s PAGES.warc.gz [ROUNDS]\n", argv[0]);
    return 2;
  }
  const std::vector<Page> pages = read_pages(argv[1]);
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
  double bytes = 0;
  for (const Page& page : pages)
    bytes += static_cast<double>(page.raw.size());
  std::vector<double> parse, check, ratio;
  uint64_t near = 0;
  for (int round = 0; round < rounds; ++round) {
    double parsed = 0;
    double checked = 0;
    if (round % 2 == 0) parsed = bare_parse(pages);
    checked = check_all(pages, near);
    if (round % 2 != 0) parsed = bare_parse(pages);
    parse.push_back(parsed);
    check.push_back(checked);
    ratio.push_back(checked / parsed);
  }
  const auto [least, most] = std::minmax_element(ratio.begin(), ratio.end());
  std::printf("%zu pages, %.1f MB, %.1f %% near or exact, %d rounds\n", pages.size(), bytes / 1e6,
              100.0 * static_cast<double>(near) / static_cast<double>(std::max<size_t>(1, pages.size())),
              rounds);
  std::printf("bare parse     %8.1f MB/s\n", bytes / 1e6 / median(parse));
  std::printf("nd_check_page  %8.1f MB/s\n", bytes / 1e6 / median(check));
  std::printf("check / parse  %8.2f  (%.2f .. %.2f)\n", median(ratio), *least, *most);
  return 0;
}
