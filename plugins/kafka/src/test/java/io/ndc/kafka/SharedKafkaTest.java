package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others do to the Kafka of a cluster: topics made by hand, foreign records, clients that stand still. */
class SharedKafkaTest {
  @TempDir Path folder;

  /** Waits in the first thing that it hears. */
  private static final class Waiting implements NdCluster.Listener {
    final CountDownLatch heard = new CountDownLatch(1);
    final CountDownLatch goesOn = new CountDownLatch(1);
    final Set<String> late = ConcurrentHashMap.newKeySet();

    @Override
    public void happened(ClusterEvent event) {
      heard.countDown();
      try {
        goesOn.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void late(String url, Result result) {
      late.add(url);
    }
  }

  private static String refusal(OneBroker one, String... more) {
    return assertThrows(IllegalStateException.class, () -> NdClusterNode.start(one.settings(more))).getMessage();
  }

  private static void make(Admin admin, String name, Map<String, String> policies) throws Exception {
    admin.createTopics(List.of(new NewTopic(name, 4, (short) 1).configs(policies))).all().get();
  }

  /** Each would lose pages without a word, or read them in the wrong places. */
  private static void refusesTopicsThatItWouldNotHaveMade(OneBroker one) throws Exception {
    String other = refusal(one, "partitions", "5");
    assertTrue(other.contains("has 4 partitions, the configuration says 5"), other);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", one.local.settings().get("bootstrap.servers")))) {
      make(admin, "made-commits", Map.of("message.timestamp.type", "LogAppendTime"));
      String forgets = refusal(one, "prefix", "made");
      assertTrue(forgets.contains("topic made-commits has cleanup.policy=delete, it must be compact"), forgets);
      make(admin, "timed-pages", Map.of());
      String clocks = refusal(one, "prefix", "timed");
      assertTrue(clocks.contains("topic timed-pages has message.timestamp.type=CreateTime"), clocks);
    }
  }

  private static void skipsForeignRecords(OneBroker one) throws Exception {
    try (KafkaProducer<byte[], byte[]> stranger =
             new KafkaProducer<>(Map.of("bootstrap.servers", one.local.settings().get("bootstrap.servers")),
                 new ByteArraySerializer(), new ByteArraySerializer())) {
      for (Outbox.Topic topic : Outbox.Topic.values()) {
        if (topic == Outbox.Topic.COMMITS) continue;
        for (int partition = 0; partition < 4; partition++) {
          for (byte[] value : new byte[][] {null, {}, {1}, "{\"url\":\"http://a.example/\"}".getBytes()}) {
            String name = ClusterConfig.topic("ndc", topic);
            stranger.send(new ProducerRecord<>(name, partition, null, value)).get();
            stranger.send(new ProducerRecord<>(name, partition, new byte[] {7}, value)).get();
          }
        }
      }
    }
  }

  private static void aClientThatStandsStillKeepsNobodyWaiting(OneBroker one, NdCluster cluster, List<Copy> copies)
      throws Exception {
    Waiting listener = new Waiting();
    try (NdCluster still = one.connect(listener, "timeout.ms", "1000")) {
      Copy first = copies.get(0);
      OneBroker.await(OneBroker.ask(cluster, List.of(first)));
      cluster.remove(first.url(), false).get(OneBroker.PATIENCE_S, TimeUnit.SECONDS);
      assertTrue(listener.heard.await(OneBroker.PATIENCE_S, TimeUnit.SECONDS));
      List<CompletableFuture<Result>> unheard = OneBroker.ask(still, copies);
      OneBroker.await(OneBroker.ask(cluster, copies));
      for (CompletableFuture<Result> each : unheard)
        assertInstanceOf(TimeoutException.class, assertThrows(ExecutionException.class, each::get).getCause());
      listener.goesOn.countDown();
      for (int tries = 0; listener.late.size() < copies.size() && tries < 10 * OneBroker.PATIENCE_S; tries++)
        Thread.sleep(100);
      assertEquals(copies.size(), listener.late.size());
    }
  }

  @Test
  void othersOnTheSameKafkaDoNoHarm() throws Exception {
    GeneratedPages generated = new GeneratedPages(7);
    List<Copy> copies = generated.shuffled(generated.copies(20, 4));
    try (OneBroker one = new OneBroker(folder)) {
      Process instance = one.local.instance("instance", Map.of());
      one.local.awaitTopics();
      try (NdCluster cluster = one.connect()) {
        skipsForeignRecords(one);
        aClientThatStandsStillKeepsNobodyWaiting(one, cluster, copies);
        // Not before the instance has made them all.
        refusesTopicsThatItWouldNotHaveMade(one);
        assertEquals(1, one.f1(copies));
        // Another cluster knows none of these pages.
        Process beside = one.local.instance("beside", Map.of("prefix", "second"));
        one.local.awaitTopics("prefix", "second");
        try (NdCluster second = one.connect("prefix", "second")) {
          Result alone = second.check(copies.get(0).page(1)).get(OneBroker.PATIENCE_S, TimeUnit.SECONDS);
          assertEquals(Verdict.NEW, alone.verdict());
        }
        assertTrue(instance.isAlive() && beside.isAlive(), one.said("instance") + one.said("beside"));
      }
    }
  }
}
