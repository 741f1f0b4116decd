package io.ndc.spark.archive;

/**
 * A record of a WARC file, without what no page needs. Its block is in the reader's memory, until it reads
 * on.
 */
final class ArchiveRecord {
  private final String type;
  private final ByteRange targetUri;
  private final String contentType;
  private final long fetchedAtMs;
  private final boolean truncated;
  private final ByteRange block;
  private final boolean blockCut;
  private final Position position;

  /** @param blockCut whether the block was longer than the reader's limit */
  ArchiveRecord(HeaderFields fields, ByteRange block, boolean blockCut, Position position) {
    this.type = fields.find("WARC-Type");
    this.targetUri =
        ByteRange.ofLatin1(HeaderFields.trimmed(withoutAngleBrackets(fields.find("WARC-Target-URI"))));
    this.contentType = fields.find("Content-Type");
    // 0 means an unknown time; nothing on the web is older.
    this.fetchedAtMs = Math.max(WarcDate.parse(fields.find("WARC-Date")).orElse(0), 0);
    this.truncated = fields.has("WARC-Truncated");
    this.block = block;
    this.blockCut = blockCut;
    this.position = position;
  }

  private static String withoutAngleBrackets(String uri) {
    boolean between = uri.length() >= 2 && uri.startsWith("<") && uri.endsWith(">");
    return between ? uri.substring(1, uri.length() - 1) : uri;
  }

  /** WARC-Type as written, a character a byte; "" if missing. */
  String type() {
    return type;
  }

  /** WARC-Target-URI without angle brackets; empty if missing. */
  ByteRange targetUri() {
    return targetUri;
  }

  /** The record's Content-Type field, one character per byte; "" if missing. */
  String contentType() {
    return contentType;
  }

  /** Since 1970-01-01 UTC; 0: not known. */
  long fetchedAtMs() {
    return fetchedAtMs;
  }

  /** Whether it says so, or its block was cut. */
  boolean truncated() {
    return truncated || blockCut;
  }

  ByteRange block() {
    return block;
  }

  Position position() {
    return position;
  }
}
