package io.ndc.spark.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A job that is to be handed to SparkSubmit in a JVM of its own, in which the driver runs. Its class path has
 * Spark's jars only: what is the job's comes as {@code --jars} and by the job's jar, as for a user.
 */
final class Submission {
  static final String JOB = "io.ndc.spark.NdPartition";
  private static final String LIBRARY_PATH = "ndc.library.path";

  private final SparkHome home;
  private final Path folder;
  private final String master;
  private final Map<String, String> configuration = new TreeMap<>();
  private final List<String> driverProperties = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private String mainClass = JOB;
  private String driverLibraries = System.getProperty(LIBRARY_PATH);
  private String executorLibraries = driverLibraries;

  /**
   * A submission of NdPartition.
   *
   * @param folder for files of the driver and executors, and for their output
   * @param master as SparkSubmit takes it
   */
  Submission(SparkHome home, Path folder, String master) {
    this.home = home;
    this.folder = folder;
    this.master = master;
    configuration.put("spark.ui.enabled", "false");
    configuration.put("spark.local.dir", folder.resolve("local").toString());
    configuration.put("spark.sql.shuffle.partitions", "4");
  }

  /** Another class than NdPartition, of the tests. */
  Submission mainClass(Class<?> main) {
    mainClass = main.getName();
    return this;
  }

  /** A property of Spark. */
  Submission set(String property, String value) {
    configuration.put(property, value);
    return this;
  }

  /** A system property of the driver's JVM. */
  Submission driverProperty(String name, String value) {
    driverProperties.add("-D" + name + "=" + value);
    return this;
  }

  /** Folders where the native library is looked for; null: the one of this JVM, else the jar. */
  Submission libraries(Path driver, Path executors) {
    if (driver != null) driverLibraries = driver.toString();
    if (executors != null) executorLibraries = executors.toString();
    return this;
  }

  /** What NdPartition reads, and where it writes. */
  Submission paths(Path input, Path output) {
    return arguments("--input", input.toString(), "--output", output.toString());
  }

  /** Arguments of the job. */
  Submission arguments(String... values) {
    arguments.addAll(List.of(values));
    return this;
  }

  /** Runs it to its end. A JVM that takes longer is killed, and that is an AssertionError. */
  Outcome run(Duration limit) throws IOException, InterruptedException {
    try (RunningJob job = start()) {
      return job.awaitEnd(limit);
    }
  }

  /** Starts it; closing what is returned kills it. */
  RunningJob start() throws IOException {
    Files.createDirectories(folder);
    if (executorLibraries != null) {
      configuration.put("spark.executor.extraJavaOptions", "-D" + LIBRARY_PATH + "=" + executorLibraries);
    }
    List<String> command = sparkCommand(home, "-Xmx1g");
    if (driverLibraries != null) command.add("-D" + LIBRARY_PATH + "=" + driverLibraries);
    command.addAll(driverProperties);
    command.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", master, "--class", mainClass));
    configuration.forEach((property, value) -> command.addAll(List.of("--conf", property + "=" + value)));
    if (mainClass.equals(JOB)) {
      String jars = home.libraries().stream().map(Path::toString).collect(Collectors.joining(","));
      command.addAll(List.of("--jars", jars, home.job().toString()));
    } else {
      command.add(home.probe().toString());
    }
    command.addAll(arguments);
    Path output = Files.createTempFile(folder, "driver-", ".log");
    return new RunningJob(
        sparkProcess(home, folder, command).redirectOutput(output.toFile()).start(), output);
  }

  /** A JVM with Spark's jars and nothing else. */
  static List<String> sparkCommand(SparkHome home, String heap) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), heap, "-cp", home.classPath()));
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    return command;
  }

  /**
   * On the loopback interface, without what the caller's environment says of Spark and Hadoop; errors go to
   * the output.
   */
  static ProcessBuilder sparkProcess(SparkHome home, Path folder, List<String> command) {
    ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Map<String, String> environment = process.environment();
    environment.keySet().removeIf(
        name -> name.startsWith("SPARK_") || name.startsWith("HADOOP_") || name.startsWith("YARN_"));
    environment.put("SPARK_HOME", home.folder().toString());
    environment.put("SPARK_SCALA_VERSION", "2.13");
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    // No JVM of a test runs for long: compiling well would cost more than it saves.
    environment.put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    return process;
  }
}
