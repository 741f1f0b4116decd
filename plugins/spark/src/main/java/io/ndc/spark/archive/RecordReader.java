package io.ndc.spark.archive;

/**
 * The records of one stretch of a WARC file (ISO 28500, WARC 1.0 and 1.1), in order, with damage stepped
 * over.
 *
 * <p>A record is given only when all of it was there: its header, as many bytes as its Content-Length says,
 * something that ends it, and, if its gzip member ends with it, that member's checksum. Anything else is damage,
 * after which reading continues at the next line, or gzip member, with which a record begins; a wrong
 * Content-Length costs one record, not its neighbours.
 *
 * <p>What ends a record is tried in this order, as the command line does (tools/ndc/sized_record_reader.hpp):
 * another record exactly at its end; an empty line; another record up to {@value #LENGTH_SLACK} bytes before its
 * end, or as many behind it and its line ends, since writers count line ends wrongly; the end of the file or of
 * the gzip member, with no more than that before it.
 *
 * <p>One thread at a time. Memory: about two and a half times the limit of a block, while there is a block as
 * long.
 */
final class RecordReader {
  /** What came next. */
  enum Outcome { RECORD, DAMAGED, END, STORAGE_FAILED }

  /** How many bytes show that a record begins. */
  static final int MAGIC_BYTES = 7;

  private static final String ANY_VERSION = "WARC/";
  private static final int LINE_ENDS = 2;
  // Of a version with its line end, and the beginning of a field.
  private static final int VERSION_LINE_BYTES = 32;
  private static final int MAX_HEADER_BYTES = 1 << 20;
  // By how much a length may be wrong and the record still be given.
  private static final int LENGTH_SLACK = 3;
  private static final int MAX_EMPTY_LINE_BYTES = 4;
  private static final int NEAR_BYTES = LENGTH_SLACK + MAX_EMPTY_LINE_BYTES;
  // Line ends behind a record that still count as its own.
  private static final int MAX_LINE_END_BYTES = 1024;
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
  private boolean blockCut;
  private ByteRange ownBlock;
  private boolean emptyLineBehind;

  /** @param maxBlockBytes of longer blocks so many bytes are given */
  RecordReader(ArchiveStream stream, int maxBlockBytes) {
    this.stream = stream;
    this.maxBlockBytes = maxBlockBytes;
  }

  /** Whether a record begins here: of version 1 or a draft before it, in capitals or in small letters. */
  static boolean begins(ByteRange bytes) {
    return bytes.size() >= MAGIC_BYTES && beginsVersion(bytes) && (bytes.at(5) == '1' || bytes.at(5) == '0')
        && bytes.at(6) == '.';
  }

