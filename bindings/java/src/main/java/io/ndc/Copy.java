package io.ndc;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a group, for {@link NearDuplicates#chooseCopy}. A value: what begins with {@code with} makes another one.
 * Later versions may add components: begin with {@link #of(String)} or {@link #of(PageInfo)}.
 *
 * @param url of the page
 * @param canonicalUrl what {@link ExtractedPage#canonicalUrl()} says; empty: none. Compared without fragments, byte by
 *     byte
 * @param fetchedAtMs milliseconds since 1970-01-01 UTC; 0: not known
 * @param textWidth its visible text, in the units of {@link PageInfo#textWidth()}; not negative
 * @param hasContent false: it refers to another page, as a revisit record does, and is kept only if no copy has content
 */
public record Copy(String url, String canonicalUrl, long fetchedAtMs, long textWidth, boolean hasContent) {
  /**
   * Checks the components.
   *
   * @param url not null
   * @param canonicalUrl not null
   * @param fetchedAtMs any
   * @param textWidth not negative
   * @param hasContent either
   * @throws InvalidArgumentException for null, or a text width below 0
   */
  public Copy {
    Arguments.notNull(url, "the URL of a copy");
    Arguments.notNull(canonicalUrl, "the canonical URL of a copy");
    if (textWidth < 0) throw new InvalidArgumentException("the text width of a copy is " + textWidth + ", below 0");
  }

  /**
   * A copy of which nothing is known but its URL, and that it has content.
   *
   * @param url not null
   * @return a new copy
   */
  public static Copy of(String url) {
    return new Copy(url, "", 0, 0, true);
  }

  /**
   * A page that an engine knows: its URL, when it was last fetched, and its text's width.
   *
   * @param page not null
   * @return a new copy
   */
  public static Copy of(PageInfo page) {
    Arguments.notNull(page, "the page");
    return new Copy(page.url(), "", page.lastFetchedAtMs(), page.textWidth(), true);
  }

  /**
   * With the URL that it calls its own.
   *
   * @param canonical as {@link ExtractedPage#canonicalUrl()}; null or empty: none
   * @return a new copy
   */
  public Copy withCanonicalUrl(@Nullable String canonical) {
    return new Copy(url, canonical == null ? "" : canonical, fetchedAtMs, textWidth, hasContent);
  }

  /**
   * With the time at which it was fetched.
   *
   * @param time not null
   * @return a new copy
   */
  public Copy withFetchedAt(Instant time) {
    long ms = Arguments.milliseconds(time, "the fetch time of a copy");
    return new Copy(url, canonicalUrl, ms, textWidth, hasContent);
  }

  /**
   * With the width of its visible text.
   *
   * @param width not negative
   * @return a new copy
   */
  public Copy withTextWidth(long width) {
    return new Copy(url, canonicalUrl, fetchedAtMs, width, hasContent);
  }

  /**
   * As one that only refers to another page.
   *
   * @return a new copy
   */
  public Copy withoutContent() {
    return new Copy(url, canonicalUrl, fetchedAtMs, textWidth, false);
  }

  /** How many numbers native code reads of a copy, and its flag ND_COPY_WITHOUT_CONTENT. */
  private static final int NUMBERS = 3;

  private static final int WITHOUT_CONTENT = 1;

  static int choose(List<Copy> copies, Keep rule) {
    byte[][] urls = new byte[copies.size()][];
    byte[][] canonicalUrls = new byte[copies.size()][];
    long[] rows = new long[copies.size() * NUMBERS];
    for (int i = 0; i < urls.length; ++i) {
      Copy copy = Arguments.notNull(copies.get(i), "a copy");
      urls[i] = Utf8.encode(copy.url);
      canonicalUrls[i] = Utf8.encode(copy.canonicalUrl);
      rows[i * NUMBERS] = copy.fetchedAtMs;
      rows[i * NUMBERS + 1] = copy.textWidth;
      rows[i * NUMBERS + 2] = copy.hasContent ? 0 : WITHOUT_CONTENT;
    }
    return NativeCalls.chooseCopy(urls, canonicalUrls, rows, rule.number());
  }
}
