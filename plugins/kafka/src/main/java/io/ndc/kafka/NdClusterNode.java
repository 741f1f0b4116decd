package io.ndc.kafka;

import io.ndc.NearDuplicates;
import io.ndc.kafka.Outbox.Topic;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance of the cluster: has some of the partitions, as Kafka shares them out among all that run. A program and a
 * class for programs that start it themselves.
 */
public final class NdClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NdClusterNode.class);
  private static final Duration CLOSING = Duration.ofSeconds(30);
  private static final int TRANSACTION_MS = 30_000;

  private final KafkaStreams streams;
  private final ClockWatch watch;
  private final Thread watching = new Thread(this::watchClock, "ndc-cluster-clock");
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean hasFailed;

  private NdClusterNode(ClusterConfig config, Time clock) {
    ClusterMetrics metrics = new ClusterMetrics();
    metrics.register(config.prefix());
    watch = new ClockWatch(clock::milliseconds, System::nanoTime);
    watching.setDaemon(true);
    QuestionGate gate = new QuestionGate(config.topic(Topic.PAGES));
    streams = new KafkaStreams(
        ClusterTopology.of(config.prefix(), config.rules(), metrics, gate), properties(config), gate, clock);
    streams.setUncaughtExceptionHandler(failure -> {
      LOG.error("the instance ends: {}", failure.toString(), failure);
      hasFailed = true;
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    });
    streams.setStateListener((now, before) -> {
      LOG.info("{}", now);
      if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) ended.countDown();
    });
  }

  /**
   * Starts an instance, with the topics where they are missing.
   *
   * @param settings docs/guide-cluster.md
   * @return a running instance
   * @throws IllegalArgumentException naming what is wrong in the settings
   * @throws IllegalStateException if the topics are not as they must be
   */
  public static NdClusterNode start(Map<String, String> settings) throws InterruptedException {
    return start(settings, Time.SYSTEM);
  }

  /** With another clock than the machine's. */
  static NdClusterNode start(Map<String, String> settings, Time clock) throws InterruptedException {
    ClusterConfig config = ClusterConfig.of(settings);
    Map<String, Object> forAdmin = new HashMap<>(config.kafka());
    forAdmin.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.servers());
    try (Admin admin = Admin.create(forAdmin)) {
      ClusterTopics.require(admin, config);
    }
    NdClusterNode node = new NdClusterNode(config, clock);
    node.streams.start();
    node.watching.start();
    return node;
  }

  private static Properties properties(ClusterConfig config) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.prefix());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.servers());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateFolder());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbys());
    properties.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, config.replicas());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        config.exactlyOnce() ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE);
    if (config.replicas() >= 3) properties.put(StreamsConfig.topicPrefix("min.insync.replicas"), "2");
    // What a crash repeats; with exactly.once also what each hop waits.
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.exactlyOnce() ? 200 : 1_000);
    if (config.exactlyOnce()) {
      // Else each transaction that is aborted empties the stores of the whole instance.
      properties.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
      // A broker that dies is missed for longer than the ten seconds after which Kafka Streams would abort.
      properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), TRANSACTION_MS);
      // The first batch of a transaction is refused while the one before ends; what is behind it must wait.
      properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
    }
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 2);
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.ACKS_CONFIG), "all");
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), ClusterTopics.MOST_BYTES);
    // A machine that died is noticed after so long.
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    // A gate that is shut is no reason to wait with what was begun; and what was read runs no gate.
    properties.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    properties.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, config.rules().openPages());
    properties.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
    properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedStores.class);
    properties.putAll(config.kafka());
    return properties;
  }

  private void watchClock() {
    try {
      while (!ended.await(1, TimeUnit.SECONDS)) {
        long setBackMs = watch.setBackMs();
        if (setBackMs == 0) continue;
        LOG.error("the instance ends: its clock was set back by {} s; start it again", setBackMs / 1_000);
        hasFailed = true;
        ended.countDown();
      }
    } catch (InterruptedException closing) {
      // Nobody waits for this thread.
    }
  }

  /** Whether it has its partitions, with all their state. */
  public boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /**
   * Waits until it ends.
   *
   * @return whether it ended by itself, for a reason that the log has
   */
  public boolean awaitFailure() throws InterruptedException {
    ended.await();
    return hasFailed;
  }

  /** Ends; another instance, or this one later, goes on where it was. */
  @Override
  public void close() {
    streams.close(CLOSING);
  }

  /**
   * The program: an instance until a signal ends it.
   *
   * @param arguments a file of settings, as java.util.Properties reads it
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 1) {
      System.err.println("NdClusterNode: one argument, a file of settings (docs/guide-cluster.md)");
      System.exit(2);
    }
    NearDuplicates.version();
    NdClusterNode node;
    try {
      node = start(settings(Path.of(arguments[0])));
    } catch (IllegalArgumentException | IllegalStateException | KafkaException wrong) {
      System.err.println("NdClusterNode: " + wrong.getMessage());
      System.exit(1);
      return;
    } catch (IOException unreadable) {
      System.err.println("NdClusterNode: " + arguments[0] + " cannot be read: " + unreadable);
      System.exit(1);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(node::close));
    if (node.awaitFailure()) System.exit(1);
  }

  static Map<String, String> settings(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> settings = new HashMap<>();
    properties.forEach((key, value) -> settings.put((String) key, (String) value));
    return settings;
  }
}
