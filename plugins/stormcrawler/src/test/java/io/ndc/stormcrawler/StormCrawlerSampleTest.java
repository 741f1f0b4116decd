package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole crawls of the sample with planted copies, in both ways. What is expected comes from {@code ndc dedup}, asked
 * about the same pages in the order in which the topology met them.
 */
class StormCrawlerSampleTest {
  private static LocalCluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void theParseFilterFindsWhatTheCommandLineFinds() throws Exception {
    crawl(Crawl.Way.FILTER);
  }

  @Test
  void theBoltFindsWhatTheCommandLineFinds() throws Exception {
    crawl(Crawl.Way.BOLT);
  }

  private void crawl(Crawl.Way way) throws Exception {
    SampleSite sample = new SampleSite();
    long began = System.nanoTime();
    try (Site site = new Site(sample.pages);
        Crawl crawl = new Crawl(cluster, way, 1, site, Map.of("nd.store", folder.resolve("store").toString()))) {
      crawl.fetch(List.of(SampleSite.START));
      crawl.awaitFetched(sample.pages.keySet());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    assertEquals(
        sample.pages.keySet(), Observed.INDEX, "near-duplicates are in the index, unless it is told otherwise");
    Map<String, Metadata> found = new LinkedHashMap<>();
    Observed.ARRIVED.forEach(page -> assertNull(found.put(page.getKey(), page.getValue()), page.getKey()));
    Map<String, String[]> expected = dedup(sample, found.keySet());
    found.forEach((url, metadata) -> {
      String[] row = expected.get(url);
      assertEquals(row[1], metadata.getFirstValue("nd.group"), url);
      assertEquals(row[2], metadata.getFirstValue("nd.verdict"), url);
      assertEquals(row[4].equals("-") ? 0 : Double.parseDouble(row[4]),
          Double.parseDouble(metadata.getFirstValue("nd.resemblance")), .00005, url);
      assertNull(metadata.getFirstValue("nd.failure"), url);
      assertEquals(
          "near".equals(row[2]) || "exact".equals(row[2]), metadata.getFirstValue("nd.duplicate.of") != null, url);
      assertEquals(
          metadata.getFirstValue("nd.group"), Observed.value(url, "nd.group"), "the status store has it: " + url);
    });
    report(way, sample, found, seconds);
  }

  private Map<String, String[]> dedup(SampleSite sample, Iterable<String> order) throws Exception {
    Map<String, WebPage> pages = new LinkedHashMap<>();
    order.forEach(url -> pages.put(url, sample.pages.get(url)));
    Path warc = folder.resolve("crawl.warc");
    Warc.write(warc, pages);
    // With a store each page is decided when it comes, as in a crawl.
    Path store = Files.createTempDirectory(folder, "rows").resolve("pages.ndc");
    Process dedup = new ProcessBuilder(
        System.getProperty("ndc.build.directory") + "/bin/ndc", "dedup", "--threads", "1", "--store", store.toString(),
        warc.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
    String rows = new String(dedup.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, dedup.waitFor());
    Map<String, String[]> byUrl = new TreeMap<>();
    rows.lines().map(line -> line.split("\t")).forEach(row -> byUrl.put(row[0], row));
    return byUrl;
  }

  private static void report(Crawl.Way way, SampleSite sample, Map<String, Metadata> found, double seconds) {
    Map<String, String> groups = new HashMap<>();
    found.forEach((url, metadata) -> groups.put(url, metadata.getFirstValue("nd.group")));
    Map<String, String> missed = new TreeMap<>(sample.planted);
    missed.entrySet().removeIf(copy -> groups.get(copy.getKey()).equals(groups.get(copy.getValue())));
    Map<String, String> wrong = new TreeMap<>();
    found.forEach((url, metadata) -> {
      String founder = metadata.getFirstValue("nd.duplicate.of");
      if (founder != null && !sample.labels.get(url).equals(sample.labels.get(founder))) {
        wrong.put(url, founder);
      }
    });
    System.out.printf("%s: %d pages, planted %d, found %d, duplicates %d, false %d, %.1f s%n", way, found.size(),
        sample.planted.size(), sample.planted.size() - missed.size(),
        found.values().stream().filter(metadata -> metadata.getFirstValue("nd.duplicate.of") != null).count(),
        wrong.size(), seconds);
    assertTrue(missed.isEmpty(), "missed: " + missed);
    assertTrue(wrong.isEmpty(), "false: " + wrong);
  }
}
