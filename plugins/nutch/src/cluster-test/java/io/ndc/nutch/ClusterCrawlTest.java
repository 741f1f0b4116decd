package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.LoopbackSite;
import io.ndc.nutch.crawl.SequentialDedup;
import io.ndc.nutch.crawl.WarcPages;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The crawl of the sample, each job in containers of YARN, which are Java processes of their own: each loads the native
 * library by itself. The signatures and the duplicates must be those that one process finds.
 */
class ClusterCrawlTest {
  private static final String START = "http://start.example/";

  @TempDir
  Path directory;

  @Test
  void containersFindWhatOneProcessFinds() throws Exception {
    Map<String, WarcPages.Response> pages = SampleCrawlTest.sample();
    StringBuilder start = new StringBuilder("<title>Start</title>");
    pages.keySet().forEach(url -> start.append("<a href='").append(url).append("'>").append(url).append("</a> "));
    pages.put(START, new WarcPages.Response("text/html", start.toString().getBytes(StandardCharsets.UTF_8)));
    long begin = System.nanoTime();
    try (LoopbackSite site = new LoopbackSite(pages); MiniMRYarnCluster cluster = new MiniMRYarnCluster("ndc", 1)) {
      cluster.init(configuration(site.port()));
      cluster.start();
      Configuration conf = new Configuration(cluster.getConfig());
      assertEquals("yarn", conf.get("mapreduce.framework.name"));
      Crawl crawl = new Crawl(conf, directory);
      crawl.inject(List.of(START));
      crawl.round();
      crawl.round();
      report("crawled", begin);

      Map<String, CrawlDatum> before = crawl.entries();
      NdSignature signature = new NdSignature();
      signature.setConf(conf);
      for (Map.Entry<String, WarcPages.Response> page : pages.entrySet()) {
        byte[] expected = signature.calculate(
            io.ndc.nutch.crawl.Contents.content(conf, page.getKey(), page.getValue().body(),
            page.getValue().contentType(), null), null);
        assertEquals(127, expected.length, page.getKey());
        assertEquals(java.util.HexFormat.of().formatHex(expected),
            java.util.HexFormat.of().formatHex(before.get(page.getKey()).getSignature()));
      }
      assertEquals(0, NdSignature.failures());

      NearDedupJob job = new NearDedupJob();
      crawl.run(job, crawl.crawlDb().toString());
      report("deduplicated, " + job.counters(), begin);
      Map<String, String> duplicates = SampleCrawlTest.duplicates(crawl.entries());
      assertTrue(duplicates.size() > 50, duplicates.size() + " duplicates");
      SampleCrawlTest.assertSame(SequentialDedup.duplicates(new TreeMap<>(before), NearDedupJob.DEFAULT_THRESHOLD,
          NearDedupJob.DEFAULT_SAME_SITE_THRESHOLD, Site::of), duplicates, "NearDedupJob");
      crawl.readDb();
      assertEquals(pages.size(), crawl.index("-deleteGone").size());
      report("indexed", begin);
    }
  }

  private static void report(String what, long begin) {
    System.out.printf("%s after %d s%n", what, (System.nanoTime() - begin) / 1_000_000_000);
  }

  private Configuration configuration(int port) {
    Configuration conf = Crawl.configuration(directory, port);
    conf.set("plugin.includes", "nutch-extensionpoints|test-.*");
    conf.setClass("db.signature.class", NdSignature.class, Object.class);
    conf.setInt("mapreduce.job.reduces", 2);
    conf.set("yarn.nodemanager.local-dirs", directory.resolve("local").toString());
    conf.set("yarn.nodemanager.log-dirs", directory.resolve("logs").toString());
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    conf.setFloat("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    conf.setInt("yarn.app.mapreduce.am.resource.mb", 512);
    conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.setInt("mapreduce.map.memory.mb", 512);
    conf.setInt("mapreduce.reduce.memory.mb", 512);
    conf.set("mapreduce.map.java.opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.set("mapreduce.reduce.java.opts", "-Xmx300m -XX:TieredStopAtLevel=1");
    conf.setBoolean("mapreduce.job.ubertask.enable", false);
    return conf;
  }
}
