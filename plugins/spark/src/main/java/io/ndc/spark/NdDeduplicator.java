package io.ndc.spark;

import static org.apache.spark.sql.functions.col;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Finds the groups of near-duplicates among the rows of a table, as {@link NdPartition} does in archives.
 *
 * <pre>{@code
 * Dataset<Row> groups = new NdDeduplicator("hdfs:///tmp/ndc").transform(pages);
 * }</pre>
 *
 * <p>One object may be used for any number of tables, by one thread at a time.
 */
public final class NdDeduplicator {
  /** Columns that {@link #transform} adds. */
  private static final List<String> ADDED =
      List.of("group_id", "verdict", "resemblance", "probability", "representative", "flags");

  private static final String KEY = "ndc_page_key";

  private final String folder;
  private final Map<String, String> options = new TreeMap<>();

  /**
   * A deduplicator with default options.
   *
   * @param folder on any Hadoop file system that driver and executors reach; each call of {@link #transform} makes a
   *     folder in it, which the caller removes when the result is no longer used
   */
  public NdDeduplicator(String folder) {
    if (folder == null || folder.isEmpty()) throw new IllegalArgumentException("the folder has no name");
    this.folder = folder;
  }

  /**
   * Sets an option of the library ({@code ndc options} lists them).
   *
   * @return this
   */
  public NdDeduplicator option(String key, String value) {
    options.put(key, value);
    return this;
  }

  /**
   * Groups the rows of a table.
   *
   * <p>A page has a URL and a content. Rows with equal URL, content and content type are one page. A row whose URL or
   * content is null, and one that the library refuses, is no page: the added columns are null.
   *
   * @param rows with columns {@code url} (string) and {@code body} (binary) or {@code text} (string), perhaps {@code
   *     content_type} (string), which is that of the body. Of a row with body and text the body counts. The table is
   *     computed twice: it must say the same both times
   * @return all rows with {@code group_id}, which pages of one group have in common; {@code verdict} (NEW: a group's
   *     representative, EXACT, NEAR, NO_TEXT); {@code resemblance} to the representative, 0 to 1, 0 of itself; {@code
   *     probability} that the two are the same document, likewise; {@code representative}, its URL; and
   *     {@code flags}, the names of {@link io.ndc.Flag} in lower case: with a page that has contains, contained or
   *     uncertain something may be left out that stands nowhere else
   * @throws IllegalArgumentException naming a column that is missing, of another type, or there already, or an option
   *     that does not hold
   * @throws UncheckedIOException if the folder cannot be written or read
   */
  public Dataset<Row> transform(Dataset<Row> rows) {
    StructType schema = rows.schema();
    RowsStage.requirePages(schema);
    List<String> names = List.of(schema.fieldNames());
    for (String column : ADDED) {
      if (names.contains(column)) throw new IllegalArgumentException("the rows have a column " + column + " already");
    }
    Path output = new Path(folder, "ndc-" + UUID.randomUUID());
    SparkSession spark = rows.sparkSession();
    try (PartitionJob job = new PartitionJob(spark, jobOptions(output))) {
      job.check();
      job.run(rows);
    } catch (IOException failure) {
      throw new UncheckedIOException(output + ": " + failure.getMessage(), failure);
    }
    return joined(rows.withColumn(KEY, RowsStage.key(schema)),
        spark.read().parquet(new Path(output, "groups").toString()), names);
  }

  private JobOptions jobOptions(Path output) {
    List<String> arguments = new ArrayList<>(List.of("--input", "(rows)", "--output", output.toString()));
    options.forEach((key, value) -> arguments.addAll(List.of("--option", key + "=" + value)));
    return JobOptions.parse(arguments.toArray(String[]::new));
  }

  private static Dataset<Row> joined(Dataset<Row> keyed, Dataset<Row> groups, List<String> names) {
    Dataset<Row> answers = groups.select(col("page").as(KEY), col("group").as("group_id"), col("verdict"),
        col("resemblance"), col("probability"), col("representative"), FlagBits.words(col("flags")).as("flags"));
    List<String> columns = new ArrayList<>(names);
    columns.addAll(ADDED);
    return keyed.join(answers, new String[] {KEY}, "left")
        .select(columns.stream().map(name -> col("`" + name.replace("`", "``") + "`")).toArray(Column[]::new));
  }
}
