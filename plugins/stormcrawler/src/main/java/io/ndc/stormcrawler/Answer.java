package io.ndc.stormcrawler;

import io.ndc.Flag;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.Set;

/**
 * The engine's answer about a page.
 *
 * @param verdict never {@link Verdict#UNCHANGED}: of a page that has not changed it is the one that it got its group by
 * @param founder the URL of the page that founded the group; null if the page is that itself, is no duplicate, or if
 *     the founder was removed or has another text now
 */
record Answer(long page, long group, Verdict verdict, double resemblance, Set<Flag> flags, String founder) {
  static Answer of(Result result, String founder) {
    return new Answer(result.pageId(), result.groupId(), result.verdict(), result.resemblance(), result.flags(),
        isDuplicate(result.verdict()) ? founder : null);
  }

  static Answer of(PageInfo info, String founder) {
    return new Answer(info.pageId(), info.groupId(), info.verdict(), info.resemblance(), info.flags(),
        isDuplicate(info.verdict()) ? founder : null);
  }

  private static boolean isDuplicate(Verdict verdict) {
    return verdict == Verdict.NEAR || verdict == Verdict.EXACT;
  }
}
