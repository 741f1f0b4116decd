package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.ceil;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.sequence;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;

/**
 * Stage 4: compares pages with pages. Both sides meet by a shuffle on the representative; where very many pages ask for one,
 * on one of several copies of it.
 */
final class PairsStage implements Serializable {
  /** Pages that one task compares with one copy of a representative. */
  static final int PAGES_OF_A_COPY = 4096;

  private final int pagesOfACopy;
  private final ComparisonRules rules;
  private final Counts counts;

  PairsStage(int pagesOfACopy, Map<String, String> library, Counts counts) {
    this.pagesOfACopy = pagesOfACopy;
    this.rules = new ComparisonRules(library);
    this.counts = counts;
  }

  /**
   * The comparisons.
   *
   * @param pages of {@link PagesStage#SCHEMA}; no two with one place
   * @param wanted columns place, representative_place; distinct
   * @return of {@link PairRow#SCHEMA}
   */
  Dataset<Row> run(Dataset<Row> pages, Dataset<Row> wanted) {
    Dataset<Row> requests = requests(wanted);
    return pages.select("place", "page", "url", "site", "frame_known", "features")
        .filter(RequestedPlaces.among(requests, RequestedPlaces.MOST_BITS)).join(requests, "place")
        .repartition(col("meets"), col("copy"))
        .sortWithinPartitions("meets", "copy", "is_page", "place")
        .mapPartitions((MapPartitionsFunction<Row, Row>) Comparisons::new, Encoders.row(PairRow.SCHEMA));
  }

  /** Which page is needed where: at which representative, and at which copy of it. */
  private Dataset<Row> requests(Dataset<Row> wanted) {
    Dataset<Row> popular = wanted.groupBy("representative_place").agg(count(lit(1)).as("pages"))
        .filter(col("pages").gt(pagesOfACopy))
        .select(col("representative_place").as("popular_place"),
            ceil(col("pages").divide(pagesOfACopy)).as("copies"));
    Dataset<Row> of = wanted
        .join(broadcast(popular), col("representative_place").equalTo(col("popular_place")), "left")
        .select(col("place"), col("representative_place").as("meets"), coalesce(col("copies"), lit(1L)).as("copies"));
    Dataset<Row> pages = of.select(col("place"), col("meets"),
        pmod(xxhash64(col("place")), col("copies")).as("copy"), lit(true).as("is_page"));
    Dataset<Row> representatives = of.select("meets", "copies").distinct()
        .select(col("meets").as("place"), col("meets"),
            explode(sequence(lit(0L), col("copies").minus(1))).as("copy"), lit(false).as("is_page"));
    return pages.unionByName(representatives);
  }

  /** Rows (place, page, url, site, frame_known, features, meets, copy, is_page): before its pages comes the representative. */
  private final class Comparisons implements Iterator<Row> {
    private final Iterator<Row> sides;
    private Row representative;
    private Row page;

    Comparisons(Iterator<Row> sides) {
      this.sides = sides;
    }

    @Override
    public boolean hasNext() {
      while (page == null && sides.hasNext()) {
        Row side = sides.next();
        if (!side.getBoolean(8)) {
          representative = side;
        } else if (representative == null || representative.getLong(0) != side.getLong(6)) {
          throw new IllegalStateException("no features of the page at " + side.getLong(6));
        } else {
          page = side;
        }
      }
      return page != null;
    }

    @Override
    public Row next() {
      if (!hasNext()) throw new NoSuchElementException();
      Row pair = compare(representative, page);
      page = null;
      return pair;
    }
  }

  private Row compare(Row representative, Row page) {
    counts.add("pairs", 1);
    try {
      Map<String, String> options = rules.of(representative, page);
      Row pair = PairRow.of(page, representative, Features.compare(representative.getAs(5), page.getAs(5), options));
      if (pair.getBoolean(2)) counts.add("accepted", 1);
      return pair;
    } catch (NearDuplicatesException failure) {
      String reason = Refusal.reason(failure);
      counts.add("failed_comparisons", 1);
      return PairRow.failed(page, representative, reason);
    }
  }
}
