package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.Page;
import io.ndc.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The steps of several partitions without Kafka: messages wait in queues, and a seed says whose turn it is, which are
 * delivered twice, and which are lost. As in Kafka, the order within a partition stays.
 */
final class SimulatedCluster implements AutoCloseable {
  private record Sent(Outbox.Topic topic, byte[] key, byte[] value, long time) {}

  private record Queue(Outbox.Topic topic, int partition) {}

  private final class Partition {
    final MapTable open = new MapTable();
    PageTables tables = new PageTables(
        new MapTable(), new MapTable(), new OpenPages(open), new MapTable(), new MapTable(), new MapTable());
    final MapTable sites = new MapTable();
    PageStep pages = new PageStep(tables, SimulatedCluster.this::send, rules, metrics);
    SiteStep site = new SiteStep(sites, SimulatedCluster.this::send);
    final KeyStep keys = new KeyStep(new MapTable(), SimulatedCluster.this::send, rules, metrics);
    /** By how much the clock of its machine is ahead of the brokers'. */
    long aheadMs;

    void tick() {
      pages.tick(now + aheadMs);
    }
  }

  final ClusterMetrics metrics = new ClusterMetrics();
  final Map<Long, Message.Answer> answers = new HashMap<>();
  final List<ClusterEvent> events = new ArrayList<>();
  /** The log, compacted. */
  final Map<Long, Message.Commit> commits = new LinkedHashMap<>();
  final Map<Long, Long> merged = new TreeMap<>();
  private final Rules rules;
  private final List<Partition> partitions = new ArrayList<>();
  private final Map<Queue, Deque<Sent>> queues = new LinkedHashMap<>();
  private final Random random;
  private double repeated;
  private double lost;
  private int stalled = -1;
  private final Map<Queue, List<Sent>> late = new LinkedHashMap<>();
  private long now = 1_000_000;
  private long number;
  private long sentBytes;

  SimulatedCluster(int count, long seed) {
    rules = Rules.defaults(count);
    random = new Random(seed);
    for (int i = 0; i < count; i++)
      partitions.add(new Partition());
  }

  SimulatedCluster repeating(double share) {
    repeated = share;
    return this;
  }

  SimulatedCluster losing(double share) {
    lost = share;
    return this;
  }

  long ask(Page page) {
    byte[] features = Features.compute(page, Map.of());
    return ask(PageFacts.of(features).url(), features);
  }

  long ask(String url, byte[] features) {
    send(Outbox.Topic.PAGES, Ids.bytes(Ids.ofUrl(url)), new Message.Ask("client", ++number, features));
    now++;
    return number;
  }

  void remove(String url, boolean purge) {
    send(Outbox.Topic.PAGES, Ids.bytes(Ids.ofUrl(url)), new Message.Remove("client", ++number, url, purge));
  }

  void control(Sweeps.Action action, String prefix, boolean purge) {
    for (Partition partition : partitions)
      partition.pages.control(++now, new Message.Control(action.name(), "", prefix, 0, purge));
  }

  private void send(Outbox.Topic topic, byte[] key, Message message) {
    byte[] value = message == null ? null : RecordCodec.bytes(message);
    sentBytes += value == null ? 0 : value.length;
    if (topic == Outbox.Topic.COMMITS) {
      log(key, message);
    } else if (topic == Outbox.Topic.EVENTS) {
      Message.Happened happened = (Message.Happened) message;
      events.add(new ClusterEvent(ClusterEvent.Kind.valueOf(happened.kind()), Ids.of(key), happened.oldGroup(),
          happened.newGroup(), happened.atMs()));
    } else if (topic == Outbox.Topic.ANSWERS) {
      Message.Answer answer = (Message.Answer) RecordCodec.message(value);
      answers.putIfAbsent(answer.number(), answer);
    } else {
      int partition = Math.floorMod(
          topic == Outbox.Topic.KEYS ? KeyLookups.bucket(key) : Arrays.hashCode(key), partitions.size());
      // Both topics of pages are read by one step, each in its own order.
      queues.computeIfAbsent(new Queue(topic, partition), empty -> new ArrayDeque<>())
          .add(new Sent(topic, key, value, now));
    }
  }

  private void log(byte[] key, Message message) {
    if (message instanceof Message.Merged into) {
      merged.put(Ids.of(Arrays.copyOf(key, Long.BYTES)), into.into());
    } else if (message == null) {
      commits.remove(Ids.of(key));
    } else {
      commits.put(Ids.of(key), (Message.Commit) message);
    }
  }

  /** Until nothing is under way and no page is open any more. */
  void run() {
    for (int ticks = 0; ticks < 200_000; ticks++) {
      while (deliverOne()) {
        if (random.nextInt(64) == 0) now++;
      }
      boolean isIdle = partitions.stream().allMatch(
          each -> each.tables.open().count() == 0 && ((MapTable) each.tables.jobs()).entries.isEmpty());
      if (isIdle && queues.values().stream().allMatch(Deque::isEmpty)) return;
      now += 500;
      partitions.forEach(Partition::tick);
    }
    throw new IllegalStateException("it does not end");
  }

