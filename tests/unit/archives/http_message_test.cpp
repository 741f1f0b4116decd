// HTTP responses as servers send them, with stacked codings.
#include "archives/http_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "input_builder.hpp"

namespace ndc::test {
namespace {

using Fields = std::vector<std::string>;

constexpr size_t kBodyLimit = size_t{1} << 20;

struct Decoded {
  std::string bytes;
  bool cut = false;
  std::string reason;  // why there is nothing
};

Decoded decoded(std::string_view body, const Fields& fields, size_t limit = kBodyLimit) {
  const std::string response = http_response(body, fields);
  std::string_view message = response;
  Decoded result;
  const HttpHeader header = parse_http_header(message);
  std::string storage = "old";
  uint64_t decodable = UINT64_MAX;
  const auto payload = decode_payload(header, message, limit, decodable, storage, result.reason);
  if (payload) result = {std::string(payload->bytes), payload->cut, ""};
  return result;
}

TEST(HttpHeader, ReadsTheStatusAndTheFields) {
  for (const std::string response :
       {"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nbody",
        "\r\n\nHTTP/1.1 404\r\r\nContent-Type: text/html\r\r\n\r\r\nbody",
        "HTTP/ 404 x\nContent-Type: text/html\n\nbody", "HTTP 404 x\nContent-Type: text/html\n\nbody",
        "http/2 404\nserver: x\n continued\nnonsense\ncontent-type:text/html\n\nbody",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404\r\nContent-Type : text/html \r\nContent-Type: "
        "b\r\n\r\nbody"}) {
    std::string_view message = response;
    const HttpHeader header = parse_http_header(message);
    EXPECT_EQ(header.status, 404) << response;
    EXPECT_TRUE(header.ended);
    EXPECT_EQ(header.fields.find("CONTENT-TYPE"), "text/html");
    EXPECT_EQ(message, "body");
  }
}

TEST(HttpHeader, ReadsNoStatusFromWhatIsNone) {
  for (const std::string line :
       {"HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 0 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 -200 OK",
        "HTTPX/1.1 200 OK", "ICY 200 OK", "RTSP/1.0 200 OK", "HTTP/1.1 99999999999999999999"}) {
    const std::string response = line + "\r\nA: b\r\n\r\nbody";
    std::string_view message = response;
    const HttpHeader header = parse_http_header(message);
    EXPECT_EQ(header.status, 0) << line;
    EXPECT_EQ(header.fields.find("A"), "b") << line;
    EXPECT_EQ(message, "body") << line;
  }
  EXPECT_FALSE(is_successful(0));
  EXPECT_FALSE(is_successful(204));
  EXPECT_TRUE(is_successful(206));
}

TEST(HttpHeader, WithoutAStatusLineAllIsBody) {
  for (const std::string response : {"", "\r\n\r\n", "<html>\n\nbody", "and/or\n\nbody", "ICY roads\n\nbody",
                                     "iWelcome\tfake\t(NULL)\t0\r\n", "/1 200 OK\r\n\r\n"}) {
    std::string_view message = response;
    const HttpHeader header = parse_http_header(message);
    EXPECT_EQ(header.status, 0) << response;
    EXPECT_TRUE(header.ended) << response;
    EXPECT_EQ(message, response);
  }
}

TEST(HttpHeader, MayHaveNoEnd) {
  for (const std::string response : {"HTTP/1.1 304 Not Modified\r\nA: b\r\n", "HTTP/1.1 304 Not Modified",
                                     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 x\r\nA: b"}) {
    std::string_view message = response;
    const HttpHeader header = parse_http_header(message);
    EXPECT_EQ(header.status, 304) << response;
    EXPECT_FALSE(header.ended) << response;
    EXPECT_EQ(message, "") << response;
  }
  std::string_view message = "HTTP/1.1 200 OK\r\nA: b\r\n<html>\n<p>";
  const HttpHeader header = parse_http_header(message);
  EXPECT_TRUE(header.ended);
  EXPECT_EQ(header.fields.find("A"), "b");
  EXPECT_EQ(message, "<html>\n<p>");
}

TEST(HttpHeader, InterimResponsesAreBounded) {
  std::string endless;
  for (int i = 0; i < 100; ++i)
    endless += "HTTP/1.1 100 Continue\r\n\r\n";
  std::string_view message = endless;
  EXPECT_EQ(parse_http_header(message).status, 100);
  EXPECT_FALSE(message.empty());
}

TEST(HttpPayload, UndoesEveryCodingAndStacksOfThem) {
  const std::string text = "<html>some text, some text, some text</html>";
  EXPECT_EQ(decoded(text, {}).bytes, text);
  EXPECT_EQ(decoded(gzip(text), {"Content-Encoding: gzip"}).bytes, text);
  EXPECT_EQ(decoded(gzip(text), {"Content-Encoding: X-GZIP"}).bytes, text);
  EXPECT_EQ(decoded(zlib(text), {"Content-Encoding: deflate"}).bytes, text);
  EXPECT_EQ(decoded(raw_deflate(text), {"Content-Encoding: deflate"}).bytes, text);
  EXPECT_EQ(decoded(brotli(text), {"Content-Encoding: br"}).bytes, text);
  EXPECT_EQ(decoded(chunked(text, 7), {"Transfer-Encoding: chunked"}).bytes, text);
  EXPECT_EQ(decoded(chunked(gzip(text), 9), {"Transfer-Encoding: Chunked", "Content-Encoding: gzip"}).bytes,
            text);
  EXPECT_EQ(decoded(chunked(gzip(text), 9), {"Transfer-Encoding: gzip, chunked"}).bytes, text);
  EXPECT_EQ(decoded(brotli(gzip(text)), {"Content-Encoding: gzip, br"}).bytes, text);
  EXPECT_EQ(decoded(brotli(gzip(text)), {"Content-Encoding: gzip", "Content-Encoding: br"}).bytes, text);
  EXPECT_EQ(decoded(gzip(gzip(text)), {"Content-Encoding: gzip,gzip"}).bytes, text);
  EXPECT_FALSE(decoded(chunked(gzip(text), 9), {"Transfer-Encoding: gzip, chunked"}).cut);
}

TEST(HttpPayload, TakesDecodedPayloadsUnderOldHeaders) {
  const std::string text = "<html>already decoded</html>";
  for (const char* field :
       {"Content-Encoding: gzip", "Content-Encoding: br", "Content-Encoding: deflate",
        "Transfer-Encoding: chunked", "Content-Encoding: utf-8", "Content-Encoding: zstd"}) {
    EXPECT_EQ(decoded(text, {field}).bytes, text) << field;
    EXPECT_FALSE(decoded(text, {field}).cut) << field;
  }
  EXPECT_EQ(decoded("12 monkeys\nis a film", {"Transfer-Encoding: chunked"}).bytes, "12 monkeys\nis a film");
  EXPECT_EQ(decoded("4\nthe film", {"Transfer-Encoding: chunked"}).bytes, "4\nthe film");
  EXPECT_EQ(decoded("", {"Content-Encoding: gzip"}).bytes, "");
}

TEST(HttpPayload, UndoesZstd) {
  EXPECT_EQ(decoded(zstd("<p>words"), {"Content-Encoding: zstd"}).bytes, "<p>words");
  EXPECT_EQ(decoded(gzip(zstd("<p>words")), {"Content-Encoding: zstd, gzip"}).bytes, "<p>words");
}

TEST(HttpPayload, SaysWhatCannotBeDecoded) {
  EXPECT_EQ(decoded("\x28\xb5\x2f\xfd....", {"Content-Encoding: zstd"}).reason,
            "the payload is no zstd data");
  EXPECT_EQ(decoded("\xfd....", {"Content-Encoding: xz"}).reason, "the content coding xz is not supported");
  EXPECT_EQ(decoded("\x1f\x8b\xff\xff\xff\xff\xff\xff\xff", {"Content-Encoding: gzip"}).reason,
            "the payload is no gzip data");
  EXPECT_EQ(decoded("x", {"Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip"}).reason,
            "more than 5 codings on one payload");
}

TEST(HttpPayload, KnowsWhenAPartIsMissing) {
  const std::string text = "some text that is long enough to be cut somewhere in its middle, twice over";
  EXPECT_TRUE(decoded(text, {"Content-Length: 1000"}).cut);
  EXPECT_FALSE(decoded(text, {"Content-Length: " + std::to_string(text.size())}).cut);
  EXPECT_FALSE(decoded(text, {"Content-Length: 5"}).cut);
  const std::string gzipped = gzip(text);
  const Decoded part = decoded(gzipped.substr(0, gzipped.size() - 12), {"Content-Encoding: gzip"});
  EXPECT_TRUE(part.cut);
  EXPECT_TRUE(text.starts_with(part.bytes));
  EXPECT_TRUE(decoded(text, {}, 10).cut);
  EXPECT_EQ(decoded(text, {}, 10).bytes, text.substr(0, 10));
  EXPECT_EQ(decoded(gzipped, {"Content-Encoding: gzip"}, 10).bytes, text.substr(0, 10));
}

TEST(HttpPayload, ABombInABombStaysSmall) {
  const std::string bomb = gzip(gzip(std::string(size_t{16} << 20, 'x')));
  const Decoded result = decoded(bomb, {"Content-Encoding: gzip, gzip"}, 100000);
  EXPECT_EQ(result.bytes.size(), 100000u);
  EXPECT_TRUE(result.cut);
}

TEST(HttpPayload, CodingsTogetherGiveNoMoreThanTheyMay) {
  const std::string text(kBodyLimit, 'x');
  const std::string coded = gzip(gzip(text));
  HttpHeader header;
  header.fields.parse("Content-Encoding: gzip, gzip");
  const uint64_t needed = gzip(text).size() + text.size();
  for (const uint64_t allowed : {needed + 7, needed, needed - 1, needed / 2, uint64_t{1}, uint64_t{0}}) {
    std::string storage, reason;
    uint64_t decodable = allowed;
    const auto payload = decode_payload(header, coded, kBodyLimit, decodable, storage, reason);
    ASSERT_TRUE(payload) << allowed;
    EXPECT_EQ(decodable, allowed - std::min(allowed, needed)) << allowed;
    EXPECT_EQ(payload->too_costly, allowed < needed) << allowed;
    EXPECT_EQ(payload->bytes.size(), allowed < needed ? 0 : text.size()) << allowed;
  }
  // What was decoded in vain counts as well.
  std::string storage, reason;
  uint64_t decodable = 100;
  EXPECT_FALSE(decode_payload(header, gzip("\x1f\x8b nothing"), kBodyLimit, decodable, storage, reason));
  EXPECT_EQ(decodable, 90u);
}

TEST(Chunked, AcceptsWhatServersSend) {
  std::string out;
  EXPECT_EQ(decode_chunked("4;name=value\r\nwiki\r\n 5 \r\npedia\r\n0\r\nTrailer: x\r\n\r\n", out),
            Dechunking::kComplete);
  EXPECT_EQ(out, "wikipedia");
  EXPECT_EQ(decode_chunked("4\nwiki\n0005\npedia\n0\n\n", out), Dechunking::kComplete);
  EXPECT_EQ(out, "wikipedia");
  EXPECT_EQ(decode_chunked("0\r\n\r\n", out), Dechunking::kComplete);
  EXPECT_EQ(out, "");
}

TEST(Chunked, GivesWhatCameBeforeTheDamage) {
  std::string out;
  EXPECT_EQ(decode_chunked("4\r\nwiki\r\nzz\r\npedia\r\n0\r\n\r\n", out), Dechunking::kCut);
  EXPECT_EQ(out, "wiki");
  EXPECT_EQ(decode_chunked("4\r\nwiki\r\nffffffffffffffffffff\r\npedia", out), Dechunking::kCut);
  EXPECT_EQ(decode_chunked("4\r\nwiki\r\nfffffffffffffff\r\npedia", out), Dechunking::kCut);
  EXPECT_EQ(out, "wikipedia");
  EXPECT_EQ(decode_chunked("4\r\nwiki\r\n-1\r\npedia", out), Dechunking::kCut);
  EXPECT_EQ(out, "wiki");
  EXPECT_EQ(decode_chunked("", out), Dechunking::kNotChunked);
  EXPECT_EQ(decode_chunked("<html>", out), Dechunking::kNotChunked);
}

TEST(Chunked, CutAnywhereGivesAPrefix) {
  const std::string text = "The quick brown fox jumps over the lazy dog and runs away.";
  const std::string encoded = chunked(text, 11);
  for (size_t size = 4; size < encoded.size(); ++size) {
    std::string out;
    const Dechunking outcome = decode_chunked(std::string_view(encoded).substr(0, size), out);
    // "0" and a line end are enough.
    const bool has_last = size + 2 >= encoded.size();
    ASSERT_EQ(outcome, has_last ? Dechunking::kComplete : Dechunking::kCut) << size;
    ASSERT_TRUE(text.starts_with(out)) << size;
  }
}

}  // namespace
}  // namespace ndc::test
