package io.ndc.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A WARC file of pages that are made up: articles of numbers, edits of them, and boilerplate of sites. */
final class GeneratedArchive {
  static final String DAY_1 = "2026-03-01T00:00:00Z";
  static final String DAY_2 = "2026-03-02T00:00:00Z";
  private static final int SENTENCES = 24;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** The text with a number; two numbers have next to nothing in common. */
  static List<String> article(int number) {
    List<String> sentences = SyntheticCaptures.sentences(new Random(number), SENTENCES);
    sentences.replaceAll(sentence -> "In article " + number + " it says: " + sentence);
    return sentences;
  }

  /** The same with each so many-th sentence replaced, from the first one on. */
  static List<String> edited(List<String> article, int every) {
    List<String> edited = new ArrayList<>(article);
    List<String> others = SyntheticCaptures.sentences(new Random(article.get(0).hashCode()), article.size());
    for (int i = 0; i < edited.size(); i += every)
      edited.set(i, others.get(i));
    return edited;
  }

  /** A page with what all pages of its site have in front of their articles. */
  static String withBoilerplate(String boilerplate, List<String> article) {
    return SyntheticCaptures.html(article).replace("<body>", "<body><div>" + boilerplate + "</div>");
  }

  GeneratedArchive page(String url, String date, List<String> article) {
    return page(url, date, SyntheticCaptures.html(article));
  }

  GeneratedArchive page(String url, String date, String html) {
    String response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html;
    return append("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: " + url + "\r\nWARC-Date: " + date
        + "\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "
        + response.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + response + "\r\n\r\n");
  }

  /** Whatever it is. */
  GeneratedArchive append(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  int size() {
    return bytes.size();
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}
