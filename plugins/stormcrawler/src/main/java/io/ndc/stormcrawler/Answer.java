package io.ndc.stormcrawler;

import io.ndc.Flag;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The engine's answer about a page.
 *
 * @param verdict never {@link Verdict#UNCHANGED}: of a page that has not changed it is the one that it got its group by
 * @param probability that the page is the same document as the representative, or, of a new page, as the one that came
 *     nearest; empty of a page that has not changed, for which the store keeps none
 * @param related the group of the page that came nearest to a new one; 0: none, or not kept either
 * @param founder the URL of the page that founded the group; null if the page is that itself, is no duplicate, or if
 *     the founder was removed or has another text now
 */
record Answer(long page, long group, Verdict verdict, double resemblance, OptionalDouble probability, long related,
    Set<Flag> flags, String founder) {
  static Answer of(Result result, String founder) {
    return new Answer(result.pageId(), result.groupId(), result.verdict(), result.resemblance(),
        OptionalDouble.of(result.probability()), result.relatedGroupId(), result.flags(),
        isDuplicate(result.verdict()) ? founder : null);
  }

  static Answer of(PageInfo info, String founder) {
    return new Answer(info.pageId(), info.groupId(), info.verdict(), info.resemblance(), OptionalDouble.empty(), 0,
        info.flags(), isDuplicate(info.verdict()) ? founder : null);
  }

  private static boolean isDuplicate(Verdict verdict) {
    return verdict == Verdict.NEAR || verdict == Verdict.EXACT;
  }
}
