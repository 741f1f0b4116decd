package io.ndc.spark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts the pages of a site into provisional groups, before anything is compared: pages of equal text, and pages that share
 * most of their shingle keys with the first page of a group. They only have to keep copies together, so that what
 * copies share is not taken for the site's frame. Bounded work a page; one thread.
 */
final class ProvisionalGroups {
  /**
   * So much of their shingle keys two pages of a group have in common. From .5 to .8 measured on reframed-en (2026-11-22): below,
   * frames bind strange pages; above, copies fall apart, and their text is taken for frame.
   */
  static final double SHARED_KEYS = 0.6;

  /** A key on more groups is frame itself, and says nothing. */
  private static final int GROUPS_OF_A_KEY = 64;

  private final Map<Long, Integer> byDigest = new HashMap<>();
  private final Map<Long, int[]> byKey = new HashMap<>();
  private final Map<Integer, Integer> shared = new HashMap<>();
  private int[] keysOfFirst = new int[64];
  private int groups;

  /**
   * Adds a page.
   *
   * @param digest of all its text
   * @param shingleKeys distinct
   * @return its group's number, from 0
   */
  int add(long digest, long[] shingleKeys) {
    Integer same = byDigest.get(digest);
    if (same != null) return same;
    int group = likeliest(shingleKeys);
    if (group < 0) group = found(shingleKeys);
    byDigest.put(digest, group);
    return group;
  }

  /** How many there are. */
  int count() {
    return groups;
  }

  private int likeliest(long[] keys) {
    shared.clear();
    for (long key : keys) {
      int[] holders = byKey.get(key);
      if (holders == null || holders[0] > GROUPS_OF_A_KEY) continue;
      for (int i = 1; i <= holders[0]; i++)
        shared.merge(holders[i], 1, Integer::sum);
    }
    int best = -1;
    double bestShare = 0;
    for (Map.Entry<Integer, Integer> entry : shared.entrySet()) {
      int group = entry.getKey();
      double share = entry.getValue() / (double) Math.min(keys.length, keysOfFirst[group]);
      if (share > bestShare || (share == bestShare && group < best)) {
        best = group;
        bestShare = share;
      }
    }
    return bestShare >= SHARED_KEYS ? best : -1;
  }

  private int found(long[] keys) {
    int group = groups++;
    if (group == keysOfFirst.length) keysOfFirst = Arrays.copyOf(keysOfFirst, 2 * group);
    keysOfFirst[group] = keys.length;
    for (long key : keys)
      byKey.merge(key, new int[] {1, group}, (holders, unused) -> with(holders, group));
    return group;
  }

  /** The first number of a list is how many follow; one more than the limit stands for all. */
  private static int[] with(int[] holders, int group) {
    int size = holders[0];
    if (size > GROUPS_OF_A_KEY) return holders;
    int[] grown = size + 1 < holders.length ? holders : Arrays.copyOf(holders, 2 * holders.length);
    grown[++size] = group;
    grown[0] = size;
    return grown;
  }
}
