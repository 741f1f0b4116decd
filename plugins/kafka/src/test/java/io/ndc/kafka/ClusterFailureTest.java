package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Result;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker, two instances and two clients that ask about the same pages at once, while instances and the broker are
 * killed in turn: every question has an answer in the end, and no document is in two groups. {@code -Dndc.rounds}: how
 * often something is killed.
 */
class ClusterFailureTest {
  private static final int DOCUMENTS = 8;
  private static final int HOSTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  /** Fast enough for a test: a dead instance is noticed within seconds. */
  private static final Map<String, String> QUICK = Map.of("kafka.main.consumer.session.timeout.ms", "3000",
      "kafka.main.consumer.heartbeat.interval.ms", "1000", "retry.ms", "1000", "deadline.ms", "60000",
      "kafka.task.timeout.ms", "300000");

  @TempDir Path folder;
  private final Map<String, Result> answers = new ConcurrentHashMap<>();

  private final class LateAnswers implements NdCluster.Listener {
    private final String client;

    LateAnswers(String client) {
      this.client = client;
    }

    @Override
    public void late(String url, Result result) {
      answers.put(client + " " + url, result);
    }
  }

  @Test
  void everyPageIsAnsweredAndInOneGroupWhateverIsKilled() throws Exception {
    int rounds = Integer.getInteger("ndc.rounds", 2);
    try (LocalProcesses local = new LocalProcesses(folder, LocalProcesses.freePort())) {
      Process broker = local.broker();
      Process[] instances = {local.instance("a", QUICK), local.instance("b", QUICK)};
      awaitTopics(local);
      List<Copy> asked = new ArrayList<>();
      GeneratedPages generated = new GeneratedPages(3);
      try (NdCluster one = NdCluster.connect(local.settings(), new LateAnswers("one"));
          NdCluster two = NdCluster.connect(local.settings(), new LateAnswers("two"))) {
        for (int round = 0; round <= rounds; round++) {
          List<Copy> copies = copies(generated, round);
          asked.addAll(copies);
          ask(one, "one", copies);
          ask(two, "two", generated.shuffled(copies));
          // The last round is undisturbed.
          if (round == rounds) break;
          Thread.sleep(500 + 700L * (round % 3));
          if (round % 2 == 0) {
            int victim = round / 2 % 2;
            LocalProcesses.kill(instances[victim]);
            instances[victim] = local.instance(victim == 0 ? "a" : "b", QUICK);
          } else {
            LocalProcesses.kill(broker);
            broker = local.broker();
          }
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (one.waiting() + two.waiting() > 0 && System.nanoTime() < end)
          Thread.sleep(100);
        for (Process each : List.of(broker, instances[0], instances[1]))
          assertTrue(each.isAlive(), "one has ended by itself: see its log in " + folder);
        Set<String> missing = new TreeSet<>();
        for (Copy copy : asked) {
          if (!answers.containsKey("one " + copy.url())) missing.add("one " + copy.url());
          if (!answers.containsKey("two " + copy.url())) missing.add("two " + copy.url());
        }
        assertEquals(Set.of(), missing, missing.size() + " of " + 2 * asked.size());
      }
      Map<String, Long> groups = groups(local);
      assertEquals(asked.size(), groups.size());
      double f1 = GeneratedPages.f1(asked, groups);
      System.out.println("F1 after " + rounds + " kills: " + f1);
      assertTrue(f1 == 1, "F1 " + f1);
    }
  }

  private static List<Copy> copies(GeneratedPages generated, int round) {
    List<Copy> copies = new ArrayList<>();
    for (Copy copy : generated.copies(DOCUMENTS, HOSTS))
      copies.add(new Copy(copy.url() + "-" + round, copy.document() + round * DOCUMENTS, copy.html()));
    return copies;
  }

  private void ask(NdCluster cluster, String client, List<Copy> copies) {
    long fetchedAtMs = System.currentTimeMillis();
    for (Copy copy : copies) {
      CompletableFuture<Result> answer = cluster.check(copy.page(++fetchedAtMs));
      answer.thenAccept(result -> answers.put(client + " " + copy.url(), result));
    }
  }

  private static void awaitTopics(LocalProcesses local) throws InterruptedException {
    for (int i = 0; i < 300; i++) {
      try {
        NdCluster.connect(local.settings(), new NdCluster.Listener() {}).close();
        return;
      } catch (org.apache.kafka.common.KafkaException notYet) {
        Thread.sleep(200);
      }
    }
    throw new IllegalStateException("there are no topics after a minute");
  }

  /** As the log has them. */
  private static Map<String, Long> groups(LocalProcesses local) {
    Map<Long, Message.Commit> commits = new HashMap<>();
    Map<Long, Long> merged = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
        Map.of("bootstrap.servers", local.settings().get("bootstrap.servers")), new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      List<TopicPartition> log = consumer.partitionsFor("ndc-commits").stream()
          .map(each -> new TopicPartition(each.topic(), each.partition())).toList();
      consumer.assign(log);
      consumer.seekToBeginning(log);
      Map<TopicPartition, Long> ends = consumer.endOffsets(log);
      while (log.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> {
          Message message = RecordCodec.message(record.value());
          if (message instanceof Message.Commit commit) commits.put(Ids.of(record.key()), commit);
          if (message instanceof Message.Merged into) merged.put(Ids.of(Arrays.copyOf(record.key(), 8)), into.into());
        });
      }
    }
    Map<String, Long> groups = new TreeMap<>();
    commits.values().forEach(commit -> {
      long group = commit.result().groupId();
      while (merged.containsKey(group))
        group = merged.get(group);
      groups.put(commit.url(), group);
    });
    return groups;
  }
}
