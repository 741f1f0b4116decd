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
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step of a partition as Kafka Streams runs it: takes records of its topics, gives it the tables and sends what it
 * sends. A record that is no message, is damaged or makes the step fail is counted and logged, who waits for it hears
 * why, and the next one is taken. What is wrong with the machine ends the thread, and the record comes again.
 */
final class StepProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** What a step does with a record, and from time to time; {@code now}: of the wall clock. */
  interface Step extends AutoCloseable {
    void take(String topic, byte[] key, long time, long now, Message message);

    /** A message that {@link #take} could not take, and why. */
    default void failed(String topic, byte[] key, Message message, String why) {}

    default void tick(long now) {}

    /** Whether it has so much to do that questions had better wait. */
    default boolean isFull() {
      return false;
    }

    @Override
    default void close() {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(StepProcessor.class);
  private static final Duration TICK = Duration.ofMillis(500);

  private final BiFunction<Function<String, Table>, Outbox, Step> maker;
  private final ClusterMetrics metrics;
  private final QuestionGate gate;
  private ProcessorContext<byte[], byte[]> context;
  private Step step;

  /**
   * Of a partition.
   *
   * @param maker of its step, given the tables by their names and the way out
   * @param gate is shut while the step is full; null: the step takes no questions
   */
  StepProcessor(BiFunction<Function<String, Table>, Outbox, Step> maker, ClusterMetrics metrics, QuestionGate gate) {
    this.maker = maker;
    this.metrics = metrics;
    this.gate = gate;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> given) {
    context = given;
    step = maker.apply(this::table, this::send);
    context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> {
      step.tick(now);
      tellGate(step.isFull());
    });
    tellGate(step.isFull());
  }

  private void tellGate(boolean isFull) {
    if (gate != null) gate.tell(context.taskId().partition(), isFull);
  }

  private Table table(String name) {
    KeyValueStore<Bytes, byte[]> store = context.getStateStore(name);
    return new StoreTable(store);
  }

  /** The broker sets the time. */
  private void send(Outbox.Topic topic, byte[] key, Message message) {
    byte[] value = message == null ? null : RecordCodec.bytes(message);
    context.forward(new Record<>(key, value, context.currentSystemTimeMs()), sink(topic));
  }

  static String sink(Outbox.Topic topic) {
    return "to-" + topic.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void process(Record<byte[], byte[]> received) {
    RecordMetadata place = context.recordMetadata().orElseThrow();
    Message message = null;
    try {
      message = RecordCodec.message(received.value());
      step.take(place.topic(), received.key(), received.timestamp(), context.currentSystemTimeMs(), message);
    } catch (RuntimeException failure) {
      failed(place, received.key(), message, failure);
    }
    tellGate(step.isFull());
  }

  private void failed(RecordMetadata place, byte[] key, Message message, RuntimeException failure) {
    String why = Refusal.of(failure);
    if (failure instanceof MalformedException || failure instanceof NearDuplicatesException) {
      metrics.add(Count.REFUSED);
      LOG.warn("record {} of {}-{} is skipped: {}", place.offset(), place.topic(), place.partition(), why);
    } else {
      metrics.add(Count.FAILED);
      LOG.error("record {} of {}-{} is skipped: {}", place.offset(), place.topic(), place.partition(), why, failure);
    }
    try {
      if (message != null) step.failed(place.topic(), key, message, why);
    } catch (RuntimeException again) {
      LOG.error("nobody hears that it was skipped: {}", Refusal.of(again), again);
    }
  }

  @Override
  public void close() {
    tellGate(false);
    if (step != null) step.close();
  }
}
