package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobOptionsTest {
  private static String refused(String... arguments) {
    return assertThrows(IllegalArgumentException.class, () -> JobOptions.parse(arguments)).getMessage();
  }

  @Test
  void takesAllArguments() {
    JobOptions options = JobOptions.parse("--input", "a", "--input", "b", "--output", "o", "--previous", "p",
        "--partitions", "7", "--split-bytes", "8", "--page-bytes", "9", "--all-statuses", "--site-pages", "10", "--heads",
        "11", "--comparisons", "12", "--rounds", "13", "--local-pages", "0", "--overwrite", "--option", "x=y=z");
    assertEquals(List.of("a", "b"), options.inputs());
    assertEquals("o", options.output());
    assertEquals("p", options.previous());
    assertEquals(7, options.partitions());
    assertEquals(8, options.splitBytes());
    assertEquals(9, options.pageBytes());
    assertTrue(options.allStatuses());
    assertEquals(10, options.sitePages());
    assertEquals(11, options.heads());
    assertEquals(12, options.comparisons());
    assertEquals(13, options.rounds());
    assertEquals(0, options.localPages());
    assertTrue(options.overwrite());
    assertEquals("y=z", options.library().get("x"));
  }

  @Test
  void theUsageNamesEveryArgument() {
    for (String name : List.of("input", "output", "option", "previous", "partitions", "split-bytes", "page-bytes",
        "all-statuses", "site-pages", "heads", "comparisons", "rounds", "local-pages", "overwrite"))
      assertTrue(JobOptions.USAGE.contains("--" + name + " ") || JobOptions.USAGE.contains("--" + name + "\n"), name);
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    assertTrue(refused("--output", "o").contains("--input is missing"));
    assertTrue(refused("--input", "i").contains("--output is missing"));
    assertTrue(refused("--input", "i", "--output", "o", "--sizes", "3").contains("--sizes"));
    assertTrue(refused("--input", "i", "--output").contains("--output"));
    assertTrue(refused("--input", "i", "--output", "o", "--heads", "many").contains("many"));
    assertTrue(refused("--input", "i", "--output", "o", "--heads", "0").contains("from 1"));
    assertTrue(refused("--input", "i", "--output", "o", "--option", "detector").contains("KEY=VALUE"));
    assertTrue(refused("--input", "", "--output", "o").contains("--input"));
  }

  @Test
  void aLimitOfTheLibraryIsTakenFromItsOptions() {
    JobOptions options = JobOptions.parse("--input", "i", "--output", "o", "--option", "hot_sites=3");
    assertEquals(3, options.libraryLimit("hot_sites", 8));
    assertEquals(16, options.libraryLimit("candidates_limit", 16));
  }

  @Test
  void partitionsAndPiecesDoNotDecide() {
    JobOptions one = JobOptions.parse("--input", "i", "--output", "o", "--partitions", "3", "--split-bytes", "5");
    JobOptions other = JobOptions.parse("--input", "i", "--output", "o", "--local-pages", "0");
    JobOptions third = JobOptions.parse("--input", "i", "--output", "o", "--heads", "4");
    assertEquals(one.deciding(), other.deciding());
    assertFalse(one.deciding().equals(third.deciding()));
  }
}
