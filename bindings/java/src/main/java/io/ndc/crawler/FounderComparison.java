package io.ndc.crawler;

import io.ndc.NearDuplicates;
import io.ndc.NotFoundException;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.Optional;

/**
 * How a page compares with the page that founded its group: the one that a crawler keeps, since its verdict was
 * {@link Verdict#NEW}. A page is left out only if it is a copy of that one.
 */
public final class FounderComparison {
  private FounderComparison() {}

  /**
   * Compares a page that the engine has just checked. Its answer is enough if it was compared with the founder; a text
   * that equals that of another member need not be the founder's.
   *
   * @param engine that gave the answer
   * @param checked its answer
   * @return empty if the page is the founder, or none can be compared: it was removed, or its text was not kept
   */
  public static Optional<Result> of(NearDuplicates engine, Result checked) {
    if (checked.isDuplicate() && checked.matchedPageId() == checked.groupId()) {
      return Optional.of(checked);
    }
    return of(engine, checked.groupId(), checked.pageId());
  }

  /**
   * Compares a page as the engine knows it now.
   *
   * @param engine that knows it
   * @param groupId of the page: the id of the founder
   * @param pageId of the page
   * @return empty as above
   */
  public static Optional<Result> of(NearDuplicates engine, long groupId, long pageId) {
    if (groupId == pageId) {
      return Optional.empty();
    }
    try {
      return Optional.of(engine.compare(groupId, pageId));
    } catch (NotFoundException gone) {
      return Optional.empty();
    }
  }
}
