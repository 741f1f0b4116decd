package io.ndc.heritrix;

import org.archive.modules.CrawlURI;
import org.archive.modules.Processor;

/**
 * Makes ndc forget a page that was checked and is then in no WARC file, because it could not be written. Otherwise the
 * next copy of its text would be a near-duplicate, and be left out in favour of a page that is not archived. It stands
 * in the disposition chain, behind all WARC writers; where near-duplicates are not left out, it is not needed.
 *
 * <p>A writer that has written a page says so by the extra info {@code warcFilename}. Pages that a writer leaves out
 * because their bytes are known, annotated {@code unwritten}, are not forgotten.
 */
public final class UnwrittenPageProcessor extends Processor {
  private static final String WRITTEN = "warcFilename";
  /** How the writers of Heritrix annotate what they leave out on purpose. */
  private static final String UNWRITTEN = "unwritten";

  private NearDuplicateProcessor nearDuplicates;

  /** The processor that has checked the pages. */
  public NearDuplicateProcessor getNearDuplicates() {
    return nearDuplicates;
  }

  /** Sets the processor that has checked the pages; must be set. */
  public void setNearDuplicates(NearDuplicateProcessor nearDuplicates) {
    this.nearDuplicates = nearDuplicates;
  }

  @Override
  protected boolean shouldProcess(CrawlURI uri) {
    return NearDuplicateVerdict.of(uri).isPresent() && !uri.getExtraInfo().has(WRITTEN)
        && uri.getAnnotations().stream().noneMatch(annotation -> annotation.startsWith(UNWRITTEN));
  }

  @Override
  protected void innerProcess(CrawlURI uri) {
    nearDuplicates.forget(uri);
  }
}
