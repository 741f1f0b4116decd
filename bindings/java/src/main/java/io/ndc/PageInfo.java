package io.ndc;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What an engine knows about a page. Verdict, flags, match and ratios are those of the last check that found new or
 * changed text.
 *
 * @param url as it was checked; bytes of it that are not UTF-8 read as U+FFFD. Empty if it had none
 * @param verdict of that check
 * @param flags of that check; unmodifiable
 * @param pageId its id; positive
 * @param groupId the page id of its group's founder
 * @param firstFetchedAtMs milliseconds since 1970-01-01 UTC
 * @param lastFetchedAtMs milliseconds since 1970-01-01 UTC
 * @param textWidth its visible text, in units of the LCS partition: a wide character counts 2
 * @param textHash of the normalised visible text, an unsigned 64-bit number; with textWidth it tells whether a text has
 *     changed
 * @param matchedPageId the page against whose text it was verified; 0: none
 * @param resemblance 0..1
 * @param containment 0..1
 */
public record PageInfo(
    String url,
    Verdict verdict,
    Set<Flag> flags,
    long pageId,
    long groupId,
    long firstFetchedAtMs,
    long lastFetchedAtMs,
    long textWidth,
    long textHash,
    long matchedPageId,
    double resemblance,
    double containment) {

  /** How many numbers a page has. */
  static final int NUMBERS = 11;

  /** Of an array of their rows, as native/numbers.hpp writes them, and one of their URLs. */
  static List<PageInfo> listOf(Object[] rowsAndUrls) {
    long[] rows = (long[]) rowsAndUrls[0];
    byte[][] urls = (byte[][]) rowsAndUrls[1];
    List<PageInfo> pages = new ArrayList<>(urls.length);
    for (int i = 0; i < urls.length; ++i) {
      pages.add(of(Utf8.decode(urls[i]), rows, i * NUMBERS));
    }
    return pages;
  }

  static PageInfo of(String url, long[] rows, int begin) {
    return new PageInfo(
        url,
        Verdict.of(rows[begin]),
        Flag.of(rows[begin + 1]),
        rows[begin + 2],
        rows[begin + 3],
        rows[begin + 4],
        rows[begin + 5],
        rows[begin + 6],
        rows[begin + 7],
        rows[begin + 8],
        Double.longBitsToDouble(rows[begin + 9]),
        Double.longBitsToDouble(rows[begin + 10]));
  }
}
