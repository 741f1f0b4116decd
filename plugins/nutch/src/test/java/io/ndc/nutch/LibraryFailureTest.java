package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Page;
import io.ndc.Signature;
import io.ndc.nutch.crawl.Contents;
import io.ndc.nutch.crawl.Crawl;
import io.ndc.nutch.crawl.CrawlDbFile;
import io.ndc.nutch.crawl.FailureProbe;
import io.ndc.nutch.crawl.LoopbackSite;
import io.ndc.nutch.crawl.OtherProcess;
import io.ndc.nutch.crawl.StoreHolder;
import io.ndc.nutch.crawl.WarcPages;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever keeps the library from working, the crawl continues and says so. */
class LibraryFailureTest {
  @TempDir
  Path directory;

  @Test
  void aCrawlGoesOnWhoseStoreAnotherProcessHas() throws Exception {
    Map<String, WarcPages.Response> pages = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      String html = "<title>" + i + "</title><p>" + Contents.words(0, 200) + "<a href='http://next.example/" + i
          + "'>next</a>";
      pages.put("http://host" + i + ".example/", new WarcPages.Response("text/html",
          html.getBytes(StandardCharsets.UTF_8)));
    }
    Path store = directory.resolve("store");
    try (LoopbackSite site = new LoopbackSite(pages); OtherProcess holder =
        new OtherProcess(List.of(), StoreHolder.class, store.toString())) {
      assertEquals("open true", holder.line());
      Configuration conf = Crawl.configuration(directory, site.port(), SampleCrawlTest.pluginFolder());
      conf.setClass("db.signature.class", NdSignature.class, Object.class);
      conf.set("nd.store", store.toString());
      Crawl crawl = new Crawl(conf, directory);
      crawl.inject(pages.keySet());
      Map<String, ParseData> parsed = crawl.parsed(crawl.round());
      assertEquals(pages.keySet(), parsed.keySet());
      for (ParseData data : parsed.values()) {
        Metadata metadata = data.getParseMeta();
        assertTrue(metadata.get("nd.failure").contains("StoreLockedException"), metadata.get("nd.failure"));
        assertNull(metadata.get("nd.group"));
        assertEquals(1, data.getOutlinks().length);
      }
      assertEquals(4, SharedEngine.of(conf).getFailures());
      crawl.run(new NearDedupJob(), crawl.crawlDb().toString());
      Map<String, CrawlDatum> entries = crawl.entries();
      assertEquals(8, entries.size());
      assertEquals(3, SampleCrawlTest.duplicates(entries).size(), "the job needs no store");
      assertEquals(4, crawl.index().size(), "without -deleteGone all are indexed");
    }
  }

  private String probe(String... options) throws Exception {
    Configuration conf = Crawl.configuration(directory, 0);
    Crawl crawl = new Crawl(conf, directory);
    byte[] signature = Signature.compute(Page.of("", Contents.words(0, 200).getBytes(StandardCharsets.UTF_8))
        .withContentType("text/plain"), Map.of());
    Map<String, CrawlDatum> pages = Map.of("http://x.example/0", CrawlDbFile.fetched(1, 1, signature),
        "http://x.example/11", CrawlDbFile.fetched(1, 1, signature));
    CrawlDbFile.write(conf, crawl.crawlDb(), pages, 1);
    try (OtherProcess process = new OtherProcess(List.of(options), FailureProbe.class, directory.toString())) {
      String output = process.output();
      assertEquals(pages, crawl.entries(), "the crawldb stays as it was");
      assertFalse(Files.exists(directory.resolve("crawldb/.locked")));
      return output;
    }
  }

  private static void assertFails(String output, String reason) {
    String[] lines = output.split("\n");
    for (int i = 0; i < 2; i++) {
      assertTrue(lines[i].matches("signature 16, group null, failure .*" + reason + ".*"), lines[i]);
    }
    assertEquals(List.of("failures 2 2", "job -1", "exit 0"), List.of(lines).subList(2, lines.length), output);
  }

  @Test
  void aLibraryThatIsNone() throws Exception {
    Files.writeString(directory.resolve("libndcjni.so"), "not a library");
    assertFails(probe("-Dndc.library.path=" + directory), "libndcjni.so");
  }

  @Test
  void noPlaceForTheLibrary() throws Exception {
    // Nobody, not even root, writes there.
    assertFails(probe("-Djava.io.tmpdir=/proc"), "/proc");
  }
}
