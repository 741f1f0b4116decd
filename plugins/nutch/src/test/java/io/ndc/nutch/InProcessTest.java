package io.ndc.nutch;

import static io.ndc.nutch.crawl.Contents.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import io.ndc.Verdict;
import io.ndc.nutch.crawl.Contents;
import io.ndc.nutch.crawl.CrawlDbFile;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filters of the plugin, called as Nutch calls them. */
class InProcessTest {
  @TempDir
  Path directory;

  private final Configuration conf = NutchConfiguration.create();

  @BeforeEach
  void configure() {
    conf.set("nd.store", directory.resolve("store").toString());
  }

  @AfterEach
  void close() {
    SharedEngine.of(conf).close();
  }

  private Metadata filter(Content content) throws Exception {
    NdParseFilter filter = new NdParseFilter();
    filter.setConf(conf);
    return filter(filter, content);
  }

  private static Metadata filter(HtmlParseFilter filter, Content content) throws Exception {
    ParseResult parsed = Contents.parsed(content, "text");
    assertSame(parsed, filter.filter(content, parsed, null, null));
    assertEquals(1, parsed.get(content.getUrl()).getData().getOutlinks().length, "links stay");
    assertEquals("text", parsed.get(content.getUrl()).getText());
    return parsed.get(content.getUrl()).getData().getParseMeta();
  }

  private Content page(String url, int first, String segment) {
    return Contents.html(conf, url, words(first, 300), segment);
  }

  private static String all(Metadata metadata) {
    return metadata.get("nd.group") + ' ' + metadata.get("nd.verdict") + ' ' + metadata.get("nd.resemblance") + ' '
        + metadata.get("nd.failure");
  }

  @Test
  void pagesGetGroupVerdictAndResemblance() throws Exception {
    Metadata first = filter(page("http://a.example/", 0, "20260102030405"));
    assertEquals("new", first.get("nd.verdict"));
    Metadata second = filter(page("http://b.example/", 20, "20260102030405"));
    assertEquals("near", second.get("nd.verdict"));
    assertEquals(first.get("nd.group"), second.get("nd.group"));
    assertTrue(Double.parseDouble(second.get("nd.resemblance")) > .8, all(second));
    assertTrue(Double.parseDouble(second.get("nd.probability")) > .5, second.get("nd.probability"));
    assertNull(second.get("nd.related.group"));
    assertEquals("exact", filter(page("http://c.example/", 0, "20260102030405")).get("nd.verdict"));
    assertEquals("no-text", filter(Contents.content(conf, "http://d.example/", new byte[0], "text/html", null))
        .get("nd.verdict"));
    assertEquals(4, SharedEngine.of(conf).getChecks());
    assertTrue(SharedEngine.of(conf).metrics().contains("ndc"), "Prometheus");
  }

  @Test
  void aNewPageTellsTheGroupThatItNearlyJoined() throws Exception {
    Metadata first = filter(titled("http://a.example/", "Ferry times", words(0, 300)));
    assertEquals("0.0000", first.get("nd.probability"));
    assertNull(first.get("nd.related.group"));
    // It quotes half of the first page.
    Content quoting = titled("http://b.example/", "The lighthouse keeper",
        words(9000, 200) + "</p><p>" + words(150, 150) + words(20_000, 100));
    Metadata related = filter(quoting);
    assertEquals("new", related.get("nd.verdict"));
    assertEquals(first.get("nd.group"), related.get("nd.related.group"));
    double probability = Double.parseDouble(related.get("nd.probability"));
    assertTrue(probability > 0 && probability < .5, related.get("nd.probability"));
    NutchDocument document = index("http://b.example/", related);
    assertEquals(related.get("nd.probability"), document.getFieldValue("nd_probability"));
    assertEquals(first.get("nd.group"), document.getFieldValue("nd_related_group"));
    Metadata again = filter(quoting);
    assertNull(again.get("nd.probability"));
    assertNull(again.get("nd.related.group"));
    assertNull(index("http://b.example/", again).getField("nd_probability"));
  }

