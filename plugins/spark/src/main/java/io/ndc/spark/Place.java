package io.ndc.spark;

import java.nio.ByteBuffer;
import org.apache.spark.sql.Column;

/**
 * Where a page stands in the batch order of TR2007012, section 4.2, as one number: most fingerprints first. Two bits
 * say when it came: first the representatives of an earlier run about which nothing new is known, below 0; then those
 * that are {@link RevisedStage revised}; then the pages of this run. Seven bits (127 minus the number of
 * fingerprints), and 55 bits of the page key, which decide among equals.
 */
final class Place {
  /** No place. */
  static final long NONE = -1;

  /** For a page of this run. */
  static final long NEW = 1L << 62;
  /** For a representative of an earlier run that has changed. */
  static final long REVISED = 0;
  /** For one that has not changed. */
  static final long SETTLED = Long.MIN_VALUE;

  private static final int KEY_BITS = 55;
  private static final int MOST_FINGERPRINTS = 127;

  private Place() {}

  /**
   * The place of a page.
   *
   * @param pageKey of {@link PageKey#BYTES} bytes
   * @param fingerprints 0 or more; all from 127 on are the same
   * @param time {@link #NEW}, {@link #REVISED} or {@link #SETTLED}
   */
  static long of(byte[] pageKey, int fingerprints, long time) {
    long key = ByteBuffer.wrap(pageKey).getLong() >>> (Long.SIZE - KEY_BITS);
    long rank = MOST_FINGERPRINTS - Math.min(fingerprints, MOST_FINGERPRINTS);
    return time | rank << KEY_BITS | key;
  }

  /** Whether it is the representative of a group of an earlier run, and stays it. */
  static boolean isSettled(long place) {
    return place < 0;
  }

  /** The place of the same page at another time. */
  static Column at(long time, Column place) {
    return place.bitwiseAND(~(NEW | SETTLED)).bitwiseOR(time);
  }

  /** Whether it is that of a page of this run. */
  static Column isNew(Column place) {
    return place.geq(NEW);
  }
}
