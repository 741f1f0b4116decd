package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import io.ndc.kafka.StepProcessor.Step;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.Stores;

/** The three steps with their topics and stores, as Kafka Streams runs them. */
final class ClusterTopology {
  /** By the method that every partitioner must have still, though it is to be removed. */
  @SuppressWarnings("removal")
  private static final StreamPartitioner<byte[], byte[]> BY_BUCKET = (topic, key, value, partitions) ->
      Optional.of(Set.of(Math.floorMod(KeyLookups.bucket(key), partitions)));

  /** Of the records that wait, Kafka Streams takes the oldest: what was begun is ended before a question is begun. */
  private static final TimestampExtractor FIRST = (record, partitionTime) -> 0;

  private final String prefix;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final QuestionGate gate;
  private final Topology topology = new Topology();

  private ClusterTopology(String prefix, Rules rules, ClusterMetrics metrics, QuestionGate gate) {
    this.prefix = prefix;
    this.rules = rules;
    this.metrics = metrics;
    this.gate = gate;
  }

  /**
   * The topology.
   *
   * @param prefix of the topics' names
   * @param gate before the questions
   */
  static Topology of(String prefix, Rules rules, ClusterMetrics metrics, QuestionGate gate) {
    return new ClusterTopology(prefix, rules, metrics, gate).build();
  }

  static String topic(String prefix, Topic topic) {
    return ClusterConfig.topic(prefix, topic);
  }

  private Topology build() {
    add("page-step", this::pageStep, gate, Topic.PAGES, Topic.WORK, Topic.CONTROL);
    add("site-step", ClusterTopology::siteStep, null, Topic.SITES);
    add("key-step", this::keyStep, null, Topic.KEYS);
    for (String store : new String[] {"pages", "texts", "groups", "members", "jobs"})
      store(store, false, "page-step");
    // Changed several times within a second, and gone after it.
    store("open", true, "page-step");
    store("models", false, "site-step");
    store("lists", false, "key-step");
    for (Topic topic : new Topic[] {Topic.SITES, Topic.KEYS, Topic.COMMITS, Topic.ANSWERS, Topic.EVENTS})
      sink(topic, topic == Topic.KEYS ? BY_BUCKET : null, "page-step");
    sink(Topic.WORK, null, "page-step", "site-step", "key-step");
    return topology;
  }

  private void add(
      String name, BiFunction<Function<String, Table>, Outbox, Step> maker, QuestionGate before, Topic... from) {
    for (Topic topic : from)
      topology.addSource((AutoOffsetReset) null, topic.name(), topic == Topic.WORK ? FIRST : null,
          new ByteArrayDeserializer(), new ByteArrayDeserializer(), topic(prefix, topic));
    topology.addProcessor(name,
        () -> new StepProcessor(maker, metrics, before), Arrays.stream(from).map(Topic::name).toArray(String[]::new));
  }

  private void store(String name, boolean isCached, String step) {
    var builder = Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingEnabled(Map.of("max.message.bytes", Integer.toString(ClusterTopics.MOST_BYTES),
            "message.timestamp.type", ClusterTopics.BROKER_TIME));
    topology.addStateStore(isCached ? builder.withCachingEnabled() : builder.withCachingDisabled(), step);
  }

  private void sink(Topic topic, StreamPartitioner<byte[], byte[]> partitioner, String... steps) {
    if (partitioner == null) {
      topology.addSink(StepProcessor.sink(topic), topic(prefix, topic), new ByteArraySerializer(),
          new ByteArraySerializer(), steps);
    } else {
      topology.addSink(StepProcessor.sink(topic), topic(prefix, topic), new ByteArraySerializer(),
          new ByteArraySerializer(), partitioner, steps);
    }
  }

  private Step pageStep(Function<String, Table> tables, Outbox out) {
    PageTables of = new PageTables(tables.apply("pages"), tables.apply("texts"), new OpenPages(tables.apply("open")),
        tables.apply("groups"), tables.apply("members"), tables.apply("jobs"));
    PageStep step = new PageStep(of, out, rules, metrics);
    String control = topic(prefix, Topic.CONTROL);
    String pages = topic(prefix, Topic.PAGES);
    return new Step() {
      /** Who may ask may not tell pages and groups what only steps know. */
      private boolean isOf(String topic, Message message) {
        return topic.equals(pages) == (message instanceof Message.Ask || message instanceof Message.Remove);
      }

      @Override
      public void take(String topic, byte[] key, long time, long now, Message message) {
        if (topic.equals(control)) {
          step.control(time, message);
        } else if (!isOf(topic, message)) {
          throw new MalformedException("no message for " + topic);
        } else {
          step.take(Ids.of(key), time, now, message);
        }
      }

      @Override
      public void failed(String topic, byte[] key, Message message, String why) {
        if (!topic.equals(control) && isOf(topic, message)) step.failed(Ids.of(key), message, why);
      }

      @Override
      public boolean isFull() {
        return step.isFull();
      }

      @Override
      public void tick(long now) {
        step.tick(now);
      }
    };
  }

  private static Step siteStep(Function<String, Table> tables, Outbox out) {
    SiteStep step = new SiteStep(tables.apply("models"), out);
    return new Step() {
      @Override
      public void take(String topic, byte[] key, long time, long now, Message message) {
        if (key == null) throw new MalformedException("no host");
        step.take(key, message);
      }

      @Override
      public void failed(String topic, byte[] key, Message message, String why) {
        step.failed(message, why);
      }

      @Override
      public void close() {
        step.close();
      }
    };
  }

  private Step keyStep(Function<String, Table> tables, Outbox out) {
    KeyStep step = new KeyStep(tables.apply("lists"), out, rules, metrics);
    return new Step() {
      @Override
      public void take(String topic, byte[] key, long time, long now, Message message) {
        step.take(KeyLookups.bucket(key), message);
      }

      @Override
      public void failed(String topic, byte[] key, Message message, String why) {
        step.failed(message, why);
      }
    };
  }
}
