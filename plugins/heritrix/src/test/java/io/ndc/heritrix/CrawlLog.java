package io.ndc.heritrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.json.JSONObject;

/** Reads the crawl.log of a launch, from which tests see what Heritrix wrote of each page. */
final class CrawlLog {
  private static final String NAME = "crawl.log";
  private static final int FIELDS = 13;

  /**
   * A line.
   *
   * @param status of the fetch
   * @param url of the page
   * @param via the page that linked it, or "-"
   * @param annotations as in the log
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

  /** The complete lines of a launch so far, including those that a checkpoint has moved to another file. */
  static List<Line> read(Path launch) throws IOException {
    List<Line> lines = new ArrayList<>();
    for (Path file : files(launch.resolve("logs"))) {
      String text = Files.readString(file);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
        if (!line.isBlank()) {
          lines.add(parse(line));
        }
      }
    }
    return lines;
  }

  /** Those of the checkpoints, crawl.log.cp00001-..., and the running one at last. */
  private static List<Path> files(Path logs) throws IOException {
    try (Stream<Path> all = Files.list(logs)) {
      List<Path> files =
          new ArrayList<>(all.filter(file -> file.getFileName().toString().startsWith(NAME + ".cp")).sorted().toList());
      if (Files.exists(logs.resolve(NAME))) {
        files.add(logs.resolve(NAME));
      }
      return files;
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** The lines of pages that were fetched with status 200. */
  static List<Line> fetched(Path launch) throws IOException {
    return read(launch).stream().filter(line -> line.status() == 200).toList();
  }

  private static Line parse(String line) {
    String[] fields = line.trim().split("\\s+", FIELDS);
    return new Line(
        Integer.parseInt(fields[1]),
        fields[3],
        fields[5],
        List.of(fields[11].split(",")),
        new JSONObject(fields[FIELDS - 1]));
  }
}
