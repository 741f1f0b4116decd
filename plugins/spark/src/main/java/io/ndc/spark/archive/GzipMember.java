package io.ndc.spark.archive;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates gzip members (RFC 1952), one after the other, in as many pieces as the caller likes, with their
 * checksums. What was inflated before damage is given. One thread at a time; {@link #close} frees native
 * memory.
 */
final class GzipMember implements AutoCloseable {
  /** The result for a piece. */
  enum Outcome { GOES_ON, ENDED, DAMAGED }

  private enum Part { FIXED, EXTRA_SIZE, EXTRA, NAME, COMMENT, HEADER_CHECK, DATA, TRAILER }

  private static final int FIXED_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int DEFLATE = 8;
  private static final int HEADER_CHECK_FLAG = 2;
  private static final int EXTRA_FLAG = 4;
  private static final int NAME_FLAG = 8;
  private static final int COMMENT_FLAG = 16;

  private final boolean refuseUnknownFlags;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 check = new CRC32();
  private Part part;
  private int partBytes;  // of the header or trailer, taken so far
  private long number;  // little endian, of the bytes taken so far
  private int extraBytes;
  private int flags;
  private int taken;
  private int given;
  private String reason = "";

  /** @param refuseUnknownFlags whether flags that no standard names are damage */
  GzipMember(boolean refuseUnknownFlags) {
    this.refuseUnknownFlags = refuseUnknownFlags;
    start();
  }

  /** Before the first byte of each member. */
  void start() {
    inflater.reset();
    check.reset();
    flags = 0;
    enter(Part.FIXED);
  }

  /** Reads on in the member. What is not taken of {@code input} must be given again. */
  Outcome run(ByteRange input, byte[] out, int offset, int room) {
    taken = 0;
    given = 0;
    while (part != Part.DATA && part != Part.TRAILER) {
      if (taken == input.size()) return Outcome.GOES_ON;
      if (!takeOfHeader(input.at(taken++))) return Outcome.DAMAGED;
    }
    if (part == Part.DATA && !inflate(input.from(taken), out, offset, room)) return Outcome.DAMAGED;
    while (part == Part.TRAILER && taken < input.size()) {
      takeNumber(input.at(taken++));
      if (partBytes == TRAILER_BYTES) return endsWell() ? Outcome.ENDED : Outcome.DAMAGED;
    }
    return Outcome.GOES_ON;
  }

  /** Bytes of the last run's input. */
  int taken() {
    return taken;
  }

  /** Bytes of the last run's output, when it found damage too. */
  int given() {
    return given;
  }

  /** Half a sentence about the damage. */
  String reason() {
    return reason;
  }

  @Override
  public void close() {
    inflater.end();
  }

  private void enter(Part next) {
    part = next;
    partBytes = 0;
    number = 0;
    if (next == Part.DATA) check.reset();
  }

  private void takeNumber(byte value) {
    number |= (value & 0xFFL) << (8 * partBytes++);
  }

  private boolean takeOfHeader(byte value) {
    if (part != Part.HEADER_CHECK) check.update(value);
    switch (part) {
      case FIXED:
        return takeOfFixed(value & 0xFF);
      case EXTRA_SIZE:
        takeNumber(value);
        if (partBytes < 2) return true;
        extraBytes = (int) number;
        if (extraBytes == 0) enterAfter(Part.EXTRA);
        else enter(Part.EXTRA);
        return true;
      case EXTRA:
        if (++partBytes == extraBytes) enterAfter(Part.EXTRA);
        return true;
      case NAME:
      case COMMENT:
        if (value == 0) enterAfter(part);
        return true;
      default:
        takeNumber(value);
        if (partBytes < 2) return true;
        if (number != (check.getValue() & 0xFFFF)) return refused("incorrect header check");
        enter(Part.DATA);
        return true;
    }
  }

  private boolean takeOfFixed(int value) {
    boolean right = true;
    if (partBytes == 0) right = value == 0x1F;
    if (partBytes == 1) right = value == 0x8B;
    if (partBytes == 2) right = value == DEFLATE;
    if (partBytes == 3) {
      flags = value;
      right = !refuseUnknownFlags || value < 2 * COMMENT_FLAG;
    }
    if (!right) return refused("incorrect header");
    if (++partBytes == FIXED_BYTES) enterAfter(Part.FIXED);
    return true;
  }

  // What follows depends on the flags.
  private void enterAfter(Part done) {
    if (done.compareTo(Part.EXTRA_SIZE) < 0 && (flags & EXTRA_FLAG) != 0) enter(Part.EXTRA_SIZE);
    else if (done.compareTo(Part.NAME) < 0 && (flags & NAME_FLAG) != 0) enter(Part.NAME);
    else if (done.compareTo(Part.COMMENT) < 0 && (flags & COMMENT_FLAG) != 0) enter(Part.COMMENT);
    else if ((flags & HEADER_CHECK_FLAG) != 0) enter(Part.HEADER_CHECK);
    else enter(Part.DATA);
  }

  private boolean inflate(ByteRange input, byte[] out, int offset, int room) {
    long before = inflater.getBytesWritten();
    inflater.setInput(input.array(), input.begin(), input.size());
    boolean right = true;
    try {
      inflater.inflate(out, offset, room);
    } catch (DataFormatException damage) {
      right = false;
      reason = String.valueOf(damage.getMessage());
    }
    given = (int) (inflater.getBytesWritten() - before);
    check.update(out, offset, given);
    taken += input.size() - inflater.getRemaining();
    if (inflater.finished()) enter(Part.TRAILER);
    return right;
  }

  private boolean endsWell() {
    boolean right = (number & 0xFFFFFFFFL) == check.getValue()
        && number >>> 32 == (inflater.getBytesWritten() & 0xFFFFFFFFL);
    return right || refused("incorrect data check");
  }

  private boolean refused(String why) {
    reason = why;
    return false;
  }
}
