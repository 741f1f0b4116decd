package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.Flag;
import io.ndc.Page;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The arguments of the job: each is taken, explained, and refused by name where it makes no sense. */
class JobOptionsTest {
  private static String refused(String... arguments) {
    return assertThrows(IllegalArgumentException.class, () -> JobOptions.parse(arguments)).getMessage();
  }

  @Test
  void takesAllArguments() {
    JobOptions options = JobOptions.parse("--input", "a", "--input", "b", "--output", "o", "--previous", "p",
        "--partitions", "7", "--split-bytes", "8", "--page-bytes", "9", "--all-statuses", "--site-pages", "10",
        "--heads",
        "11", "--comparisons", "12", "--rounds", "13", "--local-pages", "0", "--overwrite", "--option", "x=y=z");
    assertEquals(List.of("a", "b"), options.inputs);
    assertEquals("o", options.output);
    assertEquals("p", options.previous);
    assertEquals(7, options.partitions);
    assertEquals(8, options.splitBytes);
    assertEquals(9, options.pageBytes());
    assertTrue(options.allStatuses);
    assertEquals(10, options.sitePages);
    assertEquals(11, options.heads);
    assertEquals(12, options.comparisons);
    assertEquals(13, options.rounds);
    assertEquals(0, options.localPages);
    assertTrue(options.overwrite);
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
    assertTrue(refused("--input", "i", "--output", "").contains("--output"));
    assertTrue(refused("--input", "i", "--output", "at-06:43").contains("--output at-06:43 is no path"));
    assertTrue(refused("--input", "i", "--output", "o", "--previous", "a:b").contains("--previous a:b is no path"));
  }

  @Test
  void aLimitOfTheLibraryIsTakenFromItsOptions() {
    JobOptions options = JobOptions.parse("--input", "i", "--output", "o", "--option", "x_hot_sites=3");
    assertEquals(3, options.libraryLimit("x_hot_sites", 8));
    assertEquals(16, options.libraryLimit("x_candidates_limit", 16));
  }

  @Test
  void theLibraryTakesAsManyBytesOfAPageAsAreRead() {
    JobOptions large = JobOptions.parse("--input", "i", "--output", "o", "--page-bytes", "20000000");
    assertEquals(20_000_000, large.pageBytes());
    // Longer than the library takes unless it is told.
    byte[] body = ("<p>First.</p><!--" + "x".repeat(17 << 20) + "--><p>Last.</p>").getBytes(StandardCharsets.UTF_8);
    Page page = Page.of("http://a.example/", body);
    assertTrue(Features.info(Features.compute(page, Map.of())).flags().contains(Flag.LIMIT));
    assertFalse(Features.info(Features.compute(page, large.library())).flags().contains(Flag.LIMIT));

    JobOptions all = JobOptions.parse("--input", "i", "--output", "o", "--page-bytes", "1073741824");
    LibraryOptions.requireTakenByTheLibrary(all.library());
    JobOptions own = JobOptions.parse("--input", "i", "--output", "o", "--page-bytes", "20000000", "--option",
        "page_bytes_limit=5000000");
    assertEquals("5000000", own.library().get("page_bytes_limit"));
    assertEquals(5_000_000, own.pageBytes());
    JobOptions none = JobOptions.parse("--input", "i", "--output", "o");
    assertEquals(8 << 20, none.pageBytes());
    assertFalse(none.library().containsKey("page_bytes_limit"));
  }

  @Test
  void theLimitsOfCandidatesAreThoseOfTheLibrarysOptions() {
    CandidatesStage.Limits limits = CandidatesStage.Limits.of(JobOptions.parse("--input", "i", "--output", "o",
        "--heads", "2", "--option", "x_hot_groups_limit=3", "--option", "x_hot_site_groups_limit=4", "--option",
        "x_hot_sites=5", "--option", "x_candidates_limit=6"));
    assertEquals(List.of(2, 3, 4, 5, 6), List.of(limits.heads, limits.hotPages, limits.hotSitePages, limits.hotSites,
        limits.candidates));
    CandidatesStage.Limits defaults = CandidatesStage.Limits.of(JobOptions.parse("--input", "i", "--output", "o"));
    assertEquals(40, defaults.exactWidth);
    assertEquals(10_000, defaults.hotPages);
  }

