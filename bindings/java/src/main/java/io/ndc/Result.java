package io.ndc;

import java.util.Set;

/**
 * The answer about a page. It is advice: whatever the verdict is, a checked page is in the index. The four ratios are
 * those of the page and the matched one; L is the length of what both texts have in common. Ids are never negative.
 *
 * @param verdict what the page is to the pages before it
 * @param flags what else there is to say; unmodifiable
 * @param pageId the page; never 0 after a check, never reused. 0 after a query of an unknown URL and after {@link
 *     Features#decide}
 * @param groupId the page id of the group's founder; 0 where a queried page would found a group
 * @param matchedPageId of {@link Verdict#EXACT} the page whose text is equal, of {@link Verdict#NEAR} the group's
 *     representative; 0: none, or one that has changed or was removed
 * @param resemblance L / (|A| + |B| - L), 0..1
 * @param containment L / min(|A|, |B|), 0..1
 * @param pageCoverage L / |this page|, 0..1
 * @param matchedCoverage L / |the matched page|, 0..1
 * @param probability that the page is the same document as the matched one, 0..1: 1 of {@link Verdict#EXACT} and {@link
 *     Verdict#UNCHANGED}; of {@link Verdict#NEW} that of the best candidate, below option {@code same_document}. With
 *     {@code decision=report} 0 of {@link Verdict#NEAR} and {@link Verdict#NEW}
 * @param relatedGroupId of {@link Verdict#NEW} the group of that candidate, which was compared and refused; 0: none
 */
public record Result(
    Verdict verdict,
    Set<Flag> flags,
    long pageId,
    long groupId,
    long matchedPageId,
    double resemblance,
    double containment,
    double pageCoverage,
    double matchedCoverage,
    double probability,
    long relatedGroupId) {

  /** From a row of numbers, as native/numbers.hpp writes it. */
  static Result of(long[] row) {
    return new Result(
        Verdict.of(row[0]),
        Flag.of(row[1]),
        row[2],
        row[3],
        row[4],
        Double.longBitsToDouble(row[5]),
        Double.longBitsToDouble(row[6]),
        Double.longBitsToDouble(row[7]),
        Double.longBitsToDouble(row[8]),
        Double.longBitsToDouble(row[9]),
        row[10]);
  }

  /** The row that {@link #of} reads. */
  long[] row() {
    long bits = 0;
    for (Flag flag : flags) bits |= 1L << flag.ordinal();
    return new long[] {
      verdict.ordinal() + 1,
      bits,
      pageId,
      groupId,
      matchedPageId,
      Double.doubleToRawLongBits(resemblance),
      Double.doubleToRawLongBits(containment),
      Double.doubleToRawLongBits(pageCoverage),
      Double.doubleToRawLongBits(matchedCoverage),
      Double.doubleToRawLongBits(probability),
      relatedGroupId
    };
  }

  /**
   * Whether another page has this page's text, or nearly.
   *
   * @return true for {@link Verdict#EXACT} and {@link Verdict#NEAR}
   */
  public boolean isDuplicate() {
    return verdict == Verdict.EXACT || verdict == Verdict.NEAR;
  }

  /**
   * Whether it is a duplicate that contains the matched page and much more, or lies in it with much more.
   *
   * @return true for {@link Flag#CONTAINS} and {@link Flag#CONTAINED}
   */
  public boolean isPart() {
    return isDuplicate() && (flags.contains(Flag.CONTAINS) || flags.contains(Flag.CONTAINED));
  }

  /**
   * Whether hardly anything is lost without this page as long as the matched page is kept.
   *
   * @return true for an exact duplicate, and for a near one that is no part, known as a whole and not uncertain
   */
  public boolean isCopy() {
    boolean isDoubtful =
        flags.contains(Flag.TRUNCATED) || flags.contains(Flag.LIMIT) || flags.contains(Flag.UNCERTAIN);
    return verdict == Verdict.EXACT || (verdict == Verdict.NEAR && !isPart() && !isDoubtful);
  }
}
