package io.ndc.kafka;

import io.ndc.Flag;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What was decided, read from Kafka: tests compare it with what clients heard. */
final class ClusterLog {
  private final Map<Long, Message.Commit> commits = new HashMap<>();
  private final Map<Long, Long> merged = new HashMap<>();

  /** Up to its end; what a transaction left open is waited for. */
  ClusterLog(String servers) {
    try (KafkaConsumer<byte[], byte[]> consumer =
             new KafkaConsumer<>(Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                 new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> log = consumer.partitionsFor("ndc-commits")
                                     .stream()
                                     .map(each -> new TopicPartition(each.topic(), each.partition()))
                                     .toList();
      consumer.assign(log);
      consumer.seekToBeginning(log);
      Map<TopicPartition, Long> ends = ends(servers, log);
      while (log.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> {
          Message message = record.value() == null ? null : RecordCodec.message(record.value());
          if (message == null) commits.remove(Ids.of(record.key()));
          if (message instanceof Message.Commit commit) commits.put(Ids.of(record.key()), commit);
          if (message instanceof Message.Merged into) merged.put(Ids.of(Arrays.copyOf(record.key(), 8)), into.into());
        });
      }
    }
  }

  /** Those of a consumer that waits for committed records alone would be where the first open transaction begins. */
  private static Map<TopicPartition, Long> ends(String servers, List<TopicPartition> log) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
             Map.of("bootstrap.servers", servers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return consumer.endOffsets(log);
    }
  }

  Set<Flag> flags(String url) {
    return commits.get(Ids.ofUrl(url)).result().flags();
  }

  int mergedGroups() {
    return merged.size();
  }

  /** Pages that were decided without a comparison, when they waited too long for it. */
  long decidedAtTheDeadline() {
    return commits.values().stream().filter(commit -> commit.result().flags().contains(Flag.LIMIT)).count();
  }

  /** The group that a number leads to. */
  long resolve(long group) {
    long at = group;
    for (int steps = 0; merged.containsKey(at); steps++) {
      if (steps > merged.size()) throw new IllegalStateException("a ring of merged groups");
      at = merged.get(at);
    }
    return at;
  }

  /** By URL, merged groups resolved. */
  Map<String, Long> groups() {
    Map<String, Long> groups = new TreeMap<>();
    commits.values().forEach(commit -> groups.put(commit.url(), resolve(commit.result().groupId())));
    return groups;
  }
}
