package io.ndc.spark.archive;

/** A page of an archive. Not changed by the reader that gave it. */
public final class ArchivePage {
  private final String url;
  private final byte[] body;
  private final int size;
  private final String contentType;
  private final long fetchedAtMs;
  private final boolean truncated;
  private final String path;
  private final long offset;

  ArchivePage(ArchiveRecord record, PageBody page, String path) {
    this.url = record.targetUri().toIdentity();
    this.body = page.bytes();
    this.size = page.size();
    this.contentType = page.contentType();
    this.fetchedAtMs = record.fetchedAtMs();
    this.truncated = page.truncated();
    this.path = path;
    this.offset = record.position().fileOffset();
  }

  /**
   * The WARC-Target-URI without angle brackets; not empty. Bytes that are not UTF-8 are percent-encoded, so
   * that such a URL and the one that writes the same bytes as %XX are one.
   */
  public String url() {
    return url;
  }

  /** The body without transfer and content codings: the first {@link #size} bytes. Not copied. */
  public byte[] body() {
    return body;
  }

  /** Bytes of the body, at most the limit of the rules. */
  public int size() {
    return size;
  }

  /** Content-Type of the response, or of the record if it is no response; "" if there is none. */
  public String contentType() {
    return contentType;
  }

  /** The WARC-Date in milliseconds since 1970-01-01 UTC; 0: not known. */
  public long fetchedAtMs() {
    return fetchedAtMs;
  }

  /** Whether a part of the body is missing. */
  public boolean truncated() {
    return truncated;
  }

  /** The file, as the split names it. */
  public String path() {
    return path;
  }

  /** Where the record begins in the file, in bytes; in a compressed file, its gzip member. */
  public long offset() {
    return offset;
  }
}
