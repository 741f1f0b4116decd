package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.Page;
import io.ndc.kafka.GeneratedPages.Copy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ReplicaInfo;

/**
 * What a cluster on this machine takes and gives: ClusterLoad FOLDER BROKERS INSTANCES PAGES BACKLOG [KEY=VALUE…], the
 * last ones settings of the instances. Prints what it measures, as rows of name and value: pages a second with so many
 * questions at once, what a page costs, how long answers take at a few questions a second, how long a killed instance
 * is missed, and what comes of questions that waited for an instance.
 */
public final class ClusterLoad implements NdCluster.Listener {
  private static final int AT_ONCE = 256;
  private static final int HOSTS = 4;
  private static final int PACED = 600;

  private final Map<String, Long> answeredAtMs = new ConcurrentHashMap<>();
  private final Map<String, String> more = new HashMap<>();
  private final LocalProcesses local;
  private final Process[] brokers;
  private final Process[] instances;
  private final GeneratedPages generated = new GeneratedPages(5);
  private int batches;

  private ClusterLoad(Path folder, int brokerCount, int instanceCount, List<String> settings) throws Exception {
    for (String setting : settings)
      more.put(setting.replaceFirst("=.*", ""), setting.replaceFirst("[^=]*=", ""));
    local = new LocalProcesses(folder, LocalProcesses.freePorts(brokerCount));
    Runtime.getRuntime().addShutdownHook(new Thread(local::close));
    brokers = new Process[brokerCount];
    for (int i = 0; i < brokerCount; i++)
      brokers[i] = local.broker(i);
    local.awaitBrokers();
    instances = new Process[instanceCount];
    for (int i = 0; i < instanceCount; i++)
      instances[i] = local.instance("instance" + i, more);
    local.awaitTopics();
  }

  @Override
  public void late(String url, io.ndc.Result result) {
    answeredAtMs.put(url, System.currentTimeMillis());
  }

  private static void print(String name, Object value) {
    System.out.println(name + "\t" + value);
  }

  /** So many pages, each of which has copies; new ones each time. */
  private List<Copy> pages(int count) {
    int batch = batches++;
    List<Copy> copies = new ArrayList<>();
    for (Copy copy : generated.copies((count + HOSTS - 1) / HOSTS, HOSTS))
      copies.add(new Copy(copy.url() + "-" + batch, copy.document(), copy.html()));
    return generated.shuffled(copies).subList(0, count);
  }

  private void ask(NdCluster cluster, Copy copy, Runnable then) {
    cluster.check(copy.page(System.currentTimeMillis())).whenComplete((result, failure) -> {
      if (result != null) answeredAtMs.put(copy.url(), System.currentTimeMillis());
      then.run();
    });
  }

  private void awaitAnswers(List<Copy> pages) throws InterruptedException {
    long end = System.currentTimeMillis() + 600_000;
    while (pages.stream().anyMatch(page -> !answeredAtMs.containsKey(page.url()))) {
      if (System.currentTimeMillis() > end) throw new IllegalStateException("answers are missing");
      Thread.sleep(100);
    }
  }

  private static double cpuSeconds(Process... processes) {
    return Arrays.stream(processes)
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToDouble(each -> each.toNanos() / 1e9)
        .sum();
  }

