package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master and two workers, as on a cluster of machines; and executors that die. */
class StandaloneClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(400);
  /** So many that captures and pairs run for seconds. */
  private static final int FILES = 6;
  private static final int COPIES = 4;

  @TempDir Path folder;

  private Submission submission(SparkHome home, String master, JobOutput output) {
    return new Submission(
        home, output.folder().resolveSibling(output.folder().getFileName() + "-run"), master)
        .paths(folder.resolve("archives"), output.folder());
  }

  /** Waits until tasks of a stage write, and kills an executor that has one. */
  private static void killWhile(String stage, StandaloneCluster cluster, RunningJob job, JobOutput output)
      throws Exception {
    job.await(
        "tasks of " + stage, () -> output.isBeingWritten(stage) && !job.busyExecutors().isEmpty(), LIMIT);
    assertTrue(cluster.kill(job.busyExecutors().iterator().next()));
    assertFalse(output.isFinished(stage), stage + " was over before the kill");
  }

  @Test
  void executorsThatAreKilledInTheMiddleChangeNothing() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    SampleCopies.write(folder.resolve("archives"), FILES, COPIES);
    JobOutput alone = new JobOutput(folder.resolve("alone"));
    submission(home, "local[2]", alone).run(LIMIT).expect(0);
    JobOutput cluster = new JobOutput(folder.resolve("cluster"));
    try (StandaloneCluster machines = new StandaloneCluster(home, folder.resolve("machines"), 2);
         RunningJob job = submission(home, machines.address(), cluster).start()) {
      killWhile("captures", machines, job, cluster);
      job.await("a lost task", () -> job.output().contains("ExecutorLostFailure"), LIMIT);
      // Here output of other tasks is lost as well: what they have shuffled.
      killWhile("pairs-0", machines, job, cluster);
      Outcome disturbed = job.awaitEnd(LIMIT).expect(0);
      assertEquals(2, disturbed.lines("Lost executor "), disturbed::ending);
    }
    assertEquals(FILES * COPIES * 150, cluster.rows("groups").size());
    cluster.checkSameRows(alone);
    // What was done twice is counted once.
    assertEquals(alone.summary().path("counters"), cluster.summary().path("counters"));
  }

  @Test
  void twoWorkersShareAJob() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    SampleCopies.write(folder.resolve("archives"), 2, 1);
    JobOutput cluster = new JobOutput(folder.resolve("cluster"));
    try (StandaloneCluster machines = new StandaloneCluster(home, folder.resolve("machines"), 2)) {
      Outcome outcome = submission(home, machines.address(), cluster).run(LIMIT).expect(0);
      assertTrue(outcome.output().matches("(?s).*Starting task [^\\n]*executor 0.*"), outcome::ending);
      assertTrue(outcome.output().matches("(?s).*Starting task [^\\n]*executor 1.*"), outcome::ending);
    }
    assertEquals(300, cluster.counter("pages"));
    // Those of the sample: its copies at other hosts join them.
    assertEquals(77, cluster.counter("groups"));
    assertEquals(300, cluster.rows("groups").size());
  }
}
