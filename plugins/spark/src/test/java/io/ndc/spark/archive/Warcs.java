package io.ndc.spark.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** WARC files, HTTP messages and codings made by hand. Texts have a character a byte. */
final class Warcs {
  /** {@link #WORDS} as a brotli stream with codes of its own. */
  static final byte[] BROTLI_WORDS = Base64.getDecoder().decode(String.join("",
      "G+4EAMQTl+pDPIaNYDlRmLwKbhHOrUSB6Y2BY5Nw0O8RInj3/S/w/nd/N/fsajOnuQ1+Yh/f7sGZnc0e9Rcygw5c",
      "YGopMhcN8OJJjl63qQizIUIESObOl6JjN5bdqirMxhAhwOVJnItvzLTclYowGyJEgGTuVIqO3Vh2q6owG0OEAJec",
      "p+P7z7TclYowGyJEgGTuVIqO3Vh2q6owG0OEAJecp+P7z7TclYowGyJEgGTuVIr+bws/p1tVhdkYIgS45Dwd//4C"));
  /** 160 words. */
  static final String WORDS = words(160);
  /** 16 MiB of zeros as a brotli stream. */
  static final byte[] BROTLI_ZEROS = Base64.getDecoder().decode("y///PwAkAOKxQHLv//L//w+ABEAcFoDu/R8=");

  private static final int STORED_BYTES = 1 << 16;

  private Warcs() {}

  private static String words(int count) {
    StringBuilder text = new StringBuilder("word0");
    for (int i = 1; i < count; i++)
      text.append(" word").append(i * 7919 % 997);
    return text.toString();
  }

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

  static byte[] zlib(byte[] bytes) {
    return deflate(bytes, false);
  }

  static byte[] rawDeflate(byte[] bytes) {
    return deflate(bytes, true);
  }

  private static byte[] deflate(byte[] bytes, boolean raw) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw);
    try (DeflaterOutputStream deflated = new DeflaterOutputStream(out, deflater)) {
      deflated.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  /** A brotli stream (RFC 7932) of uncompressed meta-blocks. */
  static byte[] brotli(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int bits = 0;  // the window is 64 KiB: one zero
    int bitCount = 1;
    for (int at = 0; at < bytes.length; at += STORED_BYTES) {
      int size = Math.min(STORED_BYTES, bytes.length - at);
      // Not the last, four nibbles of size, the size minus one, uncompressed.
      bits |= (size - 1) << (bitCount + 3) | 1 << (bitCount + 19);
      for (int i = 0; i < 3; i++)
        out.write(bits >>> (8 * i));
      out.write(bytes, at, size);
      bits = 0;
      bitCount = 0;
    }
    out.write(bits | 3 << bitCount);  // the last, empty
    return out.toByteArray();
  }

  static byte[] chunked(byte[] bytes, int chunkSize) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += chunkSize) {
      int size = Math.min(chunkSize, bytes.length - at);
      out.writeBytes(bytes(Integer.toHexString(size) + "\r\n"));
      out.write(bytes, at, size);
      out.writeBytes(bytes("\r\n"));
    }
    out.writeBytes(bytes("0\r\n\r\n"));
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
    return responseOf("HTTP/1.1 200 OK", body, fields);
  }

  static byte[] responseOf(String status, byte[] body, String... fields) {
    StringBuilder header = new StringBuilder(status);
    Arrays.stream(fields).forEach(field -> header.append("\r\n").append(field));
    return join(bytes(header + "\r\n\r\n"), body);
  }

  /** A `response` record. */
  static byte[] page(String uri, String body) {
    return record("response", uri, response(bytes(body), "Content-Type: text/html"),
        "Content-Type: application/http; msgtype=response", "WARC-Date: 2024-05-06T07:08:09Z");
  }
}
