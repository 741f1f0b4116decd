package io.ndc.spark.archive;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A stretch of an array, which is not copied. */
final class ByteRange {
  static final ByteRange EMPTY = new ByteRange(new byte[0], 0, 0);

  private final byte[] array;
  private final int begin;
  private final int end;

  ByteRange(byte[] array, int begin, int end) {
    this.array = array;
    this.begin = begin;
    this.end = end;
  }

  static ByteRange of(byte[] array) {
    return new ByteRange(array, 0, array.length);
  }

  /** One byte a character. */
  static ByteRange ofLatin1(String text) {
    return of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  byte[] array() {
    return array;
  }

  int begin() {
    return begin;
  }

  int size() {
    return end - begin;
  }

  boolean isEmpty() {
    return end == begin;
  }

  byte at(int index) {
    return array[begin + index];
  }

  /** Without the first {@code count} bytes, or empty. */
  ByteRange from(int count) {
    return new ByteRange(array, Math.min(begin + count, end), end);
  }

  /** At most the first {@code count} bytes. */
  ByteRange first(int count) {
    return new ByteRange(array, begin, begin + Math.min(count, size()));
  }

  boolean startsWith(byte... prefix) {
    return size() >= prefix.length
        && Arrays.equals(array, begin, begin + prefix.length, prefix, 0, prefix.length);
  }

  /** The first place of {@code wanted} from {@code start} on, −1 if there is none. */
  int indexOf(byte wanted, int start) {
    for (int at = begin + start; at < end; at++)
      if (array[at] == wanted) return at - begin;
    return -1;
  }

  /** As the other, of several bytes, at least one. */
  int indexOf(byte[] wanted, int start) {
    for (int at = indexOf(wanted[0], start); at >= 0; at = indexOf(wanted[0], at + 1))
      if (from(at).startsWith(wanted)) return at;
    return -1;
  }

  /** The first place of a byte other than {@code a} and {@code b}, the size if there is none. */
  int indexOfOther(byte a, byte b) {
    int at = begin;
    while (at < end && (array[at] == a || array[at] == b))
      at++;
    return at - begin;
  }

  byte[] copy() {
    return Arrays.copyOfRange(array, begin, end);
  }

  /** A character a byte. */
  String latin1() {
    return new String(array, begin, size(), StandardCharsets.ISO_8859_1);
  }

  /** As UTF-8, with bytes that are none as U+FFFD. */
  String utf8() {
    return new String(array, begin, size(), StandardCharsets.UTF_8);
  }

  /** As UTF-8, with other bytes as %XX, so that different names stay different. */
  String toIdentity() {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(array, begin, size());
    // No byte gives more than a character, except the three of %XX.
    CharBuffer out = CharBuffer.allocate(Math.multiplyExact(3, size()));
    CoderResult result = decoder.decode(in, out, true);
    while (result.isError()) {
      for (int i = 0; i < result.length(); i++)
        out.put(String.format("%%%02X", in.get() & 0xFF));
      result = decoder.decode(in, out, true);
    }
    return out.flip().toString();
  }
}
