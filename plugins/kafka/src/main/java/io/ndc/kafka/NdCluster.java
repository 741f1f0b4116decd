package io.ndc.kafka;

import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import io.ndc.PageReader;
import io.ndc.RemovalFilter;
import io.ndc.Result;
import io.ndc.kafka.Outbox.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a cluster about pages. The features of a page are made here; the page itself goes nowhere. Threads: any number.
 */
public final class NdCluster implements AutoCloseable {
  /** Hears what comes without being waited for. On the thread that reads answers: it must not wait itself. */
  public interface Listener {
    /**
     * A verdict whose question had timed out.
     *
     * @param url of the page, as it was asked about
     * @param result the answer
     */
    default void late(String url, Result result) {}

    /**
     * Something happened to a page or a group, whoever asked about it.
     *
     * @param event what
     */
    default void happened(ClusterEvent event) {}
  }

  /** A question that has no answer yet; {@code late} hears one that comes when the future has failed. */
  private record Question(
      String url, CompletableFuture<ClusterAnswer> future, Consumer<ClusterAnswer> late, long askedAtNs) {
    /** Whether its answer, if there was one, is no longer in its topic. */
    boolean isForgotten(long nowNs) {
      return future.isDone() && nowNs - askedAtNs > ClusterTopics.ANSWERS_KEPT.toNanos();
    }
  }

  private record Unsent(long atNs, String why) {}

  private static final Logger LOG = LoggerFactory.getLogger(NdCluster.class);
  /** More wait only if nobody answers. */
  private static final int MOST_QUESTIONS = 100_000;
  private static final Duration POLL = Duration.ofMillis(500);
  /** So long a question waits for a broker, and so long others do not when it has waited in vain. */
  private static final Duration CONNECTING = Duration.ofSeconds(10);

