package io.ndc.spark.archive;

import java.util.List;

/** The header of an HTTP response (RFC 9112) at the start of a record's block. Immutable. */
final class HttpHeader {
  private static final int MAX_INTERIM_RESPONSES = 8;

  private static final List<String> WANTED =
      List.of("Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding");

  private final int status;
  private final HeaderFields fields;
  private final ByteRange message;

  private HttpHeader(int status, HeaderFields fields, ByteRange message) {
    this.status = status;
    this.fields = fields;
    this.message = message;
  }

  /**
   * Reads the header, over any interim (1xx) responses before it. An empty block is a response of status 0, that
   * nobody gave. Where a response has no body, the empty line behind the header may be missing.
   */
  static HttpHeader parse(ByteRange block) throws UnreadableException {
    if (block.isEmpty()) return new HttpHeader(0, new HeaderFields(), block);
    ByteRange rest = block;
    for (int count = 0; count <= MAX_INTERIM_RESPONSES; count++) {
      int lineEnd = rest.indexOf((byte) '\n', 0);
      int status = status(lineEnd < 0 ? rest : rest.first(lineEnd));
      if (status < 0) throw new UnreadableException("no HTTP status line");
      int end = HeaderFields.headerEnd(rest, 0);
      if (end < 0 && hasBody(status)) throw new UnreadableException("the HTTP header has no end");
      if (end < 0) end = rest.size();
      if (lineEnd < 0) lineEnd = end;
      HeaderFields fields = HeaderFields.parse(rest.first(end).from(lineEnd + 1), WANTED);
      rest = rest.from(end);
      if (status < 100 || status >= 200 || !isResponse(rest)) return new HttpHeader(status, fields, rest);
    }
    throw new UnreadableException("too many interim HTTP responses");
  }

  int status() {
    return status;
  }

  HeaderFields fields() {
    return fields;
  }

  /** What follows the header. */
  ByteRange message() {
    return message;
  }

  private static boolean isResponse(ByteRange bytes) {
    return bytes.first(5).latin1().equalsIgnoreCase("HTTP/");
  }

  private static boolean hasBody(int status) {
    return status >= 200 && status <= 299 && status != 204 && status != 205;
  }

  // −1: no status line. Servers send numbers of one and two digits, too.
  private static int status(ByteRange line) {
    int blank = line.indexOf((byte) ' ', 0);
    if (!isResponse(line) || blank < 0) return -1;
    String code = HeaderFields.trimmed(line.from(blank).latin1());
    int digits = 0;
    while (digits < Math.min(code.length(), 3) && code.charAt(digits) >= '0' && code.charAt(digits) <= '9')
      digits++;
    return (int) HeaderFields.decimal(code.substring(0, digits));
  }
}
