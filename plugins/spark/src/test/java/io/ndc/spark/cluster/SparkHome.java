package io.ndc.spark.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A folder with {@code jars/} as a Spark distribution has it, of the jars on this JVM's class path; and what
 * a job brings along besides them. Executors take jars only: folders of classes on the class path are packed.
 */
final class SparkHome {
  private static final String JOB_CLASS = "io/ndc/spark/NdPartition.class";
  private static final String PROBE_CLASS = "io/ndc/spark/cluster/ProbeJob.class";
  /** A class of each library of the job. */
  private static final List<String> LIBRARIES = List.of("io/ndc/Features.class");
  private static final List<String> TESTS_ONLY = List.of("junit-", "opentest4j-", "apiguardian-");

  private final Path folder;
  private final List<Path> libraries = new ArrayList<>();
  private Path job;
  private Path probe;

  private SparkHome(Path folder) {
    this.folder = folder;
  }

  /** Makes it in a folder, which must not be there. */
  static SparkHome make(Path folder) throws IOException {
    SparkHome home = new SparkHome(folder);
    Files.createDirectories(folder.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (Files.exists(path)) home.add(path);
    }
    return home;
  }

  private void add(Path path) throws IOException {
    if (has(path, JOB_CLASS)) {
      job = packed(path, "job.jar");
    } else if (has(path, PROBE_CLASS)) {
      probe = packed(path, "probe.jar");
    } else if (hasOneOf(path, LIBRARIES)) {
      libraries.add(packed(path, "library-" + libraries.size() + ".jar"));
    } else if (Files.isRegularFile(path)
        && TESTS_ONLY.stream().noneMatch(path.getFileName().toString()::startsWith)) {
      Files.createSymbolicLink(folder.resolve("jars").resolve(path.getFileName()), path);
    }
  }

  private static boolean hasOneOf(Path path, List<String> names) throws IOException {
    for (String name : names) {
      if (has(path, name)) return true;
    }
    return false;
  }

  private static boolean has(Path path, String name) throws IOException {
    if (Files.isDirectory(path)) return Files.exists(path.resolve(name));
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.getEntry(name) != null;
    }
  }

  /** A jar as it is, and a folder as a jar. */
  private Path packed(Path path, String name) throws IOException {
    if (!Files.isDirectory(path)) return path;
    Path jar = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
         Stream<Path> files = Files.walk(path)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(new JarEntry(path.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  Path folder() {
    return folder;
  }

  /** Spark's jars, as the JVM takes a class path. */
  String classPath() {
    return folder.resolve("jars") + "/*";
  }

  /** With the class NdPartition. */
  Path job() {
    if (job == null) throw new IllegalStateException("no " + JOB_CLASS + " on the class path");
    return job;
  }

  /** With the classes of the tests, {@link ProbeJob} among them. */
  Path probe() {
    return probe;
  }

  /** What the job needs and Spark does not have. */
  List<Path> libraries() {
    return List.copyOf(libraries);
  }
}
