package io.ndc.heritrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONObject;

/** The lines of a crawl.log. */
final class CrawlLog {
  private static final int FIELDS = 13;

  /**
   * A line.
   *
   * @param status of the fetch
   * @param url of the page
   * @param via the page that linked it, or "-"
   * @param annotations as they stand there
   * @param extra the JSON at the end
   */
  record Line(int status, String url, String via, List<String> annotations, JSONObject extra) {
    boolean isDuplicate() {
      return annotations.contains(NearDuplicateVerdict.ANNOTATION);
    }

    boolean isChecked() {
      return extra.has("nd_verdict");
    }

    long group() {
      return extra.getLong("nd_group");
    }

    String verdict() {
      return extra.getString("nd_verdict");
    }
  }

  private CrawlLog() {}

  /** The complete lines so far; none if there is no file yet. */
  static List<Line> read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      return lines;
    }
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
      if (!line.isBlank()) {
        lines.add(parse(line));
      }
    }
    return lines;
  }

  /** The lines of pages that were fetched with status 200. */
  static List<Line> fetched(Path file) throws IOException {
    return read(file).stream().filter(line -> line.status() == 200).toList();
  }

  private static Line parse(String line) {
    String[] fields = line.trim().split("\\s+", FIELDS);
    return new Line(
        Integer.parseInt(fields[1]), fields[3], fields[5], List.of(fields[11].split(",")), new JSONObject(fields[FIELDS - 1]));
  }
}
