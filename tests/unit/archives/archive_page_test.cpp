// Which records are pages, and why others are not.
#include "archives/archive_page.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "archives/warc_date.hpp"

namespace ndc::test {
namespace {

WarcRecord response_record(const std::string& block) {
  WarcRecord record;
  record.type = "response";
  record.target_uri = "http://a/";
  record.date = "2019-10-01T00:00:00Z";
  record.content_type = "application/http; msgtype=response";
  record.block = block;
  return record;
}

struct Taken {
  PageOutcome outcome = PageOutcome::kNoPage;
  ArchivePage page;
  std::string body;
  std::string reason;
};

Taken take(const WarcRecord& record, const PageRules& rules = {}) {
  Taken taken;
  taken.outcome = page_from_record(record, rules, taken.page, taken.reason);
  if (taken.outcome == PageOutcome::kPage) taken.body = taken.page.body;
  return taken;
}

TEST(ArchivePage, TakesAResponse) {
  const Taken taken = take(response_record(http_response("<p>x", {"Content-Type: text/html; charset=gbk"})));
  ASSERT_EQ(taken.outcome, PageOutcome::kPage);
  EXPECT_EQ(taken.page.url, "http://a/");
  EXPECT_EQ(taken.page.content_type, "text/html; charset=gbk");
  EXPECT_EQ(taken.body, "<p>x");
  EXPECT_EQ(taken.page.fetched_at_ms, 1569888000000);
  EXPECT_FALSE(taken.page.truncated);
}

TEST(ArchivePage, TakesResourcesAndConversions) {
  for (const char* type : {"resource", "conversion", "Conversion"}) {
    WarcRecord record = response_record("plain text");
    record.type = type;
    record.content_type = "text/plain";
    const Taken taken = take(record);
    ASSERT_EQ(taken.outcome, PageOutcome::kPage) << type;
    EXPECT_EQ(taken.page.content_type, "text/plain");
    EXPECT_EQ(taken.body, "plain text");
  }
}

TEST(ArchivePage, PassesOverOtherRecords) {
  for (const char* type : {"request", "metadata", "warcinfo", "continuation", "unheard-of"}) {
    WarcRecord record = response_record(http_response("x"));
    record.type = type;
    record.target_uri.clear();
    EXPECT_EQ(take(record).outcome, PageOutcome::kNoPage) << type;
  }
  WarcRecord lookup = response_record("20190101\nexample.org. 1 IN A 192.0.2.1");
  lookup.target_uri = "dns:example.org";
  lookup.content_type = "text/dns";
  EXPECT_EQ(take(lookup).outcome, PageOutcome::kNoPage);
}

TEST(ArchivePage, LeavesOutWhatIsNoText) {
  const auto left_out = [](const WarcRecord& record) {
    const Taken taken = take(record);
    EXPECT_EQ(taken.outcome, PageOutcome::kLeftOut);
    return taken.page.left_out;
  };
  EXPECT_EQ(left_out(response_record(http_response("p {}", {"Content-Type: text/css"}))),
            LeftOut::kStyleSheet);
  EXPECT_EQ(left_out(response_record(http_response("{}", {"Content-Type: text/html"}))), LeftOut::kJson);
  // A record that is not a page need not be decoded.
  EXPECT_EQ(
      left_out(response_record(http_response("?", {"Content-Type: image/png", "Content-Encoding: xz"}))),
      LeftOut::kImage);
  WarcRecord revisit = response_record(http_response("x"));
  revisit.type = "revisit";
  EXPECT_EQ(left_out(revisit), LeftOut::kLostRevisit);
  revisit.too_costly = true;
  EXPECT_EQ(left_out(revisit), LeftOut::kCostlyRevisit);
  revisit.own_status = 302;
  EXPECT_EQ(take(revisit).outcome, PageOutcome::kOtherStatus);
  WarcRecord log = response_record("words");
  log.type = "resource";
  log.content_type = "text/plain";
  log.target_uri = "metadata://gnu.org/software/wget/warc/wget.log";
  EXPECT_EQ(left_out(log), LeftOut::kArchiveNotes);
  PageRules wide;
  wide.wanted.add("*/*");
  EXPECT_EQ(take(response_record(http_response("p {}", {"Content-Type: text/css"})), wide).outcome,
            PageOutcome::kPage);
}

TEST(ArchivePage, PassesOverOtherStatusesUnlessAsked) {
  for (const char* status : {"HTTP/1.1 301 Moved", "HTTP/1.1 404 Not Found", "HTTP/1.1 503 Unavailable"}) {
    const WarcRecord record = response_record(http_response("x", {}, status));
    EXPECT_EQ(take(record).outcome, PageOutcome::kOtherStatus) << status;
    PageRules rules;
    rules.all_statuses = true;
    EXPECT_EQ(take(record, rules).outcome, PageOutcome::kPage) << status;
  }
  WarcRecord revisit = response_record(http_response("x"));
  revisit.is_revisit = true;
  EXPECT_EQ(take(revisit).outcome, PageOutcome::kPage);
  revisit.own_status = 301;
  EXPECT_EQ(take(revisit).outcome, PageOutcome::kOtherStatus);
  EXPECT_EQ(take(response_record(http_response("x", {}, "HTTP/1.1 206 Partial"))).outcome,
            PageOutcome::kPage);
}

TEST(ArchivePage, StatusesThatAreNoneAreOtherStatuses) {
  PageRules all;
  all.all_statuses = true;
  for (const char* status : {"HTTP/1.1 0 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTPX/1.1 200 OK",
                             "ICY 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified"}) {
    const WarcRecord record = response_record(http_response("<p>x", {"Content-Type: text/html"}, status));
    EXPECT_EQ(take(record).outcome, PageOutcome::kOtherStatus) << status;
    EXPECT_EQ(take(record, all).body, "<p>x") << status;
    const WarcRecord empty = response_record(http_response("", {"Content-Type: text/html"}, status));
    EXPECT_EQ(take(empty, all).outcome, PageOutcome::kOtherStatus) << status;
    EXPECT_EQ(take(response_record(status)).outcome, PageOutcome::kOtherStatus) << status;
  }
  for (const PageRules& rules : {PageRules(), all}) {
    for (const char* block :
         {"", "\r\n", "HTTP/1.1 302 Found\r\nLocation: /\r\n", "HTTP/1.1 304 x\r\nA: b"}) {
      EXPECT_EQ(take(response_record(block), rules).outcome, PageOutcome::kOtherStatus) << block;
    }
  }
  EXPECT_EQ(take(response_record("<html><p>x")).outcome, PageOutcome::kOtherStatus);
  EXPECT_EQ(take(response_record("<html><p>x"), all).body, "<html><p>x");
}

TEST(ArchivePage, AnEmptyPageNeedsNoEmptyLine) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n";
  EXPECT_EQ(take(response_record(head)).outcome, PageOutcome::kPage);
  EXPECT_EQ(take(response_record("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n")).outcome,
            PageOutcome::kLeftOut);
}

TEST(ArchivePage, SniffsWhatIsDeclaredAsNoMediaType) {
  for (const char* type :
       {"text/html charset=utf-8", "\"text/html\"", "text / html", "text/html:charset=utf-8", ""}) {
    const std::string field = std::string("Content-Type: ") + type;
    EXPECT_EQ(take(response_record(http_response("<html><p>x", {field}))).outcome, PageOutcome::kPage)
        << type;
    EXPECT_EQ(take(response_record(http_response("\x89PNG\r\n", {field}))).page.left_out, LeftOut::kImage)
        << type;
  }
  const std::vector<std::string> two = {"Content-Type: application/pdf",
                                        "Content-Type: text/html; charset=gbk"};
  const Taken taken = take(response_record(http_response("<html><p>x", two)));
  EXPECT_EQ(taken.outcome, PageOutcome::kPage);
  EXPECT_EQ(taken.page.content_type, "application/pdf,text/html; charset=gbk");
  WarcRecord record = response_record(http_response("<p>x", {"Content-Type: text/html"}));
  for (const char* type :
       {"application/http", "APPLICATION/HTTP;x", "application/http msgtype=response", ""}) {
    record.content_type = type;
    EXPECT_EQ(take(record).outcome, PageOutcome::kPage) << type;
  }
}

TEST(ArchivePage, LeavesOutAPayloadWhoseCodingsGiveTooMuch) {
  const std::string text = "<html>" + std::string(5000, 'x');
  const WarcRecord record =
      response_record(http_response(gzip(text), {"Content-Type: text/html", "Content-Encoding: gzip"}));
  ArchivePage page;
  std::string reason;
  EXPECT_EQ(page_from_record(record, {}, page, reason, 5006), PageOutcome::kPage);
  EXPECT_EQ(page.decoded_bytes, 5006u);
  EXPECT_EQ(page_from_record(record, {}, page, reason, 5005), PageOutcome::kLeftOut);
  EXPECT_EQ(page.left_out, LeftOut::kCostlyCodings);
  EXPECT_EQ(page.decoded_bytes, 5005u);
}

TEST(ArchivePage, KnowsTruncatedPages) {
  WarcRecord record = response_record(http_response("body"));
  record.truncated = true;
  EXPECT_TRUE(take(record).page.truncated);
  record.truncated = false;
  record.block_cut = true;
  EXPECT_TRUE(take(record).page.truncated);
  EXPECT_TRUE(take(response_record(http_response("body", {"Content-Length: 100"}))).page.truncated);
  PageRules rules;
  rules.max_page_bytes = 3;
  EXPECT_TRUE(take(response_record(http_response("body")), rules).page.truncated);
  EXPECT_EQ(take(response_record(http_response("body")), rules).body, "bod");
  WarcRecord resource = response_record("body");
  resource.type = "resource";
  resource.content_type = "text/plain";
  EXPECT_TRUE(take(resource, rules).page.truncated);
  EXPECT_EQ(take(resource, rules).body, "bod");
}

TEST(ArchivePage, SaysWhatIsDamaged) {
  WarcRecord record = response_record(http_response("x"));
  record.target_uri.clear();
  EXPECT_EQ(take(record).reason, "the record has no WARC-Target-URI");
  record.type.clear();
  EXPECT_EQ(take(record).reason, "the record has no WARC-Type");
  EXPECT_EQ(take(response_record("HTTP/1.1 200 OK\r\nA: b")).reason, "the HTTP header has no end");
}

TEST(WarcDate, ReadsEveryPrecision) {
  EXPECT_EQ(parse_warc_date("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_warc_date("2019-10-01T00:00:00Z"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2019-10-01T00:00Z"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2019-10-01"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2019-10"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2019"), 1546300800000);
  EXPECT_EQ(parse_warc_date("2019-10-01T00:00:00.5Z"), 1569888000500);
  EXPECT_EQ(parse_warc_date("2019-10-01T00:00:00.123987654Z"), 1569888000123);
  EXPECT_EQ(parse_warc_date("2019-10-01T02:30:00+02:30"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2019-09-30T23:00:00-01:00"), 1569888000000);
  EXPECT_EQ(parse_warc_date("2020-02-29T23:59:60Z"), 1583020800000);
}

TEST(WarcDate, RefusesEverythingElse) {
  for (const char* text : {"", "now", "201", "20190101", "2019-13", "2019-00", "2019-02-29", "2019-10-01T",
                           "2019-10-01 00:00:00Z", "2019-10-01T24:00:00Z", "2019-10-01T00:60:00Z",
                           "2019-10-01T00:00:61Z", "2019-10-01T00:00:00", "2019-10-01T00:00:00.Z",
                           "2019-10-01T00:00:00Zx", "2019-10-01T00:00:00+2:00", "-2019-10-01"}) {
    EXPECT_EQ(parse_warc_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ndc::test
