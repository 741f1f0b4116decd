package io.ndc.spark.archive;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The decompressed bytes of a stretch of a WARC file, plain or gzip, with the places of its gzip members.
 *
 * <p>A gzip WARC is a series of members, by custom one per record. A damaged member does not end the stream:
 * the bytes it still gave are kept, the damage is noted, and reading continues at the next member that begins
 * with a WARC record.
 *
 * <p>Offsets are counted in decompressed bytes; in a plain file from the start of the file, else from the
 * start of the stretch. One thread at a time. Memory: what was read since {@link #release}, and about 3 MiB.
 */
final class ArchiveStream implements AutoCloseable {
  /** A stretch [begin, end) that ended in damage; empty where the damaged part gave no byte. */
  record Damage(long begin, long end, Position position, String reason) {}

  private record Member(long start, long fileOffset) {}

  private enum Format { UNKNOWN, PLAIN, GZIP }

  private static final int CHUNK_BYTES = GzipWindow.CHUNK_BYTES;
  // A larger buffer that is hardly used is given back.
  private static final int KEPT_BYTES = 16 * CHUNK_BYTES;

  private final StorageInput source;
  private final long firstOffset;
  private Format format = Format.UNKNOWN;
  private boolean failed;

  // [released, filled) of the buffer is alive, buffer[0] is at offset `base`.
  private byte[] buffer = new byte[2 * CHUNK_BYTES];
  private int released;
  private int cursor;
  private int filled;
  private long base;

  private final GzipWindow window;
  private final GzipMember inflater = new GzipMember(false);
  private boolean inMember;
  private boolean memberNoted;
  private Member member;
  // Those that begin with a record, as far back as the released offset.
  private final ArrayDeque<Member> recordMembers = new ArrayDeque<>();
  private final ArrayDeque<Damage> damages = new ArrayDeque<>();

  /** @param firstOffset how many bytes of the file precede what the source returns */
  ArchiveStream(StorageInput source, long firstOffset) {
    this.source = source;
    this.firstOffset = firstOffset;
    this.window = new GzipWindow(source, firstOffset);
    this.member = new Member(0, firstOffset);
  }

  /** The bytes read from the cursor on. Valid until {@link #fill}. */
  ByteRange ahead() {
    return new ByteRange(buffer, cursor, filled);
  }

  /**
   * Reads more, never across the start of a member, so that a call's bytes belong together. False at the end,
   * or if {@link #failure} is not null.
   */
  boolean fill() {
    if (format == Format.UNKNOWN) {
      detectFormat();
      if (format == Format.PLAIN && filled > 0) return true;
    }
    if (failed) return false;
    return format == Format.PLAIN ? fillPlain() : fillGzip();
  }

  /** Moves the cursor over bytes of {@link #ahead}. */
  void consume(int count) {
    cursor += count;
  }

  /** Bytes that have been read and not been let go. Valid until {@link #fill}. */
  ByteRange read(long offset, int count) {
    int begin = (int) (offset - base);
    return new ByteRange(buffer, begin, begin + count);
  }

  /** Puts the cursor anywhere between the last {@link #release} and the end of {@link #ahead}. */
  void seek(long offset) {
    cursor = (int) (offset - base);
  }

  /** Lets go of the bytes before the cursor. */
  void release() {
    released = cursor;
    long offset = offset();
    // One member at or before the offset stays: positions are counted from it.
    while (recordMembers.size() > 1 && second(recordMembers).start() <= offset)
      recordMembers.removeFirst();
  }

  long offset() {
    return base + cursor;
  }

  long oldestOffset() {
    return base + released;
  }

  private long endOffset() {
    return base + filled;
  }

  /**
   * Start of the first member in memory that starts behind {@code offset} and begins with a record; −1: none.
   */
  long recordStartAfter(long offset) {
    for (Member begun : recordMembers)
      if (begun.start() > offset) return begun.start();
    return -1;
  }

  boolean isRecordStart(long offset) {
    for (Member begun : recordMembers)
      if (begun.start() == offset) return true;
    return false;
  }

  /** Whether the cursor is in a gzip member, but not at its start. */
  boolean isInsideMember() {
    long here = offset();
    if (format != Format.GZIP || here == member.start() || isRecordStart(here)) return false;
    return damages.stream().noneMatch(damage -> damage.begin() == here);
  }

  /** The oldest damage that was met so far and not dropped; null: none. */
  Damage firstDamage() {
    return damages.peekFirst();
  }

  void dropFirstDamage() {
    damages.removeFirst();
  }

  Position positionOf(long offset) {
    if (format != Format.GZIP) return new Position(offset, 0);
    Member nearest = new Member(0, firstOffset);
    for (Member begun : recordMembers)
      if (begun.start() <= offset) nearest = begun;
    for (Damage damage : damages) {
      if (damage.begin() <= offset && offset < damage.end())
        nearest = new Member(damage.begin(), damage.position().fileOffset());
    }
    if (member.start() <= offset && member.start() >= nearest.start()) nearest = member;
    return new Position(nearest.fileOffset(), offset - nearest.start());
  }

  /** Bytes from the cursor to the end of the stretch in a plain file; −1: not known. */
  long remaining() {
    return format == Format.PLAIN ? Math.max(0, firstOffset + source.size() - offset()) : -1;
  }

  /** Why the storage failed, reported when all that came before it has been given; else null. */
  IOException failure() {
    return failed ? source.failure() : null;
  }

  @Override
  public void close() {
    inflater.close();
    window.close();
  }

  private static Member second(ArrayDeque<Member> members) {
    Iterator<Member> all = members.iterator();
    all.next();
    return all.next();
  }

  private void detectFormat() {
    window.fill(GzipWindow.TRIAL_BYTES);
    format = Format.PLAIN;
    if (window.startsWithMember()) {
      format = Format.GZIP;
    } else if (!RecordReader.begins(window.ahead())) {
      // A gzip file whose first bytes are damaged still has members near its start.
      window.fill(CHUNK_BYTES);
      if (window.hasRecordMember()) format = Format.GZIP;
    }
    if (format == Format.GZIP) {
      window.fill(CHUNK_BYTES);
      return;
    }
    base = firstOffset;
    ByteRange start = window.ahead();
    if (start.size() > buffer.length) buffer = new byte[start.size()];
    System.arraycopy(start.array(), start.begin(), buffer, 0, start.size());
    filled = start.size();
  }

  private boolean fillPlain() {
    makeRoom();
    int count = source.read(buffer, filled, CHUNK_BYTES);
    filled += count;
    if (count == 0) failed = source.failure() != null;
    return count > 0;
  }

  private boolean fillGzip() {
    long before = endOffset();
    while (endOffset() == before || (inMember && !memberNoted)) {
      if (!inMember) {
        if (endOffset() > before || !beginMember()) break;
        continue;
      }
      makeRoom();
      if (!inflateSome()) break;
      noteMemberStart();
    }
    return endOffset() > before;
  }

  private boolean beginMember() {
    if (!window.requireMagic()) return windowEnded();
    if (!window.startsWithMember()) {
      // The storage may already have returned some of a member's first bytes.
      if (window.failed()) return windowEnded();
      if (window.skipZeroPadding()) return windowEnded();
      damages.add(new Damage(
          endOffset(), endOffset(), new Position(window.next(), 0), "no gzip member begins here"));
      if (!window.findMember(window.next())) return windowEnded();
    }
    member = new Member(endOffset(), window.next());
    memberNoted = false;
    inMember = true;
    inflater.start();
    return true;
  }

  private boolean windowEnded() {
    failed = window.failed();
    return false;
  }

  // Inflates what fits into one chunk. False: the storage failed.
  private boolean inflateSome() {
    if (window.ahead().isEmpty() && !window.readOn(member.fileOffset())) {
      // A failed read says nothing about the member.
      if (window.failed()) return windowEnded();
      endDamagedMember("the gzip member is cut by the end of the file");
      return true;
    }
    GzipMember.Outcome outcome = inflater.run(window.ahead(), buffer, filled, CHUNK_BYTES);
    filled += inflater.given();
    window.advance(inflater.taken());
    if (outcome == GzipMember.Outcome.ENDED) inMember = false;
    if (outcome == GzipMember.Outcome.DAMAGED)
      endDamagedMember("the gzip member is damaged (" + inflater.reason() + ")");
    return true;
  }

  private void endDamagedMember(String reason) {
    damages.add(new Damage(member.start(), endOffset(), new Position(member.fileOffset(), 0), reason));
    noteMemberStart();
    inMember = false;
    window.findMemberAfter(member.fileOffset());
  }

  // Remembers the member once enough bytes show that a record begins with it.
  private void noteMemberStart() {
    if (memberNoted) return;
    long count = endOffset() - member.start();
    if (count < RecordReader.MAGIC_BYTES && inMember) return;
    memberNoted = true;
    int start = (int) (member.start() - base);
    if (RecordReader.begins(new ByteRange(buffer, start, filled))) recordMembers.add(member);
  }

  // Makes room for a chunk behind `filled`: first at the cost of released bytes, then of memory.
  private void makeRoom() {
    if (buffer.length - filled >= CHUNK_BYTES) return;
    int alive = filled - released;
    boolean far = buffer.length > KEPT_BYTES && alive < buffer.length / 8;
    byte[] larger = buffer;
    if (far || buffer.length < alive + CHUNK_BYTES || released < alive / 4) {
      // Half as much again; records are at most 1 GiB and a header long.
      larger = new byte[alive + alive / 2 + 2 * CHUNK_BYTES];
    }
    System.arraycopy(buffer, released, larger, 0, alive);
    buffer = larger;
    base += released;
    cursor -= released;
    filled = alive;
    released = 0;
  }
}
