package io.ndc.spark.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spark's standalone master and workers, a JVM each, on the loopback interface. */
final class StandaloneCluster implements AutoCloseable {
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
  private static final Pattern ADDRESS = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Duration START_LIMIT = Duration.ofSeconds(120);

  private final SparkHome home;
  private final Path folder;
  private final RunningJob master;
  private final List<RunningJob> workers = new ArrayList<>();
  private String address;

  /**
   * Starts them and waits until the master knows all workers, each of which has one core and 1 GB.
   *
   * @param folder for what they write
   */
  StandaloneCluster(SparkHome home, Path folder, int workerCount) throws IOException, InterruptedException {
    this.home = home;
    this.folder = Files.createDirectories(folder);
    master = launch("master", "org.apache.spark.deploy.master.Master");
    try {
      master.await("the master's address", this::readAddress, START_LIMIT);
      for (int number = 0; number < workerCount; ++number) {
        workers.add(launch("worker-" + number, "org.apache.spark.deploy.worker.Worker", "--cores", "1",
            "--memory", "1g", "--work-dir", folder.resolve("work-" + number).toString(), address));
      }
      master.await("registration of all workers",
          () -> new Outcome(0, master.output()).lines("Registering worker") == workerCount, START_LIMIT);
    } catch (IOException | InterruptedException | AssertionError failed) {
      close();
      throw failed;
    }
  }

  private RunningJob launch(String name, String mainClass, String... arguments) throws IOException {
    List<String> command = Submission.sparkCommand(home, "-Xmx256m");
    command.addAll(List.of(mainClass, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
    command.addAll(List.of(arguments));
    Path output = folder.resolve(name + ".log");
    return new RunningJob(
        Submission.sparkProcess(home, folder, command).redirectOutput(output.toFile()).start(), output);
  }

  private boolean readAddress() throws IOException {
    Matcher found = ADDRESS.matcher(master.output());
    if (found.find()) address = found.group(1);
    return address != null;
  }

  /** The master's, as SparkSubmit takes it. */
  String address() {
    return address;
  }

  /** SIGKILL for the process of an executor; whether there was one of this number. */
  boolean kill(String executor) {
    String number = "\0--executor-id\0" + executor + "\0";
    List<ProcessHandle> processes = workers.stream()
                                        .flatMap(worker -> worker.descendants(EXECUTOR).stream())
                                        .filter(process -> RunningJob.commandLine(process).contains(number))
                                        .toList();
    processes.forEach(ProcessHandle::destroyForcibly);
    return !processes.isEmpty();
  }

  @Override
  public void close() {
    workers.forEach(RunningJob::close);
    master.close();
  }
}
