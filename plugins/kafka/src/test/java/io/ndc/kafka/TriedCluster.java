package io.ndc.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/** What run-local starts, for the tests of those who ask. */
public final class TriedCluster implements AutoCloseable {
  private final Process process;
  private final String address;

  /**
   * Starts it, and waits until it can be asked.
   *
   * @param folder for what it keeps
   */
  public TriedCluster(Path folder) throws IOException, InterruptedException {
    int port = LocalProcesses.freePorts(1)[0];
    address = "localhost:" + port;
    ProcessBuilder builder =
        new ProcessBuilder(Path.of(System.getProperty("ndc.source.directory"), "plugins/kafka/run-local").toString(),
            folder.toString(), Integer.toString(port));
    builder.environment().put(
        "NDC_KAFKA_MODULE", Path.of(System.getProperty("ndc.build.directory"), "java/ndc-kafka").toString());
    process = builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    for (int tries = 0;; tries++) {
      try {
        NdCluster.connect(Map.of("bootstrap.servers", address, "kafka.default.api.timeout.ms", "2000"),
            new NdCluster.Listener() {}).close();
        return;
      } catch (KafkaException notYet) {
        if (tries == 300 || !process.isAlive()) {
          close();
          throw new IOException("the cluster does not start, see " + folder, notYet);
        }
        Thread.sleep(200);
      }
    }
  }

  /** Where it is asked: host:port. */
  public String address() {
    return address;
  }

  /** The instance stands still, or goes on: meanwhile nobody is answered. */
  public void pause(boolean stands) throws IOException, InterruptedException {
    for (ProcessHandle each : process.descendants().toList()) {
      // ProcessHandle.info() does not know commands as long as these.
      String command = Files.readString(Path.of("/proc", Long.toString(each.pid()), "cmdline"));
      if (command.contains(NdClusterNode.class.getName()))
        new ProcessBuilder("kill", stands ? "-STOP" : "-CONT", Long.toString(each.pid())).start().waitFor();
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroy();
    // One that stands still hears of nothing else.
    all.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
  }
}
