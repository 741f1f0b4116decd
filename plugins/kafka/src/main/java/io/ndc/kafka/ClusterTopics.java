package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics of a cluster: makes those that are missing, and refuses those that would lose or mix up records. */
final class ClusterTopics {
  /** A page with much text has more than Kafka's megabyte of features. */
  static final int MOST_BYTES = 16 << 20;

  /** The broker says when a record came. */
  static final String BROKER_TIME = "LogAppendTime";

  /** A client that did not hear an answer by then never will. */
  static final Duration ANSWERS_KEPT = Duration.ofHours(1);

  private static final Map<Topic, Duration> KEPT = Map.of(Topic.PAGES, Duration.ofDays(1), Topic.CONTROL,
      Duration.ofDays(1), Topic.ANSWERS, ANSWERS_KEPT, Topic.EVENTS, Duration.ofDays(7), Topic.SITES,
      Duration.ofDays(1), Topic.KEYS, Duration.ofDays(1), Topic.WORK, Duration.ofDays(1));

  private ClusterTopics() {}

  /** Asks Kafka something about topics. */
  private interface Question<T> {
    KafkaFuture<T> ask();
  }

  /**
   * Makes them, or finds them.
   *
   * @throws IllegalStateException if one has another number of partitions: all state would be in the wrong places; or
   *     forgets what it must keep, or has times of other clocks than its broker's
   */
  static void require(Admin admin, ClusterConfig config) throws InterruptedException {
    List<String> names = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      create(admin, config, topic);
      names.add(config.topic(topic));
    }
    for (TopicDescription topic : answer(() -> admin.describeTopics(names).allTopicNames()).values()) {
      int partitions = topic.partitions().size();
      if (partitions != config.partitions())
        throw new IllegalStateException("topic " + topic.name() + " has " + partitions
            + " partitions, the configuration says " + config.partitions() + ": their number can never change");
    }
    List<ConfigResource> resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<ConfigResource, Config> found = answer(() -> admin.describeConfigs(resources).all());
    for (Topic topic : Topic.values())
      requirePolicies(found.get(resources.get(topic.ordinal())), config.topic(topic), policies(topic));
  }

  /** Somebody else may have made it. */
  private static void requirePolicies(Config found, String topic, Map<String, String> policies) {
    policies.forEach((key, value) -> {
      if (!found.get(key).value().equals(value))
        throw new IllegalStateException("topic " + topic + " has " + key + "=" + found.get(key).value()
            + ", it must be " + value + ": kafka-configs.sh --alter --add-config sets it");
    });
  }

  /** What a topic must have; how long it keeps its records is the operator's. */
  private static Map<String, String> policies(Topic topic) {
    // The clocks of crawlers and instances differ, and brokers refuse what is an hour ahead and delete what is old.
    return Map.of(
        "message.timestamp.type", BROKER_TIME, "cleanup.policy", KEPT.containsKey(topic) ? "delete" : "compact");
  }

  /** Brokers hear of a topic that was just made one after the other. */
  private static <T> T answer(Question<T> question) throws InterruptedException {
    for (int patience = 100;; patience--) {
      try {
        return question.ask().get();
      } catch (ExecutionException failure) {
        if (!(failure.getCause() instanceof UnknownTopicOrPartitionException) || patience == 0)
          throw new IllegalStateException("the topics cannot be examined: " + failure.getCause().getMessage(), failure);
        Thread.sleep(100);
      }
    }
  }

  private static void create(Admin admin, ClusterConfig config, Topic topic) throws InterruptedException {
    Map<String, String> settings = new TreeMap<>(policies(topic));
    settings.put("max.message.bytes", Integer.toString(MOST_BYTES));
    if (KEPT.containsKey(topic)) settings.put("retention.ms", Long.toString(KEPT.get(topic).toMillis()));
    if (config.replicas() >= 3) settings.put("min.insync.replicas", "2");
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
