package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import io.ndc.Page;
import io.ndc.Result;
import io.ndc.kafka.ClusterAnswer;
import io.ndc.kafka.CrawlerCluster;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The check by a cluster: apart, so that only topologies with {@code nd.cluster} need the jars of ndc-kafka.
 */
final class ClusterCheck {
  private ClusterCheck() {}

  private static CrawlerCluster cluster(Map<String, Object> conf) {
    Map<String, String> settings = new TreeMap<>();
    // YAML gives numbers and booleans as such.
    conf.forEach((key, value) -> {
      if (key.startsWith("nd.")) settings.put(key, String.valueOf(value));
    });
    return CrawlerCluster.of(settings);
  }

  /**
   * Asks.
   *
   * @param parts whether a part counts as a copy
   * @param metadata gets the answer
   * @param late as in {@link PageCheck#leavesOut}
   * @return whether the page is a copy of one that stays; fails without an answer
   */
  static CompletableFuture<Boolean> isCopy(
      Map<String, Object> conf, Page page, boolean parts, Metadata metadata, Consumer<Metadata> late) {
    return cluster(conf)
        .ask(page,
            answer -> {
              Metadata told = new Metadata();
              write(told, answer);
              late.accept(told);
            })
        .thenApply(answer -> {
          write(metadata, answer);
          Result committed = answer.committed();
          return committed.isCopy() || (parts && committed.isPart());
        });
  }

  private static void write(Metadata metadata, ClusterAnswer told) {
    VerdictMetadata.write(
        metadata, Answer.of(told.committed(), told.duplicateOf().isEmpty() ? null : told.duplicateOf()));
  }

  static void forget(Map<String, Object> conf, String url) {
    cluster(conf).forget(url);
  }
}
