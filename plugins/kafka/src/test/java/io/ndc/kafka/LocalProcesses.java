package io.ndc.kafka;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/**
 * Brokers of Kafka, which are their own controllers, and instances of the cluster, on this machine, each in a JVM of
 * its own that can be killed. As a program, LocalProcesses FOLDER PORT, one of each until a signal ends it: for trying.
 */
public final class LocalProcesses implements AutoCloseable {
  private final Path folder;
  private final int[] ports;
  private final List<Process> all = new ArrayList<>();

  /** One broker a port. Formats their folders unless they are. */
  LocalProcesses(Path folder, int... ports) throws IOException, InterruptedException {
    this.folder = folder;
    this.ports = ports;
    int[] controllers = freePorts(ports.length);
    String voters = IntStream.range(0, ports.length)
                        .mapToObj(i -> (i + 1) + "@localhost:" + controllers[i])
                        .collect(Collectors.joining(","));
    Files.createDirectories(folder);
    for (int i = 0; i < ports.length; i++) {
      Files.writeString(settingsOf(i),
          String.join("\n", "process.roles=broker,controller", "node.id=" + (i + 1),
              "controller.quorum.voters=" + voters,
              "listeners=PLAINTEXT://localhost:" + ports[i] + ",CONTROLLER://localhost:" + controllers[i],
              "controller.listener.names=CONTROLLER", "log.dirs=" + folder.resolve("broker" + i),
              "offsets.topic.replication.factor=" + replicas(), "offsets.topic.num.partitions=4",
              "transaction.state.log.replication.factor=" + replicas(),
              "transaction.state.log.min.isr=" + (replicas() + 1) / 2, "transaction.state.log.num.partitions=4",
              "group.initial.rebalance.delay.ms=0", "group.min.session.timeout.ms=1000",
              "auto.create.topics.enable=false", "broker.session.timeout.ms=4000",
              "log.cleaner.dedupe.buffer.size=4194304"));
      if (Files.exists(folder.resolve("broker" + i + "/meta.properties"))) continue;
      Process format = start("format", List.of(), 64, "kafka.tools.StorageTool", "format", "--cluster-id",
          "ndcLocalClusterForTryg", "--config", settingsOf(i).toString());
      if (format.waitFor() != 0) throw new IOException("the broker's folder cannot be formatted: " + folder);
    }
  }

  private Path settingsOf(int broker) {
    return folder.resolve("broker" + broker + ".properties");
  }

  private int replicas() {
    return Math.min(3, ports.length);
  }

  static int[] freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++)
        sockets.add(new ServerSocket(0));
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets)
        socket.close();
    }
  }

  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers",
        Arrays.stream(ports).mapToObj(port -> "localhost:" + port).collect(Collectors.joining(",")));
    settings.put("partitions", "4");
    settings.put("replicas", Integer.toString(replicas()));
    settings.put("standbys", "0");
    return settings;
  }

  /** Starts one of the brokers; does not wait for it. */
  Process broker(int number) throws IOException {
    return start("broker" + number, List.of(), 256, "kafka.Kafka", settingsOf(number).toString());
  }

  /** Waits until all brokers answer. */
  void awaitBrokers() throws IOException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", settings().get("bootstrap.servers")))) {
      for (int i = 0; i < 240; i++) {
        try {
          if (admin.describeCluster().nodes().get(1, TimeUnit.SECONDS).size() == ports.length) return;
          Thread.sleep(200);
        } catch (ExecutionException | java.util.concurrent.TimeoutException notYet) {
          if (all.stream().noneMatch(Process::isAlive)) break;
        }
      }
    }
    throw new IOException("the brokers do not start: see their logs in " + folder);
  }

  /** Waits until an instance has made the topics. */
  void awaitTopics() throws InterruptedException {
    awaitTopics("prefix", "ndc");
  }

  /** With a setting beside those of a client. */
  void awaitTopics(String key, String value) throws InterruptedException {
    Map<String, String> settings = settings();
    settings.put(key, value);
    for (int i = 0; i < 300; i++) {
      try {
        NdCluster.connect(settings, new NdCluster.Listener() {}).close();
        return;
      } catch (org.apache.kafka.common.KafkaException notYet) {
        Thread.sleep(200);
      }
    }
    throw new IllegalStateException("there are no topics after a minute");
  }

  /** Starts an instance with settings of its own beside the common ones, under another program if that is named. */
  Process instance(String name, Map<String, String> more, String... under) throws IOException {
    Map<String, String> settings = settings();
    settings.put("state.folder", stateFolder(name).toString());
    settings.putAll(more);
    return start(name, List.of(under), 256, NdClusterNode.class.getName(), written(name, settings).toString());
  }

  Path stateFolder(String instance) {
    return folder.resolve("state-" + instance);
  }

  /** Starts a program with the settings of a client, and its own beside them, in its first argument. */
  Process client(String name, Map<String, String> more, Class<?> program, String... arguments) throws IOException {
    Map<String, String> settings = settings();
    settings.putAll(more);
    List<String> command = new ArrayList<>(List.of(program.getName(), written(name, settings).toString()));
    command.addAll(List.of(arguments));
    return start(name, List.of(), 128, command.toArray(String[]::new));
  }

  private Path written(String name, Map<String, String> settings) throws IOException {
    StringBuilder lines = new StringBuilder();
    settings.forEach((key, value) -> lines.append(key).append('=').append(value).append('\n'));
    return Files.writeString(folder.resolve(name + ".properties"), lines);
  }

  private Process start(String name, List<String> under, int megabytes, String... command) throws IOException {
    List<String> whole = new ArrayList<>(under);
    whole.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + megabytes + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dndc.store.megabytes=64",
        "-Dndc.library.path=" + System.getProperty("ndc.library.path", ""),
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", System.getProperty("java.class.path")));
    whole.addAll(List.of(command));
    Process process = new ProcessBuilder(whole)
                          .redirectErrorStream(true)
                          .redirectOutput(ProcessBuilder.Redirect.appendTo(logOf(name).toFile()))
                          .start();
    all.add(process);
    return process;
  }

  /** What a process said. */
  Path logOf(String name) {
    return folder.resolve(name + ".log");
  }

  /** As kill -9 does it. */
  static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    for (Process process : all)
      process.destroyForcibly();
  }

  /**
   * The program.
   *
   * @param arguments of the class's second sentence
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    LocalProcesses local = new LocalProcesses(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(local::close));
    local.broker(0);
    local.awaitBrokers();
    Process instance = local.instance("instance", Map.of());
    System.out.println("one broker and one instance run: bootstrap.servers=localhost:" + arguments[1] + ", replicas=1;"
        + " logs in " + local.folder + "; Ctrl-C ends both");
    System.exit(instance.waitFor());
  }
}
