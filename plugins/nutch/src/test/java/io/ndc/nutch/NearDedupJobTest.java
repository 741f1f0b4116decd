package io.ndc.nutch;

import static io.ndc.nutch.SampleCrawlTest.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Page;
import io.ndc.Signature;
import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.CrawlDbFile;
import io.ndc.nutch.crawl.SequentialDedup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.DeduplicationJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NearDedupJob on crawldbs written for the purpose. */
class NearDedupJobTest {
  @TempDir
  Path directory;

  private final NearDedupJob job = new NearDedupJob();
  private int runs;

  // Text of words FIRST..FIRST+COUNT-1 of an endless made-up text; two ranges are as similar as they overlap.
  private static byte[] sketch(int first, int count) {
    String text = IntStream.range(first, first + count).mapToObj(i -> "word" + Integer.toString(i * 7919, 36))
        .collect(Collectors.joining(" "));
    return Signature.compute(Page.of("", ("<p>" + text + "</p>").getBytes(StandardCharsets.UTF_8))
        .withContentType("text/html"), Map.of());
  }

  private Map<String, CrawlDatum> run(Map<String, CrawlDatum> entries, int parts, int reducers, String... arguments)
      throws Exception {
    Path place = Files.createDirectory(directory.resolve("run" + runs++));
    Configuration conf = Crawl.configuration(place, 0);
    conf.setInt("mapreduce.job.reduces", reducers);
    Crawl crawl = new Crawl(conf, place);
    CrawlDbFile.write(conf, crawl.crawlDb(), entries, parts);
    crawl.run(job, Stream.concat(Stream.of(crawl.crawlDb().toString()), Arrays.stream(arguments))
        .toArray(String[]::new));
    try (Stream<Path> left = Files.list(place.resolve("crawldb"))) {
      assertEquals(List.of("current", "old"), left.map(p -> p.getFileName().toString())
          .filter(name -> !name.startsWith(".")).sorted().toList());
    }
    return crawl.entries();
  }

  private Map<String, String> duplicates(Map<String, CrawlDatum> entries, String... arguments) throws Exception {
    return SampleCrawlTest.duplicates(run(entries, 1, 1, arguments));
  }

  private static Map<String, CrawlDatum> pages(Object... urlsAndSignatures) {
    Map<String, CrawlDatum> pages = new TreeMap<>();
    for (int i = 0; i < urlsAndSignatures.length; i += 2) {
      pages.put((String) urlsAndSignatures[i], CrawlDbFile.fetched(1, 1000, (byte[]) urlsAndSignatures[i + 1]));
    }
    return pages;
  }

