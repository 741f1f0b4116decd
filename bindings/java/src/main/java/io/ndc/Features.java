package io.ndc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is needed to compare a page later and elsewhere, as bytes: portable between machines, versioned, with
 * a checksum (docs/features_format.md). No engine is needed. Any number of threads may call; every method throws
 * {@link NearDuplicatesException} or a subclass.
 */
public final class Features {
  private Features() {}

  /**
   * The features of a page.
   *
   * @param page not null
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return some kilobytes, about 4 bytes a word
   */
  public static byte[] compute(Page page, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    Arguments.notNull(page, "the page");
    byte[] @Nullable [] keysAndValues = Arguments.options(options);
    return page.pass((url, body, offset, size, type, flags, atMs) ->
        NativeCalls.features(url, body, offset, size, type, flags, atMs, keysAndValues));
  }

  /**
   * Candidate keys: pages that share one are worth comparing.
   *
   * @param features not null
   * @return unsigned 64-bit numbers, distinct, the strictest first
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static long[] keys(byte[] features) {
    NativeLibrary.require();
    return NativeCalls.featuresKeys(Arguments.notNull(features, "the features"));
  }

  /**
   * Hashes of the text blocks, to find the template of a site.
   *
   * @param features not null
   * @return unsigned 64-bit numbers, in the order of the document
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static long[] blocks(byte[] features) {
    NativeLibrary.require();
    return NativeCalls.featuresBlocks(Arguments.notNull(features, "the features"));
  }

  /**
   * The same page with some blocks weighing nothing, and its keys without them.
   *
   * @param features not null
   * @param blocks hashes as {@link #blocks} gives them; not null
   * @return new features
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static byte[] without(byte[] features, long[] blocks) {
    NativeLibrary.require();
    return NativeCalls.featuresWithout(
        Arguments.notNull(features, "the features"), Arguments.notNull(blocks, "the blocks"));
  }

  /**
   * Compares two pages.
   *
   * @param a the page that plays the representative; not null
   * @param b not null
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return verdict {@link Verdict#EXACT}, {@link Verdict#NEAR} or {@link Verdict#NEW} for different; all ids are 0
   * @throws CorruptException if one is not features, or damaged
   * @throws UnsupportedVersionException if another version wrote one
   */
  public static Result compare(byte[] a, byte[] b, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    Arguments.notNull(a, "the first page's features");
    Arguments.notNull(b, "the second page's features");
    long[] row = new long[Result.NUMBERS];
    NativeCalls.featuresCompare(a, b, Arguments.options(options), row);
    return Result.of(row);
  }
}
