package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.hex;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.Flag;
import io.ndc.NearDuplicates;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Stage 7: what the user gets, of a run that continues with an earlier one. */
record GroupsOutput(StageStore stages, Path output, EarlierRun earlier) {
  /**
   * Writes groups and pairs.
   *
   * @param pages of {@link PagesStage#SCHEMA}, the new ones
   * @param decided of {@link DecisionsStage#SCHEMA}
   * @param pairs of {@link PairRow#SCHEMA}
   */
  void writeGroups(Dataset<Row> pages, Dataset<Row> decided, Dataset<Row> pairs) throws IOException {
    stages.result("groups", counts -> groups(pages, newPages(joined(decided, pairs)), decided));
    Dataset<Row> shown = pairs.select(text("page"), col("url"),
        text("representative_page"), col("representative"), col("accepted"), col("reason"), col("resemblance"),
        col("containment"), col("page_coverage"), col("matched_coverage"), col("probability"), col("flags"));
    // Where an earlier representative is captured by this run as well, both have one page key, and a page may have been
    // compared with both.
    stages.result("pairs", counts -> earlier.isThere() ? shown.distinct() : shown);
  }

  /**
   * Writes what the next run continues with; the representatives last.
   *
   * @param pages of {@link PagesStage#SCHEMA}, the new ones
   * @param compared the new ones, and the representatives of the earlier run as they are now, with their positions
   * @param models of {@link SiteModels#SCHEMA}, of all hosts so far
   * @param decided of {@link DecisionsStage#SCHEMA}
   * @param pairs of {@link PairRow#SCHEMA}
   */
  void writeForTheNextRun(
      StoredRows pages, Dataset<Row> previous, Dataset<Row> models, Dataset<Row> decided, Dataset<Row> pairs)
      throws IOException {
    Dataset<Row> joined = joined(decided, pairs);
    Dataset<Row> merged = joined.filter(not(Place.isNew(col("place"))));
    stages.result(EarlierRun.MODELS, counts -> models);
    if (earlier.isThere()) {
      stages.result(EarlierRun.MERGED,
          counts -> MergedGroups.all(MergedGroups.of(merged, counts), earlier.merged()));
    }
    stages.result(EarlierRun.REPRESENTATIVES, counts ->
        // A capture that an earlier run has read as well is the representative that it was then.
        pages.join(founders(pages.rows(), newPages(joined).select("page").unionByName(previous.select("page"))),
            PagesStage.SCHEMA.fieldNames())
            .unionByName(previous.join(broadcast(merged.select("page")), new String[] {"page"}, "left_anti")));
  }

  /** The comparisons by which pages have joined others. */
  private static Dataset<Row> joined(Dataset<Row> decided, Dataset<Row> pairs) {
    return decided.filter(col("place").notEqual(col("representative_place")))
        .join(pairs.filter(col("accepted")), new String[] {"place", "representative_place"}, "inner");
  }

  private static Dataset<Row> newPages(Dataset<Row> joined) {
    return joined.filter(Place.isNew(col("place")));
  }

  /**
   * Writes {@code summary.json} (plugins/spark/README.md), last of all: with it the output is that of a finished run.
   *
   * @param rounds of comparisons
   * @return whether everything could be read and compared
   */
  boolean writeSummary(SparkSession spark, JobOptions options, int rounds) throws IOException {
    Map<String, Long> sums = stages.counters();
    ObjectNode summary = new ObjectMapper().createObjectNode().put("version", NearDuplicates.version());
    ObjectNode counters = summary.putObject("counters");
    sums.forEach(counters::put);
    // Sums over waves, which only the waves themselves need.
    counters.remove(List.of("decided", "waits"));
    counters.put("rounds", rounds);
    // A page that joined a group may have joined that of the same capture in an earlier run, which has its page key.
    Column isFounder = col("verdict").isin("NEW", "NO_TEXT");
    Row totals = spark.read().parquet(new Path(output, "groups").toString())
        .agg(count(lit(1)), count_if(isFounder), count_if(not(isFounder))).first();
    counters.put("output_pages", totals.getLong(0));
    counters.put("groups", totals.getLong(1));
    counters.put("duplicates", totals.getLong(2));
    putStages(summary.putArray("faults"), summary.putArray("stages"));
    ObjectNode asked = summary.putObject("options");
    options.deciding().forEach(asked::put);
    stages.writeJson(new Path(output, "summary.json"), summary);
    return sums.getOrDefault("damaged", 0L) + sums.getOrDefault("failed_files", 0L)
        + sums.getOrDefault("failed_comparisons", 0L) == 0;
  }

  private void putStages(ArrayNode faults, ArrayNode costs) {
    for (ObjectNode report : stages.reports()) {
      for (JsonNode fault : report.get("faults")) {
        if (faults.size() < Counts.FAULTS) faults.add(fault);
      }
      costs.add(report.deepCopy().without(List.of("counters", "faults")));
    }
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
        col("probability"), col("flags").as("flags_of_pair"));
    return pages.join(members, new String[] {"page"}, "left")
        .join(limited, col("place").equalTo(col("limited_place")), "left")
        .select(col("url"), text("page"), lower(hex(coalesce(col("representative_page"), col("page")))).as("group"),
            coalesce(col("representative"), col("url")).as("representative"),
            orZero("resemblance"), orZero("containment"), orZero("page_coverage"), orZero("matched_coverage"),
            orZero("probability"),
            coalesce(col("verdict"), when(col("has_text"), "NEW").otherwise("NO_TEXT")).as("verdict"),
            coalesce(col("flags_of_pair"), col("flags"))
                .bitwiseOR(when(col("limited_place").isNotNull(), FlagBits.of(Flag.LIMIT)).otherwise(0)).as("flags"),
            col("site"), col("fetched_at_ms"), col("file"), col("offset"));
  }

  /** For a founder, which was compared with nothing. */
  private static Column orZero(String ratio) {
    return coalesce(col(ratio), lit(0.0)).as(ratio);
  }

  private static Column text(String pageKey) {
    return lower(hex(col(pageKey))).as(pageKey);
  }
}