  /** Pages that come to a partition to be compared wait, until another one, or -1, is told. */
  void stallComparisons(int partition) {
    stalled = partition;
    late.forEach((queue, sent) -> queues.get(queue).addAll(sent));
    late.clear();
  }

  /** What is kept of the pages that are open becomes something else. */
  void damageOpen() {
    partitions.forEach(each -> each.open.entries.replaceAll((key, value) -> new byte[] {1, 99}));
  }

  /** By how much the clocks of the partitions' machines are ahead of the brokers', from now on. */
  void setClocks(long... aheadMs) {
    for (int i = 0; i < partitions.size(); i++)
      partitions.get(i).aheadMs = aheadMs[i];
  }

  /** What the steps have sent each other is lost. */
  void loseAllButQuestions() {
    queues.forEach((queue, sent) -> {
      if (queue.topic() != Outbox.Topic.PAGES) sent.clear();
    });
  }

  /** Whatever was sent is lost. */
  void loseAll() {
    queues.values().forEach(Deque::clear);
  }

  /** For so long, whatever is left. */
  void runFor(long ms) {
    for (long end = now + ms; now < end; now += 500) {
      int delivered = 0;
      while (deliverOne())
        delivered++;
      if (delivered > 1_000_000) throw new IllegalStateException("it does not end");
      partitions.forEach(Partition::tick);
    }
  }

  /** Clocks go on, and nobody reads what was sent. */
  void pause(long ms) {
    now += ms;
    partitions.forEach(Partition::tick);
  }

  /** Some messages only. */
  void run(int count) {
    for (int i = 0; i < count; i++)
      deliverOne();
  }

  private boolean deliverOne() {
    List<Queue> waiting = queues.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty()).map(Map.Entry::getKey).toList();
    if (waiting.isEmpty()) return false;
    Queue queue = waiting.get(random.nextInt(waiting.size()));
    Sent sent = queues.get(queue).poll();
    if (queue.partition() == stalled && RecordCodec.message(sent.value()) instanceof Message.Compare) {
      late.computeIfAbsent(queue, empty -> new ArrayList<>()).add(sent);
      return true;
    }
    boolean isQuestion = queue.topic() == Outbox.Topic.PAGES;
    if (!isQuestion && random.nextDouble() < lost) return true;
    deliver(queue, sent);
    // At the end of the queue: a crash replays what came after, too.
    if (random.nextDouble() < repeated) queues.get(queue).add(sent);
    return true;
  }

  private void deliver(Queue queue, Sent sent) {
    Partition partition = partitions.get(queue.partition());
    Message message = RecordCodec.message(sent.value());
    switch (queue.topic()) {
      case SITES -> partition.site.take(sent.key(), message);
      case KEYS -> partition.keys.take(KeyLookups.bucket(sent.key()), message);
      default -> partition.pages.take(Ids.of(sent.key()), sent.time(), now + partition.aheadMs, message);
    }
  }

  /** All steps are made anew, with the state that they left. */
  void restart() {
    for (Partition partition : partitions) {
      partition.site.close();
      partition.site = new SiteStep(partition.sites, this::send);
      PageTables kept = partition.tables;
      partition.tables = new PageTables(kept.pages(), kept.texts(), new OpenPages(partition.open), kept.groups(),
          kept.members(), kept.jobs());
      partition.pages = new PageStep(partition.tables, this::send, rules, metrics);
    }
  }

  Result answer(long question) {
    Message.Answer answer = answers.get(question);
    if (answer == null) throw new IllegalStateException("no answer to question " + question);
    if (answer.result() == null) throw new IllegalStateException(answer.failure());
    return answer.result();
  }

  /** By URL, as the log has it, with merged groups resolved. */
  Map<String, Long> groups() {
    Map<String, Long> groups = new TreeMap<>();
    commits.values().forEach(commit -> groups.put(commit.url(), resolve(commit.result().groupId())));
    return groups;
  }

  private long resolve(long group) {
    long at = group;
    for (int steps = 0; merged.containsKey(at); steps++) {
      if (steps > merged.size()) throw new IllegalStateException("a ring of merged groups");
      at = merged.get(at);
    }
    return at;
  }

  long groupOf(String url) {
    return groups().get(url);
  }

  /** Bytes that are kept of all pages. */
  boolean keepsText(String text) {
    return partitions.stream().flatMap(each -> ((MapTable) each.tables.texts()).entries.values().stream())
        .anyMatch(bytes -> new String(bytes, StandardCharsets.ISO_8859_1).contains(text));
  }

  /** Bytes of all messages. */
  long sentBytes() {
    return sentBytes;
  }

  /** Bytes of the largest record that is kept of sites. */
  int largestOfSites() {
    return partitions.stream().flatMap(each -> each.sites.entries.values().stream())
        .mapToInt(bytes -> bytes.length).max().orElse(0);
  }

  int tableSizes() {
    return partitions.stream()
        .mapToInt(each -> ((MapTable) each.tables.pages()).entries.size()
            + ((MapTable) each.tables.texts()).entries.size() + ((MapTable) each.tables.groups()).entries.size()
            + ((MapTable) each.tables.members()).entries.size())
        .sum();
  }

  @Override
  public void close() {
    partitions.forEach(each -> each.site.close());
  }
}
