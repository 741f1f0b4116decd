package io.ndc.nutch;

import io.ndc.Page;
import io.ndc.Result;
import io.ndc.kafka.ClusterAnswer;
import io.ndc.kafka.CrawlerCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Metadata;

/**
 * The check by a cluster ({@code nd.cluster}): apart, so that only who has one needs the jars of ndc-kafka.
 */
final class ClusterCheck {
  private ClusterCheck() {}

  /** Whether pages go to a cluster, and not to the engine of a store. */
  static boolean isWanted(Configuration conf) {
    return !conf.get("nd.cluster", "").isBlank();
  }

  /**
   * Asks, and waits.
   *
   * @param metadata is told the page that this one may be left out for
   * @return what {@link SharedEngineMBean#check} returns
   * @throws RuntimeException without an answer
   */
  static String[] check(Configuration conf, Page page, Metadata metadata) {
    CrawlerCluster cluster = CrawlerCluster.of(conf.getPropsWithPrefix(""));
    ClusterAnswer answer = CrawlerCluster.await(cluster.ask(page, late -> {}));
    Result told = answer.committed();
    if (told.isCopy() || (told.isPart() && conf.getBoolean("nd.index.leave.out.parts", false))) {
      metadata.set(NdParseFilter.COPY_OF, answer.duplicateOf());
    }
    return SharedEngine.strings(told.groupId(), told.verdict(), told.resemblance(),
        SharedEngine.ratio(told.probability()), "", told.flags());
  }
}