  /** Of the leaders alone, by topic. */
  private Map<String, Long> topicBytes() throws Exception {
    Map<String, Long> bytes = new TreeMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", local.settings().get("bootstrap.servers")))) {
      admin.describeLogDirs(List.of(1))
          .allDescriptions()
          .get()
          .values()
          .forEach(dirs
              -> dirs.values().forEach(
                  dir -> dir.replicaInfos().forEach((partition, info) -> add(bytes, partition.topic(), info))));
    }
    return bytes;
  }

  private static void add(Map<String, Long> bytes, String topic, ReplicaInfo info) {
    if (topic.startsWith("ndc-")) bytes.merge(topic, info.size(), Long::sum);
  }

  private static long folderBytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** Of this machine with itself, or of this network namespace: what brokers, instances and clients send. */
  private static long wireBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/net/dev"))) {
      String[] fields = line.trim().split("[:\\s]+");
      if (fields[0].equals("lo")) return Long.parseLong(fields[1]);
    }
    throw new IOException("/proc/net/dev has no lo");
  }

  private void throughput(NdCluster cluster, int count) throws Exception {
    List<Copy> pages = pages(count);
    long wire = wireBytes();
    Map<String, Long> before = topicBytes();
    double brokerCpu = cpuSeconds(brokers);
    double instanceCpu = cpuSeconds(instances);
    long begin = System.currentTimeMillis();
    Semaphore room = new Semaphore(AT_ONCE);
    for (Copy page : pages) {
      room.acquire();
      ask(cluster, page, room::release);
    }
    awaitAnswers(pages);
    double seconds = (System.currentTimeMillis() - begin) / 1e3;
    print("pages per second", count / seconds);
    print("CPU ms per page, instances", 1e3 * (cpuSeconds(instances) - instanceCpu) / count);
    print("CPU ms per page, brokers", 1e3 * (cpuSeconds(brokers) - brokerCpu) / count);
    print("bytes per page on the wire, headers included", (wireBytes() - wire) / count);
    Map<String, Long> after = topicBytes();
    Map<String, Long> perPage = new LinkedHashMap<>();
    after.forEach((topic, bytes) -> perPage.put(topic, (bytes - before.getOrDefault(topic, 0L)) / count));
    print("bytes per page in topics, compressed, one replica",
        perPage.values().stream().mapToLong(Long::longValue).sum());
    print("of these", perPage);
    long states = 0;
    for (int i = 0; i < instances.length; i++)
      states += folderBytes(local.stateFolder("instance" + i));
    print("bytes of all state folders", states);
    print("F1", GeneratedPages.f1(pages, new ClusterLog(local.settings().get("bootstrap.servers")).groups()));
  }

  private void latency(NdCluster cluster, int perSecond) throws Exception {
    List<Copy> pages = pages(PACED);
    long[] took = new long[pages.size()];
    AtomicInteger done = new AtomicInteger();
    long begin = System.nanoTime();
    for (int i = 0; i < pages.size(); i++) {
      int number = i;
      long due = begin + i * 1_000_000_000L / perSecond;
      Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
      Page page = pages.get(i).page(System.currentTimeMillis());
      long asked = System.nanoTime();
      cluster.check(page).whenComplete((result, failure) -> {
        took[number] = System.nanoTime() - asked;
        done.incrementAndGet();
      });
    }
    while (done.get() < took.length)
      Thread.sleep(50);
    Arrays.sort(took);
    print("latency ms p50, p90, p99 at " + perSecond + " a second",
        IntStream.of(50, 90, 99).mapToObj(share -> took[took.length * share / 100] / 1_000_000).toList());
  }

  /** Questions that come while no instance runs. */
  private void backlog(NdCluster cluster, int count) throws Exception {
    for (Process instance : instances)
      LocalProcesses.kill(instance);
    List<Copy> pages = pages(count);
    pages.forEach(page -> ask(cluster, page, () -> {}));
    Thread.sleep(2_500);
    long begin = System.currentTimeMillis();
    for (int i = 0; i < instances.length; i++)
      instances[i] = local.instance("instance" + i, more);
    awaitAnswers(pages);
    long[] answered = pages.stream().mapToLong(page -> answeredAtMs.get(page.url()) - begin).sorted().toArray();
    print("seconds from the start of instances to the answers of a backlog of " + count + ": first, 10%, half, all",
        Stream.of(0, count / 10, count / 2, count - 1).map(each -> answered[each] / 1e3).toList());
  }

  /** A killed instance, which is not started again: from the kill to when questions are answered as they were. */
  private void takeOver(NdCluster cluster) throws Exception {
    List<Copy> pages = pages(400);
    List<Copy> slow = new ArrayList<>();
    long killed = 0;
    Map<String, Long> askedAtMs = new HashMap<>();
    for (int i = 0; i < pages.size(); i++) {
      if (i == 100) {
        LocalProcesses.kill(instances[0]);
        killed = System.currentTimeMillis();
        if (instances.length == 1) instances[0] = local.instance("instance0", more);
      }
      askedAtMs.put(pages.get(i).url(), System.currentTimeMillis());
      ask(cluster, pages.get(i), () -> {});
      Thread.sleep(50);
    }
    awaitAnswers(pages);
    long last = killed;
    for (Copy page : pages) {
      if (answeredAtMs.get(page.url()) - askedAtMs.get(page.url()) < 2_000) continue;
      slow.add(page);
      last = Math.max(last, answeredAtMs.get(page.url()));
    }
    print("a killed instance: pages that waited longer than 2 s, of 20 a second", slow.size());
    print("seconds from the kill to the last of their answers", (last - killed) / 1e3);
  }

  /**
   * The program.
   *
   * @param arguments of the class's sentence
   */
  public static void main(String[] arguments) throws Exception {
    Features.compute(new GeneratedPages(1).copies(1, 1).get(0).page(1), Map.of());
    ClusterLoad load = new ClusterLoad(Path.of(arguments[0]), Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]), List.of(arguments).subList(5, arguments.length));
    int count = Integer.parseInt(arguments[3]);
    Map<String, String> settings = new HashMap<>(load.local.settings());
    settings.put("exactly.once", load.more.getOrDefault("exactly.once", "false"));
    try (NdCluster cluster = NdCluster.connect(settings, load)) {
      List<Copy> warm = load.pages(500);
      warm.forEach(page -> load.ask(cluster, page, () -> {}));
      load.awaitAnswers(warm);
      if (count > 0) {
        load.throughput(cluster, count);
        load.latency(cluster, 20);
        load.takeOver(cluster);
      }
      int backlog = Integer.parseInt(arguments[4]);
      if (backlog > 0) load.backlog(cluster, backlog);
    }
    System.exit(0);
  }
}
