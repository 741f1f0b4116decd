package io.ndc.nutch;

import static io.ndc.nutch.crawl.Contents.words;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.kafka.TriedCluster;
import io.ndc.nutch.crawl.Contents;
import io.ndc.nutch.crawl.CrawlDbFile;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filters of the plugin with a cluster in place of a store: two tasks that know each other's pages. */
class ClusterFilterTest {
  @TempDir
  Path folder;

  private static Configuration task(String address, int timeoutMs) {
    Configuration conf = NutchConfiguration.create();
    conf.set("nd.cluster", address);
    // Each has a client of its own.
    conf.setInt("nd.cluster.timeout.ms", timeoutMs);
    conf.set("nd.cluster.kafka.default.api.timeout.ms", "2000");
    return conf;
  }

  private static Metadata filter(Configuration conf, String url, String text) throws Exception {
    NdParseFilter filter = new NdParseFilter();
    filter.setConf(conf);
    ParseResult parsed = Contents.parsed(Contents.html(conf, url, text, "20260102030405"), "text");
    filter.filter(Contents.html(conf, url, text, "20260102030405"), parsed, null, null);
    return parsed.get(url).getData().getParseMeta();
  }

  private static NutchDocument index(Configuration conf, String url, Metadata metadata) throws Exception {
    NdIndexingFilter filter = new NdIndexingFilter();
    filter.setConf(conf);
    ParseResult parsed = Contents.parsed(Contents.html(conf, url, "", null), "text");
    for (String name : metadata.names()) {
      parsed.get(url).getData().getParseMeta().set(name, metadata.get(name));
    }
    return filter.filter(new NutchDocument(), parsed.get(url), new Text(url), null, null);
  }

  @Test
  void twoTasksKnowEachOthersPages() throws Exception {
    try (TriedCluster tried = new TriedCluster(folder.resolve("cluster"))) {
      Configuration one = task(tried.address(), 240_000);
      Configuration two = task(tried.address(), 240_001);
      Metadata first = filter(one, "http://a.example/", words(0, 300));
      assertEquals("new", first.get("nd.verdict"), first.toString());
      assertNull(first.get(NdParseFilter.COPY_OF));
      Metadata near = filter(two, "http://b.example/", words(20, 300));
      assertEquals("near", near.get("nd.verdict"), near.toString());
      assertEquals(first.get("nd.group"), near.get("nd.group"));
      assertEquals("http://a.example/", near.get(NdParseFilter.COPY_OF));
      assertEquals(near, filter(one, "http://b.example/", words(20, 300)), "a task that is run again");
      Metadata more = filter(two, "http://d.example/", words(0, 300) + words(9000, 250));
      assertEquals("near contains", more.get("nd.verdict") + ' ' + more.get("nd.flags"));
      assertNull(more.get(NdParseFilter.COPY_OF), "it contains much more");

      one.setBoolean("nd.index.drop.duplicates", true);
      org.apache.hadoop.fs.Path crawlDb = new org.apache.hadoop.fs.Path(folder.resolve("crawldb").toUri());
      CrawlDbFile.write(one, crawlDb, Map.of("http://a.example/", CrawlDbFile.fetched(1, 1, new byte[16])), 1);
      assertNotNull(index(one, "http://b.example/", near), "without a crawldb nothing is left out");
      one.set("nd.index.crawldb", crawlDb.toString());
      assertNull(index(one, "http://b.example/", near));
      assertNotNull(index(one, "http://a.example/", first));
      crawlDb.getFileSystem(one).delete(crawlDb, true);
      CrawlDatum gone = CrawlDbFile.fetched(1, 1, new byte[16]);
      gone.setStatus(CrawlDatum.STATUS_DB_GONE);
      CrawlDbFile.write(one, crawlDb, Map.of("http://a.example/", gone), 1);
      assertNotNull(index(one, "http://b.example/", near), "what it is a copy of is gone");
    }
  }

  @Test
  void aPageGoesOnWithoutACluster() throws Exception {
    Metadata metadata = filter(task("localhost:1", 1_000), "http://a.example/", words(0, 300));
    assertNull(metadata.get("nd.verdict"));
    assertTrue(metadata.get("nd.failure").contains("localhost:1"), metadata.get("nd.failure"));
  }
}
