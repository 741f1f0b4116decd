package io.ndc.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which group a page joins (TR2007012, section 3.3): the candidate groups are those of its candidates, with all
 * their votes; of the likeliest the page joins the one whose representative it resembles most. What is not known
 * yet is reported.
 */
final class Decision {
  /** A candidate: its votes, and the representative of its group, as far as it is known. */
  record Candidate(long votes, long group, boolean isDecided) {}

  /** A comparison of the page. */
  record Comparison(boolean accepted, double resemblance) {}

  /** A page that resembles a representative so much is compared with no other, as in the engine. */
  static final double NEARLY_EQUAL = 0.9;

  /** The representative; the page's own place if it founds a group; {@link Place#NONE}: it is not known yet. */
  final long representative;
  /** The same by what is known: the likely answer while there is none. */
  final long likely;
  /** Representatives, and pages that may turn out to be some, that it has to be compared with before. */
  final List<Long> missing;
  /** Whether a comparison or a candidate's group was left out for lack of time. */
  final boolean limited;

  private Decision(long representative, long likely, List<Long> missing, boolean limited) {
    this.representative = representative;
    this.likely = likely;
    this.missing = missing;
    this.limited = limited;
  }

  /**
   * Decides about a page.
   *
   * @param place of the page
   * @param candidates those that are not decided have a likely group, or {@link Place#NONE}
   * @param comparisons of the page, by representative; more than are needed do no harm
   * @param most so many representatives are compared
   * @param last whether it must be decided by what there is
   */
  static Decision of(
      long place, List<Candidate> candidates, Map<Long, Comparison> comparisons, int most, boolean last) {
    boolean isOpen = false;
    Map<Long, Long> votesOfGroups = new HashMap<>();
    for (Candidate candidate : candidates) {
      isOpen |= !candidate.isDecided();
      boolean counts = candidate.group() != Place.NONE && (candidate.isDecided() || !last);
      if (counts) votesOfGroups.merge(candidate.group(), candidate.votes(), Long::sum);
    }
    long best = place;
    double bestResemblance = -1;
    List<Long> missing = new ArrayList<>();
    for (long group : likeliest(votesOfGroups, most)) {
      Comparison comparison = comparisons.get(group);
      if (comparison == null) {
        missing.add(group);
      } else if (comparison.accepted() && isBetter(comparison.resemblance(), group, bestResemblance, best)) {
        best = group;
        bestResemblance = comparison.resemblance();
      }
      if (bestResemblance >= NEARLY_EQUAL) break;
    }
    isOpen |= !missing.isEmpty();
    if (isOpen && !last) return new Decision(Place.NONE, best, missing, false);
    return new Decision(best, best, List.of(), isOpen);
  }

  /** Of two groups that a page resembles equally, the larger one. */
  private static boolean isBetter(double resemblance, long group, double bestResemblance, long best) {
    return resemblance > bestResemblance || (resemblance == bestResemblance && group < best);
  }

  private static List<Long> likeliest(Map<Long, Long> votesOfGroups, int most) {
    return votesOfGroups.entrySet().stream()
        .sorted(Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
