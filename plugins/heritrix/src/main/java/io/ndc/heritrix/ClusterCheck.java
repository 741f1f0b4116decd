package io.ndc.heritrix;

import io.ndc.Page;
import io.ndc.Result;
import io.ndc.kafka.ClusterAnswer;
import io.ndc.kafka.CrawlerCluster;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The check by a cluster: apart, so that only jobs with one need the jars of ndc-kafka. */
final class ClusterCheck {
  private final CrawlerCluster cluster;

  ClusterCheck(Map<String, String> settings, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(settings);
    options.forEach((key, value) -> all.put("option." + key, value));
    cluster = CrawlerCluster.ofSettings(all);
  }

  /**
   * Connects now, and not at the first page.
   *
   * @throws RuntimeException if there is no cluster
   */
  void connect() {
    cluster.connect();
  }

  /** Asks; what it returns waits for the answer, and throws without one. The page is not needed any more. */
  Supplier<NearDuplicateVerdict> ask(Page page) {
    CompletableFuture<ClusterAnswer> asked = cluster.ask(page, late -> {});
    return () -> verdict(CrawlerCluster.await(asked));
  }

  private static NearDuplicateVerdict verdict(ClusterAnswer answer) {
    Result result = answer.result();
    String matched = answer.duplicateOf().isEmpty() ? null : answer.duplicateOf();
    String founder = result.groupId() == result.pageId() ? answer.url() : matched;
    return NearDuplicateVerdict.of(result, Optional.of(answer.committed()), founder, matched);
  }

  void forget(String url) {
    cluster.forget(url);
  }

  long lateAnswers() {
    return cluster.lateAnswers();
  }
}
