package io.ndc;

/**
 * A group of near-duplicates.
 *
 * @param groupId the page id of its founder
 * @param representativePageId the page whose text represents it; 0 with a tombstone
 * @param pageCount how many pages are in it
 * @param tombstone true if the founder was removed or has changed, and its old text represents the group
 */
public record GroupInfo(long groupId, long representativePageId, long pageCount, boolean tombstone) {

  /** How many numbers a group has. */
  static final int NUMBERS = 4;

  static GroupInfo of(long[] rows, int begin) {
    return new GroupInfo(rows[begin], rows[begin + 1], rows[begin + 2], rows[begin + 3] != 0);
  }
}
