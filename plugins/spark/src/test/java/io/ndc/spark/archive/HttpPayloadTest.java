package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.brotli;
import static io.ndc.spark.archive.Warcs.bytes;
import static io.ndc.spark.archive.Warcs.chunked;
import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.rawDeflate;
import static io.ndc.spark.archive.Warcs.zlib;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Headers, codings and bounds; what the command reads alike is in tests/cases/expected.tsv. */
class HttpPayloadTest {
  private static final int LIMIT = 1 << 20;
  private static final String TEXT = "<html>some text, some text, some text</html>";

  private record Result(String bytes, boolean cut, String reason) {}

  private static Result decoded(byte[] body, String... fields) {
    return decoded(body, LIMIT, fields);
  }

  private static Result decoded(byte[] body, int limit, String... fields) {
    try {
      HttpPayload payload =
          HttpPayload.decode(HttpHeader.parse(ByteRange.of(Warcs.response(body, fields))), limit);
      return new Result(payload.bytes().latin1(), payload.cut(), "");
    } catch (UnreadableException refused) {
      return new Result("", false, refused.getMessage());
    }
  }

  private static HttpHeader header(String response) throws UnreadableException {
    return HttpHeader.parse(ByteRange.of(bytes(response)));
  }

  @Test
  void aHeaderHasAStatusAndFields() throws UnreadableException {
    for (String response : List.of(
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nbody",
        "http/2 404\nserver: x\n continued\nnonsense\ncontent-type:text/html\n\nbody",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404\r\n"
            + "Content-Type : text/html \r\nContent-Type: b\r\n\r\nbody")) {
      HttpHeader header = header(response);
      assertEquals(404, header.status(), response);
      assertEquals("text/html", header.fields().find("CONTENT-TYPE"), response);
      assertEquals("body", header.message().latin1(), response);
    }
  }

  @Test
  void whatHasNoStatusLineIsABody() throws UnreadableException {
    for (String response : List.of("", "<html>", "no/protocol", "200 OK\r\n\r\n", "HTTP is a protocol")) {
      HttpHeader header = header(response);
      assertEquals(0, header.status(), response);
      assertEquals(response, header.message().latin1());
    }
  }

  @Test
  void oddStatusesAreNone() throws UnreadableException {
    for (String line : List.of("HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 0 OK", "HTTP/1.1 20", "HTTP/1.1 2000 OK",
        "ICY 200 OK", "RTSP/1.0 200 OK")) {
      HttpHeader header = header(line + "\r\nContent-Type: text/html\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody");
      assertEquals(0, header.status(), line);
      assertEquals("text/html", header.fields().find("Content-Type"), line);
    }
    assertEquals(200, header("\r\n\r\nHTTP 200 OK\r\n\r\n").status());
  }

  @Test
  void theEmptyLineMayBeMissing() throws UnreadableException {
    HttpHeader markup = header("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n<p>body");
    assertEquals("a/b", markup.fields().find("Content-Type"));
    assertEquals("<p>body", markup.message().latin1());
    assertTrue(markup.ended());
    HttpHeader alone = header("HTTP/1.1 302 Found\r\nContent-Type: a/b");
    assertEquals(302, alone.status());
    assertEquals("a/b", alone.fields().find("Content-Type"));
    assertEquals("", alone.message().latin1());
    assertFalse(alone.ended());
    assertEquals("body", header("HTTP/1.1 200 OK\r\r\nContent-Type: a/b\r\r\n\r\r\nbody").message().latin1());
  }

  @Test
  void whatIsTooMuchIsBounded() throws UnreadableException {
    assertEquals(100, header("HTTP/1.1 100 Continue\r\n\r\n".repeat(100)).status());
    String fields = "Content-Type: x\r\n".repeat(200_000);
    assertThrows(UnreadableException.class, () -> header("HTTP/1.1 200\r\n" + fields + "\r\n"));
  }

  @Test
  void aFieldOfManyLinesIsReadInLinearTime() throws UnreadableException {
    String value = header("HTTP/1.1 200\r\nContent-Type: x" + "\n y".repeat(1_000_000) + "\n\n")
        .fields().find("Content-Type");
    assertEquals(2_000_001, value.length());
  }

  @Test
  void everyCodingAndStacksOfThemAreUndone() {
    byte[] text = bytes(TEXT);
    assertEquals(TEXT, decoded(text).bytes());
    assertEquals(TEXT, decoded(gzip(text), "Content-Encoding: gzip").bytes());
    assertEquals(TEXT, decoded(gzip(text), "Content-Encoding: X-GZIP").bytes());
    assertEquals(TEXT, decoded(zlib(text), "Content-Encoding: deflate").bytes());
    assertEquals(TEXT, decoded(rawDeflate(text), "Content-Encoding: deflate").bytes());
    assertEquals(TEXT, decoded(brotli(text), "Content-Encoding: br").bytes());
    assertEquals(TEXT, decoded(chunked(text, 7), "Transfer-Encoding: chunked").bytes());
    assertEquals(TEXT,
        decoded(chunked(gzip(text), 9), "Transfer-Encoding: Chunked", "Content-Encoding: gzip").bytes());
    assertEquals(TEXT, decoded(chunked(gzip(text), 9), "Transfer-Encoding: gzip, chunked").bytes());
    assertEquals(TEXT, decoded(brotli(gzip(text)), "Content-Encoding: gzip, br").bytes());
    assertEquals(TEXT, decoded(brotli(gzip(text)), "Content-Encoding: gzip", "Content-Encoding: br").bytes());
    assertEquals(TEXT, decoded(gzip(gzip(text)), "Content-Encoding: gzip,gzip").bytes());
    assertFalse(decoded(chunked(gzip(text), 9), "Transfer-Encoding: gzip, chunked").cut());
  }

