package io.ndc.kafka;

import io.ndc.Flag;
import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.kafka.Outbox.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Fills a store with what a cluster has decided, for the commands of ndc: decisions from the log of commits, features
 * from the changelog of the instances. Nothing is decided here. A program, and a class for other programs. One thread.
 */
public final class NdExport {
  /** What the log says of a page. */
  private record Decided(long group, long atMs, Result result) {}

  /** Reads a record; the topic of several partitions has no other order than that of a key. */
  private interface Visitor {
    void visit(ConsumerRecord<byte[], byte[]> record);
  }

  private static final Duration POLL = Duration.ofMillis(200);
  private static final long NONE = 0;

  private final Map<Long, Decided> pages = new HashMap<>();
  private final Map<Long, Long> merged = new HashMap<>();
  /** Of each group the page that founds it in the store. */
  private final Map<Long, Long> founders = new HashMap<>();
  private final Map<Long, Long> groupsOfStore = new HashMap<>();
  private final NearDuplicates store;
  private int written;

  NdExport(NearDuplicates store) {
    this.store = store;
  }

  /**
   * Copies all that is decided when it is called.
   *
   * @param settings docs/guide-cluster.md
   * @param store takes the pages; a new one, since what the cluster has removed meanwhile stays in an older one
   * @return how many pages
   * @throws IllegalArgumentException naming what is wrong in the settings
   * @throws KafkaException if Kafka cannot be reached, refuses the client, or has no such cluster
   * @throws NearDuplicatesException if the store cannot be written
   */
  public static int export(Map<String, String> settings, NearDuplicates store) {
    ClusterConfig config = ClusterConfig.of(settings);
    NdExport copy = new NdExport(store);
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
        NdCluster.forConsumer(config), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      String texts = config.prefix() + "-texts-changelog";
      read(consumer, config.topic(Topic.COMMITS), record -> copy.take(record.key(), record.value()));
      copy.chooseFounders();
      // The changelog may have more than one text of a page.
      Map<Long, Long> last = new HashMap<>();
      read(consumer, texts, record -> {
        if (record.key().length == Long.BYTES) last.put(Ids.of(record.key()), record.offset());
      });
      for (boolean founds : new boolean[] {true, false})
        read(consumer, texts, record -> {
          if (record.key().length != Long.BYTES || record.value() == null) return;
          long page = Ids.of(record.key());
          if (record.offset() == last.getOrDefault(page, -1L)) copy.write(page, record.value(), founds);
        });
    }
    return copy.written;
  }

  private static void read(KafkaConsumer<byte[], byte[]> consumer, String topic, Visitor visitor) {
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    if (found == null || found.isEmpty()) throw new KafkaException("there is no topic " + topic);
    List<TopicPartition> partitions =
        found.stream().map(each -> new TopicPartition(topic, each.partition())).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each)))
      consumer.poll(POLL).forEach(visitor::visit);
  }

  /** A record of the log; value null: no longer so. */
  void take(byte[] key, byte[] value) {
    long id = Ids.of(Arrays.copyOf(key, Long.BYTES));
    Message message = value == null ? null : RecordCodec.message(value);
    if (key.length == Long.BYTES) {
      pages.remove(id);
      if (message instanceof Message.Commit commit)
        pages.put(id, new Decided(commit.result().groupId(), commit.atMs(), commit.result()));
    } else if (message instanceof Message.Merged into) {
      merged.put(id, into.into());
    } else {
      merged.remove(id);
    }
  }

  private long group(long id) {
    long group = id;
    // Merges lead to earlier places: no rings, unless the log is forged.
    for (int steps = merged.size(); steps > 0 && merged.containsKey(group); steps--)
      group = merged.get(group);
    return group;
  }

  /** The founder, or if that is gone, or elsewhere now, the page that has been there longest. */
  void chooseFounders() {
    pages.forEach((page, decided) -> founders.merge(group(decided.group()), page, this::founder));
  }

  private long founder(long a, long b) {
    boolean aFounds = group(pages.get(a).group()) == a;
    boolean bFounds = group(pages.get(b).group()) == b;
    if (aFounds != bFounds) return aFounds ? a : b;
    int order = Long.compare(pages.get(a).atMs(), pages.get(b).atMs());
    return order < 0 || (order == 0 && a < b) ? a : b;
  }

  /** Writes a page if it founds a group, or if it does not. */
  void write(long page, byte[] features, boolean founds) {
    Decided decided = pages.get(page);
    if (decided == null) return;
    long group = group(decided.group());
    if ((founders.get(group) == page) != founds) return;
    // Without its founder's text: the first that comes.
    long into = groupsOfStore.getOrDefault(group, NONE);
    Result written = store.applyOutcome(features, outcome(decided.result(), into));
    groupsOfStore.putIfAbsent(group, written.groupId());
    this.written++;
  }

  private static Result outcome(Result result, long group) {
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    if (result.flags().contains(Flag.LIMIT)) flags.add(Flag.LIMIT);
    if (result.verdict() == Verdict.NO_TEXT || group == NONE) {
      Verdict verdict = result.verdict() == Verdict.NO_TEXT ? Verdict.NO_TEXT : Verdict.NEW;
      return new Result(verdict, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    // The founder of a group that is part of another one now was compared with nothing there.
    boolean joined = result.isDuplicate();
    return new Result(joined ? result.verdict() : Verdict.NEAR, flags, 0, group, 0, result.resemblance(),
        result.containment(), result.pageCoverage(), result.matchedCoverage(), result.probability(), 0);
  }

  /**
   * The program.
   *
   * @param arguments a file of settings, as that of an instance, and the store, which is made
   */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("NdExport: two arguments, a file of settings (docs/guide-cluster.md) and a new store");
      System.exit(2);
    }
    try {
      Map<String, String> settings = new TreeMap<>(NdClusterNode.settings(Path.of(arguments[0])));
      Map<String, String> options = new TreeMap<>();
      settings.forEach((key, value) -> {
        if (key.startsWith("option.")) options.put(key.substring("option.".length()), value);
      });
      try (NearDuplicates store = NearDuplicates.open(Path.of(arguments[1]), options)) {
        System.out.println(export(settings, store) + " pages");
      }
    } catch (IllegalArgumentException | KafkaException | NearDuplicatesException | IOException wrong) {
      System.err.println("NdExport: " + wrong.getMessage());
      System.exit(1);
    }
  }
}
