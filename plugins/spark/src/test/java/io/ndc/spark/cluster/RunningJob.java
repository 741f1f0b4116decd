package io.ndc.spark.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A job in a JVM of its own, which a test can kill while it runs. */
final class RunningJob implements AutoCloseable {
  private static final long POLL_MS = 10;
  private static final Pattern STARTED = Pattern.compile("Starting task .*\\(TID (\\d+)\\).*executor (\\w+)");
  private static final Pattern OVER = Pattern.compile("(?:Finished|Lost) task .*\\(TID (\\d+)\\)");

  /** Something that may be the case by now. */
  interface Condition {
    boolean holds() throws IOException;
  }

  private final Process process;
  private final Path output;

  RunningJob(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** What it has written so far. */
  String output() throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
  }

  /** Waits for its end; the JVM is killed when the limit is over. */
  Outcome awaitEnd(Duration limit) throws IOException, InterruptedException {
    boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) kill();
    Outcome outcome = new Outcome(process.waitFor(), output());
    if (!ended) throw new AssertionError("not ended after " + limit.toSeconds() + " s: " + outcome.ending());
    return outcome;
  }

  /** Waits until something is the case; an AssertionError if the JVM ends before, or the limit is over. */
  void await(String what, Condition condition, Duration limit) throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      boolean ended = !process.isAlive();
      if (ended && condition.holds()) return;
      if (ended || System.nanoTime() > end) {
        String state = ended ? "ended" : "still running";
        throw new AssertionError(
            what + " was never seen, " + state + "\n" + new Outcome(-1, output()).ending());
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** SIGKILL for it and the processes it has started. */
  void kill() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  /** Those whose command line has a word in it, among the processes that it has started and these in turn. */
  List<ProcessHandle> descendants(String word) {
    return process.descendants().filter(child -> commandLine(child).contains(word)).toList();
  }

  /**
   * The executors that have a task now, by what the driver has logged. A task that is lost is over, too.
   */
  Set<String> busyExecutors() throws IOException {
    String log = output();
    Map<String, String> executorsByTask = new TreeMap<>();
    STARTED.matcher(log).results().forEach(task -> executorsByTask.put(task.group(1), task.group(2)));
    OVER.matcher(log).results().forEach(task -> executorsByTask.remove(task.group(1)));
    return new TreeSet<>(executorsByTask.values());
  }

  /**
   * Of any length, while ProcessHandle cuts it after some kilobytes, with a zero byte behind each word; empty
   * for a process that has gone.
   */
  static String commandLine(ProcessHandle process) {
    try {
      return new String(Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "cmdline")),
          StandardCharsets.UTF_8);
    } catch (IOException gone) {
      return "";
    }
  }
}
