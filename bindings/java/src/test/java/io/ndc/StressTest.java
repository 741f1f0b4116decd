package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads, many engines, many ends of engines: no crash, no complaint of -Xcheck:jni, no leak. */
class StressTest {
  /**
   * By how much the resident size may be larger in the last third of the checks than in the middle one, in KiB.
   * Measured: 1 to 2 MB; 41 MB if bodies are not freed, 115 MB if engines are not.
   */
  private static final long MARGIN = 12 * 1024;

  @Test
  void nothingBreaksAndNothingLeaks(@TempDir Path directory) throws Exception {
    ChildJvm.Outcome outcome = ChildJvm.run(List.of("-Xcheck:jni", "-Xms64m", "-Xmx64m", "-XX:+UseSerialGC",
                                                "-XX:+AlwaysPreTouch", "-XX:ErrorFile=" + directory.resolve("hs_err")),
        StressProgram.class, directory.toString());
    assertEquals(0, outcome.exitCode(), outcome::output);
    // -Xcheck:jni has more than one way to complain.
    assertFalse(outcome.output().contains("in native method"), outcome::output);
    assertFalse(outcome.output().contains("WARNING: JNI"), outcome::output);
    List<String> lines = outcome.output().lines().toList();
    // The warnings of forgotten engines are lines as well, and may come last.
    List<String> ends = lines.stream()
        .filter(line -> line.matches("[1-9][0-9]{2,} closings, [1-9][0-9]* calls met a closed engine"))
        .toList();
    assertEquals(1, ends.size(), outcome::output);
    List<Long> resident = lines.stream().filter(line -> line.matches("[0-9]+")).map(Long::valueOf).toList();
    assertEquals(100, resident.size());
    long middle = median(resident.subList(34, 67));
    long last = median(resident.subList(67, 100));
    System.out.println("resident: " + middle + " KiB, then " + last + " KiB; " + ends.get(0));
    assertTrue(last <= middle + MARGIN, () -> "the resident size grows: " + resident);
  }

  private static long median(List<Long> numbers) {
    return numbers.stream().sorted().toList().get(numbers.size() / 2);
  }
}
