package io.ndc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program in a JVM of its own, for tests that must kill it or look at its exit code. */
final class ChildJvm {
  /** What a program has written to standard output and error. */
  record Outcome(int exitCode, String output) {}

  /** The flag that a JVM from 24 on needs to load native code without a warning. */
  static final List<String> NATIVE_ACCESS = List.of("--enable-native-access=ALL-UNNAMED");

  private ChildJvm() {}

  static Outcome run(List<String> jvmArguments, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return outcome(start(jvmArguments, program, arguments));
  }

  static Process start(List<String> jvmArguments, Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(java(), "--class-path", System.getProperty("java.class.path")));
    command.addAll(NATIVE_ACCESS);
    command.addAll(jvmArguments);
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return start(command);
  }

  static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  static Outcome outcome(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
