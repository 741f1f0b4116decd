package io.ndc.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Lets the questions of a partition wait in their topic while it has as many open pages as it may: after an outage all
 * would be begun before one is answered. Kafka Streams cannot pause a single topic, so the consumer that it is given
 * does. Threads: any number; each consumer has one.
 */
final class QuestionGate implements KafkaClientSupplier {
  private final String topic;
  private final Set<Integer> full = ConcurrentHashMap.newKeySet();

  /** Before the questions of a topic. */
  QuestionGate(String topic) {
    this.topic = topic;
  }

  /** Whether a partition has enough to do. */
  void tell(int partition, boolean isFull) {
    if (isFull) {
      full.add(partition);
    } else {
      full.remove(partition);
    }
  }

  /** A consumer of a thread: what Kafka Streams pauses stays paused as well. */
  private final class Gated {
    private final Consumer<byte[], byte[]> consumer;
    /** What this gate has paused, and of these what Kafka Streams would pause. */
    private final Set<TopicPartition> shut = new HashSet<>();
    private final Set<TopicPartition> alsoPaused = new HashSet<>();

    Gated(Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "poll" -> beforePoll();
        case "pause" -> partitions(arguments).stream().filter(shut::contains).forEach(alsoPaused::add);
        case "resume" -> {
          Set<TopicPartition> open = new HashSet<>(partitions(arguments));
          alsoPaused.removeAll(open);
          open.removeAll(shut);
          consumer.resume(open);
          return null;
        }
        default -> {}
      }
      try {
        return method.invoke(consumer, arguments);
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }

    @SuppressWarnings("unchecked")
    private Collection<TopicPartition> partitions(Object[] arguments) {
      return (Collection<TopicPartition>) arguments[0];
    }

    private void beforePoll() {
      Set<TopicPartition> assigned = consumer.assignment();
      shut.retainAll(assigned);
      alsoPaused.retainAll(shut);
      Set<TopicPartition> paused = consumer.paused();
      for (TopicPartition partition : assigned) {
        if (!partition.topic().equals(topic)) continue;
        if (full.contains(partition.partition())) {
          if (shut.add(partition) && paused.contains(partition)) alsoPaused.add(partition);
          consumer.pause(List.of(partition));
        } else if (shut.remove(partition) && !alsoPaused.remove(partition)) {
          consumer.resume(List.of(partition));
        }
      }
    }
  }

  /** The consumer, with the gate. */
  @SuppressWarnings("unchecked")
  Consumer<byte[], byte[]> gated(Consumer<byte[], byte[]> consumer) {
    return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
        QuestionGate.class.getClassLoader(), new Class<?>[] {Consumer.class}, new Gated(consumer)::invoke);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> settings) {
    return gated(getRestoreConsumer(settings));
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> settings) {
    return getRestoreConsumer(settings);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Admin getAdmin(Map<String, Object> settings) {
    return Admin.create(settings);
  }
}
