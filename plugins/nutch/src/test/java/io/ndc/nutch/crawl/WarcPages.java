package io.ndc.nutch.crawl;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** The pages of a gzipped WARC file whose payloads are stored as they are (no chunks, no compression), by URL in the file's order. */
public final class WarcPages {
  /** One page: the value of its Content-Type header and its body. */
  public record Response(String contentType, byte[] body) {}

  private WarcPages() {}

  /** Reads all response records of {@code file}. */
  public static Map<String, Response> read(Path file) throws IOException {
    Map<String, Response> pages = new LinkedHashMap<>();
    try (InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file), 1 << 16), 1 << 16)) {
      for (String line = line(in); line != null; line = line(in)) {
        if (line.isEmpty()) {
          continue;
        }
        Map<String, String> header = header(in);
        byte[] block = in.readNBytes(Integer.parseInt(header.get("content-length")));
        if (header.get("warc-type").equals("response")) {
          pages.put(header.get("warc-target-uri"), response(block));
        }
      }
    }
    return pages;
  }

  private static Response response(byte[] block) throws IOException {
    InputStream in = new java.io.ByteArrayInputStream(block);
    line(in);
    Map<String, String> header = header(in);
    return new Response(header.getOrDefault("content-type", ""), in.readAllBytes());
  }

  private static Map<String, String> header(InputStream in) throws IOException {
    Map<String, String> header = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      header.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return header;
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        if (line.size() > 0) {
          throw new EOFException("a WARC file that ends within a line");
        }
        return null;
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
