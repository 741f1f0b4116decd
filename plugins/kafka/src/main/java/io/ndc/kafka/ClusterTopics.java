package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics of a cluster: makes those that are missing, and refuses to run on others than it would make. */
final class ClusterTopics {
  /** A page with much text has more than Kafka's megabyte of features. */
  static final int MOST_BYTES = 16 << 20;

  /** A client that did not hear an answer by then never will. */
  static final Duration ANSWERS_KEPT = Duration.ofHours(1);

  private static final Map<Topic, Duration> KEPT = Map.of(Topic.PAGES, Duration.ofDays(1), Topic.CONTROL,
      Duration.ofDays(1), Topic.ANSWERS, ANSWERS_KEPT, Topic.EVENTS, Duration.ofDays(7), Topic.SITES,
      Duration.ofDays(1), Topic.KEYS, Duration.ofDays(1), Topic.WORK, Duration.ofDays(1));

  private ClusterTopics() {}

  /**
   * Makes them, or finds them.
   *
   * @throws IllegalStateException if one has another number of partitions: all state would be in the wrong places
   */
  static void require(Admin admin, ClusterConfig config) throws InterruptedException {
    for (Topic topic : Topic.values())
      create(admin, config, topic);
    List<String> names = new ArrayList<>();
    for (Topic topic : Topic.values())
      names.add(config.topic(topic));
    for (TopicDescription topic : described(admin, names)) {
      int partitions = topic.partitions().size();
      if (partitions != config.partitions())
        throw new IllegalStateException("topic " + topic.name() + " has " + partitions
            + " partitions, the configuration says " + config.partitions() + ": their number can never change");
    }
  }

  /** Brokers hear of a topic that was just made one after the other. */
  private static Collection<TopicDescription> described(Admin admin, List<String> names) throws InterruptedException {
    for (int patience = 100;; patience--) {
      try {
        return admin.describeTopics(names).allTopicNames().get().values();
      } catch (ExecutionException failure) {
        if (!(failure.getCause() instanceof UnknownTopicOrPartitionException) || patience == 0)
          throw new IllegalStateException("the topics cannot be examined: " + failure.getCause().getMessage(), failure);
        Thread.sleep(100);
      }
    }
  }

  private static void create(Admin admin, ClusterConfig config, Topic topic) throws InterruptedException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("max.message.bytes", Integer.toString(MOST_BYTES));
    Duration kept = KEPT.get(topic);
    if (kept == null) {
      settings.put("cleanup.policy", "compact");
    } else {
      settings.put("retention.ms", Long.toString(kept.toMillis()));
    }
    if (config.replicas() >= 3) settings.put("min.insync.replicas", "2");
    // Places in time are the broker's: clocks of crawlers differ.
    if (topic == Topic.PAGES) settings.put("message.timestamp.type", "LogAppendTime");
    NewTopic made = new NewTopic(config.topic(topic), config.partitions(), (short) config.replicas()).configs(settings);
    try {
      admin.createTopics(List.of(made)).all().get();
    } catch (ExecutionException failure) {
      if (!(failure.getCause() instanceof TopicExistsException))
        throw new IllegalStateException(
            "topic " + made.name() + " cannot be made: " + failure.getCause().getMessage(), failure);
    }
  }
}
