package io.ndc.heritrix;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.archive.modules.CoreAttributeConstants;
import org.archive.modules.CrawlURI;
import org.archive.util.Recorder;

/**
 * The body of a fetched page as a browser would read it: without HTTP head, transfer coding and content coding, up to a
 * number of bytes. It lies in one of the {@link BodyBuffers} until it is closed.
 */
final class RecordedBody implements AutoCloseable {
  private static final int CHUNK_BYTES = 16 * 1024;

  private final BodyBuffers buffers;
  private final ByteBuffer bytes;
  private boolean truncated;

  private RecordedBody(BodyBuffers buffers, ByteBuffer bytes, boolean truncated) {
    this.buffers = buffers;
    this.bytes = bytes;
    this.truncated = truncated;
  }

  /**
   * Reads the replay of what was fetched.
   *
   * @param uri a page with a recorder
   * @param limit in bytes of the decoded body, 1 or more; what all buffers may have together is a limit as well
   * @param buffers for the body; this waits for one
   * @throws IOException the recording or its coding cannot be read at all
   */
  static RecordedBody read(CrawlURI uri, int limit, BodyBuffers buffers) throws IOException {
    RecordedBody body = new RecordedBody(buffers, buffers.take(limit), cutByFetcher(uri));
    try {
      body.fill(uri.getRecorder());
      return body;
    } catch (IOException | RuntimeException | Error e) {
      body.close();
      throw e;
    }
  }

  private void fill(Recorder recorder) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in = open(recorder)) {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        int room = bytes.remaining();
        bytes.put(chunk, 0, Math.min(count, room));
        if (count > room) {
          truncated = true;
          break;
        }
      }
    } catch (IOException e) {
      if (bytes.position() == 0) {
        throw e;
      }
      truncated = true;
    }
    bytes.flip();
  }

  /** The body or its beginning; not to be used after {@link #close}. */
  ByteBuffer bytes() {
    return bytes;
  }

  /**
   * Whether something is missing at its end: cut by the fetcher, by the limit, or lost where the coding is damaged.
   */
  boolean truncated() {
    return truncated;
  }

  /** Gives the buffer back; once. */
  @Override
  public void close() {
    buffers.give(bytes);
  }

  private static InputStream open(Recorder recorder) throws IOException {
    // For "deflate" the recorder has a stream that compresses once more (webarchive-commons 3.0.2).
    if (!"deflate".equals(recorder.getContentEncoding())) {
      return recorder.getContentReplayInputStream();
    }
    InputStream in = new BufferedInputStream(recorder.getEntityReplayInputStream());
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    // Nothing at all is an empty body, though no stream that was deflated is empty.
    return first < 0 ? in : new InflatedStream(in, !isZlibHeader(first, second));
  }

  /** Servers send "deflate" with the zlib header that the standard requires (RFC 9110, 8.4.1.2), or without it. */
  private static boolean isZlibHeader(int method, int flags) {
    return (method & 0x0f) == 8 && flags >= 0 && (method << 8 | flags) % 31 == 0;
  }

  private static boolean cutByFetcher(CrawlURI uri) {
    Collection<String> annotations = uri.getAnnotations();
    return annotations.contains(CoreAttributeConstants.LENGTH_TRUNC)
        || annotations.contains(CoreAttributeConstants.TIMER_TRUNC)
        || annotations.contains(CoreAttributeConstants.HEADER_TRUNC);
  }

  /** The JDK's stream does not end an inflater that it was given, whose memory is outside the heap. */
  private static final class InflatedStream extends InflaterInputStream {
    InflatedStream(InputStream in, boolean raw) {
      super(in, new Inflater(raw));
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        inf.end();
      }
    }
  }
}
