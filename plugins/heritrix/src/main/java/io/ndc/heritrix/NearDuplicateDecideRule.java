package io.ndc.heritrix;

import io.ndc.Verdict;
import java.util.List;
import java.util.Optional;
import org.archive.modules.CrawlURI;
import org.archive.modules.deciderules.DecideResult;
import org.archive.modules.deciderules.PredicatedDecideRule;

/**
 * Decides by what {@link NearDuplicateProcessor} found out about a page. Usable wherever a rule comes after that
 * processor in the disposition chain, above all as {@code shouldProcessRule} of a WARC writer.
 *
 * <p>The rule applies to pages with one of the {@code verdicts} and at least {@code minResemblance}; then it answers
 * {@code decision} (default ACCEPT), else {@code otherwise} (default NONE). Pages that were not checked, whatever the
 * reason, are not duplicates: nothing is lost because ndc was not there. Nor are pages that are no copies of the page
 * that founded their group, by what is known when they are checked: among them, unless {@code leaveOutParts} is set,
 * those that contain it and much more, or lie in it with much more.
 */
public final class NearDuplicateDecideRule extends PredicatedDecideRule {
  private static final long serialVersionUID = 1L;

  /** A rule for EXACT and NEAR that ACCEPTs. */
  public NearDuplicateDecideRule() {
    setVerdicts(List.of(Verdict.EXACT, Verdict.NEAR));
    setMinResemblance(0);
    setLeaveOutParts(false);
    setUnchangedMembers(false);
    setOtherwise(DecideResult.NONE);
  }

  /** The verdicts to which the rule applies. */
  @SuppressWarnings("unchecked")
  public List<Verdict> getVerdicts() {
    return (List<Verdict>) kp.get("verdicts");
  }

  /**
   * Sets the verdicts to which the rule applies, for instance NEAR alone, to keep exact duplicates where they were.
   *
   * @param verdicts not null; empty: none
   */
  public void setVerdicts(List<Verdict> verdicts) {
    kp.put("verdicts", List.copyOf(verdicts));
  }

  /** The resemblance to the founder of its group that an EXACT or NEAR page must have at least. */
  public double getMinResemblance() {
    return (Double) kp.get("minResemblance");
  }

  /**
   * Sets the resemblance to the page that founded its group, 0..1, that an EXACT or NEAR page must have at least; 0
   * (default): all that ndc calls near.
   * The other verdicts have no resemblance and are not asked for it.
   *
   * @throws IllegalArgumentException out of range
   */
  public void setMinResemblance(double minResemblance) {
    if (!(minResemblance >= 0 && minResemblance <= 1)) {
      throw new IllegalArgumentException("minResemblance is " + minResemblance + "; it must be 0..1");
    }
    kp.put("minResemblance", minResemblance);
  }

  /** Whether a page counts as well that is a part of the founder of its group, or the founder of it. */
  public boolean getLeaveOutParts() {
    return (Boolean) kp.get("leaveOutParts");
  }

  /**
   * Sets whether the rule applies as well to a page that contains the founder of its group and much more, or lies in it
   * with much more. Default false: the first has text that stands nowhere else.
   */
  public void setLeaveOutParts(boolean leaveOutParts) {
    kp.put("leaveOutParts", leaveOutParts);
  }

  /** Whether an unchanged page counts as well if it is in the group of another page. */
  public boolean getUnchangedMembers() {
    return (Boolean) kp.get("unchangedMembers");
  }

  /**
   * Sets whether the rule applies as well to a page that was fetched again, unchanged, and stands in a group that
   * another page founded. Default false. Set it where a crawl that is resumed from a checkpoint shall route such pages
   * as it did before.
   */
  public void setUnchangedMembers(boolean unchangedMembers) {
    kp.put("unchangedMembers", unchangedMembers);
  }

  /** The answer for all other pages. */
  public DecideResult getOtherwise() {
    return (DecideResult) kp.get("otherwise");
  }

  /**
   * Sets the answer for all pages to which the rule does not apply; default NONE.
   *
   * @param otherwise not null
   */
  public void setOtherwise(DecideResult otherwise) {
    kp.put("otherwise", otherwise);
  }

  @Override
  protected DecideResult innerDecide(CrawlURI uri) {
    return evaluate(uri) ? getDecision() : getOtherwise();
  }

  /** Null: the answer depends on the page. */
  @Override
  public DecideResult onlyDecision(CrawlURI uri) {
    return getDecision() == getOtherwise() ? getDecision() : null;
  }

  @Override
  protected boolean evaluate(CrawlURI uri) {
    Optional<NearDuplicateVerdict> found = NearDuplicateVerdict.of(uri);
    if (found.isEmpty()) {
      return false;
    }
    NearDuplicateVerdict page = found.get();
    boolean replaceable = page.founderResemblance() > 0 && (getLeaveOutParts() || !page.part());
    if (page.verdict() == Verdict.UNCHANGED && getUnchangedMembers() && page.isMember() && replaceable) {
      return true;
    }
    return getVerdicts().contains(page.verdict())
        && (!page.isDuplicate() || (replaceable && page.founderResemblance() >= getMinResemblance()));
  }
}
