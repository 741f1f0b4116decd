package io.ndc.heritrix;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.archive.modules.CrawlURI;
import org.archive.modules.CrawlURI.FetchType;
import org.archive.net.UURIFactory;
import org.archive.util.Recorder;

/** Pages as a processor of the disposition chain gets them, without a fetch. */
final class FetchedPage {
  private static final byte[] HEAD = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private FetchedPage() {}

  /** A recorder whose files lie in the folder. */
  static Recorder recorder(Path folder, String name) {
    return new Recorder(folder.toFile(), name);
  }

  /**
   * An HTML page.
   *
   * @param recorder takes the page in place of what it had
   * @param coding of the body; null: none
   * @param body on the wire
   */
  static CrawlURI of(Recorder recorder, String url, String coding, byte[] body) throws IOException {
    try (InputStream in = recorder.inputWrap(new ByteArrayInputStream(concatenated(HEAD, body)))) {
      in.readNBytes(HEAD.length);
      recorder.markContentBegin();
      in.transferTo(OutputStream.nullOutputStream());
    }
    if (coding != null) {
      recorder.setContentEncoding(coding);
    }
    CrawlURI uri = new CrawlURI(UURIFactory.getInstance(url));
    uri.setRecorder(recorder);
    uri.setFetchType(FetchType.HTTP_GET);
    uri.setFetchStatus(200);
    uri.setContentType("text/html; charset=utf-8");
    return uri;
  }

  /** HTML of one word over and over, of about so many bytes; a thousandth of that as it is returned, in gzip. */
  static byte[] gzipBomb(int size) throws IOException {
    byte[] paragraph = ("<p>" + "word ".repeat(200) + "</p>\n").getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      for (int written = 0; written < size; written += paragraph.length) {
        out.write(paragraph);
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] concatenated(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
