package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed, and the same job started again. */
class RestartTest {
  private static final Duration LIMIT = Duration.ofSeconds(300);

  @TempDir Path folder;

  private Submission submission(SparkHome home, JobOutput output, String... arguments) {
    return new Submission(home, folder.resolve("run"), "local[2]")
        .paths(folder.resolve("archives"), output.folder())
        .arguments(arguments);
  }

  private static void checkSame(JobOutput expected, JobOutput actual) throws Exception {
    actual.checkSameRows(expected);
    assertEquals(expected.summary().path("counters"), actual.summary().path("counters"));
  }

  @Test
  void aKilledJobGoesOnBehindItsFinishedStages() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    SampleCopies.write(folder.resolve("archives"), 4, 2);
    JobOutput undisturbed = new JobOutput(folder.resolve("undisturbed"));
    submission(home, undisturbed).run(LIMIT).expect(0);

    JobOutput killed = new JobOutput(folder.resolve("killed"));
    try (RunningJob job = submission(home, killed).start()) {
      job.await("the end of captures", () -> killed.isFinished("captures"), LIMIT);
      job.await("tasks of pairs-0", () -> killed.isBeingWritten("pairs-0"), LIMIT);
      job.kill();
    }
    Map<Path, FileTime> finished = killed.finishedFiles();
    assertTrue(finished.keySet().stream().anyMatch(file -> file.toString().contains("captures")));
    assertFalse(killed.isFinished("pairs-0"), "pairs-0 was over before the kill");
    assertFalse(Files.exists(killed.folder().resolve("summary.json")));

    submission(home, killed).run(LIMIT).expect(0);
    Map<Path, FileTime> after = killed.finishedFiles();
    finished.forEach((file, time) -> assertEquals(time, after.get(file), file::toString));
    checkSame(undisturbed, killed);

    // Once more: there is nothing left to do.
    Map<Path, FileTime> all = killed.finishedFiles();
    submission(home, killed).run(LIMIT).expect(0);
    assertEquals(all, killed.finishedFiles());
    checkSame(undisturbed, killed);
  }

  @Test
  void otherOptionsOrInputsAreRefusedUnlessToBeOverwritten() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    SampleCopies.write(folder.resolve("archives"), 1, 1);
    JobOutput output = new JobOutput(folder.resolve("output"));
    submission(home, output).run(LIMIT).expect(0);
    Map<Path, FileTime> before = output.finishedFiles();

    Outcome otherOption = submission(home, output, "--option", "same_document=0.6").run(LIMIT).expect(1);
    assertTrue(otherOption.output().contains("same_document"), otherOption::ending);
    assertTrue(otherOption.output().contains("--overwrite"), otherOption::ending);

    Outcome otherInput =
        submission(home, output, "--input", SampleCopies.sample().toString()).run(LIMIT).expect(1);
    assertTrue(otherInput.output().contains("documentation.warc.gz"), otherInput::ending);
    assertEquals(before, output.finishedFiles());
    assertEquals(150, output.counter("pages"));

    submission(home, output, "--input", SampleCopies.sample().toString(), "--overwrite").run(LIMIT).expect(0);
    assertEquals(300, output.counter("pages"));
  }
}
