package io.ndc.heritrix;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a separate JVM, which may have a small heap and may die.
 *
 * @param exitCode 0 if its main method returned
 * @param output what it wrote, errors included
 */
record ChildJvm(int exitCode, String output) {
  /** Runs a class of this class path to its end. */
  static ChildJvm run(Path folder, List<String> jvmArguments, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Dndc.source.directory=" + System.getProperty("ndc.source.directory"),
        "-XX:ErrorFile=" + folder.resolve("hs_err.log"),
        "-cp",
        System.getProperty("java.class.path")));
    command.addAll(jvmArguments);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    File output = folder.resolve("output").toFile();
    Process process = new ProcessBuilder(command)
                          .directory(folder.toFile())
                          .redirectErrorStream(true)
                          .redirectOutput(output)
                          .start();
    int exitCode = process.waitFor();
    return new ChildJvm(exitCode, Files.readString(output.toPath()));
  }
}
