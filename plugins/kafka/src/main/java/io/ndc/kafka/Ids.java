package io.ndc.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The numbers of pages and groups: 63 bits of a hash, so that they are spread evenly over the partitions. */
final class Ids {
  private Ids() {}

  static long ofUrl(String url) {
    return ofText(url.getBytes(StandardCharsets.UTF_8));
  }

  /** Of the group that a page founds which has left one of its own number to others. */
  static long ofGroup(long page, long round) {
    return ofText(ByteBuffer.allocate(16).putLong(page).putLong(round).array());
  }

  private static long ofText(byte[] bytes) {
    try {
      long number = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(bytes)).getLong() & Long.MAX_VALUE;
      return number == 0 ? 1 : number;
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has MD5", impossible);
    }
  }

  static byte[] bytes(long id) {
    return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
  }

  /**
   * The number in a key.
   *
   * @throws MalformedException if it has another length
   */
  static long of(byte[] key) {
    if (key == null || key.length != Long.BYTES) throw new MalformedException("a key that is no page's");
    return ByteBuffer.wrap(key).getLong();
  }
}
