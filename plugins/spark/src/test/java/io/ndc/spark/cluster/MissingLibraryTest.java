package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines for which there is no native library. */
class MissingLibraryTest {
  private static final Duration LIMIT = Duration.ofSeconds(240);
  private static final int FILES = 12;
  /**
   * Spark gives up when one task has failed for the fourth time; the others have by then three times, and one
   * is cancelled.
   */
  private static final int FAILED_TASKS = 3 * FILES + 2;

  @TempDir Path folder;

  private Submission submission(String master) throws Exception {
    SampleCopies.write(folder.resolve("archives"), FILES, 1);
    return new Submission(SparkHome.make(folder.resolve("home")), folder.resolve("run"), master)
        .paths(folder.resolve("archives"), folder.resolve("output"));
  }

  private Path emptyFolder() throws Exception {
    return Files.createDirectories(folder.resolve("empty"));
  }

  private void checkRefused(Outcome outcome) throws Exception {
    outcome.expect(1);
    // The binding's sentence, which names what is missing and what to do.
    assertTrue(
        outcome.output().contains("there is no " + emptyFolder().resolve("libndcjni.so")), outcome::ending);
    assertTrue(outcome.output().contains("ndc.library.path"), outcome::ending);
    assertFalse(outcome.output().contains("Exception in thread \"main\""), outcome::ending);
    assertFalse(Files.exists(folder.resolve("output").resolve("summary.json")));
  }

  @Test
  void isToldBeforeAnyTaskRuns() throws Exception {
    Outcome outcome = submission("local[2]").libraries(emptyFolder(), emptyFolder()).run(LIMIT);
    checkRefused(outcome);
    assertEquals(0, outcome.lines("TaskSetManager: Lost task"), outcome::ending);
  }

  @Test
  void isToldAtOnceWhenOnlyTheExecutorsLackIt() throws Exception {
    Outcome outcome = submission("local-cluster[2,1,1024]").libraries(null, emptyFolder()).run(LIMIT);
    checkRefused(outcome);
    long lost = outcome.lines("TaskSetManager: Lost task");
    assertTrue(lost <= FAILED_TASKS, () -> lost + " tasks were lost\n" + outcome.ending());
  }

  @Test
  void isToldWithThePlatformsName() throws Exception {
    Outcome outcome = submission("local[1]")
                          .libraries(Path.of(""), Path.of(""))  // as if the property were not set
                          .driverProperty("os.arch", "sparc64")
                          .run(LIMIT)
                          .expect(1);
    assertTrue(outcome.output().contains("no native library for linux-sparc64"), outcome::ending);
    assertEquals(0, outcome.lines("TaskSetManager: Lost task"), outcome::ending);
  }
}
