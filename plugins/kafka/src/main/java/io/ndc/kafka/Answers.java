package io.ndc.kafka;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The results that answers have, of comparisons and of what was committed. */
final class Answers {
  private Answers() {}

  /** Of a page that joined the group which a comparison was with. */
  static Result joined(Result compared, long page, long group, long matched, Set<Flag> more) {
    return of(compared, compared.verdict(), with(compared.flags(), more), page, group, matched);
  }

  /** Of a page that founds a group; compared: with what came nearest, or null. */
  static Result founded(Result compared, long page, long group, Verdict verdict, Set<Flag> flags) {
    if (compared == null) return new Result(verdict, flags, page, group, 0, 0, 0, 0, 0, 0, 0);
    return of(compared, verdict, flags, page, group, 0);
  }

  /** Of a page that came again with the same text. */
  static Result unchanged(Result committed) {
    Set<Flag> flags = with(committed.flags(), Set.of(Flag.RECRAWL));
    flags.retainAll(EnumSet.of(Flag.RECRAWL, Flag.TRUNCATED, Flag.LIMIT));
    return new Result(Verdict.UNCHANGED, flags, committed.pageId(), committed.groupId(), committed.matchedPageId(),
        committed.resemblance(), committed.containment(), committed.pageCoverage(), committed.matchedCoverage(), 1, 0);
  }

  static Result in(Result committed, long group) {
    return of(committed, committed.verdict(), committed.flags(), committed.pageId(), group, committed.matchedPageId());
  }

  static Set<Flag> with(Set<Flag> flags, Set<Flag> more) {
    Set<Flag> all = EnumSet.noneOf(Flag.class);
    all.addAll(flags);
    all.addAll(more);
    return all;
  }

  private static Result of(Result from, Verdict verdict, Set<Flag> flags, long page, long group, long matched) {
    return new Result(verdict, Collections.unmodifiableSet(flags), page, group, matched, from.resemblance(),
        from.containment(), from.pageCoverage(), from.matchedCoverage(), from.probability(), 0);
  }
}
