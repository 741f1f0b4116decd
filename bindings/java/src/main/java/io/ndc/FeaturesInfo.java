package io.ndc;

import java.util.Set;

/**
 * What a {@link Features} record says of its page.
 *
 * @param url as it was computed with; bytes of it that are not UTF-8 read as U+FFFD. Empty if it had none
 * @param site registrable domain of its host; empty if it has none
 * @param formatVersion of docs/features_format.md
 * @param hasText whether the page has text; without it, it is compared with nothing
 * @param hasKeys whether the record has what candidates are found by; not one of {@link Features#representative}
 * @param flags {@link Flag#TRUNCATED}, {@link Flag#LIMIT} and {@link Flag#SHORT} as in a {@link Result} about the page
 * @param fetchedAtMs milliseconds since 1970-01-01 UTC, as it was computed with; 0: not known
 * @param textWidth its visible text, in units of the LCS partition
 * @param textHash of the normalised visible text, an unsigned 64-bit number
 * @param madeWith the same number for records that the same libraries made with the same options. Pages share keys only
 *     if the options were the same
 * @param fingerprintCount so many of {@link Features#keys}, the first ones, are LCS fingerprints
 * @param keyCount how many keys there are
 * @param sitePages of its site, as far as the record carries what is known of that ({@link Features#withSite}), at most
 *     65,535; 0: it carries nothing
 */
public record FeaturesInfo(
    String url,
    String site,
    int formatVersion,
    boolean hasText,
    boolean hasKeys,
    Set<Flag> flags,
    long fetchedAtMs,
    long textWidth,
    long textHash,
    long madeWith,
    int fingerprintCount,
    int keyCount,
    int sitePages) {
  /** Bits of nd_record_info.contents. */
  private static final long TEXT = 1;

  private static final long KEYS = 2;

  /** From a row of numbers, as native/numbers.hpp writes it, and the texts. */
  static FeaturesInfo of(Object[] rowAndTexts) {
    long[] row = (long[]) rowAndTexts[0];
    byte[][] texts = (byte[][]) rowAndTexts[1];
    return new FeaturesInfo(
        Utf8.decode(texts[0]),
        Utf8.decode(texts[1]),
        (int) row[0],
        (row[1] & TEXT) != 0,
        (row[1] & KEYS) != 0,
        Flag.of(row[2]),
        row[3],
        row[4],
        row[5],
        row[6],
        (int) row[7],
        (int) row[8],
        (int) row[9]);
  }
}
