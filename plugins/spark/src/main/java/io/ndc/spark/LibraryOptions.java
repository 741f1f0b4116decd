package io.ndc.spark;

import io.ndc.Features;
import io.ndc.InvalidArgumentException;
import io.ndc.Page;
import java.util.Map;
import java.util.Set;

/**
 * The options of the library, as {@code --option KEY=VALUE} gives them to a program, and which of them the job takes.
 */
final class LibraryOptions {
  /** Options that only an engine uses (src/options/option_table.cpp): indexes, search, knowledge of sites, stores. */
  static final Set<String> OF_AN_ENGINE = Set.of(
      "spot_bytes", "keys_bytes", "decide", "detector_threshold", "detector_bytes", "site_bytes",
      "x_verifications_limit", "x_postings_limit", "memory_budget_bytes", "durability", "read_only", "overlay",
      "verify", "recover", "mmap", "journal_bytes", "page_ttl_s", "pipeline_mismatch", "events_limit",
      "x_similar_members_limit", "x_similar_pages_limit", "x_similar_work_limit",
      "check_work_limit", "x_check_work_per_byte");

  private LibraryOptions() {}

  /**
   * Takes an argument apart.
   *
   * @throws IllegalArgumentException if it has another form
   */
  static Map.Entry<String, String> parse(String keyAndValue) {
    int equals = keyAndValue.indexOf('=');
    if (equals <= 0) throw new IllegalArgumentException("--option wants KEY=VALUE, not " + keyAndValue);
    return Map.entry(keyAndValue.substring(0, equals), keyAndValue.substring(equals + 1));
  }

  /**
   * Refuses an option with which the job would do the same as without it. Names that the library does not have are left
   * to the library.
   *
   * @throws IllegalArgumentException naming it
   */
  static void requireUsedByTheJob(String key, String value) {
    if (key.equals("detector") && !value.equals("lcs"))
      throw new IllegalArgumentException("--option detector=" + value + ": the job partitions by the LCS only");
    if (key.equals("x_verifications_limit"))
      throw new IllegalArgumentException("--option " + key + ": only an engine uses it; the job has --comparisons");
    if (key.startsWith("x_mwo_"))
      throw new IllegalArgumentException(
          "--option " + key + ": only detector mwo uses it; the job partitions by the LCS");
    if (OF_AN_ENGINE.contains(key))
      throw new IllegalArgumentException("--option " + key + ": only an engine uses it, and the job has none");
  }

  /**
   * Asks the library whether it takes them, before hours are spent.
   *
   * @throws IllegalArgumentException with the library's words if it does not
   */
  static void requireTakenByTheLibrary(Map<String, String> options) {
    try {
      byte[] none = Features.compute(Page.of("", new byte[0]), options);
      Features.decide(none, none, options);
    } catch (InvalidArgumentException wrong) {
      throw new IllegalArgumentException("--option: " + wrong.getMessage(), wrong);
    }
  }
}
