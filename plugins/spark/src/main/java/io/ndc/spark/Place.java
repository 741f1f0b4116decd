package io.ndc.spark;

import java.nio.ByteBuffer;

/**
 * Where a page stands in the batch order of TR2007012, section 4.2, as one number: most fingerprints first. One bit (0: a
 * representative of an earlier run, which stands before all pages of this one), seven bits (127 minus the number of
 * fingerprints), and 55 bits of the page key, which decide among equals. Never negative.
 */
final class Place {
  /** No place. */
  static final long NONE = -1;

  private static final int KEY_BITS = 55;
  private static final int MOST_FINGERPRINTS = 127;
  /** Set in the places of all but the representatives of an earlier run. */
  static final long NEW = 1L << 62;

  private Place() {}

  /**
   * The place of a page.
   *
   * @param pageKey of {@link PageKey#BYTES} bytes
   * @param fingerprints 0 or more; all from 127 on are the same
   * @param isNew false: a representative of an earlier run
   */
  static long of(byte[] pageKey, int fingerprints, boolean isNew) {
    long key = ByteBuffer.wrap(pageKey).getLong() >>> (Long.SIZE - KEY_BITS);
    long rank = MOST_FINGERPRINTS - Math.min(fingerprints, MOST_FINGERPRINTS);
    return (isNew ? NEW : 0) | rank << KEY_BITS | key;
  }

  /** Whether it is a representative of an earlier run. */
  static boolean isEarlier(long place) {
    return (place & NEW) == 0;
  }
}
