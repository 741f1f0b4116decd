package io.ndc.spark;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The output of an earlier run with which a run continues, or nothing. One thread. */
final class EarlierRun {
  /** Parts of an output that are read, in the order in which they are written. */
  static final String MODELS = "models";
  static final String MERGED = "merged";
  static final String REPRESENTATIVES = "representatives";

  private final SparkSession spark;
  /** Null: there is none. */
  private final Path output;

  /**
   * The run of {@code --previous}.
   *
   * @param output empty: there is none
   */
  EarlierRun(SparkSession spark, String output) {
    this.spark = spark;
    this.output = output.isEmpty() ? null : new Path(output);
  }

  boolean isThere() {
    return output != null;
  }

  /**
   * Looks whether it can be gone on with.
   *
   * @throws JobException if it has not finished
   */
  void check() {
    if (output == null) return;
    for (String part : List.of(MODELS, REPRESENTATIVES)) {
      if (!isWhole(part))
        throw new JobException(output + " is not the output of a finished run: it has no whole " + part);
    }
  }

  /** Whether its output is in a folder, which need not be there. */
  boolean isIn(Path folder, Configuration configuration) throws IOException {
    if (output == null) return false;
    FileSystem files = OutputFolder.files(folder, configuration);
    return files.exists(folder)
        && files.resolvePath(folder).equals(OutputFolder.files(output, configuration).resolvePath(output));
  }

  /** Where the representatives are, of {@link PagesStage#SCHEMA}; there must be a run. */
  Path representatives() {
    return new Path(output, REPRESENTATIVES);
  }

  /** Rows of {@link SiteModels#SCHEMA}. */
  Dataset<Row> models() {
    return read(MODELS, SiteModels.SCHEMA);
  }

  /** Rows of {@link MergedGroups#SCHEMA}; none if that run did not continue another one. */
  Dataset<Row> merged() {
    return read(MERGED, MergedGroups.SCHEMA);
  }

  private Dataset<Row> read(String part, StructType schema) {
    if (output == null || !isWhole(part)) return spark.createDataFrame(List.of(), schema);
    return spark.read().schema(schema).parquet(new Path(output, part).toString());
  }

  private boolean isWhole(String part) {
    Path success = new Path(new Path(output, part), "_SUCCESS");
    try {
      return OutputFolder.files(output, spark.sparkContext().hadoopConfiguration()).exists(success);
    } catch (IOException unreachable) {
      throw new JobException(success.getParent() + ": " + unreachable.getMessage(), unreachable);
    }
  }
}
