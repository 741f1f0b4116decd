package io.ndc;

import java.nio.ByteBuffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A page as it was fetched. Immutable, but it does not copy an array: whoever passes one as the body must not change it
 * until the call that the page is for has returned. May be used by several threads and in several calls.
 */
public final class Page {
  private static final String NO_URL = "pass \"\", and each page is a new one";
  private static final String NO_BODY = "pass new byte[0] for a page without one";

  private static final int TRUNCATED = 1;
  /** 0, but no compiler may rely on it. */
  private static volatile int none;

  private final String url;
  private final byte[] body;
  private final int offset;
  private final int size;
  private final String contentType;
  private final long fetchedAtMs;
  private final boolean truncated;

  private Page(
      String url, byte[] body, int offset, int size, String contentType, long fetchedAtMs, boolean truncated) {
    this.url = url;
    this.body = body;
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
    Arguments.notNull(url, "the URL", NO_URL);
    Arguments.notNull(body, "the body", NO_BODY);
    return new Page(url, body, 0, body.length, "", 0, false);
  }

  /**
   * A page whose body is a buffer, from its position to its limit; both are read now and not moved. A buffer that shows
   * its array ({@link ByteBuffer#hasArray}) is that array. All others, direct and mapped ones among them, are copied
   * now, and may be changed or freed as soon as this returns.
   *
   * @param url see {@link #of(String, byte[])}
   * @param body not null; may be direct or not, read-only or not, of any byte order
   * @return a page without a content type, fetched now
   * @throws InvalidArgumentException if the bytes cannot be read: the buffer is a mapped file that was cut off, or its
   *     memory was freed or belongs to another thread
   */
  public static Page of(String url, ByteBuffer body) {
    Arguments.notNull(url, "the URL", NO_URL);
    Arguments.notNull(body, "the body", NO_BODY);
    if (body.hasArray()) {
      return new Page(url, body.array(), body.arrayOffset() + body.position(), body.remaining(), "", 0, false);
    }
    byte[] copy = copy(body);
    return new Page(url, copy, 0, copy.length, "", 0, false);
  }

  /**
   * As {@link #of(String, byte[])}, with a content type.
   *
   * @param url see there
   * @param body see there
   * @param contentType see {@link #withContentType}
   * @return a page, fetched now
   */
  public static Page of(String url, byte[] body, @Nullable String contentType) {
    return of(url, body).withContentType(contentType);
  }

  /** Here in Java a fault of the memory is an exception; in native code it would be the end of the JVM. */
  private static byte[] copy(ByteBuffer body) {
    byte[] copy = new byte[body.remaining()];
    try {
      body.duplicate().get(copy);
      deliverFaults();
    } catch (InternalError | RuntimeException unreadable) {
      throw new InvalidArgumentException("the body's buffer cannot be read (" + unreadable
              + "): the file that is mapped there was cut off or cannot be read, or the memory was freed or belongs to"
              + " another thread; do not change the file, or pass a byte[]",
          unreadable);
    }
    return copy;
  }

  /**
   * HotSpot throws a fault of compiled code only when the thread comes to the runtime system the next time, wherever
   * that is; calls of native methods do not count. An array of arrays whose size the compiler does not know is made by
   * the runtime system.
   */
  private static byte[][] deliverFaults() {
    int size = none;
    return new byte[size][size];
  }

  /**
   * Says what the server called the body.
   *
   * @param type the value of the HTTP header {@code Content-Type}; null or empty: there was none
   * @return a new page over the same body
   */
  public Page withContentType(@Nullable String type) {
    return new Page(url, body, offset, size, type == null ? "" : type, fetchedAtMs, truncated);
  }

  /**
   * Says when it was fetched.
   *
   * @param ms milliseconds since 1970-01-01 UTC; 0: now
   * @return a new page over the same body
   */
  public Page withFetchedAtMs(long ms) {
    return new Page(url, body, offset, size, contentType, ms, truncated);
  }

  /**
   * Says when it was fetched.
   *
   * @param time not null; 1970-01-01 UTC itself: now
   * @return a new page over the same body
   */
  public Page withFetchedAt(Instant time) {
    return withFetchedAtMs(Arguments.milliseconds(time, "the fetch time of a page"));
  }

  /**
   * Says that the fetcher cut the body.
   *
   * @return a new page over the same body
   */
  public Page truncated() {
    return new Page(url, body, offset, size, contentType, fetchedAtMs, true);
  }

  /**
   * The URL.
   *
   * @return as it was given
   */
  public String url() {
    return url;
  }

  /** A native method that takes a page and what a handle stands for. */
  @FunctionalInterface
  interface Call<T> {
    T on(long handle, byte[][] texts, long[] numbers);
  }

  /** As native methods take it: its URL, its content type and the array with its body. */
  byte[][] texts() {
    return new byte[][] {Utf8.encode(url), Utf8.encode(contentType), body};
  }

  /** The rest: where the body begins in its array, its size, the flags of nd_page, and when it was fetched. */
  long[] numbers() {
    return new long[] {offset, size, truncated ? TRUNCATED : 0, fetchedAtMs};
  }
}
