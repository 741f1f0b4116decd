package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One crawl of everything that is no plain page: content codings, damage, sizes, types, states, hosts that are switched
 * off. Duplicates are left out of the WARC files but for their verdicts, as the guide's variant does.
 */
final class HeritrixContentTest {
  private static final String HOST = "http://content.example";
  private static final int MAX_BODY_BYTES = 100_000;

  @TempDir static Path folder;

  private static final Map<String, WebPage> pages = new LinkedHashMap<>();
  private static Map<String, CrawlLog.Line> log;
  private static Map<String, WarcRecord> verdicts;
  private static List<WarcRecord> plain;
  private static List<WarcRecord> apart;
  private static String report;

  @BeforeAll
  static void crawl() throws Exception {
    addPages(Site.pages(Sample.WARC));
    Map<String, WebPage> web = Site.withFronts(pages);
    byte[] robots = "User-agent: *\nDisallow:\n".getBytes(StandardCharsets.US_ASCII);
    web.put(HOST + "/robots.txt", new WebPage(HOST + "/robots.txt", 200, Map.of("Content-Type", "text/plain"), robots));
    Hosts.give(web.keySet());
    Path job = folder.resolve("jobs").resolve("content");
    try (Site site = Site.of(web)) {
      Crawl.make(
          job,
          site,
          Site.fronts(web.keySet()),
          beans(),
          "crawlController.maxToeThreads=1",
          "nearDuplicates.maxBodyBytes=" + MAX_BODY_BYTES,
          "scope.rules[2].maxHops=1");
      try (Crawl crawl = Crawl.launch(job).awaitEnd()) {
        log = CrawlLog.read(crawl.launchFolder())
                  .stream()
                  .collect(Collectors.toMap(CrawlLog.Line::url, line -> line, (first, second) -> second));
        plain = crawl.warcs("WEB");
        apart = crawl.warcs("DUP");
        report = crawl.report();
      }
    }
    verdicts = Stream.concat(plain.stream(), apart.stream())
                   .filter(record -> record.type().equals("metadata") && record.fields().containsKey("nd-verdict"))
                   .collect(Collectors.toMap(WarcRecord::url, record -> record));
  }

