package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Verdict;
import io.ndc.kafka.TriedCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.archive.modules.CrawlURI;
import org.archive.util.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processors with a cluster in place of a store: two crawls that know each other's pages. */
final class ClusterProcessorTest {
  @TempDir
  Path folder;

  private static NearDuplicateProcessor crawl(String address, String timeoutMs) {
    NearDuplicateProcessor processor = new NearDuplicateProcessor();
    processor.setBeanName("nearDuplicates");
    processor.setCluster(Map.of(
        "bootstrap.servers", address, "timeout.ms", timeoutMs, "kafka.default.api.timeout.ms", "1000"));
    return processor;
  }

  private Optional<NearDuplicateVerdict> verdict(NearDuplicateProcessor processor, String url, int words)
      throws Exception {
    Recorder recorder = FetchedPage.recorder(folder, "recorder");
    String text = IntStream.range(0, words)
                      .mapToObj(i -> "word" + Integer.toString(i * 7919, 36) + (i % 12 == 11 ? "." : ""))
                      .collect(Collectors.joining(" "));
    CrawlURI uri = FetchedPage.of(recorder, url, null, ("<p>" + text).getBytes(StandardCharsets.UTF_8));
    uri.setFetchBeginTime(System.currentTimeMillis());
    processor.process(uri);
    return NearDuplicateVerdict.of(uri);
  }

  @Test
  void twoCrawlsKnowEachOthersPages() throws Exception {
    try (TriedCluster tried = new TriedCluster(folder.resolve("cluster"))) {
      NearDuplicateProcessor one = crawl(tried.address(), "240000");
      NearDuplicateProcessor two = crawl(tried.address(), "240001");
      one.setRequired(true);
      one.start();
      two.start();
      NearDuplicateVerdict first = verdict(one, "http://a.example/", 300).orElseThrow();
      assertEquals(Verdict.NEW, first.verdict());
      assertEquals("http://a.example/", first.groupUrl());
      NearDuplicateVerdict copy = verdict(two, "http://b.example/", 310).orElseThrow();
      assertEquals(Verdict.NEAR, copy.verdict());
      assertEquals(first.groupId(), copy.groupId());
      assertEquals("http://a.example/", copy.matchedUrl());
      assertTrue(copy.founderResemblance() > .9, copy.toString());
      assertEquals(Verdict.UNCHANGED, verdict(one, "http://b.example/", 310).orElseThrow().verdict());
      assertTrue(one.report().contains("the cluster " + tried.address() + ", late verdicts: 0"), one.report());
      one.stop();
      two.stop();
    }
  }

  @Test
  void aCrawlGoesOnWithoutAClusterUnlessItIsRequired() throws Exception {
    NearDuplicateProcessor processor = crawl("localhost:1", "1000");
    processor.start();
    assertEquals(Optional.empty(), verdict(processor, "http://a.example/", 300));
    processor.stop();
    processor.setRequired(true);
    String refused = assertThrows(IllegalStateException.class, processor::start).getMessage();
    assertTrue(refused.contains("localhost:1") && refused.contains("nearDuplicates.required"), refused);
  }
}
