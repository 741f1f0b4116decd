package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * What a driver left.
 *
 * @param exitCode of its JVM
 * @param output what it wrote, log and errors included
 */
record Outcome(int exitCode, String output) {
  private static final int SHOWN = 6000;

  /** The end of the output, for messages of assertions. */
  String ending() {
    return "exit code " + exitCode + "\n" + output.substring(Math.max(0, output.length() - SHOWN));
  }

  /** That it ended with a code. */
  Outcome expect(int expected) {
    assertEquals(expected, exitCode, this::ending);
    return this;
  }

  /** How many lines of the output hold a text. */
  long lines(String text) {
    return output.lines().filter(line -> line.contains(text)).count();
  }
}
