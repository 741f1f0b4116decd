package io.ndc.spark;

import java.nio.ByteBuffer;

/** Numbers as a column of bytes: Spark's arrays of them take several times the memory. */
final class PackedNumbers {
  private PackedNumbers() {}

  static byte[] bytes(long[] numbers) {
    return bytes(numbers, 0, numbers.length);
  }

  /** Packs some of them. */
  static byte[] bytes(long[] numbers, int from, int to) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (to - from));
    bytes.asLongBuffer().put(numbers, from, to - from);
    return bytes.array();
  }

  /**
   * The numbers in a column.
   *
   * @throws IllegalArgumentException if it was not made by {@link #bytes}
   */
  static long[] of(byte[] bytes) {
    if (bytes.length % Long.BYTES != 0) throw new IllegalArgumentException("no numbers: " + bytes.length + " bytes");
    long[] numbers = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
    return numbers;
  }
}
