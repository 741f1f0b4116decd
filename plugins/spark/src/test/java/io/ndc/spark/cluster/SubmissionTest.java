package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the other tests of this package stand on, with a job that needs no library. */
class SubmissionTest {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir Path folder;

  private Submission probe(SparkHome home, String master, int tasks, int milliseconds) {
    return new Submission(home, folder.resolve("run"), master)
        .mainClass(ProbeJob.class)
        .arguments(Integer.toString(tasks), Integer.toString(milliseconds));
  }

  @Test
  void aJobRunsInAJvmThatHasSparksJarsOnly() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    Outcome outcome = probe(home, "local[2]", 2, 0).run(LIMIT).expect(0);
    assertEquals(1, outcome.lines("executors: [driver, driver]"), outcome::ending);
  }

  @Test
  void aJobThatDoesNotEndIsKilledAndSaysWhatItWrote() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    try (RunningJob job = probe(home, "local[1]", 1, 600_000).start()) {
      job.await("the task", () -> job.output().contains("Starting task 0.0"), LIMIT);
      AssertionError late = assertThrows(AssertionError.class, () -> job.awaitEnd(Duration.ofMillis(1)));
      assertTrue(late.getMessage().contains("Starting task 0.0"), late.getMessage());
      AssertionError never =
          assertThrows(AssertionError.class, () -> job.await("the end", () -> false, LIMIT));
      assertTrue(never.getMessage().contains("the end was never seen, ended"), never.getMessage());
    }
  }

  @Test
  void anExecutorOfAClusterIsFoundAndKilledWhileItsTaskRuns() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    try (StandaloneCluster cluster = new StandaloneCluster(home, folder.resolve("cluster"), 2);
         RunningJob job = probe(home, cluster.address(), 2, 5000).start()) {
      job.await("both tasks", () -> new Outcome(0, job.output()).lines("Starting task") == 2, LIMIT);
      assertEquals(Set.of("0", "1"), job.busyExecutors());
      assertFalse(cluster.kill("7"));
      assertTrue(cluster.kill("1"));
      Outcome outcome = job.awaitEnd(LIMIT).expect(0);
      assertTrue(outcome.lines("Lost executor 1 ") > 0, outcome::ending);
      assertFalse(outcome.output().contains("executors: [driver"), outcome::ending);
    }
  }
}
