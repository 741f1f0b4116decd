package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.NearDuplicates;
import io.ndc.PageInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crawl of the labelled corpus reframed-en by all of Heritrix's threads, with every page a seed and no link followed.
 * The corpora are not part of the repository; NDC_CORPORA names their folder.
 */
@EnabledIfEnvironmentVariable(
    named = "NDC_CORPORA", matches = ".+", disabledReason = "NDC_CORPORA does not name the labelled corpora")
final class HeritrixCorpusTest {
  /** For a machine that has other work; ctest waits longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(1200);

  @TempDir static Path folder;

  @Test
  void whatIsFoundIsWhatIsLabelled() throws Exception {
    Path corpus = Path.of(System.getenv("NDC_CORPORA"), "reframed-en");
    Map<String, WebPage> pages = Site.pages(corpus.resolve("pages.warc.gz"));
    Map<String, String> labels = labels(corpus.resolve("labels.tsv"));
    Hosts.give(pages.keySet());
    Path job = folder.resolve("jobs").resolve("corpus");
    List<CrawlLog.Line> log;
    Map<String, Long> groups = new HashMap<>();
    String report;
    long began = System.nanoTime();
    double seconds;
    try (Site site = Site.of(pages)) {
      List<String> seeds = pages.keySet().stream().map(url -> url.replace("&", "&amp;")).toList();
      Crawl.make(
          job,
          site,
          seeds,
          Guide.profile(),
          // Every page is a seed: links are not looked for, which would take most of the time.
          "extractorHtml.enabled=false",
          "extractorJs.enabled=false",
          "scope.rules[2].maxHops=0",
          "scope.rules[3].maxTransHops=0",
          "scope.rules[3].maxSpeculativeHops=0");
      try (Crawl crawl = Crawl.launch(job).awaitEnd(PATIENCE)) {
        seconds = (System.nanoTime() - began) / 1e9;
        log = crawl.fetched().stream().filter(line -> pages.containsKey(line.url())).toList();
        report = crawl.report();
      }
    }
    try (NearDuplicates store = NearDuplicates.open(job.resolve("near-duplicates.ndc"), Map.of("read_only", "true"))) {
      for (CrawlLog.Line line : log) {
        PageInfo page = store.find(line.url()).orElseThrow();
        groups.put(line.url(), page.groupId());
      }
    }
    HeritrixFailureTest.expectCount(report, "checks failed", 0);
    assertEquals(pages.keySet(), log.stream().map(CrawlLog.Line::url).collect(Collectors.toSet()));
    assertTrue(log.stream().allMatch(CrawlLog.Line::isChecked));
    int begin = report.indexOf("Processor: io.ndc.heritrix");
    System.out.println(report.substring(begin, report.indexOf("\n\n", begin)));
    System.out.printf("reframed-en: %d pages crawled in %.1f s%n", log.size(), seconds);
    score(log, labels, groups);
  }

  private static void score(List<CrawlLog.Line> log, Map<String, String> labels, Map<String, Long> groups) {
    Set<String> seen = new HashSet<>();
    Set<String> seenTogether = new HashSet<>();
    long expected = 0;
    long found = 0;
    long right = 0;
    for (CrawlLog.Line line : log) {
      String label = labels.get(line.url());
      if (label != null) {
        boolean duplicate = !seen.add(label);
        boolean together = !seenTogether.add(label + " " + line.group());
        expected += duplicate ? 1 : 0;
        found += line.isDuplicate() ? 1 : 0;
        right += line.isDuplicate() && together ? 1 : 0;
      }
    }
    System.out.printf(
        "duplicates when they came: %d expected, %d annotated, %d of them with a page of their label: "
            + "precision %.4f, recall %.4f%n",
        expected,
        found,
        right,
        (double) right / found,
        (double) right / expected);
    List<String> scored = log.stream().map(CrawlLog.Line::url).filter(labels::containsKey).toList();
    double truePairs = pairs(scored, url -> labels.get(url) + " " + groups.get(url));
    double precision = truePairs / pairs(scored, url -> groups.get(url).toString());
    double recall = truePairs / pairs(scored, labels::get);
    double f1 = 2 * precision * recall / (precision + recall);
    System.out.printf("pairs in the store at the end: precision %.4f, recall %.4f, F1 %.4f%n", precision, recall, f1);
    assertTrue(precision >= 0.95 && recall >= 0.9, "precision " + precision + ", recall " + recall);
  }

  private static double pairs(List<String> urls, Function<String, String> group) {
    return urls.stream()
        .collect(Collectors.groupingBy(group, Collectors.counting()))
        .values()
        .stream()
        .mapToDouble(count -> count * (count - 1) / 2.0)
        .sum();
  }

  /** The label of each page that is scored. */
  private static Map<String, String> labels(Path file) throws IOException {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t");
      if (!fields[0].equals("url") && !fields[3].equals("ambiguous")) {
        labels.put(fields[0].replaceFirst("^https:", "http:"), fields[1]);
      }
    }
    return labels;
  }
}
