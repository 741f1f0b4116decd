package io.ndc.crawler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which group a page joins (TR2007012, section 3.3): the candidate groups are those of its candidates, with all
 * their votes; of those with most votes the page joins the one that fits it best, as in the engine
 * (src/decision/verification.hpp, {@code merit}). What is not known yet is reported.
 *
 * @param representative the page's own number if it founds a group; {@link #NONE}: it is not known yet
 * @param likely the same by what is known: the likely answer while there is none
 * @param missing representatives, and pages that may turn out to be some, that it has to be compared with before
 * @param limited whether a comparison or a candidate's group was left out for lack of time
 */
public record Decision(long representative, long likely, List<Long> missing, boolean limited) {
  /** No page: what {@link #representative} and {@link Candidate#group} are while they are not known. */
  public static final long NONE = -1;

  /**
   * A candidate.
   *
   * @param votes of the keys that it shares with the page
   * @param group the representative of its group, or the likely one; {@link #NONE}: nothing is known of it
   * @param isDecided whether the group is final
   */
  public record Candidate(long votes, long group, boolean isDecided) {}

  /**
   * A comparison of the page.
   *
   * @param accepted whether the representative and the page are the same document
   * @param probability that they are; 0 if the resemblance alone decides
   * @param resemblance of the two
   */
  public record Comparison(boolean accepted, double probability, double resemblance) {
    /**
     * The probability; the resemblance where that alone decides ({@code decision=report}) and there is none.
     *
     * @return 0..1
     */
    public double merit() {
      return probability != 0 ? probability : resemblance;
    }
  }

  /** A page that fits a representative so well is compared with no other, as in the engine. */
  public static final double BEST_MERIT = 0.9;

  /**
   * Decides about a page.
   *
   * @param page a number that no group has
   * @param candidates those that are not decided have a likely group, or {@link #NONE}
   * @param comparisons of the page, by representative; more than are needed do no harm
   * @param most so many representatives are compared
   * @param last whether it must be decided by what there is
   * @return the decision, or what it lacks
   */
  public static Decision of(
      long page, List<Candidate> candidates, Map<Long, Comparison> comparisons, int most, boolean last) {
    boolean isOpen = false;
    Map<Long, Long> votesOfGroups = new HashMap<>();
    for (Candidate candidate : candidates) {
      isOpen |= !candidate.isDecided();
      boolean counts = candidate.group() != NONE && (candidate.isDecided() || !last);
      if (counts) votesOfGroups.merge(candidate.group(), candidate.votes(), Long::sum);
    }
    long best = page;
    double bestMerit = -1;
    List<Long> missing = new ArrayList<>();
    for (long group : mostVoted(votesOfGroups, most)) {
      Comparison comparison = comparisons.get(group);
      if (comparison == null) {
        missing.add(group);
      } else if (comparison.accepted() && isBetter(comparison.merit(), group, bestMerit, best)) {
        best = group;
        bestMerit = comparison.merit();
      }
      if (bestMerit >= BEST_MERIT) break;
    }
    isOpen |= !missing.isEmpty();
    if (isOpen && !last) return new Decision(NONE, best, missing, false);
    return new Decision(best, best, List.of(), isOpen);
  }

  /** Of two representatives that a page fits equally, the larger page. */
  private static boolean isBetter(double merit, long group, double bestMerit, long best) {
    return merit > bestMerit || (merit == bestMerit && group < best);
  }

  private static List<Long> mostVoted(Map<Long, Long> votesOfGroups, int most) {
    return votesOfGroups.entrySet().stream()
        .sorted(Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
