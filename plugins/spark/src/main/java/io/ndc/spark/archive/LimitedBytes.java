package io.ndc.spark.archive;

import java.util.Arrays;

/** A buffer that grows up to a limit, so that a hostile record costs no more memory than a page may have. */
final class LimitedBytes {
  private static final int FIRST_BYTES = 16 << 10;

  private final int limit;
  private byte[] bytes;
  private int size;

  LimitedBytes(int limit) {
    this.limit = limit;
    this.bytes = new byte[Math.min(limit, FIRST_BYTES)];
  }

  /** Appends as much as the limit allows; true if something had to be left out. */
  boolean append(byte[] from, int offset, int count) {
    int room = limit - size;
    int taken = Math.min(count, room);
    if (bytes.length - size < taken) {
      long larger = Math.max(size + (long) taken, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(larger, limit));
    }
    System.arraycopy(from, offset, bytes, size, taken);
    size += taken;
    return count > room;
  }

  /** What came of coded data, when these are all bytes that it gave. Not copied. */
  Decoded decoded(Decoded.Outcome outcome) {
    return new Decoded(range(), outcome);
  }

  /** Not copied. */
  ByteRange range() {
    return new ByteRange(bytes, 0, size);
  }
}
