package io.ndc.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the pages of a site into provisional groups, before anything is compared: pages of equal text, and pages that
 * share most of their shingle keys with the first page of a group. They only have to keep copies together, so that
 * what copies share is not taken for the site's boilerplate. Bounded work a page; one thread.
 */
final class ProvisionalGroups {
  /**
   * So much of their shingle keys two pages of a group have in common. From .5 to .8 measured on reframed-en
   * (2026-11-22): below, boilerplate binds strange pages; above, copies fall apart, and their text is taken for
   * boilerplate.
   */
  static final double SHARED_KEYS = 0.6;

  /** A key on more groups is boilerplate itself, and says nothing. */
  private static final int GROUPS_OF_A_KEY = 64;

  /**
   * The first page of a group.
   *
   * @param url a hash of its URL
   * @param digest of all its text
   * @param shingleKeys distinct
   */
  record First(long url, long digest, long[] shingleKeys) {}

  private final Map<Long, Integer> byUrl = new HashMap<>();
  private final Map<Long, Integer> byDigest = new HashMap<>();
  private final Map<Long, int[]> byKey = new HashMap<>();
  private final Map<Integer, Integer> shared = new HashMap<>();
  private final List<First> firsts = new ArrayList<>();
  private final int remembered;
  private int[] keysOfFirst = new int[64];
  private int groups;

  /** Without groups, that remembers the first pages of so many. */
  ProvisionalGroups(int remembered) {
    this.remembered = remembered;
  }

  /**
   * Adds the group of an earlier run. A later capture of its first page is no other page, whatever text it has by now.
   *
   * @return its number
   */
  int addEarlier(First first) {
    int group = found(first);
    byUrl.putIfAbsent(first.url, group);
    byDigest.putIfAbsent(first.digest, group);
    return group;
  }

  /** The group of an earlier run whose first page this is, with another text; −1: there is none. */
  int renewedBy(First page) {
    return byDigest.containsKey(page.digest) ? -1 : byUrl.getOrDefault(page.url, -1);
  }

  /**
   * Adds a page.
   *
   * @return its group's number, from 0
   */
  int add(First page) {
    Integer same = byDigest.get(page.digest);
    if (same != null) return same;
    int renewed = renewedBy(page);
    int group = renewed >= 0 ? renew(renewed, page) : likeliest(page.shingleKeys);
    if (group < 0) group = found(page);
    byDigest.put(page.digest, group);
    return group;
  }

  /** The first pages of the first groups, in their order. */
  List<First> firsts() {
    return firsts;
  }

  /** −1: none. */
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

  private int found(First page) {
    int group = groups++;
    if (group < remembered) firsts.add(page);
    if (group == keysOfFirst.length) keysOfFirst = Arrays.copyOf(keysOfFirst, 2 * group);
    index(group, page.shingleKeys);
    return group;
  }

  /** The first page of a group has another text by now; its earlier keys go on leading to the group. */
  private int renew(int group, First page) {
    if (group < remembered) firsts.set(group, page);
    index(group, page.shingleKeys);
    return group;
  }

  private void index(int group, long[] keys) {
    keysOfFirst[group] = keys.length;
    for (long key : keys)
      byKey.merge(key, new int[] {1, group}, (holders, unused) -> with(holders, group));
  }

  /** The first number of a list is the number of those that follow; one more than the limit means all. */
  private static int[] with(int[] holders, int group) {
    int size = holders[0];
    if (size > GROUPS_OF_A_KEY || holders[size] == group) return holders;
    int[] grown = size + 1 < holders.length ? holders : Arrays.copyOf(holders, 2 * holders.length);
    grown[++size] = group;
    grown[0] = size;
    return grown;
  }
}
