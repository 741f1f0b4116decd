package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads, many engines, many ends of engines: no crash, no complaint of -Xcheck:jni, no leak. */
class StressTest {
  /**
   * By how much the resident size may grow from each sixth of the checks to the next, behind the first third, in KiB. A
   * leak grows in all of them, a machine that compiles late in one. Measured: below 1 MB in the sixth that grows least,
   * 14 MB if bodies are not freed.
   */
  private static final long MARGIN = 6 * 1024;

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
    List<Long> medians = IntStream.range(2, 6)
        .mapToObj(sixth -> median(resident.subList(sixth * 16, sixth * 16 + 16)))
        .toList();
    System.out.println("resident: " + medians + " KiB; " + ends.get(0));
    long least = IntStream.range(1, 4).mapToLong(i -> medians.get(i) - medians.get(i - 1)).min().orElseThrow();
    assertTrue(least <= MARGIN, () -> "the resident size grows: " + resident);
  }

  private static long median(List<Long> numbers) {
    return numbers.stream().sorted().toList().get(numbers.size() / 2);
  }
}
