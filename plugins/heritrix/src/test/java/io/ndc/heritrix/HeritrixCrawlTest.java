package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import io.ndc.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole crawl of the sample's 150 pages, of a page that each of them links, and of the hosts' front pages, configured
 * as the guide says. One thread crawls, so that the order of crawl.log is the order in which ndc was asked; what is
 * expected comes from the binding alone, asked about the same pages in that order.
 */
final class HeritrixCrawlTest {
  @TempDir static Path folder;

  private static Map<String, WebPage> pages;
  private static List<CrawlLog.Line> log;
  private static List<WarcRecord> plain;
  private static List<WarcRecord> apart;
  private static String report;
  private static Map<String, NearDuplicateVerdict> expected;

  @BeforeAll
  static void crawl() throws Exception {
    pages = Site.withFronts(Site.withFootnotes(Site.pages(Sample.WARC)));
    Hosts.give(pages.keySet());
    Path job = folder.resolve("jobs").resolve("sample");
    long began = System.nanoTime();
    try (Site site = Site.of(pages)) {
      Crawl.make(job, site, Site.fronts(pages.keySet()), Guide.profile(), "crawlController.maxToeThreads=1");
      try (Crawl crawl = Crawl.launch(job).awaitEnd()) {
        log = crawl.fetched();
        report = crawl.report();
        plain = crawl.warcs("WEB");
        apart = crawl.warcs("DUP");
      }
    }
    expected = Oracle.verdicts(log, pages);
    long duplicates = expected.values().stream().filter(NearDuplicateVerdict::isDuplicate).count();
    System.out.printf(
        "sample: %d pages, duplicates expected %d, found %d, %.1f s%n",
        log.size(),
        duplicates,
        log.stream().filter(CrawlLog.Line::isDuplicate).count(),
        (System.nanoTime() - began) / 1e9);
  }

