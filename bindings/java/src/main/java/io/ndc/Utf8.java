package io.ndc;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings as the native library has them. A surrogate without its other half, which UTF-8 has no place for, is written
 * as three bytes all the same: two different strings are never the same URL, and what comes back is what was given.
 */
final class Utf8 {
  private Utf8() {}

  static byte[] encode(String text) {
    for (int i = 0; i < text.length(); ++i) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1)))
          return encodeEachUnit(text);
        ++i;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String decode(byte[] bytes) {
    // A lone surrogate is ED A0..BF xx; nothing else that is UTF-8 looks so.
    for (int i = 0; i + 2 < bytes.length; ++i) {
      if (isSurrogate(bytes, i)) return decodeAround(bytes, i);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Of a URL that may be of any bytes: those that are not UTF-8 become %XX, so that different URLs stay different. */
  static String decodeUrl(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    // No byte gives more than a character, except the three of %XX.
    CharBuffer out = CharBuffer.allocate(Math.multiplyExact(3, bytes.length));
    for (CoderResult result = decoder.decode(in, out, true); result.isError(); result = decoder.decode(in, out, true)) {
      for (int i = 0; i < result.length(); i++)
        out.put(String.format("%%%02X", in.get() & 0xFF));
    }
    return out.flip().toString();
  }

  private static byte[] encodeEachUnit(String text) {
    if (text.length() > Integer.MAX_VALUE / 3)
      throw new LimitException("a text of " + text.length() + " characters is too long");
    byte[] bytes = new byte[text.length() * 3];
    int size = 0;
    for (int i = 0; i < text.length(); ++i) {
      int point = text.codePointAt(i);
      if (Character.isSupplementaryCodePoint(point)) ++i;
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        bytes[size++] = (byte) (0xE0 | point >> 12);
        bytes[size++] = (byte) (0x80 | point >> 6 & 0x3F);
        bytes[size++] = (byte) (0x80 | point & 0x3F);
      } else {
        byte[] character = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(character, 0, bytes, size, character.length);
        size += character.length;
      }
    }
    return Arrays.copyOf(bytes, size);
  }

  private static String decodeAround(byte[] bytes, int first) {
    StringBuilder text = new StringBuilder();
    int begin = 0;
    for (int i = first; i + 2 < bytes.length; ++i) {
      if (!isSurrogate(bytes, i)) continue;
      text.append(new String(bytes, begin, i - begin, StandardCharsets.UTF_8));
      text.append((char) (0xD000 | (bytes[i + 1] & 0x3F) << 6 | bytes[i + 2] & 0x3F));
      i += 2;
      begin = i + 1;
    }
    return text.append(new String(bytes, begin, bytes.length - begin, StandardCharsets.UTF_8)).toString();
  }

  private static boolean isSurrogate(byte[] bytes, int i) {
    return bytes[i] == (byte) 0xED && (bytes[i + 1] & 0xE0) == 0xA0 && (bytes[i + 2] & 0xC0) == 0x80;
  }
}
