package io.ndc.spark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which text blocks are the frame of a site: those that several provisional groups hold. Not those that several pages hold:
 * a text that stands on a site many times would be gone. One thread.
 */
final class SiteFrame {
  /** With fewer different pages a site is young, as in the engine (docs/decision.md). */
  static final int KNOWN_GROUPS = 8;

  private final ProvisionalGroups groups = new ProvisionalGroups();
  /** By block: the first group that has it; −1: several have. */
  private final Map<Long, Integer> holders = new HashMap<>();

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
      holders.merge(block, group, (first, one) -> first.equals(one) ? first : Integer.valueOf(-1));
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
      Integer holder = holders.get(block);
      if (holder != null && holder < 0) frame[count++] = block;
    }
    return Arrays.copyOf(frame, count);
  }
}
