package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.LoopbackSite;
import io.ndc.nutch.crawl.PairScore;
import io.ndc.nutch.crawl.SequentialDedup;
import io.ndc.nutch.crawl.WarcPages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crawl of reframed-en in both ways, scored by its labels. The corpus is not in the repository: environment variable
 * {@code NDC_CORPORA} is the directory with reframed-en/pages.warc.gz and labels.tsv. With {@code NDC_REPORT}, a
 * directory, the groups are written there, as nearDedupJob.tsv and engine.tsv.
 */
class CorpusCrawlTest {
  @TempDir
  Path directory;

  @Test
  @EnabledIfEnvironmentVariable(named = "NDC_CORPORA", matches = ".+")
  void bothWaysAreGoodEnough() throws Exception {
    Path corpus = Path.of(System.getenv("NDC_CORPORA"), "reframed-en");
    Map<String, WarcPages.Response> pages = WarcPages.read(corpus.resolve("pages.warc.gz"));
    Map<String, String> labels = PairScore.column(Files.readAllLines(corpus.resolve("labels.tsv")), "url", "group",
        "kind", "ambiguous");
    assertFalse(labels.isEmpty());
    long begin = System.nanoTime();
    try (LoopbackSite site = new LoopbackSite(pages)) {
      Configuration conf = Crawl.configuration(directory, site.port(), SampleCrawlTest.pluginFolder());
      conf.setClass("db.signature.class", NdSignature.class, Object.class);
      conf.set("nd.store", directory.resolve("store").toString());
      Crawl crawl = new Crawl(conf, directory);
      crawl.inject(pages.keySet());
      Map<String, ParseData> parsed = crawl.parsed(crawl.round());
      assertEquals(pages.keySet(), parsed.keySet());
      System.out.printf("reframed-en: %d pages, crawled in %d s%n", pages.size(),
          (System.nanoTime() - begin) / 1_000_000_000);
      begin = System.nanoTime();
      Map<String, CrawlDatum> before = crawl.entries();
      NearDedupJob job = new NearDedupJob();
      crawl.run(job, crawl.crawlDb().toString());
      System.out.printf("NearDedupJob: %d s, %s%n", (System.nanoTime() - begin) / 1_000_000_000, job.counters());
      Map<String, String> duplicates = SampleCrawlTest.duplicates(crawl.entries());
      before.keySet().removeIf(url -> before.get(url).getSignature() == null || before.get(url)
          .getSignature().length == 16);
      SampleCrawlTest.assertSame(SequentialDedup.duplicates(before, NearDedupJob.DEFAULT_THRESHOLD,
          NearDedupJob.DEFAULT_SAME_SITE_THRESHOLD,
          Site::of), duplicates.entrySet().stream().filter(e -> before.containsKey(e.getKey()))
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)), "NearDedupJob");

      Map<String, String> groups = SampleCrawlTest.groups(pages.keySet(), duplicates);
      Map<String, String> engineGroups = new HashMap<>();
      parsed.forEach((url, data) -> engineGroups.put(url, data.getParseMeta().get("nd.group")));
      write("nearDedupJob.tsv", groups);
      write("engine.tsv", engineGroups);
      SampleCrawlTest.report("engine in the process", PairScore.of(labels, engineGroups), .9, .95);
      SampleCrawlTest.report("NearDedupJob", PairScore.of(labels, groups), .75, .95);
      SharedEngine.of(conf).close();
    }
  }

  private static void write(String name, Map<String, String> groups) throws Exception {
    if (System.getenv("NDC_REPORT") != null) {
      Files.write(Path.of(System.getenv("NDC_REPORT"), name),
          groups.entrySet().stream().map(e -> e.getKey() + '\t' + e.getValue()).toList());
    }
  }
}