  @Test
  void everyPageIsCrawledThoseBehindNearDuplicatesToo() {
    assertEquals(pages.keySet(), log.stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    Set<String> duplicates =
        log.stream().filter(CrawlLog.Line::isDuplicate).map(CrawlLog.Line::url).collect(Collectors.toSet());
    List<CrawlLog.Line> behind = log.stream().filter(line -> duplicates.contains(line.via())).toList();
    assertTrue(
        behind.stream().filter(line -> line.url().contains(Site.FOOTNOTES)).count() >= 60,
        "pages behind near-duplicates");
  }

  @Test
  void crawlLogSaysWhatTheBindingSays() {
    assertTrue(
        expected.values().stream().filter(NearDuplicateVerdict::isDuplicate).count() >= 60,
        "the sample has near-duplicates");
    for (CrawlLog.Line line : log) {
      NearDuplicateVerdict page = expected.get(line.url());
      assertEquals(page.isDuplicate(), line.isDuplicate(), line.url());
      assertEquals(page.verdictName(), line.verdict(), line.url());
      assertEquals(page.groupId(), line.group(), line.url());
      assertEquals(page.isDuplicate(), line.extra().has("nd_resemblance"), line.url());
      if (page.isDuplicate()) {
        assertEquals(page.resemblance(), line.extra().getDouble("nd_resemblance"), 0.00005, line.url());
      }
      boolean hasProbability = page.isDuplicate() || page.verdict() == Verdict.NEW;
      assertEquals(hasProbability, line.extra().has("nd_probability"), line.url());
      if (hasProbability) {
        assertEquals(page.probability(), line.extra().getDouble("nd_probability"), 0.00005, line.url());
      }
      assertEquals(page.relatedGroupId(), line.extra().optLong("nd_related_group", 0), line.url());
    }
    assertTrue(expected.values().stream().anyMatch(page -> page.relatedGroupId() != 0), "no page came near another");
  }

  @Test
  void nothingButCheckedPagesIsAnnotated() throws Exception {
    assertEquals(expected.size(), log.stream().filter(CrawlLog.Line::isChecked).count());
  }

  @Test
  void everyPageIsInExactlyOneWarc() {
    Set<String> duplicates = expected.entrySet()
                                 .stream()
                                 .filter(entry -> entry.getValue().isDuplicate())
                                 .filter(entry -> entry.getValue().founderResemblance() > 0)
                                 .filter(entry -> !entry.getValue().part())
                                 .map(Map.Entry::getKey)
                                 .collect(Collectors.toSet());
    Set<String> others = new HashSet<>(pages.keySet());
    others.removeAll(duplicates);
    assertEquals(duplicates, responses(apart).keySet());
    assertEquals(others, responses(plain).keySet());
    for (List<WarcRecord> records : List.of(plain, apart)) {
      responses(records).forEach(
          (url, record) -> assertArrayEquals(pages.get(url).body(), record.httpPage().body(), url));
    }
  }

  @Test
  void noRevisitTakesThePlaceOfContent() {
    assertEquals(List.of(), both().stream().filter(record -> record.type().equals("revisit")).toList());
  }

  @Test
  void metadataRecordsHoldTheVerdicts() {
    for (List<WarcRecord> records : List.of(plain, apart)) {
      Map<String, WarcRecord> responses = responses(records);
      Map<String, WarcRecord> verdicts = verdictRecords(records);
      assertEquals(responses.keySet(), verdicts.keySet());
      verdicts.forEach((url, record) -> {
        assertEquals("application/warc-fields", record.header("Content-Type"));
        assertEquals(responses.get(url).header("WARC-Record-ID"), record.header("WARC-Concurrent-To"), url);
        assertEquals(responses.get(url).header("WARC-Record-ID"), record.header("WARC-Refers-To"), url);
        assertEquals(fields(expected.get(url)), record.fields(), url);
      });
    }
  }

  @Test
  void stockMetadataRecordsAreThereAsWell() {
    long stock = both()
                     .stream()
                     .filter(record -> record.type().equals("metadata") && pages.containsKey(record.url()))
                     .filter(record -> record.fields().containsKey("fetchTimeMs"))
                     .count();
    assertEquals(pages.size(), stock);
  }

  @Test
  void theReportCounts() {
    long duplicates = expected.values().stream().filter(NearDuplicateVerdict::isDuplicate).count();
    assertTrue(report.matches("(?s).*pages checked: +" + pages.size() + "\n.*"), report);
    assertTrue(report.matches("(?s).*exact and near duplicates: +" + duplicates + "\n.*"), report);
    assertTrue(report.matches("(?s).*checks failed: +0\n.*"), report);
    assertTrue(report.contains("milliseconds a check: "), report);
  }

  private static List<WarcRecord> both() {
    List<WarcRecord> records = new ArrayList<>(plain);
    records.addAll(apart);
    return records;
  }

  /** The responses with pages of the site, by URL. */
  private static Map<String, WarcRecord> responses(Collection<WarcRecord> records) {
    return once(records.stream()
                    .filter(record -> record.type().equals("response") && pages.containsKey(record.url()))
                    .toList());
  }

  private static Map<String, WarcRecord> verdictRecords(Collection<WarcRecord> records) {
    return once(records.stream()
                    .filter(record -> record.type().equals("metadata") && record.fields().containsKey("nd-verdict"))
                    .toList());
  }

  private static Map<String, WarcRecord> once(List<WarcRecord> records) {
    Map<String, WarcRecord> byUrl = new LinkedHashMap<>();
    records.forEach(record -> assertNull(byUrl.put(record.url(), record), record.url()));
    return byUrl;
  }

  /** The fields as the guide describes them. */
  private static Map<String, String> fields(NearDuplicateVerdict page) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("nd-verdict", page.verdictName());
    fields.put("nd-group", Long.toString(page.groupId()));
    if (page.groupUrl() != null) {
      fields.put("nd-group-url", page.groupUrl());
    }
    fields.put("nd-page", Long.toString(page.pageId()));
    if (page.matchedUrl() != null) {
      fields.put("nd-matched-url", page.matchedUrl());
    }
    if (page.isDuplicate() || page.matchedUrl() != null) {
      fields.put("nd-resemblance", String.format("%.4f", page.resemblance()));
      fields.put("nd-containment", String.format("%.4f", page.containment()));
    }
    if (page.isDuplicate() || page.verdict() == Verdict.NEW) {
      fields.put("nd-probability", String.format("%.4f", page.probability()));
    }
    if (page.relatedGroupId() != 0) {
      fields.put("nd-related-group", Long.toString(page.relatedGroupId()));
    }
    if (!page.flags().isEmpty()) {
      fields.put(
          "nd-flags",
          page.flags().stream().sorted().map(flag -> flag.name().toLowerCase()).collect(Collectors.joining(", ")));
    }
    fields.put("nd-version", NearDuplicates.version());
    return fields;
  }
}
