package io.ndc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A sketch of a page in at most {@value #MAX_SIZE} bytes, for hosts that have one small field a page. It knows no site
 * and no template, so it decides less well than {@link Features} or an engine. Any number of threads may call; every
 * method throws {@link NearDuplicatesException} or a subclass.
 */
public final class Signature {
  /** The longest signature, in bytes. */
  public static final int MAX_SIZE = 127;

  private Signature() {}

  /**
   * The signature of a page.
   *
   * @param page not null
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return at most {@value #MAX_SIZE} bytes; none for a page without text
   */
  public static byte[] compute(Page page, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    Arguments.notNull(page, "the page");
    return NativeCalls.signature(page.texts(), page.numbers(), Arguments.options(options));
  }

  /**
   * Candidate keys: pages that share one are worth comparing.
   *
   * @param signature not null
   * @return unsigned 64-bit numbers
   * @throws CorruptException if this is not a signature, or is damaged
   * @throws UnsupportedVersionException if another version wrote it
   */
  public static long[] keys(byte[] signature) {
    NativeLibrary.require();
    return NativeCalls.signatureKeys(Arguments.notNull(signature, "the signature"));
  }

  /**
   * Estimates how much two pages have in common.
   *
   * @param a not null
   * @param b not null
   * @return the Jaccard similarity of their main content, 0..1, as estimated
   * @throws CorruptException if one is not a signature, or is damaged
   * @throws UnsupportedVersionException if another version wrote one
   */
  public static double compare(byte[] a, byte[] b) {
    NativeLibrary.require();
    return NativeCalls.signatureCompare(
        Arguments.notNull(a, "the first signature"), Arguments.notNull(b, "the second signature"));
  }
}
