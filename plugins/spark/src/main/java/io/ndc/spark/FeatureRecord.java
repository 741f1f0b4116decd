package io.ndc.spark;

import io.ndc.Flag;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Numbers from the head of a features record, as docs/features_format.md places them. The library
 * has no calls for them. Whether a record is whole is checked by the library, whenever it is given one.
 */
final class FeatureRecord {
  /** Flags of the record: the body was cut, a limit was hit, the page has no text. */
  private static final int CUT = 1;
  private static final int LIMITED = 2;
  private static final int NO_TEXT = 4;

  private static final int HEADER_BYTES = 152;
  private static final int BLOCK_BYTES = 16;
  private static final int DIGEST = 48;
  private static final int WIDTH = 72;
  private static final int BLOCKS = 88;
  private static final int FINGERPRINTS = 92;
  private static final int KEYS = 96;
  private static final int SYMBOLS = 100;
  private static final int URL_SIZE = 104;
  private static final int SITE_SIZE = 108;
  private static final int SENTENCES = 120;
  private static final int FLAGS = 124;
  private static final int SPOTS = 136;
  private static final int BLOCK_SPOTS = 140;
  private static final int TITLE_SYMBOLS = 144;
  private static final int SITE_ENTRIES = 148;

  private final ByteBuffer bytes;

  /**
   * Of a record that the library made.
   *
   * @param record not null, not changed while this is in use
   * @throws IllegalArgumentException if it is shorter than a header
   */
  FeatureRecord(byte[] record) {
    if (record.length < HEADER_BYTES) throw new IllegalArgumentException("no features: " + record.length + " bytes");
    bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The low half of the digest of all visible text. */
  long digestLow() {
    return bytes.getLong(DIGEST);
  }

  /** Width of all text, in units of the LCS partition. */
  long width() {
    return bytes.getLong(WIDTH);
  }

  /** How many of the candidate keys, the first ones, are fingerprints of the LCS partition. */
  int fingerprints() {
    return bytes.getInt(FINGERPRINTS);
  }

  /** Flags of the C interface: whether the page was cut, or a limit was hit. */
  int flags() {
    int bits = bytes.getInt(FLAGS);
    return ((bits & CUT) != 0 ? FlagBits.of(Flag.TRUNCATED) : 0)
        | ((bits & LIMITED) != 0 ? FlagBits.of(Flag.LIMIT) : 0);
  }

  boolean hasText() {
    return (bytes.getInt(FLAGS) & NO_TEXT) == 0;
  }

  /**
   * The registrable domain of the page's host.
   *
   * @throws IllegalArgumentException if the sizes in the header do not fit the record
   */
  String site() {
    long begin = HEADER_BYTES + BLOCK_BYTES * count(BLOCKS) + 8L * count(KEYS) + 8L * count(SPOTS)
        + 16L * count(BLOCK_SPOTS) + 24L * count(SENTENCES) + 8L * count(SITE_ENTRIES)
        + 4L * (count(SYMBOLS) + count(TITLE_SYMBOLS)) + count(URL_SIZE);
    long size = count(SITE_SIZE);
    if (begin + size > bytes.capacity()) throw new IllegalArgumentException("no features: their sizes do not fit");
    return new String(bytes.array(), (int) begin, (int) size, StandardCharsets.UTF_8);
  }

  private long count(int offset) {
    return bytes.getInt(offset) & 0xffffffffL;
  }
}
