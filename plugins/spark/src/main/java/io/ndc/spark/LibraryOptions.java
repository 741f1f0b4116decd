package io.ndc.spark;

import io.ndc.Features;
import io.ndc.InvalidArgumentException;
import io.ndc.Options;
import io.ndc.Page;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The options of the library, as {@code --option KEY=VALUE} gives them to a program, and which of them the job takes.
 */
final class LibraryOptions {
  /** What the job applies itself (CandidatesStage.Limits). */
  private static final Set<String> OF_CANDIDATES =
      Set.of("x_hot_groups_limit", "x_hot_site_groups_limit", "x_hot_sites", "x_candidates_limit");

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
   * Refuses an option for which the job has one of its own, or another method. Other options are left to the library,
   * which knows their names and their effect: {@link #requireTakenByTheLibrary}.
   *
   * @throws IllegalArgumentException naming it
   */
  static void requireUsedByTheJob(String key, String value) {
    if (key.equals("detector") && !value.equals("lcs"))
      throw new IllegalArgumentException("--option detector=" + value + ": the job partitions by the LCS only");
    if (key.equals("x_verifications_limit"))
      throw new IllegalArgumentException("--option " + key + ": only an engine uses it; the job has --comparisons");
  }

  /** Those with which pages are read. */
  static Map<String, String> ofPages(Map<String, String> options) {
    return Options.actingOn(options, "pages", "keys", "descriptions", "features");
  }

  /** Those with which two pages are compared. */
  static Map<String, String> ofDecisions(Map<String, String> options) {
    return Options.actingOn(options, "comparisons", "decisions");
  }

  /**
   * Asks the library whether it takes them, before hours are spent. It refuses those that no stage of the job uses.
   *
   * @throws IllegalArgumentException with the library's words if it does not
   */
  static void requireTakenByTheLibrary(Map<String, String> options) {
    try {
      byte[] none = Features.compute(Page.of("", new byte[0]), ofPages(options));
      Features.decide(none, none, ofDecisions(options));
      Map<String, String> unused = new TreeMap<>(options);
      unused.keySet().removeAll(ofPages(options).keySet());
      unused.keySet().removeAll(ofDecisions(options).keySet());
      unused.keySet().removeAll(OF_CANDIDATES);
      Features.compute(Page.of("", new byte[0]), unused);
    } catch (InvalidArgumentException wrong) {
      throw new IllegalArgumentException("--option: " + wrong.getMessage(), wrong);
    }
  }
}
