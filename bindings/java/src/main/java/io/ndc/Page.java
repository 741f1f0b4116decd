package io.ndc;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page as it was fetched. Immutable, but it does not copy an array: whoever passes one as the body must not change it
 * until the call that the page is for has returned. May be used by several threads and in several calls.
 */
public final class Page {
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
    Arguments.notNull(url, "the URL");
    Arguments.notNull(body, "the body");
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
    Arguments.notNull(url, "the URL");
    Arguments.notNull(body, "the body");
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

  /**
   * As {@link #of(String, ByteBuffer)}, with a content type.
   *
   * @param url see there
   * @param body see there
   * @param contentType see {@link #withContentType}
   * @return a page, fetched now
   * @throws InvalidArgumentException if the bytes cannot be read
   */
  public static Page of(String url, ByteBuffer body, @Nullable String contentType) {
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

  /**
   * The type of the body that the server declared.
   *
   * @return the value of the header; empty: there was none
   */
  public String contentType() {
    return contentType;
  }

  /**
   * When it was fetched.
   *
   * @return empty: now
   */
  public Optional<Instant> fetchedAt() {
    return fetchedAtMs == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(fetchedAtMs));
  }

  /**
   * How long the body is.
   *
   * @return bytes
   */
  public int bodySize() {
    return size;
  }

  /**
   * Whether the fetcher cut the body.
   *
   * @return true after {@link #truncated()}
   */
  public boolean isTruncated() {
    return truncated;
  }

  /** Equal if all that was given is, the bytes of the body among it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Page page && url.equals(page.url) && contentType.equals(page.contentType)
        && fetchedAtMs == page.fetchedAtMs && truncated == page.truncated
        && Arrays.equals(body, offset, offset + size, page.body, page.offset, page.offset + page.size);
  }

  /** Depends on everything except the bytes of the body. */
  @Override
  public int hashCode() {
    return Objects.hash(url, contentType, fetchedAtMs, truncated, size);
  }

  /** The URL and what else is known, without the body. */
  @Override
  public String toString() {
    return "Page[url=" + url + ", contentType=" + contentType + ", bodySize=" + size
        + fetchedAt().map(time -> ", fetchedAt=" + time).orElse("") + (truncated ? ", truncated" : "") + "]";
  }

  /** A native method that takes a page and something else. */
  @FunctionalInterface
  interface Call<T> {
    T with(byte[] url, byte[] body, int offset, int size, byte[] contentType, int flags, long atMs);
  }

  <T> T pass(Call<T> call) {
    int flags = truncated ? TRUNCATED : 0;
    return call.with(Utf8.encode(url), body, offset, size, Utf8.encode(contentType), flags, fetchedAtMs);
  }
}
