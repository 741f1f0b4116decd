package io.ndc.spark.archive;

import java.nio.charset.StandardCharsets;

/**
 * The records of one stretch of a WARC file (ISO 28500, WARC 1.0 and 1.1), in order, with damage stepped
 * over.
 *
 * <p>A record is given only when all of it was there: its header, as many bytes as its Content-Length says,
 * something that ends it (an empty line, the next record, the end of the gzip member or of the file), and, if
 * its gzip member ends with it, that member's checksum. Anything else is damage, after which reading continues
 * at the next line, or gzip member, that begins with "WARC/1."; a wrong Content-Length costs one record, not
 * its neighbours.
 *
 * <p>One thread at a time. Memory: about two and a half times the limit of a block, while there is a block as
 * long.
 */
final class RecordReader {
  /** What came next. */
  enum Outcome { RECORD, DAMAGED, END, STORAGE_FAILED }

  /** What a record of a version that can be read begins with. */
  static final byte[] MAGIC = "WARC/1.".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] ANY_VERSION = "WARC/".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VERSION_ONE = "WARC/1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EMPTY_LINE = {'\r', '\n', '\r', '\n'};
  private static final byte[] SHORT_EMPTY_LINE = {'\n', '\n'};
  private static final int MAX_HEADER_BYTES = 1 << 20;
  // Line ends behind a record that still count as its own.
  private static final int MAX_TERMINATOR_BYTES = 1024;
  // After damage, bytes may be searched a second time; on hostile input at most this often as many as came
  // in.
  private static final long RESCAN_ALLOWANCE_BYTES = 256L << 20;
  private static final long RESCAN_FACTOR = 2;

  private final ArchiveStream stream;
  private final int maxBlockBytes;
  private final RecordHeader header = new RecordHeader();
  private long start;  // of the record at hand
  private long cut = -1;  // where a gzip member begins with another record
  private long rescannedBytes;
  private ArchiveRecord record;
  private Position damagePosition;
  private String damageReason;

  // Of the record at hand.
  private HeaderFields fields;
  private long contentLength;
  private long blockOffset;
  private int blockBytes;
  private ByteRange ownBlock;
  private boolean emptyLineBehind;

  /** @param maxBlockBytes of longer blocks so many bytes are given */
  RecordReader(ArchiveStream stream, int maxBlockBytes) {
    this.stream = stream;
    this.maxBlockBytes = maxBlockBytes;
  }

  /** Reads on. STORAGE_FAILED is final; the stream knows why. */
  Outcome next() {
    record = null;
    ownBlock = null;
    skipToRecord();
    start = stream.offset();
    cut = -1;
    if (takeDamageBefore(start)) return Outcome.DAMAGED;
    if (stream.ahead().isEmpty()) return stream.failure() == null ? Outcome.END : Outcome.STORAGE_FAILED;

    cut = stream.recordStartAfter(start);
    String recordReason = readRecord();
    if (recordReason != null && stream.failure() != null) return Outcome.STORAGE_FAILED;
    Position position = stream.positionOf(start);
    String memberReason = takeDamageOfRecord();
    // Damage of the end of a member's data may look like more data.
    ByteRange behind = stream.ahead();
    boolean moreFollows = !behind.isEmpty() && !behind.startsWith(MAGIC) && stream.isInsideMember();
    if (moreFollows && memberReason == null)
      memberReason = "something else follows the record in its gzip member";
    if (recordReason == null && memberReason == null) {
      ByteRange block = ownBlock != null ? ownBlock : stream.read(blockOffset, blockBytes);
      record = new ArchiveRecord(fields, block, blockBytes < contentLength, position);
      return Outcome.RECORD;
    }
    damagePosition = position;
    damageReason = memberReason != null ? memberReason : recordReason;
    // A record of the right form is not searched for others, whatever became of its bytes.
    if (recordReason != null) rewind();
    if (recordReason != null || moreFollows) findNextRecord();
    tellOneDamage();
    return Outcome.DAMAGED;
  }

  /** With RECORD; valid until the next call of {@link #next}. */
  ArchiveRecord record() {
    return record;
  }

  /** With RECORD: whether an empty line ended it, and not only what is behind. */
  boolean endsByItself() {
    return emptyLineBehind;
  }

  /** With DAMAGED. */
  Position damagePosition() {
    return damagePosition;
  }

  /** With DAMAGED: half a sentence. */
  String damageReason() {
    return damageReason;
  }

  // One report is enough for what lies between the record and the next one.
  private void tellOneDamage() {
    Position position = damagePosition;
    while (takeDamageBefore(stream.offset()))
      damagePosition = position;
  }

  // Steps over the line ends between two records and lets go of all before.
  private void skipToRecord() {
    stream.release();
    while (!stream.ahead().isEmpty() || stream.fill()) {
      ByteRange bytes = stream.ahead();
      int count = bytes.indexOfOther((byte) '\r', (byte) '\n');
      stream.consume(count);
      stream.release();
      if (count < bytes.size()) return;
    }
  }

  // What is left of the record at hand, as far as it has been read.
  private ByteRange ahead() {
    ByteRange bytes = stream.ahead();
    return cut >= 0 ? bytes.first((int) (cut - stream.offset())) : bytes;
  }

  private boolean fill() {
    if (cut >= 0 || !stream.fill()) return false;
    cut = stream.recordStartAfter(start);
    return true;
  }

  private boolean require(int count) {
    while (ahead().size() < count)
      if (!fill()) return false;
    return true;
  }

  // Null, or why there is no record.
  private String readRecord() {
    String reason = readHeader();
    if (reason == null) reason = readBlock();
    if (reason != null) return reason;
    if (!readTerminator()) return "the block is longer than its Content-Length of " + contentLength;
    // The checksum of a gzip member shows with the first byte behind it.
    if (ahead().isEmpty()) fill();
    return null;
  }

  private String readHeader() {
    if (!require(MAGIC.length) || !ahead().startsWith(MAGIC)) {
      boolean otherVersion = ahead().startsWith(ANY_VERSION) && !ahead().startsWith(VERSION_ONE);
      return otherVersion ? "not a version 1 WARC record" : "no WARC record begins here";
    }
    int end = HeaderFields.headerEnd(ahead(), 0);
    while (end < 0) {
      // The empty line may lie across the end of what was searched.
      int searched = Math.max(0, ahead().size() - 2);
      if (ahead().size() > MAX_HEADER_BYTES) return "the record's header is longer than 1 MiB";
      if (!fill()) return "the record's header has no end";
      end = HeaderFields.headerEnd(ahead(), searched);
    }
    try {
      fields = header.parse(ahead().first(end));
    } catch (UnreadableException unreadable) {
      return unreadable.getMessage();
    }
    contentLength = HeaderFields.decimal(fields.find("Content-Length"));
    if (contentLength < 0) return "the record has no usable Content-Length";
    stream.consume(end);
    return null;
  }

  private String readBlock() {
    long remaining = stream.remaining();
    if (remaining >= 0 && remaining < contentLength) return cutRecord(remaining);
    blockOffset = stream.offset();
    blockBytes = (int) Math.min(contentLength, maxBlockBytes);
    if (!require(blockBytes)) {
      int present = ahead().size();
      stream.consume(present);
      return cutRecord(present);
    }
    stream.consume(blockBytes);
    long rest = contentLength - blockBytes;
    if (rest == 0) return null;
    // From here on there is no way back to the record's start, in whatever pieces the rest comes.
    ownBlock = ByteRange.of(stream.read(blockOffset, blockBytes).copy());
    stream.release();
    while (rest > 0) {
      int count = (int) Math.min(rest, ahead().size());
      stream.consume(count);
      rest -= count;
      if (rest == 0) break;
      stream.release();
      if (!fill()) return cutRecord(contentLength - rest);
    }
    return null;
  }

  private String cutRecord(long present) {
    return "the record is cut: " + present + " of the " + contentLength + " bytes of its block are there";
  }

  // Whether something ends the record here; steps over the empty line.
  private boolean readTerminator() {
    require(EMPTY_LINE.length + MAGIC.length);
    emptyLineBehind = ahead().startsWith(EMPTY_LINE) || ahead().startsWith(SHORT_EMPTY_LINE);
    // A damaged empty line between two records costs neither.
    if (ahead().from(EMPTY_LINE.length).startsWith(MAGIC)) {
      stream.consume(EMPTY_LINE.length);
      return true;
    }
    if (emptyLineBehind)
      stream.consume(ahead().startsWith(EMPTY_LINE) ? EMPTY_LINE.length : SHORT_EMPTY_LINE.length);
    for (int count = 0; count < MAX_TERMINATOR_BYTES && require(1); count++) {
      // A line end with which another member begins is not this record's: that member may be damaged.
      if (emptyLineBehind && !stream.isInsideMember()) break;
      if (ahead().at(0) != '\r' && ahead().at(0) != '\n') break;
      stream.consume(1);
    }
    if (emptyLineBehind || !require(1)) return true;
    require(MAGIC.length);
    return ahead().startsWith(MAGIC);
  }

  // Damage that ended before anything that is still to be read.
  private boolean takeDamageBefore(long offset) {
    ArchiveStream.Damage first = stream.firstDamage();
    if (first == null || first.end() > offset) return false;
    damagePosition = first.position();
    damageReason = first.reason();
    stream.dropFirstDamage();
    return true;
  }

  // Damage at the end of a gzip member belongs to the last record of it.
  private String takeDamageOfRecord() {
    ArchiveStream.Damage first = stream.firstDamage();
    long end = stream.offset();
    if (first == null || first.begin() >= end || first.end() > end || first.end() <= start) return null;
    stream.dropFirstDamage();
    return first.reason();
  }

  // Back to behind the first byte of the damaged record, if that is still there and was not done too often.
  private void rewind() {
    long distance = stream.offset() - start;
    long allowance = RESCAN_ALLOWANCE_BYTES + RESCAN_FACTOR * start;
    if (cut >= 0 || stream.oldestOffset() > start || rescannedBytes + distance > allowance) return;
    rescannedBytes += distance;
    stream.seek(start);
    stream.consume(Math.min(stream.ahead().size(), 1));
  }

  // Puts the cursor to the next record, or to the end.
  private void findNextRecord() {
    if (cut >= 0) {
      stream.seek(cut);
      return;
    }
    boolean atLineStart = false;
    for (;;) {
      ByteRange bytes = stream.ahead();
      for (int at = bytes.indexOf(MAGIC, 0); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
        boolean beginsLine = at > 0 ? bytes.at(at - 1) == '\n' : atLineStart;
        if (beginsLine || stream.isRecordStart(stream.offset() + at)) {
          stream.consume(at);
          return;
        }
      }
      int searched = bytes.size() - Math.min(bytes.size(), MAGIC.length - 1);
      if (searched > 0) atLineStart = bytes.at(searched - 1) == '\n';
      stream.consume(searched);
      stream.release();
      if (!stream.fill()) {
        stream.consume(stream.ahead().size());
        return;
      }
    }
  }
}
