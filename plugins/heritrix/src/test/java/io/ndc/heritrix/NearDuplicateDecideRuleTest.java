package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ndc.Flag;
import io.ndc.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.archive.modules.CrawlURI;
import org.archive.modules.deciderules.DecideResult;
import org.archive.net.UURIFactory;
import org.junit.jupiter.api.Test;

/** By which verdicts the decide rule accepts a page. */
final class NearDuplicateDecideRuleTest {
  /** A page of which the founder of its group is the matched page. */
  private static CrawlURI page(Verdict verdict, long group, double resemblance) throws Exception {
    return page(verdict, group, resemblance, resemblance, false);
  }

  private static CrawlURI page(
      Verdict verdict, long group, double resemblance, double founderResemblance, boolean part) throws Exception {
    CrawlURI uri = unchecked();
    new NearDuplicateVerdict(verdict, Set.of(), 7, group, "http://b.example/", "http://a.example/", resemblance, 1,
        1, 0, founderResemblance, part).attachTo(uri);
    return uri;
  }

  private static CrawlURI unchecked() throws Exception {
    return new CrawlURI(UURIFactory.getInstance("http://www.example.org/page"));
  }

  @Test
  void exactAndNearAreAccepted() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.EXACT, 3, 1)));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.NEAR, 3, 0.4)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.NEW, 7, 0)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.UNCHANGED, 3, 0)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.NO_TEXT, 7, 0)));
    assertNull(rule.onlyDecision(unchecked()));
  }

  @Test
  void pagesThatWereNotCheckedAreNoDuplicates() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setDecision(DecideResult.REJECT);
    assertEquals(DecideResult.NONE, rule.decisionFor(unchecked()));
    rule.setOtherwise(DecideResult.ACCEPT);
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(unchecked()));
    assertEquals(DecideResult.REJECT, rule.decisionFor(page(Verdict.NEAR, 3, 0.4)));
  }

  @Test
  void resemblanceCanBeAskedFor() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setMinResemblance(0.9);
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.NEAR, 3, 0.8999)));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.NEAR, 3, 0.9)));
    for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> rule.setMinResemblance(wrong));
    }
  }

  @Test
  void aPageThatIsNoCopyOfItsFounderStays() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setUnchangedMembers(true);
    rule.setLeaveOutParts(true);
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.EXACT, 3, 1, 0, false)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.UNCHANGED, 3, 0, 0, false)));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.EXACT, 3, 1, 0.8, false)));
    rule.setMinResemblance(0.9);
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.EXACT, 3, 1, 0.8, false)), "it equals a member");
  }

  @Test
  void partsAreNoDuplicatesUnlessAskedFor() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setUnchangedMembers(true);
    CrawlURI near = page(Verdict.NEAR, 3, 0.4, 0.4, true);
    CrawlURI unchanged = page(Verdict.UNCHANGED, 3, 0, 0.4, true);
    assertEquals(List.of(NearDuplicateVerdict.ANNOTATION), List.copyOf(near.getAnnotations()));
    assertEquals(DecideResult.NONE, rule.decisionFor(near));
    assertEquals(DecideResult.NONE, rule.decisionFor(unchanged));
    rule.setLeaveOutParts(true);
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(near));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(unchanged));
    rule.setMinResemblance(0.5);
    assertEquals(DecideResult.NONE, rule.decisionFor(near));
    rule.setLeaveOutParts(false);
    rule.setVerdicts(List.of(Verdict.UNCHANGED));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(unchanged), "its own text is there already");
  }

  @Test
  void verdictsCanBeChosen() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setVerdicts(List.of(Verdict.NO_TEXT, Verdict.EXACT));
    rule.setMinResemblance(0.9);
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.NO_TEXT, 7, 0)));
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.EXACT, 3, 1)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.NEAR, 3, 1)));
  }

  @Test
  void unchangedMembersCanCount() throws Exception {
    NearDuplicateDecideRule rule = new NearDuplicateDecideRule();
    rule.setUnchangedMembers(true);
    assertEquals(DecideResult.ACCEPT, rule.decisionFor(page(Verdict.UNCHANGED, 3, 0, 0.4, false)));
    assertEquals(DecideResult.NONE, rule.decisionFor(page(Verdict.UNCHANGED, 7, 0)));
  }

  @Test
  void aVerdictTravelsWithItsPage() throws Exception {
    NearDuplicateVerdict verdict = new NearDuplicateVerdict(
        Verdict.NEAR, Set.of(Flag.RECRAWL, Flag.CHANGED), 1L << 40, 2, null, null, 0.123456, 0.5, 0.98765, 1L << 41,
        0.25, true);
    CrawlURI uri = unchecked();
    verdict.attachTo(uri);
    assertEquals(Optional.of(verdict), NearDuplicateVerdict.of(uri));
    assertEquals("recrawl, changed", verdict.flagNames());
    assertEquals(0.1235, uri.getExtraInfo().getDouble("nd_resemblance"));
    assertEquals(0.9877, uri.getExtraInfo().getDouble("nd_probability"));
    assertEquals(1L << 41, uri.getExtraInfo().getLong("nd_related_group"));
    NearDuplicateVerdict.detachFrom(uri);
    assertEquals(Optional.empty(), NearDuplicateVerdict.of(uri));
    assertEquals(List.of(), List.copyOf(uri.getAnnotations()));
  }
}
