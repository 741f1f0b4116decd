package io.ndc.spark.archive;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of an HTTP response (RFC 9112) at the start of a record's block, by the rules of the command line
 * (tools/ndc/http_message.hpp). Immutable.
 */
final class HttpHeader {
  private static final int MAX_INTERIM_RESPONSES = 8;
  private static final int STATUS_DIGITS = 3;
  // Of a status line, what the status can be in.
  private static final int MAX_LINE_BYTES = 256;
  // "HTTP/1.1 200 OK", or a line of a protocol that is like it: "RTSP/1.0 200", "HTTPX/1.1 200", "ICY 200".
  private static final Pattern STATUS_LINE = Pattern.compile(
      "(?is)(?:(http)/\\S*|[a-z]{1,16}/[0-9]\\S*|(http)(?=[ \t]+[0-9])|icy(?=[ \t]+[0-9]))(?:[ \t]+([0-9]*).*)?");
  private static final byte[] MARKUP = {'\n', '<'};

  private static final List<String> WANTED =
      List.of("Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding");

  private final int status;
  private final HeaderFields fields;
  private final ByteRange message;
  private final boolean ended;

  private HttpHeader(int status, HeaderFields fields, ByteRange message, boolean ended) {
    this.status = status;
    this.fields = fields;
    this.message = message;
    this.ended = ended;
  }

  /**
   * Reads the header, over line ends and interim (1xx) responses before it. Where no status line begins the block,
   * all of it is the body, as of HTTP/0.9.
   */
  static HttpHeader parse(ByteRange block) throws UnreadableException {
    HttpHeader header = new HttpHeader(0, new HeaderFields(), block, true);
    for (int count = 0; count <= MAX_INTERIM_RESPONSES; count++) {
      ByteRange message = header.message;
      ByteRange start = message.from(message.indexOfOther((byte) '\r', (byte) '\n'));
      int lineEnd = start.indexOf((byte) '\n', 0);
      if (lineEnd < 0) lineEnd = start.size();
      int status = status(start.first(Math.min(lineEnd, MAX_LINE_BYTES)));
      if (status < 0) break;
      int end = HeaderFields.headerEnd(start, 0);
      // What has lost its empty line has not lost its page.
      if (end < 0) end = start.indexOf(MARKUP, 0) + 1;
      boolean ended = end > 0;
      if (!ended) end = start.size();
      HeaderFields fields = HeaderFields.parse(start.first(end).from(lineEnd + 1), WANTED);
      header = new HttpHeader(status, fields, start.from(end), ended);
      if (status < 100 || status >= 200) break;
    }
    return header;
  }

  /** 0: none, or none of three digits, or of another protocol. */
  int status() {
    return status;
  }

  /** 2xx, but those that have no content: 204 and 205. */
  boolean isSuccessful() {
    return status >= 200 && status <= 299 && status != 204 && status != 205;
  }

  HeaderFields fields() {
    return fields;
  }

  /** What follows the header. */
  ByteRange message() {
    return message;
  }

  /** Whether its empty line ended it, or the markup behind it. */
  boolean ended() {
    return ended;
  }

  // −1: no status line.
  private static int status(ByteRange line) {
    Matcher matcher = STATUS_LINE.matcher(HeaderFields.trimmed(line.latin1()));
    if (!matcher.matches()) return -1;
    boolean isHttp = matcher.group(1) != null || matcher.group(2) != null;
    String code = matcher.group(3);
    return isHttp && code != null && code.length() == STATUS_DIGITS ? Integer.parseInt(code) : 0;
  }
}
