package io.ndc.stormcrawler;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** WARC files whose payloads are stored as they are: no chunks, no compression. */
final class Warc {
  private Warc() {}

  /** The pages of a gzipped file by URL, in the file's order. */
  static Map<String, WebPage> read(Path file) throws IOException {
    Map<String, WebPage> pages = new LinkedHashMap<>();
    try (InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file), 1 << 16), 1 << 16)) {
      for (String line = line(in); line != null; line = line(in)) {
        if (line.isEmpty()) {
          continue;
        }
        Map<String, String> header = header(in);
        byte[] block = in.readNBytes(Integer.parseInt(header.get("content-length")));
        if (header.get("warc-type").equals("response")) {
          InputStream http = new ByteArrayInputStream(block);
          line(http);
          String type = header(http).getOrDefault("content-type", "");
          pages.put(header.get("warc-target-uri"), new WebPage(200, type, http.readAllBytes()));
        }
      }
    }
    return pages;
  }

  /** Writes pages in the order of the map. */
  static void write(Path file, Map<String, WebPage> pages) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      int number = 0;
      for (Map.Entry<String, WebPage> page : pages.entrySet()) {
        byte[] body = page.getValue().body();
        byte[] http = ("HTTP/1.1 200 OK\r\nContent-Type: " + page.getValue().contentType()
            + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                          .getBytes(StandardCharsets.US_ASCII);
        out.write(("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: " + page.getKey()
            + "\r\nWARC-Record-ID: <urn:test:" + number++
            + ">\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
            + "Content-Length: " + (http.length + body.length) + "\r\n\r\n")
                      .getBytes(StandardCharsets.US_ASCII));
        out.write(http);
        out.write(body);
        out.write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
    }
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
        return null;
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
