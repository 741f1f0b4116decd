package io.ndc.spark;

import static org.apache.spark.sql.functions.array_min;
import static org.apache.spark.sql.functions.arrays_zip;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.transform;

import io.ndc.crawler.Decision;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * Stage 6: decides about the pages whose candidates and comparisons are known. Numbers only; no features.
 *
 * @param comparisons so many representatives a page is compared with
 * @param last whether each page must be decided
 */
record DecisionsStage(int comparisons, boolean last, Counts counts) implements Serializable {
  /** representative_place is {@link Place#NONE} where the page waits. */
  static final StructType SCHEMA =
      StructType.fromDDL("place bigint, representative_place bigint, limited boolean, missing array<bigint>");

  /** Pages that a task remembers; the others see them in the next wave. */
  private static final int REMEMBERED = 4_000_000;

  /**
   * What is known about the pages that are not decided.
   *
   * @param links of {@link CandidatesStage#SCHEMA}, of all pages
   * @param pairs of {@link PairRow#SCHEMA}, all so far
   * @param decided columns place, representative_place, all so far
   * @return columns place, candidates array of (candidate, vote, group), compared array of (representative, accepted,
   *     probability, resemblance) or null
   */
  static Dataset<Row> undecided(Dataset<Row> links, Dataset<Row> pairs, Dataset<Row> decided) {
    Dataset<Row> groups = links.select("place")
        .join(decided.select("place", "representative_place"), new String[] {"place"}, "left")
        .select(col("place").as("candidate"), coalesce(col("representative_place"), lit(Place.NONE)).as("group"));
    Dataset<Row> candidates = links.join(decided.select("place"), new String[] {"place"}, "left_anti")
        .select(col("place"), explode(arrays_zip(col("candidates"), col("votes"))).as("link"))
        .select(col("place"), col("link.candidates").as("candidate"), col("link.votes").as("vote"))
        .join(groups, new String[] {"candidate"}, "left")
        // A page without links founds a group.
        .select(col("place"),
            struct(col("candidate"), col("vote"), coalesce(col("group"), col("candidate"))).as("link"))
        .groupBy("place").agg(collect_list("link").as("candidates"));
    Dataset<Row> compared = pairs
        .select(col("place"),
            struct(col("representative_place"), col("accepted"), col("probability"), col("resemblance")).as("pair"))
        .groupBy("place").agg(collect_list("pair").as("compared"));
    return candidates.join(compared, new String[] {"place"}, "left");
  }

  /**
   * Decides what can be decided now.
   *
   * @param undecided of {@link #undecided}
   * @param together true: all pages in one task, in the order of places, so that each sees what was decided just before
   *     it. False: those pages together whose largest candidate is the same, which copies of one page have in common
   */
  Dataset<Row> run(Dataset<Row> undecided, boolean together) {
    Column first = together ? lit(0L) : array_min(transform(col("candidates"), link -> link.getField("candidate")));
    Dataset<Row> inGroups = undecided.withColumn("first", first);
    Dataset<Row> placed = together ? inGroups.repartition(1) : inGroups.repartition(col("first"));
    return placed.sortWithinPartitions("first", "place")
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> PresentRows.of(rows, new InOrder()::decide),
            Encoders.row(SCHEMA));
  }

  private final class InOrder {
    private final Map<Long, Decision> before = new HashMap<>();
    private long first = Place.NONE;

    Row decide(Row row) {
      if (row.getLong(3) != first) before.clear();
      first = row.getLong(3);
      Decision decision = DecisionsStage.this.decide(row, before);
      if (before.size() < REMEMBERED) before.put(row.getLong(0), decision);
      counts.add(decision.representative() == Place.NONE ? "waits" : "decided", 1);
      if (decision.limited()) counts.add("undecided", 1);
      return RowFactory.create(row.getLong(0), decision.representative(), decision.limited(),
          decision.missing().toArray(new Long[0]));
    }
  }

  private Decision decide(Row row, Map<Long, Decision> before) {
    List<Decision.Candidate> candidates = new ArrayList<>();
    for (Row link : row.<Row>getList(1))
      candidates.add(candidate(link, before.get(link.getLong(0))));
    Map<Long, Decision.Comparison> compared = new HashMap<>();
    if (!row.isNullAt(2)) {
      for (Row pair : row.<Row>getList(2))
        compared.put(pair.getLong(0),
            new Decision.Comparison(pair.getBoolean(1), pair.getDouble(2), pair.getDouble(3)));
    }
    return Decision.of(row.getLong(0), candidates, compared, comparisons, last);
  }

  /** By what earlier runs have decided, or by what this one says of it: (candidate, vote, group). */
  private static Decision.Candidate candidate(Row link, Decision here) {
    if (link.getLong(2) != Place.NONE) return new Decision.Candidate(link.getLong(1), link.getLong(2), true);
    if (here == null) return new Decision.Candidate(link.getLong(1), Place.NONE, false);
    return new Decision.Candidate(link.getLong(1), here.likely(), here.representative() != Place.NONE);
  }
}
