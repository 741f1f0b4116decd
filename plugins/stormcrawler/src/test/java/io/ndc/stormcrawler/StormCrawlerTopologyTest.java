package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.persistence.Status;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What happens to pages that come again, to duplicates that are left out, and to all of them where the library fails.
 */
class StormCrawlerTopologyTest {
  private static final String ORIGINAL = "http://paper.example/article";
  private static final String COPY = "http://agency.example/copy";

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

  private Map<String, Object> settings(Object... more) {
    Map<String, Object> settings = new HashMap<>(Map.of("nd.store", folder.resolve("store").toString()));
    for (int i = 0; i < more.length; i += 2) {
      settings.put((String) more[i], more[i + 1]);
    }
    return settings;
  }

  private static Map<String, WebPage> pair() {
    return Map.of(ORIGINAL, Texts.article(1), COPY, Texts.copy(1, "Agency"));
  }

  private static void fetchPair(Crawl crawl) {
    crawl.fetchAndAwait(ORIGINAL, Status.FETCHED);
    crawl.fetchAndAwait(COPY, Status.FETCHED);
  }

  @ParameterizedTest
  @EnumSource
  void aPageThatIsFetchedAgainIsToldAnew(Crawl.Way way) throws Exception {
    try (Site site = new Site(pair());
        Crawl crawl = new Crawl(cluster, way, 1, site, settings("max.fetch.errors", 0))) {
      fetchPair(crawl);
      String group = Observed.value(ORIGINAL, "nd.group");
      assertEquals("new", Observed.value(ORIGINAL, "nd.verdict"));
      assertNull(Observed.value(ORIGINAL, "nd.duplicate.of"), "what the server sends is not believed");
      assertEquals("near", Observed.value(COPY, "nd.verdict"));
      assertEquals(ORIGINAL, Observed.value(COPY, "nd.duplicate.of"));
      assertEquals(group, Observed.value(COPY, "nd.group"));

      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals("near", Observed.value(COPY, "nd.verdict"), "unchanged: what it was");
      assertEquals(ORIGINAL, Observed.value(COPY, "nd.duplicate.of"));

      site.put(COPY, Texts.article(2));
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals("new", Observed.value(COPY, "nd.verdict"));
      assertNull(Observed.value(COPY, "nd.duplicate.of"), "no longer a duplicate");
      assertNotEquals(group, Observed.value(COPY, "nd.group"));

      site.put(COPY, Texts.copy(1, "Agency"));
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals(ORIGINAL, Observed.value(COPY, "nd.duplicate.of"));
      site.put(ORIGINAL, WebPage.status(410));
      crawl.fetchAndAwait(ORIGINAL, Status.ERROR);
      if (way == Crawl.Way.BOLT) {
        Crawl.await("the bolt forgets the page that is gone", () -> {
          crawl.fetchAndAwait(COPY, Status.FETCHED);
          return Observed.value(COPY, "nd.duplicate.of") == null;
        });
        assertEquals("near", Observed.value(COPY, "nd.verdict"), "its group stays");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void duplicatesMayBeLeftOutOfTheIndex(Crawl.Way way) throws Exception {
    try (Site site = new Site(pair());
        Crawl crawl = new Crawl(cluster, way, 1, site, settings("nd.index.drop.duplicates", true))) {
      crawl.fetchAndAwait(ORIGINAL, Status.FETCHED);
      site.put(COPY, Texts.article(2));
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals(Set.of(ORIGINAL, COPY), Observed.INDEX);

      site.put(COPY, Texts.copy(1, "Agency"));
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals("near", Observed.value(COPY, "nd.verdict"));
      if (way == Crawl.Way.BOLT) {
        Crawl.await("the version of before leaves the index", () -> !Observed.INDEX.contains(COPY));
      }

      Observed.INDEX.remove(COPY);
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals(Set.of(ORIGINAL), Observed.INDEX);
      site.put(COPY, Texts.article(3));
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertEquals(Set.of(ORIGINAL, COPY), Observed.INDEX, "no longer a duplicate, it comes back");
    }
  }

  @Test
  void duplicatesMayGetAnotherStatus() throws Exception {
    try (Site site = new Site(pair()); Crawl crawl = new Crawl(cluster, Crawl.Way.BOLT, 1, site,
        settings("nd.index.drop.duplicates", true, "nd.duplicate.status", "ERROR"))) {
      crawl.fetchAndAwait(ORIGINAL, Status.FETCHED);
      crawl.fetchAndAwait(COPY, Status.ERROR);
      assertEquals("near-duplicate", Observed.value(COPY, "error.cause"));
      assertEquals(ORIGINAL, Observed.value(COPY, "nd.duplicate.of"));
      assertEquals(Set.of(ORIGINAL), Observed.INDEX);
    }
  }

  @Test
  void bothBoltsOfAWorkerShareOneEngineAndItsStoreIsKept() throws Exception {
    int count = 20;
    Map<String, WebPage> pages = new TreeMap<>();
    for (int number = 0; number < count; number++) {
      pages.put(ORIGINAL + number, Texts.article(number));
    }
    try (Site site = new Site(pages)) {
      try (Crawl crawl = new Crawl(cluster, Crawl.Way.BOLT, 2, site, settings())) {
        crawl.fetch(pages.keySet());
        crawl.awaitFetched(pages.keySet());
        assertEquals(2, Observed.SOURCES.size(), "both bolts had pages");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name =
            new ObjectName("io.ndc:type=SharedEngine,store=" + ObjectName.quote(folder.resolve("store").toString()));
        assertEquals((long) count, server.getAttribute(name, "Checks"));
        assertEquals(0L, server.getAttribute(name, "Failures"));
        String metrics = (String) server.invoke(name, "metrics", null, null);
        assertTrue(metrics.contains("ndc_pages " + count + "\n"), metrics);
      }

      Map<String, WebPage> copies = new TreeMap<>();
      for (int number = 0; number < count; number++) {
        copies.put(COPY + number, Texts.copy(number, "Agency"));
      }
      copies.forEach(site::put);
      try (Crawl crawl = new Crawl(cluster, Crawl.Way.FILTER, 2, site, settings())) {
        crawl.fetch(copies.keySet());
        crawl.awaitFetched(copies.keySet());
        for (int number = 0; number < count; number++) {
          assertEquals(ORIGINAL + number, Observed.value(COPY + number, "nd.duplicate.of"),
              "a copy of a page of the run before");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noPageIsLostWhileTheStoreIsInUse(Crawl.Way way) throws Exception {
    try (Site site = new Site(pair()); Crawl crawl = new Crawl(cluster, way, 1, site,
                                           settings("nd.index.drop.duplicates", true, "nd.reopen.seconds", 0))) {
      try (StoreHolder holder = new StoreHolder(folder.resolve("store"))) {
        fetchPair(crawl);
        assertTrue(Observed.value(COPY, "nd.failure").startsWith("StoreLockedException: "),
            Observed.value(COPY, "nd.failure"));
        assertNull(Observed.value(COPY, "nd.group"));
        assertEquals(Set.of(ORIGINAL, COPY), Observed.INDEX);
        assertTrue(holder != null);
      }
      fetchPair(crawl);
      assertEquals("near", Observed.value(COPY, "nd.verdict"), "the store is free now");
      assertNull(Observed.value(COPY, "nd.failure"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noPageIsLostWhereTheStoreCannotBeRead(Crawl.Way way) throws Exception {
    Files.writeString(folder.resolve("store"), "no directory");
    try (Site site = new Site(pair());
        Crawl crawl = new Crawl(cluster, way, 1, site, settings("nd.exclude.hosts", List.of("paper.example")))) {
      fetchPair(crawl);
      assertFalse(Observed.value(COPY, "nd.failure").isEmpty());
      assertNull(Observed.value(ORIGINAL, "nd.failure"), "a host that is excluded is not even asked about");
      assertEquals(Set.of(ORIGINAL, COPY), Observed.INDEX);
    }
  }
}
