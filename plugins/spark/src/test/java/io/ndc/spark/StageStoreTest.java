package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which stages a run continues with. */
class StageStoreTest {
  private static final Map<String, String> RUN = Map.of("input", "a", "heads", "8");
  private static final Map<String, String> OTHER = Map.of("input", "a", "heads", "4");
  private static final List<String> RESULTS = List.of("groups", "pairs", "representatives");
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path output;

  private void claim(Map<String, String> run, boolean overwrite) throws IOException {
    try (StageStore store = new StageStore(SPARK.session(), new org.apache.hadoop.fs.Path(output.toString()))) {
      store.claim(run, overwrite);
    }
  }

  private String refused(Map<String, String> run) {
    return assertThrows(JobException.class, () -> claim(run, false)).getMessage();
  }

  /** A run that has come so far as to write a stage. */
  private void leaveStage(Map<String, String> run) throws IOException {
    claim(run, false);
    Files.createDirectories(stage());
    Files.writeString(output.resolve("stages/captures.json"), "{}");
  }

  private void leaveResult() throws IOException {
    for (String name : RESULTS)
      Files.createDirectories(output.resolve(name));
    Files.writeString(output.resolve("summary.json"), "{}");
  }

  private Path stage() {
    return output.resolve("stages/captures");
  }

  private void checkBegunAnew() {
    assertFalse(Files.exists(stage()));
    for (String name : RESULTS)
      assertFalse(Files.exists(output.resolve(name)), name);
    assertFalse(Files.exists(output.resolve("summary.json")));
    assertTrue(Files.exists(output.resolve("stages/run.json")));
  }

  @Test
  void theSameRunGoesOn() throws IOException {
    leaveStage(RUN);
    claim(RUN, false);
    assertTrue(Files.exists(stage()));
    leaveResult();
    claim(RUN, false);
    assertFalse(Files.exists(output.resolve("summary.json")), "nothing is finished while results are written again");
    claim(RUN, true);
    assertTrue(Files.exists(stage()), "killed while it was");
  }

  @Test
  void aRunThatOverwritesGoesOnWhereItWasKilled() throws IOException {
    leaveStage(OTHER);
    claim(RUN, true);
    checkBegunAnew();
    leaveStage(RUN);
    Files.createDirectories(output.resolve("groups"));
    claim(RUN, true);
    assertTrue(Files.exists(stage()));
    assertTrue(Files.exists(output.resolve("stages/captures.json")));
  }

  @Test
  void aFinishedResultIsMadeAnewIfOverwritten() throws IOException {
    leaveStage(RUN);
    leaveResult();
    claim(RUN, true);
    checkBegunAnew();
  }

  @Test
  void anotherRunIsRefusedUnlessOverwritten() throws IOException {
    leaveStage(RUN);
    leaveResult();
    String reason = refused(OTHER);
    assertTrue(reason.contains("heads 8, not 4; --overwrite"), reason);
    claim(OTHER, true);
    checkBegunAnew();
    assertTrue(refused(RUN).contains("heads 4, not 8"));
  }

  @Test
  void whatIsOfNoRunOrDamagedIsRefusedUnlessOverwritten() throws IOException {
    leaveResult();
    assertTrue(refused(RUN).contains("is of no run"));
    claim(RUN, true);
    checkBegunAnew();
    leaveStage(RUN);
    Files.writeString(output.resolve("stages/run.json"), "{");
    Files.delete(output.resolve("stages/.run.json.crc"));
    assertTrue(refused(RUN).contains("run.json is damaged"));
    claim(RUN, true);
    checkBegunAnew();
  }
}
