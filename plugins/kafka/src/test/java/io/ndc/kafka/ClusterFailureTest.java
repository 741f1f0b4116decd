package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Result;
import io.ndc.kafka.GeneratedPages.Copy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers, three instances and two clients that ask about the same pages at once, while an instance, a broker, a
 * third client, and then several of them are killed: every question has an answer in the end, and no document is in two
 * groups. {@code -Dndc.rounds}: how often something is killed. {@code -Dndc.exactly.once=true}: with transactions.
 * {@code -Dndc.deadline.ms}: so short that pages are decided before they are compared, which is put right.
 */
class ClusterFailureTest {
  private static final int DOCUMENTS = 8;
  private static final int HOSTS = 3;
  private static final int COUNT = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  private static final Map<String, String> EXACTLY_ONCE =
      Map.of("exactly.once", System.getProperty("ndc.exactly.once", "false"));

  /** Fast enough for a test: a dead instance is noticed within seconds. */
  private static final Map<String, String> QUICK = Map.of("kafka.main.consumer.session.timeout.ms", "3000",
      "kafka.main.consumer.heartbeat.interval.ms", "1000", "retry.ms", "1000", "deadline.ms",
      System.getProperty("ndc.deadline.ms", "60000"), "standbys", "1", "exactly.once",
      EXACTLY_ONCE.get("exactly.once"));

  @TempDir Path folder;
  private final Map<String, Result> answers = new ConcurrentHashMap<>();
  private final Process[] brokers = new Process[COUNT];
  private final Process[] instances = new Process[COUNT];
  private final List<Copy> asked = new ArrayList<>();
  private LocalProcesses local;
  private int killedClients;

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
    int rounds = Integer.getInteger("ndc.rounds", 10);
    try (LocalProcesses processes = new LocalProcesses(folder, LocalProcesses.freePorts(COUNT))) {
      local = processes;
      for (int i = 0; i < COUNT; i++)
        brokers[i] = local.broker(i);
      local.awaitBrokers();
      for (int i = 0; i < COUNT; i++)
        instances[i] = local.instance("instance" + i, QUICK);
      local.awaitTopics();
      try (NdCluster one = connect("one"); NdCluster two = connect("two")) {
        GeneratedPages generated = new GeneratedPages(3);
        for (int round = 0; round <= rounds; round++) {
          List<Copy> copies = copies(generated, round);
          asked.addAll(copies);
          ask(one, "one", copies);
          ask(two, "two", generated.shuffled(copies));
          // The last round is undisturbed.
          if (round < rounds) kill(round);
        }
        awaitAnswers(one, two);
      }
      addPagesOfKilledClients();
      double f1 = awaitGroups();
      System.out.println("F1 of " + asked.size() + " pages after " + rounds + " kills: " + f1);
      assertTrue(f1 == 1, "F1 " + f1);
    }
  }

  private NdCluster connect(String name) {
    Map<String, String> settings = new HashMap<>(local.settings());
    settings.putAll(EXACTLY_ONCE);
    return NdCluster.connect(settings, new LateAnswers(name));
  }

  /** An instance, a broker, a client; then an instance with a broker; then one of each. */
  private void kill(int round) throws Exception {
    int kind = round % 5;
    int victim = round / 5 % COUNT;
    boolean killsInstance = kind == 0 || kind > 2;
    boolean killsBroker = kind == 1 || kind > 2;
    Process client = kind == 2 || kind == 4
        ? local.client("client" + killedClients, EXACTLY_ONCE, KilledClient.class, Integer.toString(killedClients))
        : null;
    Thread.sleep(500 + 700L * (round % 3));
    if (client != null) {
      awaitLine(client, "client" + killedClients);
      LocalProcesses.kill(client);
      killedClients++;
    }
    if (killsInstance) LocalProcesses.kill(instances[victim]);
    if (killsBroker) LocalProcesses.kill(brokers[victim]);
    if (killsBroker) brokers[victim] = local.broker(victim);
    if (killsInstance) instances[victim] = local.instance("instance" + victim, QUICK);
    // The next one of three may only die when this one is back.
    if (killsBroker) local.awaitBrokers();
  }

  private void awaitLine(Process client, String name) throws Exception {
    for (int i = 0; i < 300 && client.isAlive() && answered(name).isEmpty(); i++)
      Thread.sleep(100);
  }

  private Set<String> answered(String name) throws IOException {
    Set<String> urls = new TreeSet<>();
    for (String line : Files.readAllLines(local.logOf(name))) {
      if (line.startsWith("answered ")) urls.add(line.substring("answered ".length()));
    }
    return urls;
  }

  private void awaitAnswers(NdCluster one, NdCluster two) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (one.waiting() + two.waiting() > 0 && System.nanoTime() < end)
      Thread.sleep(100);
    for (int i = 0; i < COUNT; i++)
      assertTrue(brokers[i].isAlive() && instances[i].isAlive(), "one has ended by itself: see its log in " + folder);
    Set<String> missing = new TreeSet<>();
    for (Copy copy : asked) {
      if (!answers.containsKey("one " + copy.url())) missing.add("one " + copy.url());
      if (!answers.containsKey("two " + copy.url())) missing.add("two " + copy.url());
    }
    assertEquals(Set.of(), missing, missing.size() + " of " + 2 * asked.size());
  }

  private ClusterLog log() {
    return new ClusterLog(local.settings().get("bootstrap.servers"));
  }

  /** What the dead clients had heard of is in the log; what nobody heard of may be there as well. */
  private void addPagesOfKilledClients() throws IOException {
    Map<String, Long> groups = log().groups();
    for (int i = 0; i < killedClients; i++) {
      for (Copy copy : KilledClient.copies(i)) {
        if (groups.containsKey(copy.url())) asked.add(copy);
      }
      Set<String> lost = answered("client" + i);
      lost.removeAll(groups.keySet());
      assertEquals(Set.of(), lost, "answered, and not in the log");
    }
  }

  /** The groups' F1, once it is 1: of a page that waited too long, copies are found when its comparisons come. */
  private double awaitGroups() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      ClusterLog log = log();
      Map<String, Long> groups = log.groups();
      Set<String> urls = new TreeSet<>();
      asked.forEach(copy -> urls.add(copy.url()));
      // A dead client's question may be answered only now.
      groups.keySet().retainAll(urls);
      assertEquals(urls, groups.keySet());
      double f1 = GeneratedPages.f1(asked, groups);
      if (f1 == 1 || System.nanoTime() > end) {
        System.out.println(
            log.decidedAtTheDeadline() + " decided at the deadline, " + log.mergedGroups() + " groups merged");
        for (Copy copy : f1 < 1 ? asked : List.<Copy>of())
          System.out.println(copy.document() + " " + copy.url() + " " + groups.get(copy.url()) + log.flags(copy.url()));
        return f1;
      }
      Thread.sleep(2000);
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
}
