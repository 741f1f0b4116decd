package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Result;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance, and then the broker, whose files can grow no more: each ends, says why, and goes on where it was when
 * there is room again. A limit of the process makes its writes fail, as a full disk would.
 */
class FullDiskTest {
  /** The broker makes its indexes so long at once. */
  private static final int BROKER_KB = 10_300;
  private static final int INSTANCE_KB = 200;

  @TempDir Path folder;

  private static void limit(Process process, int kilobytes) throws Exception {
    assertEquals(0, new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()),
        "--fsize=" + 1024 * kilobytes).start().waitFor());
  }

  /** Until it ends. */
  private static void fill(OneBroker one) throws Exception {
    for (int tries = 0; one.broker.isAlive() && tries < OneBroker.PATIENCE_S; tries++) {
      try (KafkaProducer<byte[], byte[]> stranger = new KafkaProducer<>(
               Map.of("bootstrap.servers", one.local.settings().get("bootstrap.servers"), "delivery.timeout.ms", "5000",
                   "request.timeout.ms", "4000", "max.block.ms", "1000", "max.request.size", "2000000"),
               new ByteArraySerializer(), new ByteArraySerializer())) {
        for (int i = 0; i < 4; i++)
          stranger.send(new ProducerRecord<>("ndc-events", 0, null, new byte[1 << 20]));
      }
    }
    assertTrue(one.broker.waitFor(OneBroker.PATIENCE_S, TimeUnit.SECONDS), "it goes on without a disk");
    assertTrue(one.said("broker0").contains("File too large"), one.said("broker0"));
  }

  /** Whoever asks waits for brokers once, and never for Kafka's own minute. */
  private static void aCrawlerGoesOn(NdCluster crawler, List<Copy> copies) throws Exception {
    long longestMs = 0;
    boolean isRefusedAtOnce = false;
    for (int i = 0; i < 300 && !isRefusedAtOnce; i++) {
      long begin = System.nanoTime();
      CompletableFuture<Result> answer = crawler.check(copies.get(i).page(1));
      longestMs = Math.max(longestMs, (System.nanoTime() - begin) / 1_000_000);
      isRefusedAtOnce = answer.isCompletedExceptionally()
          && answer.handle((result, why) -> String.valueOf(why.getMessage()).contains("no broker answers")).get();
      Thread.sleep(200);
    }
    assertTrue(isRefusedAtOnce, "each question waits for a broker");
    assertTrue(longestMs < 30_000, "a question waited for " + longestMs + " ms");
  }

  @Test
  void nothingIsLostWhereThereIsNoRoom() throws Exception {
    GeneratedPages generated = new GeneratedPages(8);
    List<Copy> copies = generated.shuffled(generated.copies(100, 3));
    try (OneBroker one = new OneBroker(folder)) {
      // With so little memory for its stores it soon writes files.
      Process instance =
          one.local.instance("instance", OneBroker.QUICK, "env", "_JAVA_OPTIONS=-Dndc.store.megabytes=1");
      one.local.awaitTopics();
      try (NdCluster cluster = one.connect(); NdCluster crawler = one.connect("timeout.ms", "1000")) {
        OneBroker.await(OneBroker.ask(cluster, copies.subList(0, 20)));
        limit(instance, INSTANCE_KB);
        List<CompletableFuture<Result>> answers = OneBroker.ask(cluster, copies.subList(20, 200));
        assertTrue(instance.waitFor(OneBroker.PATIENCE_S, TimeUnit.SECONDS), "it goes on without a disk");
        assertEquals(1, instance.exitValue());
        assertTrue(one.said("instance").contains("File too large"), one.said("instance"));
        instance = one.local.instance("instance", OneBroker.QUICK);
        OneBroker.await(answers);

        limit(one.broker, BROKER_KB);
        answers = OneBroker.ask(cluster, copies.subList(200, 300));
        fill(one);
        aCrawlerGoesOn(crawler, copies);
        one.local.broker(0);
        OneBroker.await(answers);
        assertTrue(instance.isAlive(), one.said("instance"));
        assertEquals(1, one.f1(copies));
      }
    }
  }
}
