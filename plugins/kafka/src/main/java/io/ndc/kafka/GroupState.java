package io.ndc.kafka;

/**
 * A group, where its number is.
 *
 * @param into the group that it was merged into; 0: none
 * @param time of its founder's place
 * @param hasOwnText whether its text is kept for itself: its founder has another one now, is gone or lives elsewhere.
 *     Otherwise it is its founder's
 */
record GroupState(long into, long time, boolean hasOwnText) {
  boolean isLive() {
    return into == 0;
  }

  /** Whether one place is before another: the time, then the number. */
  static boolean isBefore(long time, long id, long otherTime, long otherId) {
    return time != otherTime ? time < otherTime : id < otherId;
  }
}
