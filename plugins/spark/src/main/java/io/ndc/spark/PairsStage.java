package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.ceil;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.octet_length;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.sequence;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Stage 5: decides about pairs of pages, with what is known of the sites of both. They meet by a shuffle, at the {@link
 * MeetingPlaces meeting place} of the representative, where a page that has several of its representatives comes once
 * for all of them. Where a meeting place would hold too much, its representatives are met one by one; one that very
 * many pages ask for, in several copies.
 */
final class PairsStage implements Serializable {
  /** Of {@link #places}. */
  static final StructType PLACES =
      StructType.fromDDL("place bigint, file_number int, row_number bigint, bytes int");

  /** The most comparisons of a task at one meeting place, and with one copy of a representative. */
  static final int PAIRS_OF_A_MEETING = 4096;
  /** The most bytes of representatives' features in a task at a time; a single one may exceed it. */
  private static final long MEETING_BYTES = 64L << 20;

  private final int pairsOfAMeeting;
  private final Map<String, String> library;
  private final Counts counts;

  PairsStage(int pairsOfAMeeting, Map<String, String> library, Counts counts) {
    this.pairsOfAMeeting = pairsOfAMeeting;
    this.library = LibraryOptions.ofDecisions(library);
    this.counts = counts;
  }

  /**
   * Where the features of each place are.
   *
   * @param pages of {@link PagesStage#SCHEMA}, with their positions; no two with one place
   * @return of {@link #PLACES}
   */
  static Dataset<Row> places(Dataset<Row> pages) {
    return pages.select(col("place"), col(StoredRows.FILE), col(StoredRows.ROW),
        octet_length(col("features")).as("bytes"));
  }

  /**
   * The comparisons.
   *
   * @param pages of {@link PagesStage#SCHEMA}
   * @param places of {@link #PLACES}, of all pages that are wanted
   * @param meetings of {@link MeetingPlaces#SCHEMA}; who has none there meets others at its own place
   * @param wanted columns place, representative_place, which is the smaller one; distinct
   * @return of {@link PairRow#SCHEMA}
   */
  Dataset<Row> run(StoredRows pages, Dataset<Row> places, Dataset<Row> meetings, Dataset<Row> wanted) {
    Dataset<Row> requests = requests(places, meetings, wanted)
        .join(places.select("place", StoredRows.FILE, StoredRows.ROW), "place");
    return pages.join(requests, "page", "url", "features")
        .select("place", "page", "url", "features", "meets", "copy", "representatives", "is_representative")
        .repartition(col("meets"), col("copy"))
        .sortWithinPartitions("meets", "copy", "place")
        .mapPartitions((MapPartitionsFunction<Row, Row>) Comparisons::new, Encoders.row(PairRow.SCHEMA));
  }

  /**
   * Which page is needed where, in which copy of a meeting, to be compared with whom, and whether others are
   * compared with it.
   */
  private Dataset<Row> requests(Dataset<Row> places, Dataset<Row> meetings, Dataset<Row> wanted) {
    Dataset<Row> met = met(places, meetings, wanted);
    Dataset<Row> pages = met.select(col("place"), col("meets"),
        pmod(xxhash64(col("place")), col("copies")).as("copy"), col("representative_place").as("representative"),
        lit(false).as("is_representative"));
    Dataset<Row> representatives = met.select("representative_place", "meets", "copies").distinct()
        .select(col("representative_place").as("place"), col("meets"),
            explode(sequence(lit(0L), col("copies").minus(1))).as("copy"),
            lit(null).cast("bigint").as("representative"),
            lit(true).as("is_representative"));
    return pages.unionByName(representatives).groupBy("place", "meets", "copy")
        .agg(collect_list("representative").as("representatives"), max("is_representative").as("is_representative"));
  }

  /** The pairs, with the place where they meet and how many copies there are of that. */
  private Dataset<Row> met(Dataset<Row> places, Dataset<Row> meetings, Dataset<Row> wanted) {
    Dataset<Row> asked = wanted.groupBy("representative_place").agg(count(lit(1)).as("pairs"))
        .join(
            meetings.withColumnRenamed("place", "representative_place"),
            new String[] {"representative_place"}, "left")
        .select(col("representative_place"), col("pairs"),
            coalesce(col("meets"), col("representative_place")).as("common"));
    Dataset<Row> crowded = asked
        .join(places.select(col("place").as("representative_place"), col("bytes")), "representative_place")
        .groupBy("common").agg(sum("pairs").as("pairs"), sum("bytes").as("bytes"))
        .filter(col("pairs").gt(pairsOfAMeeting).or(col("bytes").gt(MEETING_BYTES)))
        .select(col("common").as("crowded"));
    Column isCrowded = col("crowded").isNotNull();
    Dataset<Row> meets = asked.join(broadcast(crowded), col("common").equalTo(col("crowded")), "left")
        .select(col("representative_place"),
            when(isCrowded, col("representative_place")).otherwise(col("common")).as("meets"),
            when(isCrowded, ceil(col("pairs").divide(pairsOfAMeeting))).otherwise(1L).as("copies"));
    return wanted.join(meets, "representative_place");
  }

  /**
   * Rows (place, page, url, features, meets, copy, representatives, is_representative): a representative has a smaller
   * place than the pages that are compared with it, and comes before them.
   */
  private final class Comparisons implements Iterator<Row> {
    private final Iterator<Row> sides;
    private final Map<Long, Row> representatives = new HashMap<>();
    private final Queue<Row> pairs = new ArrayDeque<>();
    private long meets;
    private long copy;

    Comparisons(Iterator<Row> sides) {
      this.sides = sides;
    }

    @Override
    public boolean hasNext() {
      while (pairs.isEmpty() && sides.hasNext())
        take(sides.next());
      return !pairs.isEmpty();
    }

    @Override
    public Row next() {
      if (!hasNext()) throw new NoSuchElementException();
      return pairs.remove();
    }

    private void take(Row side) {
      if (side.getLong(4) != meets || side.getLong(5) != copy) representatives.clear();
      meets = side.getLong(4);
      copy = side.getLong(5);
      for (long place : side.<Long>getList(6)) {
        Row representative = representatives.get(place);
        if (representative == null) throw new IllegalStateException("no features of the page at " + place);
        pairs.add(compare(representative, side));
      }
      if (side.getBoolean(7)) representatives.put(side.getLong(0), side);
    }
  }

  private Row compare(Row representative, Row page) {
    counts.add("pairs", 1);
    try {
      Row pair = PairRow.of(page, representative, Features.decide(representative.getAs(3), page.getAs(3), library));
      if (pair.getBoolean(2)) counts.add("accepted", 1);
      return pair;
    } catch (NearDuplicatesException failure) {
      String reason = Refusal.reason(failure);
      counts.add("failed_comparisons", 1);
      return PairRow.failed(page, representative, reason);
    }
  }
}
