package io.ndc.kafka;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/**
 * A broker of Kafka, which is its own controller, and instances of the cluster, on this machine, each in a JVM of its
 * own that can be killed. As a program, LocalProcesses FOLDER PORT, one of each until a signal ends it: for trying.
 */
public final class LocalProcesses implements AutoCloseable {
  private final Path folder;
  private final int port;
  private final int controllerPort;
  private final List<Process> all = new ArrayList<>();

  /** Formats the broker's folder unless it is. */
  LocalProcesses(Path folder, int port) throws IOException, InterruptedException {
    this.folder = folder;
    this.port = port;
    controllerPort = freePort();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("broker.properties"), String.join("\n",
        "process.roles=broker,controller",
        "node.id=1", "controller.quorum.voters=1@localhost:" + controllerPort,
        "listeners=PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort,
        "controller.listener.names=CONTROLLER", "log.dirs=" + folder.resolve("broker"),
        "offsets.topic.replication.factor=1", "offsets.topic.num.partitions=4",
        "transaction.state.log.replication.factor=1", "transaction.state.log.min.isr=1",
        "transaction.state.log.num.partitions=4", "group.initial.rebalance.delay.ms=0",
        "group.min.session.timeout.ms=1000", "auto.create.topics.enable=false",
        "log.cleaner.dedupe.buffer.size=4194304"));
    if (!Files.exists(folder.resolve("broker/meta.properties"))) {
      Process format = start("format", 64, "kafka.tools.StorageTool", "format", "--cluster-id",
          "ndcLocalClusterForTryg", "--config", folder.resolve("broker.properties").toString());
      if (format.waitFor() != 0) throw new IOException("the broker's folder cannot be formatted: " + folder);
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", "localhost:" + port);
    settings.put("partitions", "4");
    settings.put("replicas", "1");
    settings.put("standbys", "0");
    return settings;
  }

  /** Starts the broker, and waits until it answers. */
  Process broker() throws IOException, InterruptedException {
    Process broker = start("broker", 256, "kafka.Kafka", folder.resolve("broker.properties").toString());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", "localhost:" + port))) {
      for (int i = 0;; i++) {
        try {
          admin.describeCluster().nodes().get(1, TimeUnit.SECONDS);
          return broker;
        } catch (ExecutionException | java.util.concurrent.TimeoutException notYet) {
          if (i == 240 || !broker.isAlive()) throw new IOException("the broker does not start", notYet);
        }
      }
    }
  }

  /** Starts an instance with settings of its own beside the common ones. */
  Process instance(String name, Map<String, String> more) throws IOException {
    Map<String, String> settings = settings();
    settings.put("state.folder", folder.resolve("state-" + name).toString());
    settings.putAll(more);
    Path file = folder.resolve(name + ".properties");
    StringBuilder lines = new StringBuilder();
    settings.forEach((key, value) -> lines.append(key).append('=').append(value).append('\n'));
    Files.writeString(file, lines);
    return start(name, 256, NdClusterNode.class.getName(), file.toString());
  }

  private Process start(String name, int megabytes, String... command) throws IOException {
    List<String> whole = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + megabytes + "m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dndc.store.megabytes=64",
        "-Dndc.library.path=" + System.getProperty("ndc.library.path", ""),
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", System.getProperty("java.class.path")));
    whole.addAll(List.of(command));
    Process process = new ProcessBuilder(whole).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile())).start();
    all.add(process);
    return process;
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
    local.broker();
    Process instance = local.instance("instance", Map.of());
    System.out.println("one broker and one instance run: bootstrap.servers=localhost:" + arguments[1] + ", replicas=1;"
        + " logs in " + local.folder + "; Ctrl-C ends both");
    System.exit(instance.waitFor());
  }
}
