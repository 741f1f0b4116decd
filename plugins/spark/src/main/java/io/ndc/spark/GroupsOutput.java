package io.ndc.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.hex;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;

import io.ndc.Flag;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Stage 7: what the user gets. */
final class GroupsOutput {
  private final StageStore stages;
  private final Path output;
  private final boolean isIncremental;

  /** For a run that has an earlier one's representatives, or none. */
  GroupsOutput(StageStore stages, Path output, boolean isIncremental) {
    this.isIncremental = isIncremental;
    this.stages = stages;
    this.output = output;
  }

  /**
   * Writes groups, pairs and representatives.
   *
   * @param pages of {@link PagesStage#SCHEMA}, the new ones
   * @param previous of the same schema, the representatives of an earlier run
   * @param decided of {@link DecisionsStage#SCHEMA}
   * @param pairs of {@link PairRow#SCHEMA}
   */
  void write(StoredRows pages, Dataset<Row> previous, Dataset<Row> decided, Dataset<Row> pairs)
      throws IOException {
    Dataset<Row> joined = decided.filter(col("place").notEqual(col("representative_place")))
        .join(pairs.filter(col("accepted")), new String[] {"place", "representative_place"}, "inner");
    stages.result("groups", observers -> groups(pages.rows(), joined, decided));
    Dataset<Row> shown = pairs.select(text("page"), col("url"),
        text("representative_page"), col("representative"), col("accepted"), col("reason"), col("resemblance"),
        col("containment"), col("page_coverage"), col("matched_coverage"), col("flags"));
    // Where an earlier representative is captured by this run as well, both have one page key, and a page may have been
    // compared with both.
    stages.result("pairs", observers -> isIncremental ? shown.distinct() : shown);
    stages.result("representatives", observers ->
        // A capture that an earlier run has read as well is the representative that it was then.
        pages.join(founders(pages.rows(), joined.select("page").unionByName(previous.select("page"))),
            PagesStage.SCHEMA.fieldNames()).unionByName(previous));
  }

  /**
   * Reads the groups that were written.
   *
   * @return pages, those that founded a group, those that joined one: perhaps that of the same capture in an earlier run,
   *     which has their own page key
   */
  Row totals(SparkSession spark) {
    Column isFounder = col("verdict").isin("NEW", "NO_TEXT");
    return spark.read().parquet(new Path(output, "groups").toString())
        .agg(count(lit(1)), count_if(isFounder), count_if(not(isFounder))).first();
  }

  /** The positions of all pages but some. */
  private static Dataset<Row> founders(Dataset<Row> pages, Dataset<Row> others) {
    return pages.select("page", StoredRows.FILE, StoredRows.ROW).join(others, new String[] {"page"}, "left_anti")
        .select(StoredRows.FILE, StoredRows.ROW);
  }

  private static Dataset<Row> groups(Dataset<Row> pages, Dataset<Row> joined, Dataset<Row> decided) {
    Dataset<Row> limited = decided.filter(col("limited")).select(col("place").as("limited_place"));
    Dataset<Row> members = joined.select(col("page"), col("representative_page"), col("representative"),
        col("verdict"), col("resemblance"), col("containment"), col("page_coverage"), col("matched_coverage"),
        col("flags").as("flags_of_pair"));
    return pages.join(members, new String[] {"page"}, "left")
        .join(limited, col("place").equalTo(col("limited_place")), "left")
        .select(col("url"), text("page"), lower(hex(coalesce(col("representative_page"), col("page")))).as("group"),
            coalesce(col("representative"), col("url")).as("representative"),
            orZero("resemblance"), orZero("containment"), orZero("page_coverage"), orZero("matched_coverage"),
            coalesce(col("verdict"), when(col("has_text"), "NEW").otherwise("NO_TEXT")).as("verdict"),
            coalesce(col("flags_of_pair"), col("flags"))
                .bitwiseOR(when(col("limited_place").isNotNull(), FlagBits.of(Flag.LIMIT)).otherwise(0)).as("flags"),
            col("site"), col("fetched_at_ms"), col("file"), col("offset"));
  }

  /** Of a founder, which was compared with nothing. */
  private static Column orZero(String ratio) {
    return coalesce(col(ratio), lit(0.0)).as(ratio);
  }

  private static Column text(String pageKey) {
    return lower(hex(col(pageKey))).as(pageKey);
  }

  /**
   * The representatives of an earlier run, with places before all pages of this one.
   *
   * @param output where that run wrote
   * @return of {@link PagesStage#SCHEMA}
   * @throws JobException if there are none
   */
  static Dataset<Row> representatives(SparkSession spark, Path output) {
    Path place = folder(output);
    try {
      if (!place.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(new Path(place, "_SUCCESS")))
        throw new JobException(output + " is not the output of a finished run: it has no whole " + place.getName());
    } catch (IOException unreachable) {
      throw new JobException(place + ": " + unreachable.getMessage(), unreachable);
    }
    return spark.read().schema(PagesStage.SCHEMA).parquet(place.toString()).withColumn("place", earlierPlace());
  }

  /** Where an output has its representatives. */
  static Path folder(Path output) {
    return new Path(output, "representatives");
  }

  /** Of a representative of an earlier run: the bit of a new page goes out of its column place. */
  static Column earlierPlace() {
    return col("place").bitwiseAND(~Place.NEW);
  }
}
