package io.ndc.spark.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** WARC files made by hand. Texts have a character a byte. */
final class Warcs {
  private Warcs() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts)
      all.writeBytes(part);
    return all.toByteArray();
  }

  static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  /** A record with its header and the empty line behind it; {@code fields} are whole lines. */
  static byte[] record(String type, String uri, byte[] block, String... fields) {
    StringBuilder header = new StringBuilder("WARC/1.0\r\nWARC-Type: " + type);
    if (!uri.isEmpty()) header.append("\r\nWARC-Target-URI: ").append(uri);
    Arrays.stream(fields).forEach(field -> header.append("\r\n").append(field));
    header.append("\r\nContent-Length: ").append(block.length).append("\r\n\r\n");
    return join(bytes(header.toString()), block, bytes("\r\n\r\n"));
  }

  static byte[] response(byte[] body, String... fields) {
    StringBuilder header = new StringBuilder("HTTP/1.1 200 OK");
    Arrays.stream(fields).forEach(field -> header.append("\r\n").append(field));
    return join(bytes(header + "\r\n\r\n"), body);
  }

  /** A `response` record. */
  static byte[] page(String uri, String body) {
    return record("response", uri, response(bytes(body), "Content-Type: text/html"),
        "Content-Type: application/http; msgtype=response", "WARC-Date: 2024-05-06T07:08:09Z");
  }
}
