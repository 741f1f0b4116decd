package io.ndc;

/**
 * A page that is like another one.
 *
 * @param url as it was checked; bytes of it that are not UTF-8 read as U+FFFD. Empty if it had none
 * @param pageId its id; positive
 * @param groupId the group that it is in
 * @param score 0..1, of the engine's detector; with {@code lcs} the resemblance of own text
 * @param limited true, in every row alike, if a limit cut the search: pages that are as similar may be missing
 */
public record SimilarPage(String url, long pageId, long groupId, double score, boolean limited) {

  /** How many numbers a similar page has. */
  static final int NUMBERS = 4;

  static SimilarPage of(String url, long[] rows, int begin) {
    return new SimilarPage(
        url, rows[begin + 1], rows[begin + 2], Double.longBitsToDouble(rows[begin + 3]),
        Flag.of(rows[begin]).contains(Flag.LIMIT));
  }
}
