package io.ndc.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which text blocks are the boilerplate of a site: those that three provisional groups or more hold. Not those that
 * so many pages hold: a text that stands on a site many times would be gone. And not those that two groups hold:
 * these may be a page and an edit of it, which share too little to be put together. One thread.
 */
final class SiteBoilerplate {
  /** Fewer new pages of a site that an earlier run has seen do not tell what is everywhere on it. */
  private static final int ENOUGH_PAGES = 8;

  /** Of {@link #holders}: a third group has the block, or an earlier run said so. */
  private static final long BOILERPLATE = -1;

  private final ProvisionalGroups groups = new ProvisionalGroups(SiteModel.GROUPS);
  /** By block: its first group, and above its 32 bits the second one plus 1, or 0; or {@link #BOILERPLATE}. */
  private final Map<Long, Long> holders = new HashMap<>();
  /** Boilerplate that a page of this run has. */
  private final Set<Long> met = new TreeSet<>();
  /** By block: how many pages of this run have it. */
  private final Map<Long, Integer> pages = new HashMap<>();
  private final Set<Long> everywhereEarlier = new HashSet<>();
  private final SiteModel earlier;
  private int learned;

  /** For a site about which nothing is known. */
  SiteBoilerplate() {
    this(SiteModel.EMPTY);
  }

  /** For a site that an earlier run has seen. */
  SiteBoilerplate(SiteModel earlier) {
    this.earlier = earlier;
    Arrays.stream(earlier.everywhere()).forEach(everywhereEarlier::add);
    for (long block : earlier.boilerplate())
      holders.put(block, BOILERPLATE);
    for (SiteModel.Group group : earlier.groups()) {
      int number = groups.addEarlier(group.first());
      for (long block : group.blocks())
        hold(block, number);
    }
  }

  /** Learns from a page with these blocks. */
  void learn(ProvisionalGroups.First page, long[] blocks) {
    int renewed = groups.renewedBy(page);
    if (renewed >= 0) {
      for (long block : earlier.groups().get(renewed).blocks())
        holders.computeIfPresent(block, (unused, held) -> without(held, renewed));
    }
    int group = groups.add(page);
    learned++;
    for (long block : Arrays.stream(blocks).distinct().toArray()) {
      if (hold(block, group) == BOILERPLATE) met.add(block);
      pages.merge(block, 1, Integer::sum);
    }
  }

  /**
   * The blocks of a page that are boilerplate.
   *
   * @param blocks hashes of its blocks
   * @return of these, those that are; perhaps none
   */
  long[] of(long[] blocks) {
    return Arrays.stream(blocks).filter(this::isBoilerplate).toArray();
  }

  /**
   * Of the boilerplate of a page what half of the site's pages have. It tells nothing even of a page of a few words.
   *
   * @param blocks hashes of its blocks
   * @return of these, those that are; perhaps none
   */
  long[] everywhere(long[] blocks) {
    return Arrays.stream(blocks).filter(this::isBoilerplate).filter(this::isEverywhere).toArray();
  }

  private boolean isBoilerplate(long block) {
    return holders.getOrDefault(block, 0L) == BOILERPLATE;
  }

  private boolean isEverywhere(long block) {
    if (everywhereEarlier.contains(block)) return true;
    boolean areEnough = learned >= ENOUGH_PAGES || (learned > 0 && earlier.groups().isEmpty());
    return areEnough && 2 * pages.getOrDefault(block, 0) >= learned;
  }

  /** The model with which the next run begins. */
  SiteModel model() {
    Set<Long> boilerplate = new LinkedHashSet<>(met);
    Arrays.stream(earlier.boilerplate()).forEach(boilerplate::add);
    List<ProvisionalGroups.First> firsts = groups.firsts();
    List<Set<Long>> held = new ArrayList<>();
    firsts.forEach(unused -> held.add(new TreeSet<>()));
    holders.forEach((block, groupsOfIt) -> {
      if (groupsOfIt == BOILERPLATE) return;
      if (first(groupsOfIt) < held.size()) held.get(first(groupsOfIt)).add(block);
      int second = second(groupsOfIt);
      if (second >= 0 && second < held.size()) held.get(second).add(block);
    });
    boolean fits = boilerplate.size() <= SiteModel.BOILERPLATE;
    List<SiteModel.Group> kept = new ArrayList<>();
    for (int group = 0; group < firsts.size(); group++) {
      fits &= held.get(group).size() <= SiteModel.BLOCKS_OF_A_GROUP;
      kept.add(new SiteModel.Group(firsts.get(group), first(held.get(group), SiteModel.BLOCKS_OF_A_GROUP)));
    }
    long[] keptBoilerplate = first(boilerplate, SiteModel.BOILERPLATE);
    return new SiteModel(keptBoilerplate, everywhere(keptBoilerplate), kept, earlier.limited() || !fits);
  }

  private static long[] first(Set<Long> numbers, int most) {
    return numbers.stream().limit(most).mapToLong(number -> number).toArray();
  }

  private long hold(long block, int group) {
    return holders.merge(block, (long) group, (held, unused) -> with(held, group));
  }

  private static long with(long held, int group) {
    if (held == BOILERPLATE || group == first(held) || group == second(held)) return held;
    return second(held) < 0 ? held | (group + 1L) << Integer.SIZE : BOILERPLATE;
  }

  /** Null: nobody else has the block. */
  private static Long without(long held, int group) {
    if (held == BOILERPLATE) return held;
    if (second(held) == group) return held & 0xffffffffL;
    if (first(held) != group) return held;
    return second(held) < 0 ? null : (long) second(held);
  }

  private static int first(long held) {
    return (int) held;
  }

  /** −1: there is none. */
  private static int second(long held) {
    return (int) (held >>> Integer.SIZE) - 1;
  }
}