  private static Map<String, CrawlDatum> randomPages(int count) {
    Random random = new Random(7);
    Map<String, CrawlDatum> pages = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String url = (random.nextBoolean() ? "http" : "https") + "://host" + random.nextInt(5) + ".example/"
          + "p".repeat(random.nextInt(3)) + i;
      // Drifting texts, chains of overlaps among them, and some equal ones.
      byte[] signature = sketch(random.nextInt(8) * 100_000 + random.nextInt(40) * 40, 400);
      pages.put(url, CrawlDbFile.fetched(random.nextInt(3), 1000 + random.nextInt(3), signature));
    }
    return pages;
  }

  @Test
  void equalsTheSequentialRuleHoweverItIsDistributed() throws Exception {
    Map<String, CrawlDatum> pages = randomPages(300);
    for (double sameSite : new double[] {.3, .55}) {
      Map<String, String> expected = SequentialDedup.duplicates(pages, .3, sameSite, url -> url.split("/")[2]);
      assertTrue(expected.size() > 50 && expected.size() < 270, expected.size() + " duplicates");
      for (int[] shape : new int[][] {{1, 1}, {4, 3}}) {
        Map<String, CrawlDatum> after = run(pages, shape[0], shape[1], "-threshold", "0.3", "-sameSiteThreshold",
            "" + sameSite);
        assertSame(expected, SampleCrawlTest.duplicates(after), Arrays.toString(shape) + " " + sameSite);
      }
    }
    assertTrue(job.counters().get("duplicates_equal") > 0);
    assertTrue(job.counters().get("duplicates_near") > 0);
    assertEquals(300, job.counters().get("pages"));
  }

  @Test
  void whoIsKeptStaysHoweverItIsDistributed() throws Exception {
    Random random = new Random(8);
    Map<String, CrawlDatum> pages = run(randomPages(300), 1, 1, "-threshold", ".3", "-sameSiteThreshold", ".3");
    Set<String> before = SampleCrawlTest.duplicates(pages).keySet();
    pages.values().forEach(datum -> datum.setScore(random.nextInt(3)));
    Map<String, CrawlDatum> once = run(pages, 1, 1, "-threshold", ".3", "-sameSiteThreshold", ".3");
    assertSame(SequentialDedup.duplicates(pages, .3, .3, url -> ""), SampleCrawlTest.duplicates(once), "other scores");
    assertEquals(before, SampleCrawlTest.duplicates(once).keySet(), "no page leaves the index, none comes");
    assertSame(SampleCrawlTest.duplicates(once), SampleCrawlTest.duplicates(run(pages, 3, 4, "-threshold", ".3",
        "-sameSiteThreshold", ".3")), "distributed");
    Set<String> anew = SampleCrawlTest.duplicates(run(pages, 2, 2, "-redecide", "-threshold", ".3",
        "-sameSiteThreshold", ".3")).keySet();
    assertNotEquals(before, anew, "decided anew");
    pages.values().forEach(datum -> {
      datum.setStatus(CrawlDatum.STATUS_DB_FETCHED);
      datum.getMetaData().clear();
    });
    assertEquals(SequentialDedup.duplicates(pages, .3, .3, url -> "").keySet(), anew);
  }

  @Test
  void aDuplicateThatIsFetchedAgainStaysOneUnlessTheKeptPageGoes() throws Exception {
    String kept = "http://x.example/a";
    String duplicate = "http://x.example/bb";
    Map<String, CrawlDatum> pages = run(pages(kept, sketch(0, 300), duplicate, sketch(0, 300)), 1, 1);
    assertEquals(Map.of(duplicate, kept), SampleCrawlTest.duplicates(pages));
    // As updatedb leaves it: with its metadata; a page that is not modified is not in the segment to be indexed.
    pages.get(duplicate).setStatus(CrawlDatum.STATUS_DB_NOTMODIFIED);
    pages.get(duplicate).setScore(9);
    assertEquals(Map.of(duplicate, kept), duplicates(pages));
    assertEquals(Map.of(kept, duplicate), duplicates(pages, "-redecide"));
    pages.get(kept).setStatus(CrawlDatum.STATUS_DB_GONE);
    assertEquals(Map.of(), duplicates(pages));
  }

  @Test
  void thresholdsHoldForTwinsToo() throws Exception {
    byte[] text = sketch(0, 300);
    Map<String, CrawlDatum> pages = pages("http://x.example/a", text, "http://x.example/bb", text,
        "http://y.example.org/ccc", text, "http://y.example.org/dddd", text);
    assertEquals(Set.of("http://x.example/bb", "http://y.example.org/ccc", "http://y.example.org/dddd"),
        duplicates(pages, "-sameSiteThreshold", "1").keySet());
    Map<String, String> never = duplicates(pages, "-sameSiteThreshold", "1.1");
    assertEquals(Map.of("http://y.example.org/ccc", "http://x.example/a", "http://y.example.org/dddd",
        "http://x.example/a"), never, "never within a site");
    assertSame(SequentialDedup.duplicates(pages, .25, 1.1, url -> url.split("/")[2]), never, "never within a site");
    assertEquals(Map.of(), duplicates(pages, "-sameSiteThreshold", "2", "-group", "host"));
  }

  @Test
  void similarityIsNotPassedOn() throws Exception {
    // a and b overlap, so do b and c, but not a and c; a is kept first, so b is removed and c stays.
    assertEquals(Map.of("http://x.example/bb", "http://x.example/a"),
        duplicates(pages("http://x.example/a", sketch(0, 900),
        "http://x.example/bb", sketch(300, 900), "http://x.example/ccc", sketch(600, 900)), "-threshold", ".35",
        "-sameSiteThreshold", ".35"));
  }

  @Test
  void keepsTheBestRankedAndThereIsAlwaysOne() throws Exception {
    byte[] text = sketch(0, 300);
    Map<String, CrawlDatum> pages = pages("http://x.example/a", text, "http://x.example/b", text);
    assertEquals(List.of("http://x.example/b"), kept(pages, "http://x.example/a"));
    pages.put("http://x.example/important", CrawlDbFile.fetched(2, 1, text));
    assertEquals(List.of("http://x.example/a", "http://x.example/b"), kept(pages, "http://x.example/important"));
    assertEquals(List.of("http://x.example/b", "http://x.example/important"),
        kept(pages, "http://x.example/a", "-compareOrder", "urlLength,score,fetchTime"));
  }

  // The duplicates, all of which must be of one page.
  private List<String> kept(Map<String, CrawlDatum> pages, String of, String... arguments) throws Exception {
    Map<String, String> duplicates = duplicates(pages, arguments);
    duplicates.forEach((url, kept) -> assertEquals(of, kept, url));
    return List.copyOf(duplicates.keySet());
  }

  @Test
  void whatIsNoDuplicateAnyMoreIsFetchedAgain() throws Exception {
    Map<String, CrawlDatum> once = run(pages("http://x.example/a", sketch(0, 300), "http://x.example/bb",
        sketch(0, 300)), 1, 1);
    assertEquals(CrawlDatum.STATUS_DB_DUPLICATE, once.get("http://x.example/bb").getStatus());
    assertEquals(1, ((org.apache.hadoop.io.FloatWritable) once.get("http://x.example/bb").getMetaData()
        .get(MarkReducer.SIMILARITY)).get());
    once.get("http://x.example/a").setSignature(sketch(5000, 300));
    once.put("http://x.example/", CrawlDbFile.fetched(1, 1000, sketch(5000, 300)));
    Map<String, CrawlDatum> again = run(once, 1, 1);
    assertEquals(Map.of("http://x.example/a", "http://x.example/"), SampleCrawlTest.duplicates(again));
    assertEquals(CrawlDatum.STATUS_DB_FETCHED, again.get("http://x.example/bb").getStatus());
    assertTrue(again.get("http://x.example/bb").getMetaData().isEmpty());
    assertEquals(1, job.counters().get("restored"));
  }

  @Test
  void entriesThatDoNotTakePartStayAsTheyAre() throws Exception {
    Map<String, CrawlDatum> pages = pages("http://x.example/a", sketch(0, 300));
    for (byte status : new byte[] {CrawlDatum.STATUS_DB_UNFETCHED, CrawlDatum.STATUS_DB_GONE,
        CrawlDatum.STATUS_DB_REDIR_TEMP}) {
      CrawlDatum datum = CrawlDbFile.fetched(1, 1, sketch(0, 300));
      datum.setStatus(status);
      pages.put("http://x.example/status" + status, datum);
    }
    pages.put("http://x.example/none", CrawlDbFile.fetched(1, 1, null));
    CrawlDatum lost = CrawlDbFile.fetched(1, 1, null);
    lost.setStatus(CrawlDatum.STATUS_DB_DUPLICATE);
    pages.put("http://x.example/lost", lost);
    Map<String, CrawlDatum> after = run(pages, 1, 1);
    assertEquals(pages, after);
    assertEquals(1, job.counters().get("pages"));
  }

  /** As updatedb leaves entries of duplicates that were fetched again: other status, same metadata. */
  @Test
  void noEntrySaysThatItIsADuplicateWhenItIsNone() throws Exception {
    String kept = "http://x.example/a";
    Map<String, CrawlDatum> pages = pages(kept, sketch(0, 300));
    byte[] statuses = {CrawlDatum.STATUS_DB_FETCHED, CrawlDatum.STATUS_DB_NOTMODIFIED, CrawlDatum.STATUS_DB_GONE,
        CrawlDatum.STATUS_DB_REDIR_TEMP, CrawlDatum.STATUS_DB_REDIR_PERM, CrawlDatum.STATUS_DB_UNFETCHED};
    for (byte status : statuses) {
      pages.put("http://x.example/copy-" + status, CrawlDbFile.fetched(1, 1000, sketch(0, 300)));
    }
    Map<String, CrawlDatum> marked = run(pages, 1, 1);
    for (byte status : statuses) {
      CrawlDatum copy = marked.get("http://x.example/copy-" + status);
      assertEquals(CrawlDatum.STATUS_DB_DUPLICATE, copy.getStatus());
      copy.setStatus(status);
      copy.setSignature(sketch(10_000 * (1 + status), 300));
    }
    Map<String, CrawlDatum> after = run(marked, 1, 1);
    for (byte status : statuses) {
      CrawlDatum copy = after.get("http://x.example/copy-" + status);
      assertEquals(status, copy.getStatus());
      assertTrue(copy.getMetaData().isEmpty(), () -> status + ": " + copy.getMetaData());
    }
  }

  @Test
  void otherSignaturesAreComparedForEquality() throws Exception {
    byte[] newer = sketch(0, 300);
    newer[0] = (byte) 200;
    byte[] other = newer.clone();
    other[100] ^= 1;
    byte[] digest = Arrays.copyOf(sketch(0, 300), 16);
    assertEquals(Map.of("http://x.example/newer2", "http://x.example/newer", "http://x.example/md5-2",
        "http://x.example/md5"), duplicates(pages(
        "http://x.example/newer", newer, "http://x.example/newer2", newer, "http://x.example/newer-other", other,
        "http://x.example/md5", digest,
        "http://x.example/md5-2", digest, "http://x.example/byte", new byte[] {1}, "http://x.example/sketch",
        sketch(0, 300))));
    assertEquals(6, job.counters().get("pages_without_sketch"));
  }

  @Test
  void groupsAndExcludedHosts() throws Exception {
    byte[] text = sketch(0, 300);
    byte[] near = sketch(10, 300);
    Map<String, CrawlDatum> pages = pages("http://a.one.example.com/", text, "http://b.one.example.com/1", near,
        "http://c.two.example.org/11", near,
        "http://c.two.example.org/222", near);
    assertEquals(3, duplicates(pages, "-sameSiteThreshold", ".3").size());
    assertEquals(Map.of("http://b.one.example.com/1", "http://a.one.example.com/", "http://c.two.example.org/222",
        "http://c.two.example.org/11"),
        duplicates(pages, "-group", "domain", "-sameSiteThreshold", ".3"));
    assertEquals(Map.of("http://c.two.example.org/222", "http://c.two.example.org/11"),
        duplicates(pages, "-group", "host"));
    byte[] digest = Arrays.copyOf(text, 16);
    pages.put("http://c.two.example.org/md5", CrawlDbFile.fetched(1, 1000, digest));
    pages.put("http://c.two.example.org/md5-2", CrawlDbFile.fetched(1, 1000, digest));
    assertEquals(Map.of("http://b.one.example.com/1", "http://a.one.example.com/", "http://c.two.example.org/md5-2",
        "http://c.two.example.org/md5"), excluding("*.two.example.org", pages),
        "sketches from before a host was excluded do not count, not even if they are equal");
    assertEquals(4, job.counters().get("pages_without_sketch"));
  }

  private Map<String, String> excluding(String hosts, Map<String, CrawlDatum> pages) throws Exception {
    Path place = Files.createDirectory(directory.resolve("excluding"));
    Configuration conf = Crawl.configuration(place, 0);
    conf.set("nd.exclude.hosts", hosts);
    conf.set("near.dedup.threshold.same.site", ".3");
    Crawl crawl = new Crawl(conf, place);
    CrawlDbFile.write(conf, crawl.crawlDb(), pages, 1);
    crawl.run(job, crawl.crawlDb().toString());
    return SampleCrawlTest.duplicates(crawl.entries());
  }

  @Test
  void floodsAreBoundedAndCounted() throws Exception {
    Map<String, CrawlDatum> pages = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      pages.put("http://flood" + (100 + i) + ".example/", CrawlDbFile.fetched(1, 1000, sketch(i * 2, 400)));
    }
    Map<String, CrawlDatum> all = run(pages, 1, 1, "-threshold", ".5");
    assertFalse(job.counters().containsKey("hot_bands"));
    assertSame(SequentialDedup.duplicates(pages, .5, 1, url -> url), SampleCrawlTest.duplicates(all), "no flood");
    Map<String, CrawlDatum> once = run(pages, 1, 1, "-threshold", ".5", "-bandPages", "5");
    assertTrue(job.counters().get("hot_bands") > 0);
    assertTrue(job.counters().get("hot_band_pages") > 0);
    assertTrue(job.counters().get("comparisons_left_out") > 0);
    assertEquals(SampleCrawlTest.duplicates(once),
        SampleCrawlTest.duplicates(run(pages, 3, 4, "-threshold", ".5", "-bandPages", "5")));
    assertTrue(SampleCrawlTest.duplicates(once).size() > 30,
        "most of a flood is found: " + SampleCrawlTest.duplicates(once).size());
  }

  @Test
  void stockJobDeduplicatesEqualSketches() throws Exception {
    Path place = Files.createDirectory(directory.resolve("stock"));
    Configuration conf = Crawl.configuration(place, 0);
    Crawl crawl = new Crawl(conf, place);
    CrawlDbFile.write(conf, crawl.crawlDb(), pages("http://x.example/a", sketch(0, 300), "http://x.example/bb",
        sketch(0, 300)), 1);
    crawl.run(new DeduplicationJob(), crawl.crawlDb().toString());
    assertEquals(CrawlDatum.STATUS_DB_DUPLICATE, crawl.entries().get("http://x.example/bb").getStatus());
    crawl.run(job, crawl.crawlDb().toString());
    assertEquals(Map.of("http://x.example/bb", "http://x.example/a"), SampleCrawlTest.duplicates(crawl.entries()));
  }

  @Test
  void wrongArgumentsAreToldAndChangeNothing() throws Exception {
    Configuration conf = Crawl.configuration(directory, 0);
    String crawlDb = directory.resolve("nowhere").toString();
    for (List<String> arguments : List.of(List.<String>of(), List.of(crawlDb, "-group"),
        List.of(crawlDb, "-group", "planet"),
        List.of(crawlDb, "-compareOrder", "score"),
        List.of(crawlDb, "-compareOrder", "score,fetchTime,urlLength,beauty"),
        List.of(crawlDb, "-threshold", "0"), List.of(crawlDb, "-threshold", "1.5"),
        List.of(crawlDb, "-threshold", "high"), List.of(crawlDb, "-sameSiteThreshold", "-1"),
        List.of(crawlDb, "-sameSiteThreshold", "NaN"), List.of(crawlDb, "-bandPages", "0"),
        List.of(crawlDb, "-frobnicate", "1"))) {
      assertEquals(1, ToolRunner.run(conf, job, arguments.toArray(String[]::new)), arguments.toString());
    }
    for (String[] property : new String[][] {{"nd.index.drop.duplicates", "true"}, {"nd.exclude.hosts", "/(/"}}) {
      conf.set(property[0], property[1]);
      assertEquals(1, ToolRunner.run(conf, job, new String[] {crawlDb}), property[0]);
      conf.unset(property[0]);
    }
    conf.setBoolean("nd.index.drop.duplicates", true);
    assertThrows(IOException.class, () -> ToolRunner.run(conf, job, new String[] {crawlDb, "-force"}));
    conf.unset("nd.index.drop.duplicates");
    IOException missing = assertThrows(IOException.class, () -> ToolRunner.run(conf, job, new String[] {crawlDb}));
    assertTrue(missing.getMessage().contains("is no crawldb"), missing.getMessage());
    assertFalse(Files.exists(Path.of(crawlDb)));
  }

  @Test
  void aFailedJobLeavesTheCrawlDbAndNoLock() throws Exception {
    Configuration conf = Crawl.configuration(directory, 0);
    Crawl crawl = new Crawl(conf, directory);
    Map<String, CrawlDatum> pages = pages("http://x.example/a", sketch(0, 300), "http://x.example/bb", sketch(0, 300));
    CrawlDbFile.write(conf, crawl.crawlDb(), pages, 1);
    Path data = directory.resolve("crawldb/current/part-r-00000/data");
    byte[] intact = Files.readAllBytes(data);
    Files.write(data, Arrays.copyOf(intact, intact.length - 20));
    Files.deleteIfExists(data.resolveSibling(".data.crc"));
    assertEquals(-1, ToolRunner.run(conf, job, new String[] {crawl.crawlDb().toString()}));
    assertFalse(Files.exists(directory.resolve("crawldb/.locked")));
    Files.write(data, intact);
    assertEquals(pages, crawl.entries());
    Files.createFile(directory.resolve("crawldb/.locked"));
    assertThrows(IOException.class, () -> ToolRunner.run(conf, job, new String[] {crawl.crawlDb().toString()}));
    assertTrue(Files.exists(directory.resolve("crawldb/.locked")), "the lock of another job stays");
    Files.delete(directory.resolve("crawldb/.locked"));
    crawl.run(job, crawl.crawlDb().toString());
    assertEquals(1, SampleCrawlTest.duplicates(crawl.entries()).size());
  }
}
