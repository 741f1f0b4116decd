package io.ndc.heritrix;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.archive.modules.CoreAttributeConstants;
import org.archive.modules.CrawlURI;
import org.archive.util.Recorder;

/**
 * The body of a fetched page as a browser would read it: without HTTP head, transfer coding and content coding, up to a number of bytes.
 *
 * @param bytes the body or its beginning
 * @param truncated something is missing at its end: cut by the fetcher, by the limit, or lost where the coding is damaged
 */
record RecordedBody(byte[] bytes, boolean truncated) {
  private static final int BUFFER_BYTES = 16 * 1024;

  /**
   * Reads the replay of what was fetched.
   *
   * @param uri a page with a recorder
   * @param limit in bytes of the decoded body, 1 or more
   * @throws IOException the recording or its coding cannot be read at all
   */
  static RecordedBody read(CrawlURI uri, int limit) throws IOException {
    Recorder recorder = uri.getRecorder();
    ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.min(limit, recorder.getRecordedInput().getSize()) + 1);
    boolean cut = cutByFetcher(uri);
    try (InputStream in = open(recorder)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        int room = limit - body.size();
        body.write(buffer, 0, Math.min(count, room));
        if (count > room) {
          cut = true;
          break;
        }
      }
    } catch (IOException e) {
      if (body.size() == 0) {
        throw e;
      }
      cut = true;
    }
    return new RecordedBody(body.toByteArray(), cut);
  }

  private static InputStream open(Recorder recorder) throws IOException {
    // For "deflate" the recorder has a stream that compresses once more (webarchive-commons 3.0.2).
    if (!"deflate".equals(recorder.getContentEncoding())) {
      return recorder.getContentReplayInputStream();
    }
    InputStream in = new BufferedInputStream(recorder.getEntityReplayInputStream());
    return new InflaterInputStream(in, new Inflater(!hasZlibHeader(in)));
  }

  /** Servers send "deflate" with the zlib header that the standard asks for (RFC 9110, 8.4.1.2), and without. */
  private static boolean hasZlibHeader(InputStream in) throws IOException {
    in.mark(2);
    int method = in.read();
    int flags = in.read();
    in.reset();
    return (method & 0x0f) == 8 && flags >= 0 && (method << 8 | flags) % 31 == 0;
  }

  private static boolean cutByFetcher(CrawlURI uri) {
    Collection<String> annotations = uri.getAnnotations();
    return annotations.contains(CoreAttributeConstants.LENGTH_TRUNC)
        || annotations.contains(CoreAttributeConstants.TIMER_TRUNC)
        || annotations.contains(CoreAttributeConstants.HEADER_TRUNC);
  }
}
