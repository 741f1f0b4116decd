package io.ndc.spark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which text blocks are the frame of a site: those that three provisional groups or more hold. Not those that so many pages
 * hold: a text that stands on a site many times would be gone. And not those that two groups hold: these may be a page
 * and an edit of it, which share too little to be put together. One thread.
 */
final class SiteFrame {
  /** With fewer different pages a site is young, as in the engine (docs/decision.md). */
  static final int KNOWN_GROUPS = 8;

  /** Of {@link #holders}: a third group has the block. */
  private static final long FRAME = -1;

  private final ProvisionalGroups groups = new ProvisionalGroups();
  /** By block: the first group that has it, and above its 32 bits the second one plus 1, or 0; or {@link #FRAME}. */
  private final Map<Long, Long> holders = new HashMap<>();

  /**
   * Learns from a page.
   *
   * @param digest of all its text
   * @param shingleKeys its shingle keys
   * @param blocks hashes of its blocks
   */
  void learn(long digest, long[] shingleKeys, long[] blocks) {
    int group = groups.add(digest, shingleKeys);
    for (long block : blocks)
      holders.merge(block, (long) group, (held, unused) -> with(held, group));
  }

  /** Whether so much has been learned that pages without their frame can be compared as those of two sites are. */
  boolean isKnown() {
    return groups.count() >= KNOWN_GROUPS;
  }

  /**
   * The blocks of a page that are frame.
   *
   * @param blocks hashes of its blocks
   * @return of these, those that are; perhaps none
   */
  long[] frameOf(long[] blocks) {
    int count = 0;
    long[] frame = new long[blocks.length];
    for (long block : blocks) {
      if (holders.getOrDefault(block, 0L) == FRAME) frame[count++] = block;
    }
    return Arrays.copyOf(frame, count);
  }

  private static long with(long held, int group) {
    if (held == FRAME) return FRAME;
    int first = (int) held;
    int second = (int) (held >>> Integer.SIZE) - 1;
    if (group == first || group == second) return held;
    return second < 0 ? held | (group + 1L) << Integer.SIZE : FRAME;
  }
}
