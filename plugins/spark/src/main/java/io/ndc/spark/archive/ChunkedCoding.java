package io.ndc.spark.archive;

/** The chunked transfer coding (RFC 9112, section 7.1). */
final class ChunkedCoding {
  private static final int MAX_SIZE_DIGITS = 15;

  private ChunkedCoding() {}

  /**
   * Removes the coding. DAMAGED: the bytes do not begin with a chunk. CUT: the last chunk is missing or
   * damaged; the result is what came before.
   */
  static Decoded decode(ByteRange data) {
    LimitedBytes out = new LimitedBytes(data.size());
    ByteRange rest = data;
    for (boolean first = true;; first = false) {
      int lineEnd = rest.indexOf((byte) '\n', 0);
      long size = lineEnd < 0 ? -1 : chunkSize(rest.first(lineEnd));
      if (size < 0) return out.decoded(first ? Decoded.Outcome.DAMAGED : Decoded.Outcome.CUT);
      if (size == 0) return out.decoded(Decoded.Outcome.COMPLETE);
      rest = rest.from(lineEnd + 1);
      ByteRange chunk = rest.first((int) Math.min(size, Integer.MAX_VALUE));
      ByteRange behind = rest.from(chunk.size());
      // A text that merely begins with a number has no line end there.
      boolean atEnd = behind.isEmpty() || (behind.size() == 1 && behind.at(0) == '\r');
      boolean ended = atEnd || behind.startsWith((byte) '\r', (byte) '\n') || behind.startsWith((byte) '\n');
      if (first && !ended) return out.decoded(Decoded.Outcome.DAMAGED);
      out.append(chunk.array(), chunk.begin(), chunk.size());
      if (!ended || atEnd) return out.decoded(Decoded.Outcome.CUT);
      rest = behind.from(behind.indexOf((byte) '\n', 0) + 1);
    }
  }

  // −1: no size. Only the digits and what may stand around them are looked at, however long the line is.
  private static long chunkSize(ByteRange line) {
    int semicolon = line.indexOf((byte) ';', 0);
    String digits = HeaderFields.trimmed((semicolon < 0 ? line : line.first(semicolon)).latin1());
    boolean hexadecimal = digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80);
    if (digits.isEmpty() || digits.length() > MAX_SIZE_DIGITS || !hexadecimal) return -1;
    return Long.parseLong(digits, 16);
  }
}