  private final ClusterConfig config;
  private final PageReader reader;
  private final Listener listener;
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong number = new AtomicLong();
  private final ConcurrentMap<Long, Question> questions = new ConcurrentHashMap<>();
  private final Producer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::readAnswers, "ndc-cluster-answers");
  /** The last question that could not be sent; null: none. */
  private volatile Unsent unsent;
  private volatile boolean isClosed;
  /** Why answers are not read any more. */
  private volatile KafkaException failure;

  private NdCluster(ClusterConfig config, Listener listener) {
    this.config = config;
    this.listener = listener;
    reader = PageReader.open(config.pages());
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", config.servers());
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 2);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ClusterTopics.MOST_BYTES);
    // Otherwise check() blocks for Kafka's default of a minute.
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.max(config.timeoutMs(), CONNECTING.toMillis()));
    settings.putAll(config.kafka());
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    consumer = new KafkaConsumer<>(forConsumer(config), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  static Map<String, Object> forConsumer(ClusterConfig config) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", config.servers());
    settings.put("isolation.level", config.exactlyOnce() ? "read_committed" : "read_uncommitted");
    settings.put("auto.offset.reset", "latest");
    // A broker would make a topic that is asked for, of one partition.
    settings.put("allow.auto.create.topics", "false");
    settings.putAll(config.kafka());
    return settings;
  }

  /**
   * A client of a cluster that has run before, so that there are its topics.
   *
   * @param settings docs/guide-cluster.md; {@code bootstrap.servers} at least
   * @param listener for late answers and events
   * @return a connected client
   * @throws IllegalArgumentException naming what is wrong in the settings
   * @throws KafkaException if Kafka cannot be reached, refuses the client, or has no such cluster
   */
  public static NdCluster connect(Map<String, String> settings, Listener listener) {
    NdCluster cluster = new NdCluster(ClusterConfig.of(settings), listener);
    try {
      cluster.listen();
      return cluster;
    } catch (RuntimeException refused) {
      cluster.consumer.close();
      cluster.producer.close();
      cluster.reader.close();
      if (!(refused instanceof KafkaException)) throw refused;
      throw new KafkaException(
          "the cluster at " + cluster.config.servers() + " cannot be asked: " + refused.getMessage(), refused);
    }
  }

  /** Answers to this client are in one partition; whatever comes from now on is heard. */
  private void listen() {
    byte[] key = name.getBytes(StandardCharsets.UTF_8);
    String answers = config.topic(Topic.ANSWERS);
    List<TopicPartition> heard = new ArrayList<>();
    heard.add(new TopicPartition(answers, partition(key, partitions(answers))));
    String events = config.topic(Topic.EVENTS);
    for (int i = 0; i < partitions(events); i++)
      heard.add(new TopicPartition(events, i));
    consumer.assign(heard);
    consumer.seekToEnd(heard);
    heard.forEach(consumer::position);
    thread.setDaemon(true);
    thread.start();
  }

  /** As the default partitioner has it. */
  static int partition(byte[] key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  private int partitions(String topic) {
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    if (found == null || found.isEmpty()) throw new KafkaException("there is no topic " + topic);
    return found.size();
  }

  /**
   * Asks whether a page is a near-duplicate of one that any client asked about, and makes it known. Where no broker
   * answers it blocks for ten seconds, or {@code timeout.ms} if that is more; for another ten, questions fail at once.
   *
   * @param page not null
   * @return the answer; fails with {@link java.util.concurrent.TimeoutException} after {@code timeout.ms}: the listener
   *     hears it later. Fails with {@link NearDuplicatesException} or {@link KafkaException} if the page was refused or
   *     could not be sent
   */
  public CompletableFuture<Result> check(Page page) {
    return ask(page).thenApply(ClusterAnswer::result);
  }

  /**
   * {@link #check} with what crawlers write beside the verdict.
   *
   * @param page not null
   * @return likewise
   */
  public CompletableFuture<ClusterAnswer> ask(Page page) {
    return ask(page, late -> listener.late(late.url(), late.result()));
  }

  /** {@link #ask(Page)}; whoever hears of a late answer must not wait. */
  CompletableFuture<ClusterAnswer> ask(Page page, Consumer<ClusterAnswer> late) {
    byte[] features;
    PageFacts facts;
    try {
      features = reader.features(page);
      facts = PageFacts.of(features);
      // The time tells a page that comes again from a question that comes twice.
      if (facts.fetchedAtMs() == 0) features = reader.features(page.withFetchedAtMs(System.currentTimeMillis()));
    } catch (NearDuplicatesException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    long question = number.incrementAndGet();
    return ask(question, facts.url(), late, new Message.Ask(name, question, features));
  }

  /**
   * Makes the cluster forget a page.
   *
   * @param url as it was asked about
   * @param purge whether its text goes too where it represents others
   * @return completes when it is forgotten; fails as {@link #check} does
   */
  public CompletableFuture<Void> remove(String url, boolean purge) {
    long question = number.incrementAndGet();
    return ask(question, url, late -> {}, new Message.Remove(name, question, url, purge))
        .thenApply(answer -> null);
  }

  private CompletableFuture<ClusterAnswer> ask(
      long question, String url, Consumer<ClusterAnswer> late, Message message) {
    CompletableFuture<ClusterAnswer> future = new CompletableFuture<>();
    long now = System.nanoTime();
    KafkaException refusal = refusal(now);
    if (refusal != null) return CompletableFuture.failedFuture(refusal);
    questions.put(question, new Question(url, future, late, now));
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(config.topic(Topic.PAGES), Ids.bytes(Ids.ofUrl(url)), RecordCodec.bytes(message));
    Thread asker = Thread.currentThread();
    try {
      producer.send(record, (sent, refused) -> {
        if (refused != null) refused(question, refused, Thread.currentThread() == asker);
      });
    } catch (KafkaException refused) {
      fail(question, refused);
    }
    // Not before: a question that could not be sent must not fail as one whose answer comes late.
    long leftNs = TimeUnit.MILLISECONDS.toNanos(config.timeoutMs()) - (System.nanoTime() - now);
    return future.orTimeout(Math.max(0, leftNs), TimeUnit.NANOSECONDS);
  }

  /** Why nothing can be asked; null: it can. */
  private KafkaException refusal(long nowNs) {
    if (isClosed) return new KafkaException("the client is closed");
    if (failure != null) return failure;
    Unsent last = unsent;
    if (last != null && nowNs - last.atNs() < CONNECTING.toNanos())
      return new KafkaException("no broker answers at " + config.servers() + ": " + last.why());
    if (questions.size() >= MOST_QUESTIONS) questions.values().removeIf(old -> old.isForgotten(nowNs));
    if (questions.size() >= MOST_QUESTIONS)
      return new KafkaException(questions.size() + " questions have no answer: does an instance run?");
    return null;
  }

  /** Remembers that no broker was found to send to; a full buffer does not mean that. */
  private void refused(long question, Exception why, boolean isUnsent) {
    if (isUnsent && why instanceof TimeoutException && !(why instanceof BufferExhaustedException))
      unsent = new Unsent(System.nanoTime(), why.getMessage());
    fail(question, why);
  }

  private void fail(long question, Exception why) {
    Question failed = questions.remove(question);
    if (failed != null) failed.future().completeExceptionally(why);
  }

  /**
   * Forgets many pages, in the background.
   *
   * @param filter whose; a site's pages are those of all its hosts
   * @throws IllegalArgumentException if no condition is set
   * @throws KafkaException if the client may not, or Kafka cannot be reached
   */
  public void removeMatching(RemovalFilter filter) {
    Message.Control removal = new Message.Control(
        Sweeps.Action.REMOVE.name(), filter.site(), filter.urlPrefix(), filter.fetchedBeforeMs(), filter.purge());
    if (!Sweeps.isBounded(removal)) throw new IllegalArgumentException("a removal needs a site, a prefix or an age");
    control(removal);
  }

  /**
   * Decides all pages again, in the background, by what is known of their sites now.
   *
   * @throws KafkaException if the client may not, or Kafka cannot be reached
   */
  public void settle() {
    control(new Message.Control(Sweeps.Action.SETTLE.name(), "", "", 0, false));
  }

  /** Each partition has a record of its own. */
  private void control(Message.Control message) {
    String topic = config.topic(Topic.CONTROL);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (PartitionInfo partition : producer.partitionsFor(topic))
      sent.add(producer.send(new ProducerRecord<>(topic, partition.partition(), null, RecordCodec.bytes(message))));
    producer.flush();
    for (Future<RecordMetadata> each : sent) {
      try {
        each.get();
      } catch (ExecutionException refused) {
        throw new KafkaException(topic + " cannot be written: " + refused.getCause().getMessage(), refused);
      } catch (InterruptedException interrupted) {
        throw new InterruptException(interrupted);
      }
    }
  }

  /** Whether it is closed, or cannot hear answers any more: another one may. */
  boolean hasEnded() {
    return isClosed || failure != null;
  }

  /** How many questions have no answer yet; those that timed out included. */
  public int waiting() {
    return questions.size();
  }

  private void readAnswers() {
    while (!isClosed) {
      try {
        consumer.poll(POLL).forEach(this::take);
      } catch (WakeupException closing) {
        return;
      } catch (KafkaException refused) {
        LOG.error("answers cannot be read: {}", refused.toString());
        failure = refused;
        questions.keySet().forEach(question -> fail(question, refused));
        return;
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    try {
      Message message = RecordCodec.message(record.value());
      if (message instanceof Message.Answer answer) {
        if (Arrays.equals(record.key(), name.getBytes(StandardCharsets.UTF_8))) answered(answer);
      } else if (message instanceof Message.Happened happened) {
        listener.happened(new ClusterEvent(ClusterEvent.Kind.valueOf(happened.kind()), Ids.of(record.key()),
            happened.oldGroup(), happened.newGroup(), happened.atMs()));
      }
    } catch (RuntimeException wrong) {
      // A listener's, or a record that is none: the next one may be good.
      LOG.warn("an answer is skipped: {}", wrong.toString());
    }
  }

  private void answered(Message.Answer answer) {
    Question question = questions.remove(answer.number());
    if (question == null) return;
    boolean isFailure = answer.result() == null && !answer.failure().isEmpty();
    if (isFailure) {
      question.future().completeExceptionally(new KafkaException("the cluster refuses the page: " + answer.failure()));
      return;
    }
    ClusterAnswer told =
        new ClusterAnswer(question.url(), answer.result(), answer.committed(), answer.representative());
    if (!question.future().complete(told) && answer.result() != null) question.late().accept(told);
  }

  /** Questions without an answer fail. */
  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    consumer.close();
    producer.close();
    reader.close();
    questions.keySet().forEach(question -> fail(question, new KafkaException("the client is closed")));
  }
}