  private static String refusedByTheLibrary(String option) {
    JobOptions options = JobOptions.parse("--input", "i", "--output", "o", "--option", option);
    return assertThrows(IllegalArgumentException.class,
        () -> LibraryOptions.requireTakenByTheLibrary(options.library()), option).getMessage();
  }

  @Test
  void whatHasNoEffectInTheJobIsRefusedByName() {
    for (String option : List.of("spot_bytes=1", "keys_bytes=1", "detector_bytes=1", "site_bytes=65536",
        "x_postings_limit=16", "memory_budget_bytes=1", "durability=sync", "read_only=true", "overlay=true",
        "verify=full", "recover=true", "mmap=false", "journal_bytes=65536", "page_ttl_s=1",
        "pipeline_mismatch=error", "events_limit=1", "x_similar_members_limit=1",
        "x_similar_pages_limit=1", "x_similar_work_limit=1000", "check_work_limit=1", "x_check_work_per_byte=1")) {
      String key = option.substring(0, option.indexOf('='));
      String reason = refusedByTheLibrary(option);
      assertTrue(reason.contains("--option: option " + key + " has no effect here: it acts on "), reason);
    }
    for (String option : List.of("decide=method", "detector_threshold=9"))
      assertTrue(refusedByTheLibrary(option).contains("has no effect with detector=lcs"), option);
    assertTrue(refusedByTheLibrary("x_mwo_fields=all").contains("x_mwo_fields has no effect unless detector=mwo"));
    assertTrue(refusedByTheLibrary("x_spot_chain=3").contains("x_spot_chain has no effect unless spotsigs=true"));
    assertTrue(refusedByTheLibrary("resemblance=0.5").contains("resemblance has no effect unless decision=report"));
    assertTrue(
        refused("--input", "i", "--output", "o", "--option", "x_verifications_limit=4").contains("--comparisons"));
    assertTrue(refused("--input", "i", "--output", "o", "--option", "detector=mwo").contains("detector=mwo"));
  }

  @Test
  void whatAStageUsesIsTaken() {
    JobOptions options = JobOptions.parse("--input", "i", "--output", "o", "--option", "x_candidates_limit=6",
        "--option", "x_hot_groups_limit=3", "--option", "x_hot_site_groups_limit=4", "--option", "x_hot_sites=5",
        "--option", "same_document=0.9", "--option", "x_window_width=8", "--option", "x_trustable=true", "--option",
        "x_rounds=2", "--option", "x_edit_budget=7", "--option", "x_verification_work_limit=1000", "--option",
        "tokens_limit=100", "--option", "keep_text=true", "--option", "x_relaxed_keys=3");
    LibraryOptions.requireTakenByTheLibrary(options.library());
    LibraryOptions.requireTakenByTheLibrary(
        Map.of("decision", "report", "resemblance", "0.5", "containment", "0.9", "spotsigs", "false"));
  }

  @Test
  void namesThatTheLibraryDoesNotHaveAreLeftToIt() {
    JobOptions options =
        JobOptions.parse("--input", "i", "--output", "o", "--option", "detector=lcs", "--option", "resemblanse=1");
    String reason = assertThrows(IllegalArgumentException.class,
        () -> LibraryOptions.requireTakenByTheLibrary(options.library())).getMessage();
    assertTrue(reason.contains("resemblanse"), reason);
    LibraryOptions.requireTakenByTheLibrary(Map.of("detector", "lcs", "same_document", "0.6"));
  }

  @Test
  void partitionsAndWavesDoNotDecide() {
    JobOptions one = JobOptions.parse("--input", "i", "--output", "o", "--partitions", "3");
    JobOptions other = JobOptions.parse("--input", "i", "--output", "o", "--local-pages", "0");
    assertEquals(one.deciding(), other.deciding());
    for (String deciding : List.of("--heads", "--split-bytes"))
      assertNotEquals(one.deciding(),
          JobOptions.parse("--input", "i", "--output", "o", deciding, "4").deciding());
  }
}
