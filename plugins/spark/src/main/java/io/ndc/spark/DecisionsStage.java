package io.ndc.spark;

import static org.apache.spark.sql.functions.arrays_zip;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** Stage 5: decides about the pages whose candidates and comparisons are known. Numbers only; no features. */
final class DecisionsStage implements Serializable {
  /** representative_place is {@link Place#NONE} where the page waits. */
  static final StructType SCHEMA =
      StructType.fromDDL("place bigint, representative_place bigint, limited boolean, missing array<bigint>");

  private final int comparisons;

  DecisionsStage(int comparisons) {
    this.comparisons = comparisons;
  }

  /**
   * What is known of the pages that are not decided.
   *
   * @param links of {@link CandidatesStage#SCHEMA}, of all pages
   * @param pairs of {@link PairRow#SCHEMA}, all so far
   * @param decided columns place, representative_place, all so far
   * @return columns place, candidates array of (candidate, vote, group), compared array of (representative, accepted,
   *     resemblance) or null
   */
  Dataset<Row> undecided(Dataset<Row> links, Dataset<Row> pairs, Dataset<Row> decided) {
    Dataset<Row> groups = links.select("place")
        .join(decided.select("place", "representative_place"), new String[] {"place"}, "left")
        .select(col("place").as("candidate"), coalesce(col("representative_place"), lit(Place.NONE)).as("group"));
    Dataset<Row> candidates = links.join(decided.select("place"), new String[] {"place"}, "left_anti")
        .select(col("place"), explode(arrays_zip(col("candidates"), col("votes"))).as("link"))
        .select(col("place"), col("link.candidates").as("candidate"), col("link.votes").as("vote"))
        .join(groups, new String[] {"candidate"}, "left")
        // A page without links founds a group.
        .select(col("place"), struct(col("candidate"), col("vote"), coalesce(col("group"), col("candidate"))).as("link"))
        .groupBy("place").agg(collect_list("link").as("candidates"));
    Dataset<Row> compared = pairs
        .select(col("place"), struct(col("representative_place"), col("accepted"), col("resemblance")).as("pair"))
        .groupBy("place").agg(collect_list("pair").as("compared"));
    return candidates.join(compared, new String[] {"place"}, "left");
  }

  /** All in one task, in the order of places: a page sees what was decided just before it. */
  Dataset<Row> inOrder(Dataset<Row> undecided, boolean last) {
    return undecided.repartition(1).sortWithinPartitions("place")
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> new InOrder(rows, comparisons, last),
            Encoders.row(SCHEMA));
  }

  /** One wave: each page by what was decided before. */
  Dataset<Row> asOfNow(Dataset<Row> undecided, boolean last) {
    int most = comparisons;
    return undecided.map(
        (MapFunction<Row, Row>) row -> row(row, decide(row, Map.of(), most, last)), Encoders.row(SCHEMA));
  }

  private static final class InOrder implements Iterator<Row> {
    private final Iterator<Row> rows;
    private final int comparisons;
    private final boolean last;
    private final Map<Long, Decision> before = new HashMap<>();

    InOrder(Iterator<Row> rows, int comparisons, boolean last) {
      this.rows = rows;
      this.comparisons = comparisons;
      this.last = last;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public Row next() {
      Row row = rows.next();
      Decision decision = decide(row, before, comparisons, last);
      before.put(row.getLong(0), decision);
      return row(row, decision);
    }
  }

  private static Decision decide(Row row, Map<Long, Decision> before, int most, boolean last) {
    List<Decision.Candidate> candidates = new ArrayList<>();
    for (Row link : row.<Row>getList(1))
      candidates.add(candidate(link, before.get(link.getLong(0))));
    Map<Long, Decision.Comparison> compared = new HashMap<>();
    if (!row.isNullAt(2)) {
      for (Row pair : row.<Row>getList(2))
        compared.put(pair.getLong(0), new Decision.Comparison(pair.getBoolean(1), pair.getDouble(2)));
    }
    return Decision.of(row.getLong(0), candidates, compared, most, last);
  }

  /** By what earlier runs have decided, or by what this one says of it: (candidate, vote, group). */
  private static Decision.Candidate candidate(Row link, Decision here) {
    if (link.getLong(2) != Place.NONE) return new Decision.Candidate(link.getLong(1), link.getLong(2), true);
    if (here == null) return new Decision.Candidate(link.getLong(1), Place.NONE, false);
    return new Decision.Candidate(link.getLong(1), here.likely, here.representative != Place.NONE);
  }

  private static Row row(Row row, Decision decision) {
    return RowFactory.create(row.getLong(0), decision.representative, decision.limited,
        decision.missing.toArray(new Long[0]));
  }
}
