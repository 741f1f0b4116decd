package io.ndc.spark;

import io.ndc.Options;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Row;

/**
 * By which options two pages are compared. nd_features_compare knows no site: it asks of two pages of one site that
 * they are nearly equal ({@code same_site_resemblance}), since what they share may be the site's boilerplate. Where
 * that is known and gone, less is asked, as the engine does (docs/decision.md, "same site"). Not of a page that was
 * cut: the library asks by the same option that what two pages share is nearly all, since nobody has looked behind it
 * ("truncated pages").
 */
final class ComparisonRules implements Serializable {
  /**
   * Where nothing looks at what pages exchange: above the threshold between sites (.28), for pages that fill
   * one template.
   */
  private static final String KNOWN_SITE_RESEMBLANCE = "0.5";

  private static final String OPTION = "same_site_resemblance";

  private final Map<String, String> strict;
  private final Map<String, String> known;

  /**
   * Rules of a job.
   *
   * @param library its options for the library; one that sets {@code same_site_resemblance} holds for all pages
   */
  ComparisonRules(Map<String, String> library) {
    strict = library;
    known = new HashMap<>(library);
    known.putIfAbsent(OPTION, knownSiteResemblance(library));
  }

  // What the engine asks of two pages of one site whose boilerplate is known. What they exchange adds to it, which
  // tells the pages that fill one template.
  private static String knownSiteResemblance(Map<String, String> library) {
    String decision = library.get(Options.DECISION.key());
    if (decision != null && !decision.equals("document")) return KNOWN_SITE_RESEMBLANCE;
    String asked = library.get(Options.DOCUMENT_RESEMBLANCE.key());
    return asked != null ? asked : Options.DOCUMENT_RESEMBLANCE.defaultValue().toString();
  }

  /**
   * The options for a pair.
   *
   * @param a a row with columns 3 (site), 4 (whether its boilerplate is known) and 5 (features)
   * @param b the same
   */
  Map<String, String> of(Row a, Row b) {
    boolean oneKnownSite = a.getBoolean(4) && b.getBoolean(4) && a.getString(3).equals(b.getString(3));
    return oneKnownSite && !isCut(a) && !isCut(b) ? known : strict;
  }

  private static boolean isCut(Row page) {
    return new FeatureRecord(page.getAs(5)).isCut();
  }
}