  private Content titled(String url, String title, String text) {
    String html = "<html><head><title>" + title + "</title></head><body><p>" + text + "</p></body></html>";
    return Contents.content(conf, url, html.getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8", null);
  }

  @Test
  void aPageParsedAgainGetsTheSame() throws Exception {
    filter(page("http://a.example/", 0, "20260102030405"));
    String near = all(filter(page("http://b.example/", 20, "20260102030405")));
    assertEquals(near, all(filter(page("http://b.example/", 20, "20260102030405"))), "the same segment");
    assertEquals(near, all(filter(page("http://b.example/", 20, "20260202030405"))), "a later one, the same text");
    assertEquals(near, all(filter(page("http://b.example/", 20, null))), "no segment known");
    Metadata changed = filter(page("http://b.example/", 5000, "20260302030405"));
    assertEquals("new", changed.get("nd.verdict"));
    assertEquals(all(changed), all(filter(page("http://b.example/", 5000, "20260302030405"))));
  }

  @Test
  void theStoreOutlivesTheProcess() throws Exception {
    String group = filter(page("http://a.example/", 0, "20260102030405")).get("nd.group");
    SharedEngine.of(conf).close();
    try (NearDuplicates store = NearDuplicates.open(directory.resolve("store"), Map.of())) {
      assertEquals(Verdict.NEW, store.find("http://a.example/").orElseThrow().verdict());
    }
    assertEquals(group, filter(page("http://b.example/", 0, null)).get("nd.group"));
  }

  @Test
  void excludedHostsAndFailedParsesAreNotLookedAt() throws Exception {
    conf.set("nd.exclude.hosts", "*.excluded.example");
    assertEquals("null null null null", all(filter(page("http://www.excluded.example/", 0, null))));
    NdParseFilter filter = new NdParseFilter();
    filter.setConf(conf);
    Content content = page("http://a.example/", 0, null);
    ParseResult failed = new ParseStatus(new IOException("broken")).getEmptyParseResult(content.getUrl(), conf);
    assertSame(failed, filter.filter(content, failed, null, null));
    assertNull(failed.get(content.getUrl()).getData().getParseMeta().get("nd.group"));
    assertNull(filter.filter(content, null, null, null));
    assertEquals(0, SharedEngine.of(conf).getChecks());
  }

  @Test
  void hostileContentGetsAVerdictOrAFailureNeverAnException() throws Exception {
    Content nothing = page("http://null.example/", 0, null);
    nothing.setContent(null);
    assertEquals("no-text", filter(nothing).get("nd.verdict"));
    Content bare = page("http://bare.example/", 0, null);
    bare.setMetadata(new Metadata());
    bare.setContentType(null);
    assertNull(filter(bare).get("nd.failure"));
    Metadata endless = filter(Contents.html(conf, "http://x.example/" + "x".repeat(2 << 20), words(0, 50), "no date"));
    assertNull(endless.get("nd.verdict"));
    assertNotNull(endless.get("nd.failure"), "a URL beyond the library's limit");
  }

  @Test
  void aStoreThatCannotBeOpenedFailsPagesNotTheParser() throws Exception {
    long before = NdParseFilter.failures();
    Path file = Files.writeString(directory.resolve("file"), "no directory");
    conf.set("nd.store", file.toString());
    for (int i = 0; i < 3; i++) {
      Metadata metadata = filter(page("http://a.example/" + i, 0, null));
      assertNull(metadata.get("nd.group"));
      assertTrue(metadata.get("nd.failure").contains(file.toString()), metadata.get("nd.failure"));
    }
    assertEquals(before + 3, NdParseFilter.failures());
    assertEquals(3, SharedEngine.of(conf).getFailures());
    conf.set("nd.store", directory.resolve("other").toString());
    conf.set("nd.option.durability", "eternal");
    assertTrue(filter(page("http://a.example/", 0, null)).get("nd.failure").contains("durability"));
  }

  @Test
  void aLockedStoreIsTriedAgain() throws Exception {
    try (NearDuplicates other = NearDuplicates.open(directory.resolve("store"), Map.of())) {
      assertTrue(filter(page("http://a.example/", 0, null)).get("nd.failure").startsWith("StoreLockedException"));
      assertFalse(other.isClosed());
    }
    int failed = 1;
    while (filter(page("http://a.example/" + failed, 0, null)).get("nd.failure") != null) {
      assertTrue(++failed <= 100, "it was not tried again");
    }
    assertEquals(failed, SharedEngine.of(conf).getFailures());
    SharedEngine.of(conf).close();
    assertNull(filter(page("http://b.example/", 0, null)).get("nd.failure"), "what was refused once is open again");
  }

  @Test
  void flagsAreTold() throws Exception {
    assertNull(filter(page("http://a.example/", 0, "20260102030405")).get("nd.flags"));
    Content more = Contents.html(conf, "http://b.example/", words(0, 300) + words(9000, 250), "20260102030405");
    Metadata metadata = filter(more);
    assertEquals("near contains", metadata.get("nd.verdict") + ' ' + metadata.get("nd.flags"));
    assertEquals("contains", filter(more).get("nd.flags"), "parsed again");
  }

  @Test
  void aPageCannotForgeWhatTheEngineSays() throws Exception {
    conf.set("nd.exclude.hosts", "excluded.example");
    NdParseFilter filter = new NdParseFilter();
    filter.setConf(conf);
    for (String url : new String[] {"http://excluded.example/", "http://a.example/"}) {
      Content content = page(url, 0, null);
      ParseResult parsed = Contents.parsed(content, "text");
      parsed.put("http://part.example/", new ParseText("text"), Contents.parsed(page("http://part.example/", 0, null),
          "text").get("http://part.example/").getData());
      for (String part : new String[] {url, "http://part.example/"}) {
        for (String key : List.of("nd.group", "nd.verdict", "nd.resemblance", "nd.probability", "nd.related.group",
            "nd.flags", "nd.failure")) {
          parsed.get(part).getData().getParseMeta().add(key, "forged");
          parsed.get(part).getData().getParseMeta().add(key, "twice");
        }
      }
      filter.filter(content, parsed, null, null);
      assertEquals("null null null null", all(parsed.get("http://part.example/").getData().getParseMeta()));
      Metadata metadata = parsed.get(url).getData().getParseMeta();
      assertNull(metadata.get("nd.flags"));
      assertNull(metadata.get("nd.related.group"));
      assertNotEquals("forged", metadata.get("nd.probability"));
      assertFalse(List.of(metadata.getValues("nd.group")).contains("forged"));
      assertTrue(metadata.getValues("nd.group").length <= 1);
    }
  }

  @Test
  void twoClassLoadersAndManyThreadsShareOneEngine() throws Exception {
    List<Callable<String>> tasks = new ArrayList<>();
    try (URLClassLoader one = copy(); URLClassLoader two = copy()) {
      for (int i = 0; i < 64; i++) {
        HtmlParseFilter filter = (HtmlParseFilter) (i % 2 == 0 ? one : two).loadClass(NdParseFilter.class.getName())
            .getConstructor().newInstance();
        assertNotEquals(NdParseFilter.class, filter.getClass());
        filter.setConf(conf);
        Content content = page("http://host" + i + ".example/", i % 4 * 10_000, null);
        tasks.add(() -> filter(filter, content).get("nd.group"));
      }
      ExecutorService threads = Executors.newFixedThreadPool(8);
      List<String> groups = new ArrayList<>();
      for (Future<String> group : threads.invokeAll(tasks)) {
        groups.add(group.get());
      }
      threads.shutdown();
      for (int i = 0; i < 64; i++) {
        assertNotNull(groups.get(i));
        assertEquals(groups.get(i % 4), groups.get(i));
      }
      assertEquals(4, groups.stream().distinct().count());
      assertEquals(64, SharedEngine.of(conf).getChecks());
      SharedEngine.of(conf).close();
    }
  }

  // Our classes and the binding's a second time, as Nutch's plugin class loader does; all others are shared.
  private static URLClassLoader copy() throws MalformedURLException {
    List<URL> places = new ArrayList<>();
    for (Class<?> type : new Class<?>[] {NdParseFilter.class, NearDuplicates.class}) {
      places.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    return new URLClassLoader(places.toArray(URL[]::new), InProcessTest.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
          if (!name.startsWith("io.ndc.") || name.startsWith("io.ndc.nutch.crawl.")) {
            return super.loadClass(name, resolve);
          }
          Class<?> loaded = findLoadedClass(name);
          return loaded == null ? findClass(name) : loaded;
        }
      }
    };
  }

