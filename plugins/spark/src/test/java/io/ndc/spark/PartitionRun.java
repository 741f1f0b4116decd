package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A run of the job in this JVM, and what it left behind. */
final class PartitionRun {
  final int code;
  /** What it printed for its user. */
  final String messages;
  private final SparkSession spark;
  private final Path output;

  /** Runs it. */
  PartitionRun(SparkSession spark, Path output, String... arguments) {
    this.spark = spark;
    this.output = output;
    List<String> all = new ArrayList<>(List.of("--output", output.toString()));
    all.addAll(List.of(arguments));
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    this.code = NdPartition.run(spark, JobOptions.parse(all.toArray(new String[0])),
        new PrintStream(told, true, StandardCharsets.UTF_8));
    this.messages = told.toString(StandardCharsets.UTF_8);
  }

  String output() {
    return output.toString();
  }

  /** The rows of {@code groups} by URL. */
  Map<String, Row> groups() {
    Map<String, Row> rows = new TreeMap<>();
    for (Row row : rows("groups"))
      assertNull(rows.put(row.getAs("url"), row), () -> "twice: " + row.getAs("url"));
    return rows;
  }

  /** The rows of {@code representatives} by their groups. */
  Map<String, Row> representatives() {
    Map<String, Row> rows = new TreeMap<>();
    for (Row row : rows("representatives"))
      assertNull(rows.put(PageKey.text(row.getAs("page")), row), () -> "twice: " + row.getAs("url"));
    return rows;
  }

  /** What is known of a host, for the next run. */
  byte[] model(String host) {
    for (Row row : rows("models")) {
      if (row.getAs("host").equals(host)) return row.getAs("model");
    }
    throw new AssertionError("nothing is known of " + host);
  }

  private List<Row> rows(String part) {
    return spark.read().parquet(output.resolve(part).toString()).collectAsList();
  }

  /** The group of a page. */
  String group(String url) {
    return groups().get(url).getAs("group");
  }

  JsonNode summary() throws IOException {
    return new ObjectMapper().readTree(output.resolve("summary.json").toFile());
  }

  /** 0 if the summary does not have it. */
  long counter(String name) throws IOException {
    return summary().get("counters").path(name).asLong();
  }

  PartitionRun expect(int expected) {
    assertEquals(expected, code, messages);
    return this;
  }
}