  private static boolean beginsVersion(ByteRange bytes) {
    return bytes.first(ANY_VERSION.length()).latin1().equalsIgnoreCase(ANY_VERSION);
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
    boolean moreFollows = !stream.ahead().isEmpty() && stream.isInsideMember() && !beginsRecord(0);
    if (moreFollows && memberReason == null)
      memberReason = "something else follows the record in its gzip member";
    if (recordReason == null && memberReason == null) {
      ByteRange block = ownBlock != null ? ownBlock : stream.read(blockOffset, blockBytes);
      record = new ArchiveRecord(fields, block, blockCut, position);
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
    if (!readEnd()) return "the block is longer than its Content-Length of " + contentLength;
    // The checksum of a gzip member shows with the first byte behind it.
    if (ahead().isEmpty()) fill();
    return null;
  }

  private String readHeader() {
    if (!beginsRecord(0)) {
      boolean otherVersion = beginsVersion(ahead()) && (ahead().size() == ANY_VERSION.length() || ahead().at(5) != '1');
      return otherVersion ? "not a version 1 WARC record" : "no WARC record begins here";
    }
    int end = HeaderFields.headerEnd(ahead(), 0);
    while (end < 0) {
      // The empty line may lie across the end of what was searched.
      int searched = Math.max(0, ahead().size() - HeaderFields.MOST_LINE_END_BYTES);
      if (ahead().size() > MAX_HEADER_BYTES) return "the record's header is longer than 1 MiB";
      if (!fill()) return "the record's header has no end";
      end = HeaderFields.headerEnd(ahead(), searched);
    }
    if (beginsWithin(ahead().first(end))) return "the record's header has no end before the next record";
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

  // A record that is cut in its header has the next one's version among its lines.
  private static boolean beginsWithin(ByteRange header) {
    for (int at = nextVersion(header, 1); at >= 0; at = nextVersion(header, at + 1))
      if (header.at(at - 1) == '\n' || fieldFollows(header.from(at))) return true;
    return false;
  }

  private String readBlock() {
    long remaining = stream.remaining();
    if (remaining >= 0 && remaining < contentLength) return cutRecord(remaining);
    blockOffset = stream.offset();
    int wanted = (int) Math.min(contentLength, maxBlockBytes);
    blockCut = wanted < contentLength;
    if (!require(wanted) && !endsNear(contentLength - ahead().size())) {
      int present = ahead().size();
      stream.consume(present);
      return cutRecord(present);
    }
    blockBytes = Math.min(wanted, ahead().size());
    stream.consume(blockBytes);
    if (!blockCut) return null;
    // From here on there is no way back to the record's start, in whatever pieces the rest comes.
    ownBlock = ByteRange.of(stream.read(blockOffset, blockBytes).copy());
    long rest = contentLength - blockBytes;
    releaseRead();
    while (rest > 0) {
      int count = (int) Math.min(rest, ahead().size());
      stream.consume(count);
      rest -= count;
      if (rest == 0) break;
      releaseRead();
      if (fill()) continue;
      if (endsNear(rest)) break;
      return cutRecord(contentLength - rest);
    }
    return null;
  }

  // Where a member begins with another record, this one has ended.
  private boolean endsNear(long missing) {
    return cut >= 0 && missing <= LENGTH_SLACK;
  }

  // Lets go of what was read, but for what stepBack() may want.
  private void releaseRead() {
    long here = stream.offset();
    stream.seek(here - Math.min(here - stream.oldestOffset(), LENGTH_SLACK));
    stream.release();
    stream.seek(here);
  }

  private String cutRecord(long present) {
    return "the record is cut: " + present + " of the " + contentLength + " bytes of its block are there";
  }

  private boolean beginsRecord(int at) {
    return require(at + MAGIC_BYTES) && begins(ahead().from(at));
  }

  // Whether something ends the record at the cursor, or near it; steps over it.
  private boolean readEnd() {
    emptyLineBehind = false;
    if (beginsRecord(0)) return true;
    int lineEnds = emptyLineAhead();
    if (lineEnds > 0) {
      emptyLineBehind = true;
      stream.consume(lineEnds);
      // A line end with which another member begins is not this record's: that member may be damaged.
      for (int count = 0; count < MAX_LINE_END_BYTES && require(1) && stream.isInsideMember(); count++) {
        if (!isLineEnd(ahead().at(0))) break;
        stream.consume(1);
      }
      return true;
    }
    if (stepBack()) return true;
    for (int at = 1; at <= NEAR_BYTES; at++) {
      if (!beginsRecord(at)) continue;
      stream.consume(at);
      return true;
    }
    if (!require(NEAR_BYTES + 1) && !ahead().isEmpty() && (cut >= 0 || ahead().at(ahead().size() - 1) == '\n')) {
      stream.consume(ahead().size());
      return true;
    }
    for (int count = 0; count < MAX_LINE_END_BYTES && require(1) && isLineEnd(ahead().at(0)); count++)
      stream.consume(1);
    return !require(1) || beginsRecord(0);
  }

  // How many bytes the empty line ahead has; 0: there is none.
  private int emptyLineAhead() {
    require(MAX_EMPTY_LINE_BYTES);
    ByteRange bytes = ahead();
    int count = 0;
    for (int found = 0; found < LINE_ENDS; found++) {
      ByteRange rest = bytes.from(count);
      if (rest.startsWith((byte) '\r', (byte) '\n')) count += 2;
      else if (rest.startsWith((byte) '\n')) count++;
      else return 0;
    }
    return count;
  }

  // Whether the next record begins a little before the cursor; what is its own is not this one's.
  private boolean stepBack() {
    long here = stream.offset();
    for (int back = 1; back <= LENGTH_SLACK && here - back > start; back++) {
      if (stream.oldestOffset() > here - back) break;
      stream.seek(here - back);
      if (beginsRecord(0)) {
        if (!blockCut) blockBytes = Math.max(0, blockBytes - back);
        return true;
      }
    }
    stream.seek(here);
    return false;
  }

  // Whether the first field of a header follows the version at `at`: junk before it may have no line end. What a
  // damaged member gives is not looked at so closely, as the bytes of the next one may be among it.
  private boolean isBeforeField(int at) {
    if (stream.isInsideMember()) return false;
    while (stream.ahead().size() < at + VERSION_LINE_BYTES && stream.fill()) {
      // Again: a read may give a byte.
    }
    return fieldFollows(stream.ahead().from(at));
  }

  private static boolean fieldFollows(ByteRange version) {
    ByteRange lines = version.first(VERSION_LINE_BYTES);
    String field = lines.from(lines.indexOf((byte) '\n', 0) + 1).latin1();
    return field.regionMatches(true, 0, "WARC-", 0, 5) || field.regionMatches(true, 0, "Content-", 0, 8);
  }

  // The first place from `from` on where a record's version stands; −1: there is none.
  private static int nextVersion(ByteRange bytes, int from) {
    int before = ANY_VERSION.length() - 1;
    for (int slash = bytes.indexOf((byte) '/', from + before); slash >= 0;
         slash = bytes.indexOf((byte) '/', slash + 1))
      if (begins(bytes.from(slash - before))) return slash - before;
    return -1;
  }

  private static boolean isLineEnd(byte value) {
    return value == '\r' || value == '\n';
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
      for (int at = nextVersion(bytes, 0); at >= 0; at = nextVersion(bytes, at + 1)) {
        boolean beginsLine = at > 0 ? bytes.at(at - 1) == '\n' : atLineStart;
        if (beginsLine || stream.isRecordStart(stream.offset() + at) || isBeforeField(at)) {
          stream.consume(at);
          return;
        }
        bytes = stream.ahead();
      }
      int searched = bytes.size() - Math.min(bytes.size(), MAGIC_BYTES - 1);
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
