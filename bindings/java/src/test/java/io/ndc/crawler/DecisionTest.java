package io.ndc.crawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.crawler.Decision.Candidate;
import io.ndc.crawler.Decision.Comparison;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which group a page joins once its comparisons are known, and which it asks for. */
class DecisionTest {
  private static final long PAGE = 100;
  private final Map<Long, Comparison> comparisons = new HashMap<>();

  private static Candidate decided(long votes, long group) {
    return new Candidate(votes, group, true);
  }

  private static Candidate open(long votes, long likely) {
    return new Candidate(votes, likely, false);
  }

  private void compared(long group, boolean accepted, double probability) {
    comparisons.put(group, new Comparison(accepted, probability, 0.1));
  }

  private Decision decide(int most, boolean last, Candidate... candidates) {
    return Decision.of(PAGE, List.of(candidates), comparisons, most, last);
  }

  @Test
  void joinsTheLikeliestGroup() {
    compared(1, true, 0.4);
    compared(2, true, 0.5);
    compared(3, false, 0.6);
    assertEquals(2, decide(8, false, decided(9, 1), decided(1, 2), decided(1, 3)).representative());
  }

  @Test
  void resemblanceDecidesNothingWhereThereIsAProbability() {
    comparisons.put(1L, new Comparison(true, 0.6, 0.95));
    comparisons.put(2L, new Comparison(true, 0.7, 0.3));
    assertEquals(2, decide(8, false, decided(9, 1), decided(1, 2)).representative());
  }

  @Test
  void resemblanceDecidesWhereTheReportDoes() {
    comparisons.put(1L, new Comparison(true, 0, 0.4));
    comparisons.put(2L, new Comparison(true, 0, 0.5));
    assertEquals(2, decide(8, false, decided(9, 1), decided(1, 2)).representative());
  }

  @Test
  void ofTwoThatAreAsLikelyItJoinsTheLarger() {
    compared(1, true, 0.5);
    compared(2, true, 0.5);
    assertEquals(1, decide(8, false, decided(1, 1), decided(9, 2)).representative());
  }

  @Test
  void foundsAGroupIfAllComparisonsFail() {
    compared(1, false, 0.2);
    assertEquals(PAGE, decide(8, false, decided(1, 1)).representative());
  }

  @Test
  void asksForTheComparisonsThatAreMissing() {
    compared(1, true, 0.5);
    Decision decision = decide(8, false, decided(3, 1), decided(2, 2), decided(1, 3));
    assertEquals(Decision.NONE, decision.representative());
    assertEquals(1, decision.likely());
    assertEquals(List.of(2L, 3L), decision.missing());
  }

  @Test
  void isComparedWithTheGroupsOfMostVotesTogether() {
    // Two candidates of group 2 have more votes together than that of group 1.
    Decision decision = decide(1, false, decided(3, 1), decided(2, 2), decided(2, 2));
    assertEquals(List.of(2L), decision.missing());
  }

  @Test
  void nothingIsComparedBehindOneThatIsNearlyEqual() {
    compared(1, true, 0.95);
    Decision decision = decide(8, false, decided(3, 1), decided(2, 2));
    assertEquals(1, decision.representative());
    assertFalse(decision.limited());
  }

  @Test
  void whatIsLikelierThanOneThatIsNearlyEqualIsComparedFirst() {
    compared(2, true, 0.95);
    assertEquals(List.of(1L), decide(8, false, decided(3, 1), decided(2, 2)).missing());
  }

  @Test
  void waitsForACandidateThatIsNotDecidedAndAsksForItsLikelyGroup() {
    compared(1, true, 0.5);
    Decision decision = decide(8, false, decided(3, 1), open(2, 7));
    assertEquals(Decision.NONE, decision.representative());
    assertEquals(List.of(7L), decision.missing());
  }

  @Test
  void waitsThoughTheLikelyGroupIsCompared() {
    compared(7, false, 0.1);
    Decision decision = decide(8, false, open(2, 7));
    assertEquals(Decision.NONE, decision.representative());
    assertEquals(List.of(), decision.missing());
  }

  @Test
  void aCandidateOfNoLikelyGroupIsWaitedFor() {
    assertEquals(Decision.NONE, decide(8, false, open(2, Decision.NONE)).representative());
  }

  @Test
  void atLastItIsDecidedByWhatThereIs() {
    compared(1, true, 0.3);
    compared(7, true, 0.8);
    // Group 7 is not sure to be one.
    Decision decision = decide(8, true, decided(3, 1), decided(2, 2), open(2, 7));
    assertEquals(1, decision.representative());
    assertTrue(decision.limited());
    assertEquals(List.of(), decision.missing());
  }

  @Test
  void atLastIsNoLimitWhereAllIsKnown() {
    compared(1, true, 0.3);
    assertFalse(decide(8, true, decided(3, 1)).limited());
  }
}
