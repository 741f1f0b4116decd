package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.unhex;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The output of a finished run of the job, and its pages' features as they were captured. One thread. */
final class FinishedResult {
  /** A partition is made for so many bytes of captures on the disk: the driver holds one partition at a time. */
  private static final long PARTITION_BYTES = 32L << 20;
  private static final long MOST_PARTITIONS = 1_000_000;

  private final SparkSession spark;
  private final FileSystem files;
  private final Path groups;
  private final Path captures;

  /**
   * The result in a folder.
   *
   * @param output where NdPartition wrote
   * @throws JobException if the run has not finished, or its stages were removed
   */
  FinishedResult(SparkSession spark, Path output) throws IOException {
    this.spark = spark;
    this.files = OutputFolder.files(output, spark.sparkContext().hadoopConfiguration());
    this.groups = new Path(output, "groups");
    this.captures = new Path(new Path(output, "stages"), "captures");
    requireWhole(output);
  }

  private void requireWhole(Path output) throws IOException {
    if (!files.exists(output)) throw new JobException(output + " does not exist");
    // The job writes it last.
    boolean isFinished = files.exists(new Path(output, "summary.json"));
    if (!isFinished || !files.exists(new Path(groups, "_SUCCESS")))
      throw new JobException(output + " is not the output of a finished run");
    if (!files.exists(captures.suffix(".json")) || !files.exists(captures))
      throw new JobException(captures + " is missing, and the pages' features with it: run NdPartition again");
  }

  /** One name for this result, however its path was written. */
  String name() {
    return files.makeQualified(groups.getParent()).toString();
  }

  /**
   * All pages, group by group, of each the founder first. Before all others those whose founder is of an earlier
   * result: it may have been captured again with another text, and its group ends if nobody else is in it. The same
   * order each time. One partition after the other comes to the driver.
   *
   * @return columns url, representative, is_founder, fetched_at_ms, features; features is null where the stage
   *     lacks the page
   */
  Iterator<Row> pages() throws IOException {
    long bytes = files.getContentSummary(captures).getLength();
    int partitions = (int) Math.min(1 + bytes / PARTITION_BYTES, MOST_PARTITIONS);
    Column[] order =
        {col("is_new_group"), col("group"), col("is_founder").desc(), col("fetched_at_ms"), col("url")};
    Dataset<Row> features = spark.read().schema(CapturesStage.SCHEMA).parquet(captures.toString())
        .select("page", "file", "offset", "features");
    return rows().join(features, new String[] {"page", "file", "offset"}, "left")
        .repartitionByRange(partitions, order).sortWithinPartitions(order)
        .select("url", "representative", "is_founder", "fetched_at_ms", "features")
        .toLocalIterator();
  }

  private Dataset<Row> rows() {
    Dataset<Row> rows = spark.read().parquet(groups.toString());
    Column isFounder = col("page").equalTo(col("group"));
    Dataset<Row> founded = rows.filter(isFounder).select(col("group").as("founded")).distinct();
    return rows.join(founded, col("group").equalTo(col("founded")), "left")
        .select(unhex(col("page")).as("page"), col("file"), col("offset"), col("url"), col("group"),
            col("representative"), col("fetched_at_ms"), isFounder.as("is_founder"),
            col("founded").isNotNull().as("is_new_group"));
  }
}
