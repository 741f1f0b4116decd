package io.ndc;

import java.nio.ByteBuffer;

/**
 * A page as it was fetched. Immutable, but it does not copy the body: whoever passes a body must not change it until
 * the call that the page is for has returned. May be used by several threads and in several calls.
 */
public final class Page {
  private static final int TRUNCATED = 1;

  private final String url;
  private final byte[] array;
  private final ByteBuffer direct;
  private final int offset;
  private final int size;
  private final String contentType;
  private final long fetchedAtMs;
  private final boolean truncated;

  private Page(
      String url,
      byte[] array,
      ByteBuffer direct,
      int offset,
      int size,
      String contentType,
      long fetchedAtMs,
      boolean truncated) {
    this.url = url;
    this.array = array;
    this.direct = direct;
    this.offset = offset;
    this.size = size;
    this.contentType = contentType;
    this.fetchedAtMs = fetchedAtMs;
    this.truncated = truncated;
  }

  /**
   * A page whose body is an array.
   *
   * @param url any string of at most 1 MiB in UTF-8; two URLs are the same if their characters are. Empty: a new page
   *     each time. Not null
   * @param body as fetched, after transfer and content decoding; not null, may be empty
   * @return a page without a content type, fetched now
   */
  public static Page of(String url, byte[] body) {
    Arguments.notNull(url, "the URL");
    Arguments.notNull(body, "the body");
    return new Page(url, body, null, 0, body.length, "", 0, false);
  }

  /**
   * A page whose body is a buffer, from its position to its limit; both are read now and not moved. The bytes of a
   * direct buffer are read in place, those of others are copied by the call.
   *
   * @param url see {@link #of(String, byte[])}
   * @param body not null; may be direct or not, read-only or not, of any byte order
   * @return a page without a content type, fetched now
   */
  public static Page of(String url, ByteBuffer body) {
    Arguments.notNull(url, "the URL");
    Arguments.notNull(body, "the body");
    if (body.isDirect()) return new Page(url, null, body, body.position(), body.remaining(), "", 0, false);
    if (body.hasArray()) {
      return new Page(url, body.array(), null, body.arrayOffset() + body.position(), body.remaining(), "", 0, false);
    }
    byte[] copy = new byte[body.remaining()];
    body.duplicate().get(copy);
    return new Page(url, copy, null, 0, copy.length, "", 0, false);
  }

  /**
   * Says what the server called the body.
   *
   * @param type the value of the HTTP header {@code Content-Type}; null or empty: there was none
   * @return a new page over the same body
   */
  public Page withContentType(String type) {
    return new Page(url, array, direct, offset, size, type == null ? "" : type, fetchedAtMs, truncated);
  }

  /**
   * Says when it was fetched.
   *
   * @param ms milliseconds since 1970-01-01 UTC; 0: now
   * @return a new page over the same body
   */
  public Page withFetchedAtMs(long ms) {
    return new Page(url, array, direct, offset, size, contentType, ms, truncated);
  }

  /**
   * Says that the fetcher cut the body.
   *
   * @return a new page over the same body
   */
  public Page truncated() {
    return new Page(url, array, direct, offset, size, contentType, fetchedAtMs, true);
  }

  /**
   * The URL.
   *
   * @return as it was given
   */
  public String url() {
    return url;
  }

  /** A native method that takes a page and something else. */
  @FunctionalInterface
  interface Call<T> {
    T with(byte[] url, byte[] array, ByteBuffer direct, int offset, int size, byte[] contentType, int flags, long atMs);
  }

  <T> T pass(Call<T> call) {
    int flags = truncated ? TRUNCATED : 0;
    return call.with(Utf8.encode(url), array, direct, offset, size, Utf8.encode(contentType), flags, fetchedAtMs);
  }
}
