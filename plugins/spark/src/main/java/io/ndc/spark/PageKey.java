package io.ndc.spark;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The number of a capture: the MD5 of its URL and the time of its fetch. A group has that of its founder, so that a
 * page which is fetched again with another text can found another group.
 */
final class PageKey {
  static final int BYTES = 16;

  private PageKey() {}

  static byte[] of(String url, long fetchedAtMs) {
    MessageDigest md5 = md5();
    md5.update(url.getBytes(StandardCharsets.UTF_8));
    // Behind a byte that UTF-8 does not have, so that no URL looks like another one with its time.
    md5.update((byte) 0xff);
    md5.update(ByteBuffer.allocate(Long.BYTES).putLong(fetchedAtMs).array());
    return md5.digest();
  }

  /** As the output has it. */
  static String text(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has MD5", impossible);
    }
  }
}
