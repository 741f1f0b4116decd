package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.Result;
import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.LoopbackSite;
import io.ndc.nutch.crawl.PairScore;
import io.ndc.nutch.crawl.SequentialDedup;
import io.ndc.nutch.crawl.WarcPages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl of the repository's sample in both ways: with sketches and the job, and with the engine in the process. */
class SampleCrawlTest {
  private static final String START = "http://start.example/";
  /** What the store can say again of a page. */
  private static final List<String> KEPT = List.of("nd.group", "nd.verdict", "nd.resemblance");

  @TempDir
  Path directory;

  @Test
  void bothWaysFindWhatTheLibraryFinds() throws Exception {
    Map<String, WarcPages.Response> pages = sample();
    Map<String, String> labels = labels();
    assertEquals(labels.keySet(), pages.keySet());
    StringBuilder start = new StringBuilder("<title>Start</title>");
    pages.keySet().forEach(url -> start.append("<a href='").append(url).append("'>").append(url).append("</a> "));
    pages.put(START, new WarcPages.Response("text/html", start.toString().getBytes(StandardCharsets.UTF_8)));

    try (LoopbackSite site = new LoopbackSite(pages)) {
      Configuration conf = configuration(site);
      Crawl crawl = new Crawl(conf, directory);
      crawl.inject(List.of(START));
      crawl.round();
      org.apache.hadoop.fs.Path segment = crawl.round();
      labels.keySet().forEach(url -> assertEquals(1, site.requests(url), url));

      Map<String, ParseData> parsed = crawl.parsed(segment);
      assertEquals(labels.keySet(), parsed.keySet());
      checkEngine(pages, parsed);
      crawl.parseAgain(segment);
      assertSame(
          verdicts(parsed, KEPT), verdicts(crawl.parsed(segment), KEPT), "a task that runs again finds the same");

      Map<String, String> engineGroups = new HashMap<>();
      parsed.forEach((url, data) -> engineGroups.put(url, data.getParseMeta().get("nd.group")));
      SharedEngine.of(conf).close();
      Crawl dropping = crawl.with("nd.index.drop.duplicates", "true");
      checkDropAlone(dropping, parsed);

      Map<String, String> duplicates = checkJob(crawl);
      Map<String, String> jobGroups = groups(labels.keySet(), duplicates);
      report("NearDedupJob", PairScore.of(labels, jobGroups), .75, .95);
      report("engine in the process", PairScore.of(labels, engineGroups), .9, .95);

      crawl.readDb();
      checkIndex(crawl, parsed, duplicates.keySet());
      checkBoth(dropping, engineGroups, duplicates);
    }
  }

  private Configuration configuration(LoopbackSite site) {
    Configuration conf = Crawl.configuration(directory, site.port(), pluginFolder());
    conf.setClass("db.signature.class", NdSignature.class, Object.class);
    conf.set("nd.store", directory.resolve("store").toString());
    conf.set("nd.index.crawldb", directory.resolve("crawldb").toString());
    return conf;
  }

  // As Maven assembled it, with its own copies of the jars.
  static String pluginFolder() {
    return System.getProperty("ndc.build.directory") + "/java/ndc-nutch/ndc-nutch-" + NearDuplicates.version()
        + "-plugin";
  }

  static Map<String, WarcPages.Response> sample() throws IOException {
    return WarcPages.read(Path.of(System.getProperty("ndc.source.directory"), "data/sample/documentation.warc.gz"));
  }

  // The same file of two releases of a package is a pair.
  private static Map<String, String> labels() throws IOException {
    List<String> lines = Files.readAllLines(Path.of(System.getProperty("ndc.source.directory"),
        "data/sample/pages.tsv"));
    Map<String, String> files = PairScore.column(lines, "url", "file", null, null);
    files.replaceAll((url, file) -> file.replaceFirst("postgresql-doc-[0-9]+", "postgresql-doc"));
    return files;
  }

  // The library's own answers to the same pages in the order in which the parser meets them.
  private static void checkEngine(Map<String, WarcPages.Response> pages, Map<String, ParseData> parsed) {
    Map<String, String> expected = new TreeMap<>();
    try (NearDuplicates engine = NearDuplicates.inMemory(Map.of())) {
      engine.check(START, pages.get(START).body(), pages.get(START).contentType());
      for (String url : parsed.keySet()) {
        Result result = engine.check(Page.of(url, pages.get(url).body()).withContentType(pages.get(url).contentType()));
        expected.put(url, result.groupId() + " " + result.verdict().name().toLowerCase(Locale.ROOT) + ' '
            + String.format(Locale.ROOT, "%.4f %.4f", result.resemblance(), result.probability()) + ' '
            + (result.relatedGroupId() == 0 ? null : Long.toString(result.relatedGroupId())));
      }
    }
    List<String> keys = new ArrayList<>(KEPT);
    keys.addAll(List.of("nd.probability", "nd.related.group"));
    assertSame(expected, verdicts(parsed, keys), "engine in the process");
    parsed.forEach((url, data) -> {
      assertNull(data.getParseMeta().get("nd.failure"), url);
      assertTrue(data.getOutlinks().length > 0, "the links of duplicates are followed: " + url);
    });
  }

  private static Map<String, String> verdicts(Map<String, ParseData> parsed, List<String> keys) {
    Map<String, String> verdicts = new TreeMap<>();
    parsed.forEach((url, data) -> verdicts.put(url,
        keys.stream().map(data.getParseMeta()::get).map(String::valueOf).collect(Collectors.joining(" "))));
    return verdicts;
  }

