package io.ndc.kafka;

/**
 * Something that happened to a page or a group after it was decided.
 *
 * @param kind what happened
 * @param pageId the page; of {@link Kind#MERGED} the founder of the old group
 * @param oldGroupId 0: none
 * @param newGroupId 0: none
 * @param atMs when, in milliseconds since 1970-01-01 UTC
 */
public record ClusterEvent(Kind kind, long pageId, long oldGroupId, long newGroupId, long atMs) {
  /** What happened. */
  public enum Kind {
    /** A page moved to another group. */
    REGROUPED,
    /** A group became part of another one; whoever has its number takes the other one's. */
    MERGED,
    /** A page was removed. */
    REMOVED,
    /** A group has another representative: this page. */
    REELECTED
  }
}
