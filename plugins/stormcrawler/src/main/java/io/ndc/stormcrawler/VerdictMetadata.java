package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The keys of a page's metadata that say what the engine found. To keep them in the status, name them in {@code
 * metadata.persist}.
 */
public final class VerdictMetadata {
  /** The group, a number of the store: pages with the same number are near-duplicates. */
  public static final String GROUP = "nd.group";
  /** new, near, exact or no-text. */
  public static final String VERDICT = "nd.verdict";
  /** The resemblance of the page and the group's representative, 0 to 1; 0 for a new page. */
  public static final String RESEMBLANCE = "nd.resemblance";
  /**
   * The probability that the page is the same document as the group's representative, or, of a new page, as the one
   * that came nearest, 0 to 1; missing if the page was fetched before with the same text.
   */
  public static final String PROBABILITY = "nd.probability";
  /** The group of the page that came nearest to a new one; missing as that, and if there was none. */
  public static final String RELATED_GROUP = "nd.related.group";
  /** The URL of the page that founded the group, of a near or exact duplicate; missing if that page was removed. */
  public static final String DUPLICATE_OF = "nd.duplicate.of";
  /** ndc's flags in lower case, separated by commas; missing if there are none. */
  public static final String FLAGS = "nd.flags";
  /** Why a page has no verdict. */
  public static final String FAILURE = "nd.failure";

  private static final List<String> KEYS =
      List.of(GROUP, VERDICT, RESEMBLANCE, PROBABILITY, RELATED_GROUP, DUPLICATE_OF, FLAGS, FAILURE);

  private VerdictMetadata() {}

  /** Removes what an earlier fetch left, or what a server wants to be believed. */
  static void remove(Metadata metadata) {
    KEYS.forEach(metadata::remove);
  }

  static void write(Metadata metadata, Answer answer) {
    metadata.setValue(GROUP, Long.toUnsignedString(answer.group()));
    metadata.setValue(VERDICT, name(answer.verdict()));
    metadata.setValue(RESEMBLANCE, ratio(answer.resemblance()));
    answer.probability().ifPresent(probability -> metadata.setValue(PROBABILITY, ratio(probability)));
    if (answer.related() != 0) {
      metadata.setValue(RELATED_GROUP, Long.toUnsignedString(answer.related()));
    }
    if (answer.founder() != null) {
      metadata.setValue(DUPLICATE_OF, answer.founder());
    }
    if (!answer.flags().isEmpty()) {
      metadata.setValue(
          FLAGS, answer.flags().stream().sorted().map(VerdictMetadata::name).collect(Collectors.joining(",")));
    }
  }

  static void writeFailure(Metadata metadata, Throwable failure) {
    metadata.setValue(FAILURE, failure.getClass().getSimpleName() + ": " + failure.getMessage());
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