  @Test
  void whatCannotBeDecodedIsSaid() {
    assertEquals("the payload is no zstd data",
        decoded(bytes("\u0028\u00b5\u002f\u00fd...."), "Content-Encoding: zstd").reason());
    assertEquals("the payload is no gzip data",
        decoded(bytes("\u001f\u008b\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff"), "Content-Encoding: gzip")
            .reason());
    assertEquals("more than 5 codings on one payload",
        decoded(bytes("x"), "Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip").reason());
  }

  @Test
  void aMissingPartIsKnown() {
    String text = "some text that is long enough to be cut somewhere in its middle, twice over";
    assertTrue(decoded(bytes(text), "Content-Length: 1000").cut());
    assertFalse(decoded(bytes(text), "Content-Length: " + text.length()).cut());
    assertFalse(decoded(bytes(text), "Content-Length: 5").cut());
    assertTrue(decoded(bytes(text), "Content-Length: 18446744073709551615").cut());
    byte[] gzipped = gzip(bytes(text));
    Result part = decoded(Arrays.copyOf(gzipped, gzipped.length - 12), "Content-Encoding: gzip");
    assertTrue(part.cut());
    assertTrue(text.startsWith(part.bytes()) && part.bytes().length() > 20, part.bytes());
    assertEquals(new Result(text.substring(0, 10), true, ""), decoded(bytes(text), 10));
    assertEquals(new Result(text.substring(0, 10), true, ""), decoded(gzipped, 10, "Content-Encoding: gzip"));
  }

  @Test
  void aBombInABombStaysSmall() {
    byte[] bomb = gzip(gzip(new byte[16 << 20]));
    Result result = decoded(bomb, 100_000, "Content-Encoding: gzip, gzip");
    assertEquals(100_000, result.bytes().length());
    assertTrue(result.cut());
  }

  private static Decoded dechunked(String data) {
    return ChunkedCoding.decode(ByteRange.of(bytes(data)));
  }

  private static void assertDechunked(Decoded.Outcome outcome, String bytes, String data) {
    assertEquals(outcome, dechunked(data).outcome(), data);
    assertEquals(bytes, dechunked(data).bytes().latin1(), data);
  }

  @Test
  void chunksAreAcceptedAsServersSendThem() {
    String trailer = "4;name=value\r\nwiki\r\n 5 \r\npedia\r\n0\r\nTrailer: x\r\n\r\n";
    assertDechunked(Decoded.Outcome.COMPLETE, "wikipedia", trailer);
    assertDechunked(Decoded.Outcome.COMPLETE, "wikipedia", "4\nwiki\n0005\npedia\n0\n\n");
    assertDechunked(Decoded.Outcome.COMPLETE, "", "0\r\n\r\n");
  }

  @Test
  void chunksBeforeTheDamageAreGiven() {
    assertDechunked(Decoded.Outcome.CUT, "wiki", "4\r\nwiki\r\nzz\r\npedia\r\n0\r\n\r\n");
    assertDechunked(Decoded.Outcome.CUT, "wiki", "4\r\nwiki\r\nffffffffffffffffffff\r\npedia");
    assertDechunked(Decoded.Outcome.CUT, "wikipedia", "4\r\nwiki\r\nfffffffffffffff\r\npedia");
    assertDechunked(Decoded.Outcome.CUT, "wiki", "4\r\nwiki\r\n-1\r\npedia");
    assertDechunked(Decoded.Outcome.DAMAGED, "", "");
    assertDechunked(Decoded.Outcome.DAMAGED, "", "<html>");
  }

  @Test
  void chunksCutAnywhereGiveAPrefix() {
    String text = "The quick brown fox jumps over the lazy dog and runs away.";
    String encoded = Warcs.text(chunked(bytes(text), 11));
    for (int size = 4; size < encoded.length(); size++) {
      Decoded decoded = dechunked(encoded.substring(0, size));
      // "0" and a line end are enough.
      boolean hasLast = size + 2 >= encoded.length();
      assertEquals(hasLast ? Decoded.Outcome.COMPLETE : Decoded.Outcome.CUT, decoded.outcome(),
          "size " + size);
      assertTrue(text.startsWith(decoded.bytes().latin1()), "size " + size);
    }
  }
}