  private NutchDocument index(String url, Metadata metadata) throws Exception {
    IndexingFilter filter = new NdIndexingFilter();
    filter.setConf(conf);
    ParseResult parsed = Contents.parsed(page(url, 0, null), "text");
    for (String name : metadata.names()) {
      parsed.get(url).getData().getParseMeta().set(name, metadata.get(name));
    }
    return filter.filter(new NutchDocument(), parsed.get(url), new Text(url), null, null);
  }

  private static Metadata verdict(String group, String verdict) {
    Metadata metadata = new Metadata();
    metadata.set("nd.group", group);
    metadata.set("nd.verdict", verdict);
    metadata.set("nd.resemblance", "0.5000");
    return metadata;
  }

  private void crawlDb(String founder, int status) throws Exception {
    org.apache.hadoop.fs.Path crawlDb = new org.apache.hadoop.fs.Path(directory.resolve("crawldb").toUri());
    CrawlDatum datum = CrawlDbFile.fetched(1, 1, new byte[16]);
    datum.setStatus(status);
    crawlDb.getFileSystem(conf).delete(crawlDb, true);
    CrawlDbFile.write(conf, crawlDb, Map.of(founder, datum), 1);
    conf.set("nd.index.crawldb", crawlDb.toString());
  }

  @Test
  void documentsGetTheFields() throws Exception {
    NutchDocument near = index("http://a.example/", verdict("7", "near"));
    assertEquals(List.of("7", "near", "0.5000"), List.of(near.getFieldValue("nd_group"),
        near.getFieldValue("nd_verdict"), near.getFieldValue("nd_resemblance")));
    assertTrue(index("http://a.example/", new Metadata()).getFieldNames().isEmpty());
    conf.setBoolean("nd.index.drop.duplicates", true);
    for (String verdict : new String[] {"new", "no-text", "near", "exact"}) {
      assertEquals(verdict, index("http://a.example/", verdict("7", verdict)).getFieldValue("nd_verdict"),
          "without a crawldb nothing is left out");
    }
  }

