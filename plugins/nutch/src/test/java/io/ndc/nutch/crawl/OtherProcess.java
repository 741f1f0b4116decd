package io.ndc.nutch.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process with the class path of this one. */
public final class OtherProcess implements AutoCloseable {
  private final Process process;

  /** Runs {@code main} in a JVM with {@code options}. */
  public OtherProcess(List<String> options, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", Hosts.argument(), "-cp",
        System.getProperty("java.class.path")));
    for (String property : List.of("ndc.source.directory", "ndc.build.directory")) {
      command.add("-D" + property + '=' + System.getProperty(property));
    }
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** What it writes until the next line end; "" at the end. */
  public String line() throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream out = process.getInputStream();
    for (int c = out.read(); c >= 0 && c != '\n'; c = out.read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  /** All that it writes until it ends. */
  public String output() throws IOException, InterruptedException {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text + "exit " + process.waitFor();
  }

  /** Closes its standard input and waits for its end. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
