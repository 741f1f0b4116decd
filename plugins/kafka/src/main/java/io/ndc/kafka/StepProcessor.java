package io.ndc.kafka;

import io.ndc.NearDuplicatesException;
import io.ndc.kafka.ClusterMetrics.Count;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step of a partition as Kafka Streams runs it: takes records of its topics, gives it the tables and sends what it
 * sends. What is no message, or is damaged, is counted and skipped; any other failure ends the thread, and the record
 * comes again.
 */
final class StepProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** What a step does with a record, and from time to time; {@code now}: of the wall clock. */
  interface Step extends AutoCloseable {
    void take(String topic, byte[] key, long time, long now, Message message);

    default void tick(long now) {}

    @Override
    default void close() {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(StepProcessor.class);
  private static final Duration TICK = Duration.ofMillis(500);

  private final BiFunction<Function<String, Table>, Outbox, Step> maker;
  private final ClusterMetrics metrics;
  private ProcessorContext<byte[], byte[]> context;
  private Step step;

  /**
   * Of a partition.
   *
   * @param maker of its step, given the tables by their names and the way out
   */
  StepProcessor(BiFunction<Function<String, Table>, Outbox, Step> maker, ClusterMetrics metrics) {
    this.maker = maker;
    this.metrics = metrics;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> given) {
    context = given;
    step = maker.apply(this::table, this::send);
    context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, step::tick);
  }

  private Table table(String name) {
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(name);
    return new StoreTable(store);
  }

  /** With the time of the wall clock: it is that of a place only in pages, where the broker sets it. */
  private void send(Outbox.Topic topic, byte[] key, Message message) {
    byte[] value = message == null ? null : RecordCodec.bytes(message);
    context.forward(new Record<>(key, value, context.currentSystemTimeMs()), sink(topic));
  }

  static String sink(Outbox.Topic topic) {
    return "to-" + topic.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void process(Record<byte[], byte[]> received) {
    String topic = context.recordMetadata().orElseThrow().topic();
    try {
      step.take(topic, received.key(), received.timestamp(), context.currentSystemTimeMs(),
          RecordCodec.message(received.value()));
    } catch (MalformedException none) {
      skip(topic, none.getMessage());
    } catch (NearDuplicatesException failure) {
      skip(topic, Refusal.of(failure));
    }
  }

  private void skip(String topic, String why) {
    metrics.add(Count.REFUSED);
    LOG.warn("a record of {} is skipped: {}", topic, why);
  }

  @Override
  public void close() {
    if (step != null) step.close();
  }
}
