package io.ndc;

/**
 * Something that happened to a page or a group after it was decided.
 *
 * @param sequence ascending, from 1
 * @param kind what happened
 * @param pageId the page, after the event
 * @param oldGroupId 0: none
 * @param newGroupId 0: none
 * @param atMs the page's fetch time or the time of the call, in milliseconds since 1970-01-01 UTC
 */
public record Event(long sequence, Kind kind, long pageId, long oldGroupId, long newGroupId, long atMs) {

  /** What happened. */
  public enum Kind {
    /** A page moved to another group. */
    REGROUPED,
    /** A page was removed. */
    REMOVED,
    /** A group has another representative. */
    REELECTED,
    /** A limit dropped something; the page is the one at hand. */
    LIMIT;

    private static final Kind[] VALUES = values();

    private static Kind of(long number) {
      if (number < 1 || number > VALUES.length)
        throw new InternalException("the library gave the unknown event " + number);
      return VALUES[(int) number - 1];
    }
  }

  /** How many numbers an event has. */
  static final int NUMBERS = 6;

  static Event of(long[] rows, int begin) {
    return new Event(
        rows[begin], Kind.of(rows[begin + 1]), rows[begin + 2], rows[begin + 3], rows[begin + 4], rows[begin + 5]);
  }
}
