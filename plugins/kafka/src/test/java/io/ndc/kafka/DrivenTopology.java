package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.Page;
import io.ndc.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** The whole topology in one thread, with RocksDB: what a record causes is done when it was piped in. */
final class DrivenTopology implements AutoCloseable {
  private static final List<String> OTHERS = List.of("sites", "keys", "work", "events", "pages-changelog",
      "texts-changelog", "open-changelog", "groups-changelog", "members-changelog", "jobs-changelog",
      "models-changelog", "lists-changelog");

  final ClusterMetrics metrics = new ClusterMetrics();
  final Map<Long, Message.Answer> answers = new HashMap<>();
  private final Map<Long, Message.Commit> commits = new TreeMap<>();
  private final Map<Long, Long> merged = new HashMap<>();
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> pages;
  private final TestInputTopic<byte[], byte[]> control;
  private final TestOutputTopic<byte[], byte[]> log;
  private final TestOutputTopic<byte[], byte[]> answered;
  private final List<TestOutputTopic<byte[], byte[]>> others = new ArrayList<>();
  /** Keys and values, by topic; those of the changelogs included. */
  final Map<String, Long> bytes = new TreeMap<>();
  private long time = 1_000_000;
  private long number;

  DrivenTopology(Path folder) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "ndc");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    driver = new TopologyTestDriver(
        ClusterTopology.of("ndc", Rules.defaults(3), metrics, new QuestionGate("ndc-pages")), properties);
    pages = driver.createInputTopic("ndc-pages", new ByteArraySerializer(), new ByteArraySerializer());
    control = driver.createInputTopic("ndc-control", new ByteArraySerializer(), new ByteArraySerializer());
    log = output("commits");
    answered = output("answers");
    for (String topic : OTHERS)
      others.add(output(topic));
  }

  private TestOutputTopic<byte[], byte[]> output(String topic) {
    return driver.createOutputTopic("ndc-" + topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** The answer about a page; its features as they are sent. */
  Result ask(Page page) {
    return answer(page).result();
  }

  Message.Answer answer(Page page) {
    byte[] features = Features.compute(page, Map.of());
    pipe(Ids.bytes(Ids.ofUrl(PageFacts.of(features).url())),
        RecordCodec.bytes(new Message.Ask("client", ++number, features)));
    return answers.get(number);
  }

  void pipe(byte[] key, byte[] value) {
    pages.pipeInput(key, value, ++time);
    read();
  }

  /** Whatever a store keeps becomes something else. */
  void damage(String name) {
    KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(name);
    List<Bytes> keys = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      all.forEachRemaining(entry -> keys.add(entry.key));
    }
    keys.forEach(key -> store.put(key, new byte[] {1, 99}));
  }

  void tick(Duration time) {
    driver.advanceWallClockTime(time);
    read();
  }

  /** Until all pages were decided once more. */
  void settle() {
    control.pipeInput(
        new byte[0], RecordCodec.bytes(new Message.Control(Sweeps.Action.SETTLE.name(), "", "", 0, false)), ++time);
    while (hasJobs())
      tick(Duration.ofMillis(500));
  }

  private boolean hasJobs() {
    try (KeyValueIterator<Object, Object> jobs = driver.getKeyValueStore("jobs").all()) {
      return jobs.hasNext();
    }
  }

  /** Also what nobody asks for: the driver would keep it. */
  private List<TestRecord<byte[], byte[]>> read(String name, TestOutputTopic<byte[], byte[]> topic) {
    List<TestRecord<byte[], byte[]>> records = topic.readRecordsToList();
    for (TestRecord<byte[], byte[]> record : records)
      bytes.merge(name, (long) record.key().length + (record.value() == null ? 0 : record.value().length), Long::sum);
    return records;
  }

  private void read() {
    for (int i = 0; i < OTHERS.size(); i++)
      read(OTHERS.get(i), others.get(i));
    read("answers", answered).forEach(record -> {
      Message.Answer answer = (Message.Answer) RecordCodec.message(record.value());
      answers.put(answer.number(), answer);
    });
    read("commits", log).forEach(record -> {
      Message message = RecordCodec.message(record.value());
      if (message instanceof Message.Commit commit) commits.put(Ids.of(record.key()), commit);
      if (message instanceof Message.Merged into) merged.put(Ids.of(Arrays.copyOf(record.key(), 8)), into.into());
    });
  }

  /** By URL, merged groups resolved. */
  Map<String, Long> groups() {
    Map<String, Long> groups = new TreeMap<>();
    commits.values().forEach(commit -> {
      long group = commit.result().groupId();
      while (merged.containsKey(group))
        group = merged.get(group);
      groups.put(commit.url(), group);
    });
    return groups;
  }

  @Override
  public void close() {
    driver.close();
  }
}
