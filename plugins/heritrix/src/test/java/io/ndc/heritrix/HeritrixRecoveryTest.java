package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import io.ndc.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crawls that are interrupted in the midst and go on from a checkpoint: the groups are those of a crawl that was never interrupted. */
final class HeritrixRecoveryTest {
  private static final int BEFORE_CHECKPOINT = 60;
  private static final int AFTER_CHECKPOINT = 20;

  @TempDir Path folder;
  private Map<String, WebPage> pages;
  private Path job;

  @BeforeEach
  void makeJob() throws Exception {
    pages = Site.withFronts(Site.pages(Sample.WARC));
    Hosts.give(pages.keySet());
    job = folder.resolve("jobs").resolve("interrupted");
  }

  private void make(Site site) throws Exception {
    Crawl.make(
        job,
        site,
        Site.fronts(pages.keySet()),
        Guide.profile(),
        "crawlController.maxToeThreads=1",
        "scope.rules[2].maxHops=1",
        // Hosts take turns. Heritrix 3.13.0 that resumes wakes waiting hosts only when one has used up its turn.
        "frontier.balanceReplenishAmount=5");
  }

  @Test
  void aKilledCrawlGoesOnFromItsCheckpoint() throws Exception {
    List<CrawlLog.Line> first;
    List<CrawlLog.Line> second;
    String report;
    try (Site site = Site.gated(pages)) {
      make(site);
      try (CrawlProcess crawl = new CrawlProcess(job)) {
        awaitFetched(site, BEFORE_CHECKPOINT, BEFORE_CHECKPOINT);
        assertTrue(crawl.checkpoint().startsWith("cp00001"));
        // Readers see snapshots only.
        try (NearDuplicates reader = NearDuplicates.open(job.resolve("near-duplicates.ndc"), Map.of("read_only", "true"))) {
          assertEquals(BEFORE_CHECKPOINT, reader.stats().pages(), "the checkpoint took a snapshot");
        }
        awaitFetched(site, AFTER_CHECKPOINT, BEFORE_CHECKPOINT + AFTER_CHECKPOINT);
        crawl.kill();
      }
      first = CrawlLog.fetched(Crawl.launchFolder(job));
      site.allowAll();
      try (Crawl crawl = Crawl.resume(job, "latest").awaitEnd()) {
        second = crawl.fetched();
        report = crawl.report();
      }
    }
    Set<String> again = again(first, second);
    assertEquals(AFTER_CHECKPOINT, again.size(), "what came after the checkpoint is fetched again");
    expectOneCrawl(first, second);
    Map<String, Long> groups = groups(first);
    Map<String, NearDuplicateVerdict> expected = Oracle.verdicts(joined(first, second), pages);
    for (CrawlLog.Line line : second) {
      if (again.contains(line.url())) {
        assertEquals("unchanged", line.verdict(), line.url());
        assertEquals(groups.get(line.url()), line.group(), line.url());
        assertEquals(Verdict.UNCHANGED, expected.get(line.url()).verdict(), line.url());
      }
    }
    // Counters are those of the checkpoint and what came since.
    assertTrue(report.matches("(?s).*pages checked: +" + (BEFORE_CHECKPOINT + second.size()) + "\n.*"), report);
  }

  @Test
  void aPausedCrawlGoesOnFromItsCheckpoint() throws Exception {
    List<CrawlLog.Line> first;
    List<CrawlLog.Line> second;
    try (Site site = Site.gated(pages)) {
      make(site);
      try (Crawl crawl = Crawl.launch(job)) {
        awaitFetched(site, BEFORE_CHECKPOINT, BEFORE_CHECKPOINT);
        crawl.job().getCrawlController().requestCrawlPause();
        Crawl.await("the crawl is paused", () -> {
          site.allowWhoWaits();
          return crawl.job().getCrawlController().isPaused();
        });
        assertNotNull(crawl.job().getCheckpointService().requestCrawlCheckpoint());
      }
      first = CrawlLog.fetched(Crawl.launchFolder(job));
      site.allowAll();
      try (Crawl crawl = Crawl.resume(job, "latest").awaitEnd()) {
        second = crawl.fetched();
      }
    }
    assertEquals(Set.of(), again(first, second));
    expectOneCrawl(first, second);
  }

  /** Both launches together have what one crawl has that meets the pages in this order. */
  private void expectOneCrawl(List<CrawlLog.Line> first, List<CrawlLog.Line> second) {
    List<CrawlLog.Line> all = joined(first, second);
    assertEquals(pages.keySet(), all.stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    Map<String, NearDuplicateVerdict> expected = Oracle.verdicts(all, pages);
    Set<Long> founded = first.stream().map(CrawlLog.Line::group).collect(Collectors.toSet());
    int joiners = 0;
    for (CrawlLog.Line line : second) {
      NearDuplicateVerdict page = expected.get(line.url());
      assertEquals(page.verdictName(), line.verdict(), line.url());
      assertEquals(page.groupId(), line.group(), line.url());
      assertEquals(page.isDuplicate(), line.isDuplicate(), line.url());
      joiners += line.isDuplicate() && founded.contains(line.group()) ? 1 : 0;
    }
    assertTrue(joiners >= 20, "pages that join groups of the first half: " + joiners);
    System.out.printf("resumed: %d pages before, %d after, %d of them join groups from before%n", first.size(), second.size(), joiners);
  }

  private void awaitFetched(Site site, int more, int total) throws Exception {
    site.allow(more);
    Crawl.await(total + " pages are in crawl.log", () -> Crawl.isLaunched(job) && CrawlLog.fetched(Crawl.launchFolder(job)).size() >= total);
    assertEquals(total, CrawlLog.fetched(Crawl.launchFolder(job)).size());
  }

  private static Set<String> again(List<CrawlLog.Line> first, List<CrawlLog.Line> second) {
    Set<String> again = first.stream().map(CrawlLog.Line::url).collect(Collectors.toCollection(HashSet::new));
    again.retainAll(second.stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    return again;
  }

  private static List<CrawlLog.Line> joined(List<CrawlLog.Line> first, List<CrawlLog.Line> second) {
    List<CrawlLog.Line> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static Map<String, Long> groups(List<CrawlLog.Line> lines) {
    Map<String, Long> groups = new HashMap<>();
    lines.forEach(line -> groups.put(line.url(), line.group()));
    return groups;
  }
}