  private static void addPages(Map<String, WebPage> sample) throws IOException {
    byte[] article = sample.get("http://postgresql-doc-17.example/sql-createdatabase.html").body();
    byte[] other = sample.get("http://postgresql-doc-17.example/sql-createstatistics.html").body();
    byte[] third = sample.get("http://postgresql-doc-17.example/populate.html").body();
    byte[] fourth = sample.get("http://postgresql-doc-17.example/index-locking.html").body();
    add("/1-plain.html", 200, Map.of("Content-Type", "text/html"), article);
    add("/2-gzip.html", 200, coded("gzip"), gzip(article));
    add("/2-zlib.html", 200, coded("deflate"), deflate(article, false));
    add("/2-raw-deflate.html", 200, coded("deflate"), deflate(article, true));
    add("/2-upper.html", 200, coded("GZIP"), gzip(article));
    add("/2-no-type.html", 200, Map.of(), article);
    add("/2-brotli.html", 200, coded("br"), article);
    add("/2-not-gzip.html", 200, coded("gzip"), other);
    add("/3-cut-gzip.html", 200, coded("gzip"), Arrays.copyOf(gzip(third), gzip(third).length / 2));
    add("/3-long.html", 200, Map.of("Content-Type", "text/html"), repeat(third, MAX_BODY_BYTES * 3));
    add("/4-empty.html", 200, Map.of("Content-Type", "text/html"), new byte[0]);
    add("/4-empty-deflate.html", 200, coded("deflate"), new byte[0]);
    add("/4-empty-gzip.html", 200, coded("gzip"), new byte[0]);
    add("/4-image.png",
        200,
        Map.of("Content-Type", "image/png"),
        new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0});
    add("/4-lying.html",
        200,
        Map.of("Content-Type", "text/html"),
        new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0});
    add("/4-gone.html", 410, Map.of("Content-Type", "text/html"), article);
    add("/4-moved.html", 301, Map.of("Content-Type", "text/html", "Location", HOST + "/1-plain.html"), article);
    add("/5-unwritable.html", 200, Map.of("Content-Type", "text/html"), fourth);
    add("/6-copy.html", 200, Map.of("Content-Type", "text/html"), fourth);
    add("/7-copy.html", 200, Map.of("Content-Type", "text/html"), fourth);
    for (String host : List.of("http://www.excluded.example", "http://wiki.example.org")) {
      pages.put(host + "/1.html", new WebPage(host + "/1.html", 200, Map.of("Content-Type", "text/html"), article));
    }
  }

  /** The guide's configuration, with its variants. */
  private static String beans() throws IOException {
    String beans = Guide.replaceOnce(
        Guide.profile(), "<value>*.example.org</value> -->", "-->\n    <value>*.Excluded.example</value>");
    beans = Guide.replaceOnce(
        beans,
        "  <property name=\"prefix\" value=\"DUP\" />\n  <property name=\"chain\" ref=\"warcRecords\" />\n",
        Guide.variant("leave out"));
    String writer = "<ref bean=\"warcWriter\"/>";
    beans = Guide.replaceOnce(beans, writer, writer + "\n" + Guide.variant("forget"));
    String response = "    <bean class=\"org.archive.modules.warc.DnsResponseRecordBuilder\"/>\n";
    beans = Guide.replaceOnce(
        beans, response, "    <bean class=\"" + FailingRecordBuilder.class.getName() + "\"/>\n" + response);
    return Guide.replaceOnce(beans, "\n</beans>", "\n" + Guide.variant("sheet") + "</beans>");
  }

  @Test
  void contentCodingsAreUndone() {
    assertEquals("new", verdict("/1-plain.html"));
    for (String path :
         List.of("/2-gzip.html", "/2-zlib.html", "/2-raw-deflate.html", "/2-upper.html", "/2-no-type.html")) {
      assertEquals("exact", verdict(path), path);
      assertTrue(line(path).isDuplicate(), path);
    }
  }

  @Test
  void whatCannotBeDecodedIsNotChecked() {
    assertFalse(line("/2-brotli.html").isChecked());
    HeritrixFailureTest.expectCount(report, "left out for their content coding", 1);
    // The recorder takes what is called gzip and is not as it came.
    assertEquals("new", verdict("/2-not-gzip.html"));
  }

  @Test
  void whatIsCutIsFlagged() {
    for (String path : List.of("/3-cut-gzip.html", "/3-long.html")) {
      assertTrue(verdicts.get(HOST + path).fields().get("nd-flags").contains("truncated"), path);
      assertFalse(line(path).isDuplicate(), path);
    }
    HeritrixFailureTest.expectCount(report, "checked by their beginning only", 2);
  }

  @Test
  void anEmptyBodyIsNoFailure() {
    for (String path : List.of("/4-empty.html", "/4-empty-deflate.html", "/4-empty-gzip.html")) {
      assertEquals("no-text", verdict(path), path);
    }
    HeritrixFailureTest.expectCount(report, "checks failed", 0);
  }

  @Test
  void whatCouldNotBeWrittenIsForgotten() {
    assertEquals("new", line("/5-unwritable.html").verdict());
    assertEquals("new", verdict("/6-copy.html"));
    assertEquals("exact", verdict("/7-copy.html"));
    HeritrixFailureTest.expectCount(report, "forgotten, since in no WARC file", 1);
    Set<String> written = plain.stream()
                              .filter(record -> record.type().equals("response"))
                              .map(WarcRecord::url)
                              .collect(Collectors.toSet());
    assertTrue(written.contains(HOST + "/6-copy.html"));
    assertFalse(written.contains(HOST + "/5-unwritable.html"));
    assertFalse(written.contains(HOST + "/7-copy.html"));
  }

  @Test
  void onlyPagesAreChecked() {
    for (String path : List.of("/4-image.png", "/4-gone.html", "/4-moved.html")) {
      assertFalse(line(path).isChecked(), path);
    }
    assertEquals(200, line("/robots.txt").status());
    assertFalse(line("/robots.txt").isChecked());
    assertEquals("no-text", verdict("/4-lying.html"));
    assertEquals(410, line("/4-gone.html").status());
    assertTrue(log.keySet().stream().filter(url -> url.startsWith("dns:")).noneMatch(url -> log.get(url).isChecked()));
  }

  @Test
  void hostsCanBeSwitchedOff() {
    assertFalse(log.get("http://www.excluded.example/1.html").isChecked());
    assertFalse(log.get("http://wiki.example.org/1.html").isChecked());
    HeritrixFailureTest.expectCount(report, "left out by excludedHosts", 2);
    Set<String> written = plain.stream()
                              .filter(record -> record.type().equals("response"))
                              .map(WarcRecord::url)
                              .collect(Collectors.toSet());
    assertTrue(written.contains("http://www.excluded.example/1.html"));
    assertTrue(written.contains("http://wiki.example.org/1.html"));
  }

  @Test
  void ofDuplicatesOnlyTheVerdictIsWritten() {
    assertEquals(Set.of("warcinfo", "metadata"), apart.stream().map(WarcRecord::type).collect(Collectors.toSet()));
    for (WarcRecord record : apart) {
      if (record.type().equals("metadata")) {
        assertTrue(log.get(record.url()).isDuplicate(), record.url());
        String first = record.url().equals(HOST + "/7-copy.html") ? "/6-copy.html" : "/1-plain.html";
        assertEquals(HOST + first, record.fields().get("nd-matched-url"), record.url());
        assertNull(record.header("WARC-Concurrent-To"), record.url());
      }
    }
    assertEquals(6, apart.stream().filter(record -> record.type().equals("metadata")).count());
  }

  private static CrawlLog.Line line(String path) {
    return log.get(HOST + path);
  }

  private static String verdict(String path) {
    return verdicts.get(HOST + path).fields().get("nd-verdict");
  }

  private static void add(String path, int status, Map<String, String> headers, byte[] body) {
    pages.put(HOST + path, new WebPage(HOST + path, status, headers, body));
  }

  private static Map<String, String> coded(String coding) {
    return Map.of("Content-Type", "text/html", "Content-Encoding", coding);
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflate(byte[] body, boolean raw) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, raw))) {
      out.write(body);
    }
    return bytes.toByteArray();
  }

  private static byte[] repeat(byte[] body, int size) {
    byte[] repeated = new byte[size];
    for (int begin = 0; begin < size; begin += body.length) {
      System.arraycopy(body, 0, repeated, begin, Math.min(body.length, size - begin));
    }
    return repeated;
  }
}