  @Test
  void aDuplicateIsLeftOutWhileTheFounderOfItsGroupStays() throws Exception {
    filter(page("http://a.example/", 0, null));
    Metadata near = filter(page("http://b.example/", 20, null));
    Metadata exact = filter(page("http://c.example/", 0, null));
    Metadata more = filter(Contents.html(conf, "http://d.example/", words(0, 300) + words(9000, 250), null));
    assertEquals("near contains", more.get("nd.verdict") + ' ' + more.get("nd.flags"));
    Metadata same = filter(Contents.html(conf, "http://e.example/", words(0, 300) + words(9000, 250), null));
    assertEquals("exact null", same.get("nd.verdict") + ' ' + same.get("nd.flags"));
    Metadata part = filter(Contents.html(conf, "http://f.example/", words(0, 150), null));
    assertEquals("near contained", part.get("nd.verdict") + ' ' + part.get("nd.flags"));
    SharedEngine.of(conf).close();
    conf.setBoolean("nd.index.drop.duplicates", true);
    for (int status : new int[] {CrawlDatum.STATUS_DB_FETCHED, CrawlDatum.STATUS_DB_NOTMODIFIED}) {
      crawlDb("http://a.example/", status);
      assertNull(index("http://b.example/", near));
      assertNull(index("http://c.example/", exact));
      assertNotNull(index("http://d.example/", more), "it contains much more than its founder");
      assertNotNull(index("http://e.example/", same), "as does what it equals");
      assertNotNull(index("http://f.example/", part), "it lies in its founder with much more");
      conf.setBoolean("nd.index.leave.out.parts", true);
      assertNull(index("http://d.example/", more));
      assertNull(index("http://e.example/", same));
      assertNull(index("http://f.example/", part));
      conf.unset("nd.index.leave.out.parts");
      assertNotNull(index("http://a.example/", verdict("1", "near")), "a stale verdict of the founder");
      assertNotNull(index("http://other.example/", near), "not in the store");
    }
    conf.set("nd.exclude.hosts", "b.example");
    assertNotNull(index("http://b.example/", near));
    conf.unset("nd.exclude.hosts");
    for (int status : new int[] {CrawlDatum.STATUS_DB_GONE, CrawlDatum.STATUS_DB_DUPLICATE,
        CrawlDatum.STATUS_DB_UNFETCHED, CrawlDatum.STATUS_DB_REDIR_PERM}) {
      crawlDb("http://a.example/", status);
      assertNotNull(index("http://b.example/", near), "founder with status " + status);
    }
    crawlDb("http://b.example/", CrawlDatum.STATUS_DB_FETCHED);
    assertNotNull(index("http://b.example/", near), "the founder was filtered out of the crawldb");
    conf.set("nd.index.crawldb", directory.resolve("nowhere").toString());
    assertNotNull(index("http://b.example/", near), "no crawldb there");
  }

  @Test
  void aDuplicateStaysWhoseFounderHasAnotherTextNow() throws Exception {
    filter(page("http://a.example/", 0, "20260102030405"));
    Metadata near = filter(page("http://b.example/", 20, "20260102030405"));
    filter(page("http://a.example/", 5000, "20260202030405"));
    SharedEngine.of(conf).close();
    conf.setBoolean("nd.index.drop.duplicates", true);
    crawlDb("http://a.example/", CrawlDatum.STATUS_DB_FETCHED);
    assertNotNull(index("http://b.example/", near));
  }
}
