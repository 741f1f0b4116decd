package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Archives as a source of rows for Spark, with damage that costs only itself. */
class WarcSourceTest {
  private static final String FORMAT = "ndc-warc";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir Path folder;
  private Path archive;

  @BeforeEach
  void write() throws IOException {
    archive = new GeneratedArchive().page("http://a.example/", GeneratedArchive.DAY_1, GeneratedArchive.article(1))
        .page("http://b.example/", GeneratedArchive.DAY_2, GeneratedArchive.article(1)).write(folder.resolve("a.warc"));
  }

  private static Dataset<Row> read(Path... paths) {
    String[] names = List.of(paths).stream().map(Path::toString).toArray(String[]::new);
    return SPARK.session().read().format(FORMAT).load(names);
  }

  private static String record(String fields, String block) {
    return "WARC/1.0\r\n" + fields + "Content-Length: " + block.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n"
        + block
        + "\r\n\r\n";
  }

  @Test
  void aPageIsARow() throws IOException {
    Path wet = folder.resolve("b.warc.wet");
    Files.writeString(wet, record("WARC-Type: conversion\r\nWARC-Target-URI: http://c.example/\r\n"
        + "WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: text/plain\r\n", "Ein Text für alle"));
    List<Row> rows = read(archive, wet).orderBy("url").collectAsList();
    assertEquals(List.of("url", "time", "content_type", "body", "truncated"),
        List.of(rows.get(0).schema().fieldNames()));
    assertEquals(3, rows.size());
    assertEquals("http://a.example/", rows.get(0).getString(0));
    Row text = rows.get(2);
    assertEquals("http://c.example/", text.getString(0));
    assertEquals(Timestamp.from(Instant.parse("2026-01-02T03:04:05Z")), text.getTimestamp(1));
    assertEquals("text/plain", text.getString(2));
    assertArrayEquals("Ein Text für alle".getBytes(StandardCharsets.UTF_8), text.<byte[]>getAs(3));
    assertEquals(3, read(folder).count(), "of the folder");
    assertEquals(List.of("http://a.example/"), read(folder).filter("time < '2000-01-01' or url like '%a.exam%'")
        .select("url")
        .collectAsList().stream().map(row -> row.getString(0)).toList());
  }

  @Test
  void itsRowsAreWhatTheDeduplicatorTakes() {
    List<Row> groups = new NdDeduplicator(folder.resolve("work").toString()).transform(read(archive)).collectAsList();
    assertEquals(2, groups.size());
    assertEquals(groups.get(0).<String>getAs("group_id"), groups.get(1).getAs("group_id"));
  }

  @Test
  void aLongBodyIsCutWhereAsked() {
    List<Row> rows = SPARK.session().read().format(FORMAT).option("pageBytes", 10).load(archive.toString())
        .collectAsList();
    for (Row row : rows) {
      assertEquals(10, row.<byte[]>getAs("body").length);
      assertTrue(row.<Boolean>getAs("truncated"));
    }
  }

  @Test
  void whatIsNoArchiveIsRefusedInASentence() {
    Path missing = folder.resolve("missing.warc");
    Exception refusal = assertThrows(IllegalArgumentException.class, () -> read(missing).count());
    assertTrue(refusal.getMessage().contains("missing.warc: ") && refusal.getMessage().contains("does not exist"),
        refusal.getMessage());
    assertThrows(IllegalArgumentException.class, () -> SPARK.session().read().format(FORMAT).load().count());
  }

  @Test
  void damageCostsItself() throws IOException {
    Path damaged = folder.resolve("damaged.warc");
    byte[] bytes = Files.readAllBytes(archive);
    byte[] nonsense = "no record\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    Files.write(damaged, nonsense);
    Files.write(damaged, bytes, StandardOpenOption.APPEND);
    assertEquals(2, read(damaged).count());
  }
}
