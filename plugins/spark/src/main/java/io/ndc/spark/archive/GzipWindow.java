package io.ndc.spark.archive;

import java.util.Arrays;

/**
 * The compressed bytes around the place where a gzip archive is read: enough behind it that, when a damaged
 * member has been misread across its end, the next one is still there. Memory: 2 MiB. One thread at a time.
 */
final class GzipWindow implements AutoCloseable {
  static final int CHUNK_BYTES = 256 << 10;
  /**
   * Enough of a member for its header, the tables of its first deflate block, and the first bytes it gives.
   */
  static final int TRIAL_BYTES = 4096;

  private static final byte[] MAGIC = {0x1F, (byte) 0x8B, 8};
  // Damaged deflate data may be misread across the end of its member, but invalid codes and distances show
  // within kilobytes.
  private static final int HISTORY_BYTES = 1 << 20;
  private static final int CAPACITY = HISTORY_BYTES + 4 * CHUNK_BYTES;

  private final StorageInput source;
  private byte[] bytes = new byte[2 * CHUNK_BYTES];
  private final byte[] trialOut = new byte[RecordReader.MAGIC_BYTES];
  private GzipMember trial;
  private int filled;
  private long base;  // file offset of bytes[0]
  private long next;
  private boolean failed;

  /** @param fileOffset of the source's first byte */
  GzipWindow(StorageInput source, long fileOffset) {
    this.source = source;
    this.base = fileOffset;
    this.next = fileOffset;
  }

  /** File offset of the next byte to inflate. */
  long next() {
    return next;
  }

  void advance(int count) {
    next += count;
  }

  /** What there is from {@link #next} on. */
  ByteRange ahead() {
    return from(next);
  }

  /** Whether the storage has failed and all bytes before have been asked for. */
  boolean failed() {
    return failed;
  }

  /** Reads more and keeps what a member that began at {@code memberOffset} may need. False at the end. */
  boolean readOn(long memberOffset) {
    return read(Math.max(memberOffset, historyStart()));
  }

  /** Fills up to {@code size} bytes in all, or to the end. */
  void fill(int size) {
    if (size > bytes.length) bytes = Arrays.copyOf(bytes, Math.min(2 * size, CAPACITY));
    while (filled < size) {
      int count = source.read(bytes, filled, size - filled);
      if (count == 0) return;
      filled += count;
    }
  }

  boolean startsWithMember() {
    return ahead().startsWith(MAGIC);
  }

  /** Reads until a member's magic could be there. False: no byte is. */
  boolean requireMagic() {
    while (ahead().size() < MAGIC.length && read(next)) {
      // Again: a read may give a byte.
    }
    return !ahead().isEmpty();
  }

  /** Whether a member that begins with a record starts in what has been read. */
  boolean hasRecordMember() {
    ByteRange start = ahead();
    for (int at = start.indexOf(MAGIC, 0); at >= 0; at = start.indexOf(MAGIC, at + 1))
      if (holdsRecord(next + at)) return true;
    return false;
  }

  /** Goes to the member behind one that was damaged, or to the end. */
  void findMemberAfter(long damagedMember) {
    findMember(Math.max(damagedMember + 1, historyStart()));
  }

  /** Goes to the next member from {@code start} on that begins with a record, or to the end: false. */
  boolean findMember(long start) {
    next = start;
    for (;;) {
      ByteRange input = ahead();
      int at = input.indexOf(MAGIC, 0);
      if (at >= 0) {
        next += at;
        if (holdsRecord(next)) return true;
        next++;
        continue;
      }
      if (input.size() >= MAGIC.length) next += input.size() - (MAGIC.length - 1);
      if (!read(next)) {
        next = base + filled;
        return false;
      }
    }
  }

  /** True if nothing but zeros follow, as tapes and block devices pad; stays before what is garbage. */
  boolean skipZeroPadding() {
    long start = next;
    for (;;) {
      ByteRange input = ahead();
      int count = input.indexOfOther((byte) 0, (byte) 0);
      next += count;
      if (count < input.size()) {
        // Zeros before garbage are a part of it, and the report names where that begins.
        if (start >= base) next = start;
        return false;
      }
      if (!read(next)) return true;
    }
  }

  @Override
  public void close() {
    if (trial != null) trial.close();
  }

  private boolean holdsRecord(long at) {
    while (from(at).size() < TRIAL_BYTES && read(at)) {
      // Again: a read may give a byte.
    }
    if (trial == null) trial = new GzipMember(false);
    trial.start();
    trial.run(from(at), trialOut, 0, trialOut.length);
    return RecordReader.begins(new ByteRange(trialOut, 0, trial.given()));
  }

  private long historyStart() {
    return Math.max(0, next - HISTORY_BYTES);
  }

  private ByteRange from(long fileOffset) {
    int at = (int) Math.min(fileOffset - base, filled);
    return new ByteRange(bytes, at, filled);
  }

  // Appends a chunk and keeps the bytes from `keepFrom` on.
  private boolean read(long keepFrom) {
    if (CAPACITY - filled < CHUNK_BYTES) {
      int dropped = (int) Math.min(keepFrom - base, filled);
      System.arraycopy(bytes, dropped, bytes, 0, filled - dropped);
      base += dropped;
      filled -= dropped;
    }
    int before = filled;
    fill(before + CHUNK_BYTES);
    if (filled == before) failed = source.failure() != null;
    return filled > before;
  }
}
