package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever fails in ndc, the crawl continues: every page is fetched, written and its links are followed. */
final class HeritrixFailureTest {
  @TempDir Path folder;
  private Map<String, WebPage> pages;
  private Path job;
  private Path store;

  @BeforeEach
  void takeFewPages() throws Exception {
    Map<String, WebPage> few = new TreeMap<>();
    Site.pages(Sample.WARC)
        .entrySet()
        .stream()
        .filter(page -> page.getKey().contains("/sql-"))
        .limit(8)
        .forEach(page -> few.put(page.getKey(), page.getValue()));
    pages = Site.withFronts(few);
    Hosts.give(pages.keySet());
    job = folder.resolve("jobs").resolve("failing");
    store = job.resolve("near-duplicates.ndc");
  }

  private void make(Site site, String... overrides) throws Exception {
    List<String> lines = new ArrayList<>(List.of(overrides));
    lines.add("crawlController.maxToeThreads=1");
    lines.add("scope.rules[2].maxHops=1");
    Crawl.make(job, site, Site.fronts(pages.keySet()), Guide.profile(), lines.toArray(String[] ::new));
  }

  @Test
  void aStoreInUseIsOpenedWhenItIsFree() throws Exception {
    int without = 3;
    Files.createDirectories(job);
    try (Site site = Site.gated(pages)) {
      make(site, "nearDuplicates.reopenSeconds=0");
      StoreHolder holder = new StoreHolder(store);
      try (Crawl crawl = Crawl.launch(job)) {
        site.allow(without);
        Crawl.await("some pages are fetched", () -> crawl.fetched().size() >= without);
        holder.close();
        site.allowAll();
        crawl.awaitEnd();
        expectAllFetchedAndWritten(crawl);
        List<CrawlLog.Line> log = crawl.fetched();
        assertTrue(log.subList(0, without).stream().noneMatch(CrawlLog.Line::isChecked));
        assertTrue(log.subList(without, log.size()).stream().allMatch(CrawlLog.Line::isChecked));
        expectCount(crawl.report(), "pages without a verdict: no store", without);
        expectCount(crawl.report(), "pages checked", pages.size() - without);
      }
    }
  }

  @Test
  void aStoreThatMustBeThereStopsTheLaunch() throws Exception {
    Files.createDirectories(job);
    try (Site site = Site.of(pages); StoreHolder holder = new StoreHolder(store)) {
      assertNotNull(holder);
      make(site, "nearDuplicates.required=true");
      try (Crawl crawl = Crawl.launch(job)) {
        assertFalse(crawl.job().isRunning());
        assertEquals(List.of(), crawl.fetched());
      }
    }
  }

  @Test
  void withoutItsNativeLibraryTheCrawlGoesOn() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    try (Site site = Site.of(pages)) {
      make(site);
      try (CrawlProcess crawl = new CrawlProcess(job, "-Dndc.library.path=" + empty)) {
        crawl.awaitEnd();
      }
    }
    List<CrawlLog.Line> log = CrawlLog.fetched(Crawl.launchFolder(job));
    assertEquals(pages.keySet(), log.stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    assertTrue(log.stream().noneMatch(CrawlLog.Line::isChecked));
    String report = Files.readString(Crawl.launchFolder(job).resolve("reports").resolve("processors-report.txt"));
    expectCount(report, "pages without a verdict: no store", pages.size());
    assertTrue(report.contains("NOT OPEN"), report);
  }

  @Test
  void checksThatFailAreCounted() throws Exception {
    Files.createDirectories(job);
    NearDuplicates.open(store, Map.of()).close();
    try (Site site = Site.gated(pages)) {
      // A read-only store refuses each check and each snapshot.
      String beans = Guide.replaceOnce(
          Guide.profile(),
          "  <property name=\"excludedHosts\">",
          "  <property name=\"options\"><map><entry key=\"read_only\" value=\"true\"/></map></property>\n"
              + "  <property name=\"excludedHosts\">");
      Crawl.make(
          job, site, Site.fronts(pages.keySet()), beans, "crawlController.maxToeThreads=1", "scope.rules[2].maxHops=1");
      try (Crawl crawl = Crawl.launch(job)) {
        site.allow(1);
        Crawl.await("a page is fetched", () -> !crawl.fetched().isEmpty());
        assertNotNull(
            crawl.job().getCheckpointService().requestCrawlCheckpoint(), "the checkpoint is good without the snapshot");
        site.allowAll();
        crawl.awaitEnd();
        expectAllFetchedAndWritten(crawl);
        expectCount(crawl.report(), "checks failed", pages.size());
        expectCount(crawl.report(), "snapshots failed", 1);
        expectCount(crawl.report(), "pages checked", 0);
      }
    }
  }

  private void expectAllFetchedAndWritten(Crawl crawl) throws Exception {
    assertEquals(pages.keySet(), crawl.fetched().stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    List<WarcRecord> records = crawl.warcs("WEB");
    records.addAll(crawl.warcs("DUP"));
    Set<String> written = records.stream()
                              .filter(record -> record.type().equals("response") && pages.containsKey(record.url()))
                              .map(WarcRecord::url)
                              .collect(Collectors.toSet());
    assertEquals(pages.keySet(), written);
  }

  static void expectCount(String report, String what, long count) {
    assertTrue(report.matches("(?s).*" + what + ": +" + count + "\n.*"), what + " is " + count + " in\n" + report);
  }
}
