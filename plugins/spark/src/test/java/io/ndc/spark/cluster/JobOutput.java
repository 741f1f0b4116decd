package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;

/** The folder that NdPartition writes, read without Spark. */
final class JobOutput {
  private static final String REPORT = ".json";

  private final Path folder;

  JobOutput(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /**
   * The rows of groups, pairs or representatives as text, all columns, in an order that depends on the rows
   * alone.
   */
  List<String> rows(String part) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Group row : records(part)) {
      rows.add(row.toString());
    }
    Collections.sort(rows);
    return rows;
  }

  /** The same rows, to take columns from. */
  List<Group> records(String part) throws IOException {
    List<Group> rows = new ArrayList<>();
    for (Path file : files(folder.resolve(part))) {
      if (file.getFileName().toString().endsWith(".parquet")) read(file, rows);
    }
    return rows;
  }

  private static void read(Path file, List<Group> rows) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (ParquetReader<Group> reader = ParquetReader.builder(new GroupReadSupport(), path).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(row);
      }
    }
  }

  /** That it has the results of another one: the same rows, whatever files they are in. */
  void checkSameRows(JobOutput other) throws IOException {
    for (String part : new String[] {"groups", "pairs", "representatives"}) {
      List<String> rows = rows(part);
      assertFalse(rows.isEmpty(), part);
      assertEquals(other.rows(part), rows, part);
    }
  }

  JsonNode summary() throws IOException {
    return new ObjectMapper().readTree(folder.resolve("summary.json").toFile());
  }

  /** A counter of the summary. */
  long counter(String name) throws IOException {
    JsonNode counter = summary().path("counters").path(name);
    if (!counter.isNumber()) throw new AssertionError("summary.json has no counter " + name);
    return counter.asLong();
  }

  /** Whether a stage is whole: a file beside its folder says so. */
  boolean isFinished(String stage) {
    return Files.exists(folder.resolve("stages").resolve(stage + REPORT));
  }

  /** Whether tasks of a stage are writing. */
  boolean isBeingWritten(String stage) throws IOException {
    for (Path file : files(folder.resolve("stages").resolve(stage).resolve("_temporary"))) {
      if (file.getFileName().toString().contains("part-")) return true;
    }
    return false;
  }

  /** The files of the finished stages and when they were written. */
  Map<Path, FileTime> finishedFiles() throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    for (Path file : files(folder.resolve("stages"))) {
      String name = folder.resolve("stages").relativize(file).getName(0).toString();
      String stage = name.endsWith(REPORT) ? name.substring(0, name.length() - REPORT.length()) : name;
      if (isFinished(stage)) times.put(file, Files.getLastModifiedTime(file));
    }
    return times;
  }

  /** Also while others write and remove files there. */
  private static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    if (!Files.isDirectory(folder)) return files;
    try (Stream<Path> children = Files.list(folder)) {
      for (Path child : (Iterable<Path>) children::iterator) {
        if (Files.isDirectory(child)) {
          files.addAll(files(child));
        } else {
          files.add(child);
        }
      }
    } catch (NoSuchFileException gone) {
      return files;
    }
    return files;
  }
}
