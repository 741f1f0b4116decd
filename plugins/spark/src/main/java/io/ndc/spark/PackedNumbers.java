package io.ndc.spark;

import java.nio.ByteBuffer;
import java.util.List;

/** Numbers as a column of bytes: Spark's arrays of them take several times the memory. */
final class PackedNumbers {
  private PackedNumbers() {}

  static byte[] bytes(List<Long> numbers) {
    return bytes(numbers.stream().mapToLong(number -> number).toArray());
  }

  static byte[] bytes(long[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * numbers.length);
    bytes.asLongBuffer().put(numbers);
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
