package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.bytes;
import static io.ndc.spark.archive.Warcs.response;
import static io.ndc.spark.archive.Warcs.responseOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The cases of the command line's tests (tests/unit/tools/archive_page_test.cpp), and URLs. */
class ArchivePageTest {
  private static final String HTTP = "Content-Type: application/http; msgtype=response";
  private static final String DATE = "WARC-Date: 2019-10-01T00:00:00Z";

  private static CollectedReads read(byte[] record) {
    return CollectedReads.of(record);
  }

  private static CollectedReads read(byte[] record, long pageBytes, boolean allStatuses) {
    return CollectedReads.of(new ArchiveSplit(MemoryFiles.add(record), 0, Long.MAX_VALUE),
        new ReadRules(pageBytes, allStatuses), MemoryFiles.configuration());
  }

  private static byte[] responseRecord(byte[] block, String... fields) {
    String[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = HTTP;
    all[fields.length + 1] = DATE;
    return Warcs.record("response", "http://a/", block, all);
  }

  @Test
  void aResponseIsAPage() {
    CollectedReads reads =
        read(responseRecord(response(bytes("<p>x"), "Content-Type: text/html; charset=gbk")));
    ArchivePage page = reads.pages.get(0);
    assertEquals("http://a/", page.url());
    assertEquals("text/html; charset=gbk", page.contentType());
    assertEquals("<p>x", CollectedReads.body(page));
    assertEquals(1569888000000L, page.fetchedAtMs());
    assertFalse(page.truncated());
    assertEquals(0, page.offset());
    assertEquals(1, reads.records);
    assertEquals(1, reads.pagesTold);
  }

  @Test
  void resourcesAndConversionsArePages() {
    for (String type : List.of("resource", "conversion", "Conversion")) {
      ArchivePage page =
          read(Warcs.record(type, "http://a/", bytes("plain text"), "Content-Type: text/plain")).pages.get(0);
      assertEquals("text/plain", page.contentType());
      assertEquals("plain text", CollectedReads.body(page));
      assertEquals(0, page.fetchedAtMs());
    }
  }

  @Test
  void otherRecordsHaveNone() {
    for (String type : List.of("request", "revisit", "metadata", "warcinfo", "continuation", "unheard-of")) {
      CollectedReads reads = read(Warcs.record(type, "", response(bytes("x")), HTTP));
      assertEquals(List.of(1, 1, 0), List.of(reads.records, reads.noPages, reads.pages.size()), type);
    }
    byte[] lookup = bytes("20190101\nexample.org. 1 IN A 192.0.2.1");
    assertEquals(1,
        read(Warcs.record("response", "dns:example.org", lookup, "Content-Type: text/dns")).noPages);
    assertEquals(1, read(Warcs.record("response", "dns:example.org", lookup)).noPages);
    assertEquals(1, read(Warcs.record("response", "HTTPS://a/", response(bytes("x")))).pages.size());
  }

  @Test
  void otherStatusesHaveNoneUnlessAsked() {
    List<String> statuses = List.of("HTTP/1.1 301 Moved", "HTTP/1.1 404 Not Found", "HTTP/1.1 503 Busy");
    for (String status : statuses) {
      byte[] record = responseRecord(responseOf(status, bytes("x")));
      assertEquals(1, read(record).otherStatuses, status);
      assertEquals(0, read(record).pages.size(), status);
      assertEquals(1, read(record, 1000, true).pages.size(), status);
    }
    assertEquals(1, read(responseRecord(responseOf("HTTP/1.1 206 Partial", bytes("x")))).pages.size());
  }

  @Test
  void whatHasNoContentIsNoPage() {
    for (String block : List.of("", "<html>", "HTTP/1.1 0 OK\r\n\r\nx", "HTTP/1.1 204 x\r\nA: b\r\n",
        "HTTP/1.1 205 x\r\n\r\n", "HTTP/1.1 302 Found\r\nA: b"))
      assertEquals(1, read(responseRecord(bytes(block))).otherStatuses, block);
    assertEquals(1, read(responseRecord(bytes("<html>")), 1000, true).pages.size());
    assertEquals(0, read(responseRecord(bytes("HTTP/1.1 404 x\r\n\r\n \r\n")), 1000, true).pages.size());
    assertEquals(1, read(responseRecord(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"))).pages.size());
  }

  @Test
  void whatIsDeclaredAsAnotherTypeIsNoPage() {
    for (String type : List.of("image/png", "text/css", "application/json; charset=utf-8", "TEXT/JavaScript",
        "image/png, application/pdf")) {
      assertEquals(1, read(responseRecord(response(bytes("x"), "Content-Type: " + type))).noPages, type);
      assertEquals(1, read(Warcs.record("resource", "http://a/", bytes("x"), "Content-Type: " + type)).noPages, type);
    }
    for (String type : List.of("", "text/html, image/png", "image/png, text/html", "image / png", "\"image/png\"",
        "image/*", "application/octet-stream", "application/atom+xml", "\"a,image/png"))
      assertEquals(1, read(responseRecord(response(bytes("x"), "Content-Type: " + type))).pages.size(), type);
    byte[] note = bytes("the text of a page");
    assertEquals(1, read(Warcs.record("resource", "urn:text:http://a/", note, "Content-Type: text/plain")).noPages);
  }

  @Test
  void contentTypesAreGivenTogether() {
    byte[] record = responseRecord(response(bytes("<p>x"), "Content-Type: image/png", "Content-Type: text/html"));
    assertEquals("image/png,text/html", read(record).pages.get(0).contentType());
    byte[] untyped = Warcs.record("response", "http://a/", response(bytes("x")), "Content-Type: http response");
    assertEquals(1, read(untyped).pages.size());
  }

  @Test
  void truncatedPagesAreKnown() {
    byte[] body = bytes("body");
    assertTrue(read(responseRecord(response(body), "WARC-Truncated: length")).pages.get(0).truncated());
    assertTrue(read(responseRecord(response(body, "Content-Length: 100"))).pages.get(0).truncated());
    ArchivePage cut = read(responseRecord(response(body)), 22, false).pages.get(0);
    assertEquals("bod", CollectedReads.body(cut));
    assertTrue(cut.truncated());
    CollectedReads resource = read(Warcs.record("resource", "http://a/", body), 3, false);
    assertEquals("bod", CollectedReads.body(resource.pages.get(0)));
    assertTrue(resource.pages.get(0).truncated());
    assertEquals(1, resource.truncated);
  }

  @Test
  void damageIsSaid() {
    assertEquals("the record has no WARC-Target-URI",
        reason(Warcs.record("response", "", response(bytes("x")), HTTP)));
    assertEquals("the record has no WARC-Type", reason(Warcs.record("", "http://a/", response(bytes("x")))));
    assertEquals("the HTTP header has no end", reason(responseRecord(bytes("HTTP/1.1 200 OK\r\nA: b"))));
    assertEquals("the content coding xz is not supported",
        reason(responseRecord(response(bytes("x"), "Content-Encoding: xz"))));
  }

  private static String reason(byte[] record) {
    CollectedReads reads = read(record);
    assertEquals(1, reads.records);
    assertEquals(1, reads.damages.size());
    return reads.damages.get(0).split(" ", 3)[2];
  }

  private static String url(String written) {
    return read(Warcs.record("resource", written, bytes("x"))).pages.get(0).url();
  }

  @Test
  void urlsAreTakenAsTheyAre() {
    assertEquals("http://a/", url("<http://a/>"));
    assertEquals("http://a/", url("< http://a/ >"));
    assertEquals("<http://a/", url("<http://a/"));
    assertEquals("http://a/b  c\u0001d\re", url("http://a/b  c\u0001d\re"));
    assertEquals("HTTP://A/%c3%A9", url("HTTP://A/%c3%A9"));
  }

  @Test
  void urlsThatAreNoAsciiStayDifferent() {
    // UTF-8: é, 😀.
    assertEquals("http://a/\u00e9\ud83d\ude00", url("http://a/\u00c3\u00a9\u00f0\u009f\u0098\u0080"));
    assertEquals("http://a/%E9", url("http://a/\u00e9"));
    assertEquals("http://a/%E8", url("http://a/\u00e8"));
    assertEquals("%FFx%C0%80%ED%A0%80%F0%9F%98",
        url("\u00ffx\u00c0\u0080\u00ed\u00a0\u0080\u00f0\u009f\u0098"));
    assertEquals("http://a/\ufffd", url("http://a/\u00ef\u00bf\u00bd"));
  }

  @Test
  void datesOfEveryPrecisionAreRead() {
    assertDate(0, "1970-01-01T00:00:00Z");
    for (String text : List.of("2019-10-01T00:00:00Z", "2019-10-01T00:00Z", "2019-10-01", "2019-10",
        "2019-10-01T02:30:00+02:30", "2019-09-30T23:00:00-01:00", "2019-10-01T00:00:00z")) {
      assertDate(1569888000000L, text);
    }
    assertDate(1546300800000L, "2019");
    assertDate(1569888000500L, "2019-10-01T00:00:00.5Z");
    assertDate(1569888000123L, "2019-10-01T00:00:00.123987654Z");
    assertDate(1583020800000L, "2020-02-29T23:59:60Z");
  }

  private static void assertDate(long milliseconds, String text) {
    assertEquals(OptionalLong.of(milliseconds), WarcDate.parse(text), text);
  }

  @Test
  void everythingElseIsNoDate() {
    for (String text : List.of(
        "", "now", "201", "20190101", "2019-13", "2019-00", "2019-02-29", "2019-10-01T",
        "2019-10-01 00:00:00Z", "2019-10-01T24:00:00Z", "2019-10-01T00:60:00Z", "2019-10-01T00:00:61Z",
        "2019-10-01T00:00:00", "2019-10-01T00:00:00.Z", "2019-10-01T00:00:00Zx", "2019-10-01T00:00:00+2:00",
        "-2019-10-01")) {
      assertEquals(OptionalLong.empty(), WarcDate.parse(text), text);
    }
  }

  @Test
  void theLimitOfAPageIsChecked() {
    assertThrows(IllegalArgumentException.class, () -> new ReadRules(0, false));
    assertThrows(IllegalArgumentException.class, () -> new ReadRules((1L << 30) + 1, false));
  }
}
