package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The questions of a full partition wait, and nothing else; what Kafka Streams pauses stays paused. */
class QuestionGateTest {
  private static final TopicPartition QUESTIONS = new TopicPartition("ndc-pages", 1);
  private static final TopicPartition OTHERS = new TopicPartition("ndc-pages", 2);
  private static final TopicPartition WORK = new TopicPartition("ndc-work", 1);

  private final QuestionGate gate = new QuestionGate("ndc-pages");
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final Consumer<byte[], byte[]> gated = gate.gated(consumer);

  @BeforeEach
  void assign() {
    gated.assign(List.of(QUESTIONS, OTHERS, WORK));
    for (TopicPartition each : List.of(QUESTIONS, OTHERS, WORK))
      consumer.seek(each, 0);
  }

  private Set<TopicPartition> pausedAfterPoll() {
    gated.poll(Duration.ZERO);
    return gated.paused();
  }

  @Test
  void questionsWaitWhileTheirPartitionIsFull() {
    assertEquals(Set.of(), pausedAfterPoll());
    gate.tell(1, true);
    assertEquals(Set.of(QUESTIONS), pausedAfterPoll());
    assertEquals(Set.of(QUESTIONS), pausedAfterPoll());
    gate.tell(1, false);
    assertEquals(Set.of(), pausedAfterPoll());
  }

  @Test
  void whatKafkaStreamsPausesStaysPaused() {
    gated.pause(List.of(QUESTIONS, WORK));
    gate.tell(1, true);
    pausedAfterPoll();
    gate.tell(1, false);
    assertEquals(Set.of(QUESTIONS, WORK), pausedAfterPoll());
    gated.resume(List.of(QUESTIONS, WORK));
    assertEquals(Set.of(), pausedAfterPoll());
  }

  @Test
  void whatKafkaStreamsResumesWaitsAllTheSame() {
    gate.tell(1, true);
    pausedAfterPoll();
    gated.pause(List.of(QUESTIONS));
    gated.resume(List.of(QUESTIONS, WORK));
    assertEquals(Set.of(QUESTIONS), pausedAfterPoll());
    gate.tell(1, false);
    assertEquals(Set.of(), pausedAfterPoll());
  }

  @Test
  void whatIsAssignedElsewhereIsForgotten() {
    gate.tell(1, true);
    pausedAfterPoll();
    gated.assign(List.of(OTHERS));
    pausedAfterPoll();
    gated.assign(List.of(QUESTIONS));
    consumer.seek(QUESTIONS, 0);
    assertEquals(Set.of(QUESTIONS), pausedAfterPoll());
  }
}