  // assertEquals, but a failure shows the differences only.
  static void assertSame(Map<String, String> expected, Map<String, String> actual, String what) {
    Map<String, String> differences = new TreeMap<>();
    expected.forEach((key, value) -> differences.put(key, value + " / " + actual.get(key)));
    actual.forEach((key, value) -> differences.putIfAbsent(key, "null / " + value));
    differences.values().removeIf(pair -> pair.split(" / ")[0].equals(pair.split(" / ")[1]));
    assertTrue(differences.isEmpty(), what + ", expected / actual: " + differences);
  }

  private static Map<String, String> checkJob(Crawl crawl) throws Exception {
    Map<String, CrawlDatum> before = crawl.entries();
    NearDedupJob job = new NearDedupJob();
    crawl.run(job, crawl.crawlDb().toString());
    Map<String, CrawlDatum> after = crawl.entries();
    Map<String, String> duplicates = duplicates(after);
    assertSame(SequentialDedup.duplicates(before, NearDedupJob.DEFAULT_THRESHOLD,
        NearDedupJob.DEFAULT_SAME_SITE_THRESHOLD,
        url -> url.split("/")[2]), duplicates, "NearDedupJob");
    assertEquals(before.keySet(), after.keySet());
    before.forEach((url, datum) -> assertEquals(duplicates.containsKey(url) ? CrawlDatum.STATUS_DB_DUPLICATE
        : datum.getStatus(),
        after.get(url).getStatus(), url));
    assertEquals(duplicates.size(), job.counters().getOrDefault("duplicates_near", 0L) + job.counters()
        .getOrDefault("duplicates_equal", 0L));
    crawl.run(job, crawl.crawlDb().toString());
    assertSame(duplicates, duplicates(crawl.entries()), "the job run again finds the same");
    return duplicates;
  }

  static Map<String, String> duplicates(Map<String, CrawlDatum> entries) {
    Map<String, String> duplicates = new TreeMap<>();
    entries.forEach((url, datum) -> {
      if (datum.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE) {
        duplicates.put(url, datum.getMetaData().get(MarkReducer.DUPLICATE_OF).toString());
      }
    });
    return duplicates;
  }

  static Map<String, String> groups(Set<String> urls, Map<String, String> duplicates) {
    return urls.stream().collect(Collectors.toMap(url -> url, url -> duplicates.getOrDefault(url, url)));
  }

  static void report(String what, PairScore score, double leastF1, double leastPrecision) {
    System.out.println(what + ": " + score);
    assertTrue(score.f1() >= leastF1, what + ": " + score);
    assertTrue(score.precision() >= leastPrecision, what + ": " + score);
  }

  // The engine alone removes pages: of each group the founder stays, and so do pages that contain it or lie in it,
  // with much more, or are uncertain.
  private static void checkDropAlone(Crawl crawl, Map<String, ParseData> parsed) throws Exception {
    Set<String> expected = parsed.keySet().stream().filter(url -> {
      Metadata metadata = parsed.get(url).getParseMeta();
      return metadata.get("nd.verdict").equals("new")
          || String.valueOf(metadata.get("nd.flags")).matches(".*(contain|uncertain).*");
    }).collect(Collectors.toSet());
    Set<String> groups = expected.stream().map(url -> parsed.get(url).getParseMeta().get("nd.group"))
        .collect(Collectors.toSet());
    parsed.forEach((url, data) -> assertTrue(groups.contains(data.getParseMeta().get("nd.group")), url));
    assertTrue(expected.size() < 100, "most are removed: " + expected.size());
    expected.add(START);
    // Before a page is left out it is compared with the page that stays, by what is known of their sites by then: a few
    // are no copies any more.
    Set<String> added = added(crawl);
    System.out.println(added.size() + " documents are in the index");
    assertTrue(added.containsAll(expected), expected::toString);
    added.removeAll(expected);
    assertTrue(added.size() <= 5, added::toString);
    added.forEach(url -> assertEquals("near", parsed.get(url).getParseMeta().get("nd.verdict"), url));
  }

  // Configured for both, the job refuses; forced, it alone removes.
  private static void checkBoth(Crawl crawl, Map<String, String> engineGroups, Map<String, String> duplicates)
      throws Exception {
    assertThrows(IllegalStateException.class, () -> crawl.run(new NearDedupJob(), crawl.crawlDb().toString()));
    crawl.run(new NearDedupJob(), crawl.crawlDb().toString(), "-force");
    Set<String> added = added(crawl);
    Set<String> expected = engineGroups.keySet().stream().filter(url -> !duplicates.containsKey(url))
        .collect(Collectors.toSet());
    expected.add(START);
    assertEquals(expected, added, "the job's duplicates are removed and nothing else");
  }

  private static Set<String> added(Crawl crawl) throws Exception {
    return crawl.index("-deleteGone").stream().filter(action -> action[0].equals("add")).map(action -> action[1])
        .collect(Collectors.toSet());
  }

  private static void checkIndex(Crawl crawl, Map<String, ParseData> parsed, Set<String> duplicates) throws Exception {
    Map<String, String> groups = new HashMap<>();
    Set<String> deleted = new java.util.HashSet<>();
    for (String[] action : crawl.index("-deleteGone")) {
      if (action[0].equals("delete")) {
        deleted.add(action[1]);
      } else {
        groups.put(action[1], action[2]);
      }
    }
    assertEquals(duplicates, deleted, "the index job deletes what the crawldb calls duplicates");
    parsed.forEach((url, data) -> {
      if (!duplicates.contains(url)) {
        assertNotNull(data.getContentMeta().get(Nutch.SIGNATURE_KEY), url);
        assertEquals(data.getParseMeta().get("nd.group"), groups.get(url), url);
      }
    });
    assertEquals(parsed.size() + 1, groups.size() + deleted.size());
  }
}
