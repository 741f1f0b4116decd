package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are written to files and read back by their position, with damage named. */
class StoredRowsTest {
  private static final int ROWS = 3000;
  private static final StructType SCHEMA =
      StructType.fromDDL("number bigint, `text` string, bytes binary, is_even boolean, small int");
  private static final StructType REFERENCES =
      StructType.fromDDL("asks string, file_number int, wanted array<bigint>, row_number bigint");
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir static Path folder;
  private static StoredRows stored;

  @BeforeAll
  static void write() throws IOException {
    // A second folder, as a job has the representatives of an earlier one.
    write(0, ROWS, 5, "first");
    write(ROWS, ROWS + 2, 2, "second");
    stored = stored("first", "second");
  }

  private static void write(int begin, int end, int files, String name) {
    List<Row> rows = new ArrayList<>();
    for (int i = begin; i < end; i++)
      rows.add(row(i));
    SPARK.session().createDataFrame(rows, SCHEMA).repartition(files)
        // Several groups of rows in a file.
        .write().option("parquet.block.size", "4096").parquet(folder.resolve(name).toString());
  }

  private static Row row(int i) {
    return RowFactory.create((long) i, i % 7 == 0 ? null : "text " + i, new byte[] {(byte) i, (byte) (i >> 8)},
        i % 2 == 0, -i);
  }

  private static StoredRows stored(String... names) throws IOException {
    List<org.apache.hadoop.fs.Path> folders = new ArrayList<>();
    for (String name : names)
      folders.add(new org.apache.hadoop.fs.Path(folder.resolve(name).toString()));
    return new StoredRows(SPARK.session(), folders, SCHEMA);
  }

  private static Row position(Row row, String asks) {
    return RowFactory.create(
        asks, row.getAs("file_number"), List.of(row.<Long>getAs("number")), row.getAs("row_number"));
  }

  @Test
  void everyRowIsWhereItsPositionSays() {
    List<Row> all = stored.rows().collectAsList();
    assertEquals(ROWS + 2, all.size());
    List<Row> references = new ArrayList<>();
    for (Row row : all) {
      if (row.<Long>getAs("number") % 3 == 0) references.add(position(row, "once"));
      if (row.<Long>getAs("number") % 300 == 0) references.add(position(row, "again"));
    }
    Dataset<Row> joined = stored.join(SPARK.session().createDataFrame(references, REFERENCES), "small", "text",
        "number",
        "bytes", "is_even");
    assertEquals(List.of("small", "text", "number", "bytes", "is_even", "asks", "wanted"), List.of(joined.columns()));
    Map<String, Integer> asked = new HashMap<>();
    for (Row row : joined.collectAsList()) {
      long number = row.getLong(2);
      asked.merge(row.getAs("asks"), 1, Integer::sum);
      assertEquals(List.of(number), row.<Long>getList(6));
      Row expected = row((int) number);
      assertEquals(expected.getInt(4), row.getInt(0));
      assertEquals(expected.getString(1), row.getString(1));
      assertArrayEquals(expected.<byte[]>getAs(2), row.<byte[]>getAs(3));
      assertEquals(expected.getBoolean(3), row.getBoolean(4));
    }
    assertEquals(Map.of("once", ROWS / 3 + 1, "again", ROWS / 300 + 1), asked);
  }

  @Test
  void filesOfTheFirstFolderComeFirst() throws IOException {
    int files = stored("first").files();
    assertTrue(files >= 1 && files < stored.files(), files + " of " + stored.files());
    for (Row row : stored.rows().collectAsList())
      assertEquals(row.<Long>getAs("number") < ROWS, row.<Integer>getAs("file_number") < files, row::toString);
  }

  @Test
  void whereNothingIsThereIsNothing() throws IOException {
    SPARK.session().createDataFrame(List.of(), SCHEMA).write().parquet(folder.resolve("nothing").toString());
    assertEquals(0, stored("nothing").rows().count());
    assertEquals(0, stored.join(SPARK.session().createDataFrame(List.of(), REFERENCES), "number").count());
    assertNull(row(7).getString(1));
  }

  @Test
  void aPositionThatIsNotThereIsAnError() {
    Row behind = RowFactory.create("x", 0, List.of(1L), (long) ROWS);
    Dataset<Row> joined = stored.join(SPARK.session().createDataFrame(List.of(behind), REFERENCES), "number");
    assertTrue(assertThrows(Exception.class, joined::collectAsList).getMessage().contains("it has no row " + ROWS));
  }

  @Test
  void aFileThatIsDamagedIsNamed() throws IOException {
    write(0, 100, 1, "damaged");
    StoredRows damaged = stored("damaged");
    List<Row> references = damaged.rows().collectAsList().stream().map(row -> position(row, "x")).toList();
    Path part;
    try (Stream<Path> files = Files.list(folder.resolve("damaged"))) {
      part = files.filter(file -> file.getFileName().toString().startsWith("part-")).findFirst().orElseThrow();
    }
    Files.delete(part.resolveSibling("." + part.getFileName() + ".crc"));
    Files.write(part, Arrays.copyOf(Files.readAllBytes(part), 100));
    Dataset<Row> joined = damaged.join(SPARK.session().createDataFrame(references, REFERENCES), "number");
    String reason = JobException.reason(assertThrows(Exception.class, joined::collectAsList));
    assertTrue(reason.contains(part.getFileName() + " cannot be read: "), reason);
  }

  @Test
  void twoFilesOfOneNameAreRefused() throws IOException {
    StoredRows twice = stored("first", "first");
    assertThrows(JobException.class, twice::rows);
  }
}
