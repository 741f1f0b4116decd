package io.ndc.heritrix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A crawl job in a separate JVM, which accepts commands and may be killed. */
final class CrawlProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter commands;

  /** Launches the job in the folder; what the JVM logs goes to a file beside the folder of jobs. */
  CrawlProcess(Path folder, String... jvmArguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
    command.addAll(List.of(jvmArguments));
    command.addAll(List.of(
        Hosts.argument(),
        "-cp",
        System.getProperty("java.class.path"),
        CrawlProcess.class.getName(),
        folder.toString()));
    process = new ProcessBuilder(command)
                  .redirectError(folder.getParent().resolveSibling(folder.getFileName() + ".err").toFile())
                  .start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Makes a checkpoint and waits for it. */
  String checkpoint() throws IOException {
    return ask("checkpoint");
  }

  /** Waits until the crawl has ended by itself. */
  String awaitEnd() throws IOException {
    return ask("await the end");
  }

  private String ask(String command) throws IOException {
    commands.println(command);
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith("done ")) {
        return line.substring("done ".length());
      }
    }
    throw new IOException("the crawl's JVM has ended; it was to " + command);
  }

  /** As kill -9 does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** The other side. */
  public static void main(String[] arguments) throws Exception {
    Crawl crawl = Crawl.launch(Path.of(arguments[0]));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = in.readLine(); command != null; command = in.readLine()) {
      String answer = "";
      if (command.equals("checkpoint")) {
        answer = crawl.job().getCheckpointService().requestCrawlCheckpoint();
      } else {
        crawl.awaitEnd();
      }
      System.out.println("done " + answer);
    }
    crawl.close();
    System.exit(0);
  }
}
