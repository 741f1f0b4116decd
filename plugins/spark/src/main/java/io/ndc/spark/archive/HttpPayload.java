package io.ndc.spark.archive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The payload of an HTTP response without its transfer and content codings. Archives often hold decoded
 * payloads under headers that still name the coding; what does not begin like coded data is taken as it is.
 */
final class HttpPayload {
  // Real responses have one content coding, rarely two.
  private static final int MAX_CODINGS = 5;
  private static final int LOOKED_AT_BYTES = 64;

  private final int limit;
  private ByteRange bytes;
  private boolean cut;

  private HttpPayload(ByteRange message, int limit) {
    this.bytes = message;
    this.limit = limit;
  }

  /**
   * Decodes what follows a header. Bytes that need no decoding are not copied. No stage gives more than
   * {@code limit} bytes.
   *
   * @throws UnreadableException if nothing could be decoded
   */
  static HttpPayload decode(HttpHeader header, int limit) throws UnreadableException {
    HttpPayload payload = new HttpPayload(header.message(), limit);
    String transferCodings = header.fields().join("Transfer-Encoding");
    if (listMembers(transferCodings).stream().anyMatch("chunked"::equalsIgnoreCase)) {
      payload.removeChunks();
    } else {
      payload.cut = payload.bytes.size() < HeaderFields.decimal(header.fields().find("Content-Length"));
    }
    payload.undo(listMembers(transferCodings));
    payload.undo(listMembers(header.fields().join("Content-Encoding")));
    if (payload.bytes.size() > limit) {
      payload.bytes = payload.bytes.first(limit);
      payload.cut = true;
    }
    return payload;
  }

  ByteRange bytes() {
    return bytes;
  }

  /** Whether an end is missing, damage hides the rest, or the limit was reached. */
  boolean cut() {
    return cut;
  }

  private void removeChunks() {
    Decoded joined = ChunkedCoding.decode(bytes);
    if (joined.outcome() == Decoded.Outcome.DAMAGED) return;
    cut = joined.outcome() == Decoded.Outcome.CUT;
    bytes = joined.bytes();
  }

  // Undoes codings, the last one first.
  private void undo(List<String> names) throws UnreadableException {
    if (names.size() > MAX_CODINGS)
      throw new UnreadableException("more than " + MAX_CODINGS + " codings on one payload");
    Collections.reverse(names);
    for (String name : names)
      undo(name, ContentCoding.of(name));
  }

  private void undo(String name, ContentCoding coding) throws UnreadableException {
    if (coding == ContentCoding.UNSUPPORTED && !looksLikeText())
      throw new UnreadableException("the content coding " + name + " is not supported");
    if (bytes.isEmpty() || !coding.canBegin(bytes)) return;
    Decoded decoded = coding.decode(bytes, limit);
    boolean damaged = decoded.outcome() == Decoded.Outcome.DAMAGED;
    if (damaged && looksLikeText()) return;
    if (damaged && decoded.bytes().isEmpty())
      throw new UnreadableException("the payload is no " + name + " data");
    cut = cut || decoded.outcome() != Decoded.Outcome.COMPLETE;
    bytes = decoded.bytes();
  }

  private boolean looksLikeText() {
    if (bytes.startsWith((byte) 0xEF, (byte) 0xBB, (byte) 0xBF)) return true;
    String start = HeaderFields.trimmed(bytes.first(LOOKED_AT_BYTES).latin1());
    return start.startsWith("<") || start.startsWith("{");
  }

  // Of a comma-separated list, in order.
  private static List<String> listMembers(String list) {
    List<String> members = new ArrayList<>();
    for (String part : list.split(",")) {
      String member = HeaderFields.trimmed(part);
      if (!member.isEmpty()) members.add(member);
    }
    return members;
  }
}
