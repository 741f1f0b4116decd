package io.ndc.spark.archive;

import java.util.Locale;

/** The page in a record: its body, and what else is the response's own. */
final class PageBody {
  /** What is in a record; damage is an exception. */
  enum Outcome { PAGE, NO_PAGE, OTHER_STATUS }

  private final Outcome outcome;
  private final byte[] bytes;
  private final int size;
  private final String contentType;
  private final boolean truncated;

  private PageBody(Outcome outcome) {
    this(outcome, ByteRange.EMPTY, "", false);
  }

  private PageBody(Outcome outcome, ByteRange body, String contentType, boolean truncated) {
    this.outcome = outcome;
    // Decoded bytes are ours; others are in the memory of the reader.
    this.bytes = body.array();
    this.size = body.size();
    this.contentType = contentType;
    this.truncated = truncated;
  }

  /**
   * Looks for a page: `response` records with an HTTP response, `resource` records and `conversion` records
   * have one, if what they declare may be a page.
   *
   * @throws UnreadableException if there should be one and it cannot be read
   */
  static PageBody of(ArchiveRecord record, ReadRules rules) throws UnreadableException {
    if (record.type().isEmpty()) throw new UnreadableException("the record has no WARC-Type");
    String type = record.type().toLowerCase(Locale.ROOT);
    boolean payloadOnly = type.equals("resource") || type.equals("conversion");
    if (!payloadOnly && !type.equals("response")) return new PageBody(Outcome.NO_PAGE);
    if (record.targetUri().isEmpty()) throw new UnreadableException("the record has no WARC-Target-URI");
    if (PageTypes.isNote(record.targetUri().latin1())) return new PageBody(Outcome.NO_PAGE);
    if (!payloadOnly)
      return isHttpResponse(record) ? ofResponse(record, rules) : new PageBody(Outcome.NO_PAGE);
    if (!PageTypes.mayBePage(record.contentType())) return new PageBody(Outcome.NO_PAGE);
    ByteRange body = record.block().first(rules.pageBytes());
    boolean truncated = record.truncated() || body.size() < record.block().size();
    return new PageBody(Outcome.PAGE, owned(body), text(record.contentType()), truncated);
  }

  private static boolean isHttpResponse(ArchiveRecord record) {
    String type = PageTypes.declared(record.contentType());
    // Without a type, the scheme tells; name lookups ("dns:") are recorded as responses as well.
    return type.equals("application/http")
        || (type.isEmpty() && record.targetUri().first(4).latin1().equalsIgnoreCase("http"));
  }

  private static PageBody ofResponse(ArchiveRecord record, ReadRules rules) throws UnreadableException {
    HttpHeader header = HttpHeader.parse(record.block());
    if (!header.isSuccessful() && !(rules.allStatuses() && hasContent(header.message())))
      return new PageBody(Outcome.OTHER_STATUS);
    String contentType = header.fields().join("Content-Type");
    if (!PageTypes.mayBePage(contentType)) return new PageBody(Outcome.NO_PAGE);
    if (!header.ended() && HeaderFields.decimal(header.fields().find("Content-Length")) != 0)
      throw new UnreadableException("the HTTP header has no end");
    HttpPayload payload = HttpPayload.decode(header, rules.pageBytes());
    ByteRange body = payload.bytes();
    if (body.array() == record.block().array() || body.begin() != 0) body = owned(body);
    return new PageBody(Outcome.PAGE, body, text(contentType), record.truncated() || payload.cut());
  }

  private static boolean hasContent(ByteRange body) {
    for (int at = 0; at < body.size(); at++)
      if (" \t\r\n".indexOf(body.at(at)) < 0) return true;
    return false;
  }

  private static ByteRange owned(ByteRange bytes) {
    return ByteRange.of(bytes.copy());
  }

  private static String text(String characterAByte) {
    return ByteRange.ofLatin1(characterAByte).utf8();
  }

  Outcome outcome() {
    return outcome;
  }

  /** The first {@link #size} of them; not shared with the record. */
  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  String contentType() {
    return contentType;
  }

  boolean truncated() {
    return truncated;
  }
}
