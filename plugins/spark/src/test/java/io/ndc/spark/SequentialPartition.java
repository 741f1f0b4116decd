package io.ndc.spark;

import io.ndc.Features;
import io.ndc.FeaturesInfo;
import io.ndc.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What stages 4 to 6 compute, in one pass over the pages in the order of their places, without a thought of cost: the
 * oracle of the job.
 */
final class SequentialPartition {
  /** A page as stage 3 leaves it. */
  record Page(long place, String site, byte[] features) {}

  private final CandidatesStage.Limits limits;
  private final int comparisons;
  private final Map<String, String> library;
  private final List<Page> pages;
  private final Map<Long, Page> byPlace = new HashMap<>();
  private final Map<Long, List<Page>> lists = new TreeMap<>();
  private final Map<Long, Long> representatives = new HashMap<>();

  SequentialPartition(
      List<Page> pages, CandidatesStage.Limits limits, int comparisons, Map<String, String> library) {
    this.pages = new ArrayList<>(pages);
    this.pages.sort(Comparator.comparingLong(Page::place));
    this.limits = limits;
    this.comparisons = comparisons;
    this.library = LibraryOptions.ofDecisions(library);
  }

  /** The place of each page's representative, by place. */
  Map<Long, Long> run() {
    for (Page page : pages) {
      byPlace.put(page.place(), page);
      for (long key : keys(page))
        lists.computeIfAbsent(key, unused -> new ArrayList<>()).add(page);
    }
    lists.values().removeIf(this::isDeleted);
    for (Page page : pages)
      representatives.put(page.place(), representative(page));
    return representatives;
  }

  private Set<Long> keys(Page page) {
    Set<Long> keys = new HashSet<>();
    FeaturesInfo info = Features.info(page.features());
    if (!info.hasText()) return keys;
    for (long key : Features.keys(page.features()))
      keys.add(key);
    if (info.textWidth() >= limits.exactWidth) keys.add(info.textHash() * 0x9e3779b97f4a7c15L);
    return keys;
  }

  private boolean isDeleted(List<Page> list) {
    long sites = list.stream().map(Page::site).distinct().count();
    return list.size() > limits.hotPages || (list.size() > limits.hotSitePages && sites <= limits.hotSites);
  }

  private long representative(Page page) {
    Map<Long, Long> votesOfGroups = new TreeMap<>();
    for (Map.Entry<Long, Long> candidate : candidates(page).entrySet())
      votesOfGroups.merge(representatives.get(candidate.getKey()), candidate.getValue(), Long::sum);
    long best = page.place();
    double bestMerit = -1;
    for (long group : mostVoted(votesOfGroups, comparisons).keySet()) {
      Page other = byPlace.get(group);
      Result result = Features.decide(other.features(), page.features(), library);
      double merit = result.probability() != 0 ? result.probability() : result.resemblance();
      if (result.isDuplicate() && (merit > bestMerit || (merit == bestMerit && group < best))) {
        best = group;
        bestMerit = merit;
      }
      if (bestMerit >= 0.9) break;
    }
    return best;
  }

  private Map<Long, Long> candidates(Page page) {
    Map<Long, Long> votes = new TreeMap<>();
    for (long key : keys(page)) {
      List<Page> list = lists.getOrDefault(key, List.of());
      int links = 0;
      for (Page head : list) {
        if (head.place() == page.place() || links++ == limits.heads) break;
        votes.merge(head.place(), KeyLinks.VOTE / list.size(), Long::sum);
      }
    }
    return mostVoted(votes, limits.candidates);
  }

  /** In the order of votes. */
  private static Map<Long, Long> mostVoted(Map<Long, Long> votes, int most) {
    List<Map.Entry<Long, Long>> sorted = new ArrayList<>(votes.entrySet());
    sorted.sort(Map.Entry.<Long, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
    Map<Long, Long> kept = new LinkedHashMap<>();
    for (Map.Entry<Long, Long> entry : sorted.subList(0, Math.min(most, sorted.size())))
      kept.put(entry.getKey(), entry.getValue());
    return kept;
  }
}
