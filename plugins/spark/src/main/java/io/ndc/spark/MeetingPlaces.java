package io.ndc.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.element_at;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Where pages are compared: each has the place of the page that is reached from it by going to the likeliest
 * candidate, a few times. The copies of one page nearly always have one meeting place, so that features which would
 * go to each of four candidates go to one place. It is not a group; it only determines where pages meet.
 */
final class MeetingPlaces {
  static final StructType SCHEMA = StructType.fromDDL("place bigint, meets bigint");

  /**
   * Two to the power of it are the steps. With none a page of 25,000 rewritten ones travelled 2.33 times in the first
   * round, with one step 1.41 times, with two 1.17, with four 1.00, with eight .95 (2026-11-24).
   */
  private static final int DOUBLINGS = 2;

  private MeetingPlaces() {}

  /**
   * The meeting places of the pages that have candidates; all others have their own.
   *
   * @param links of {@link CandidatesStage#SCHEMA}
   * @return of {@link #SCHEMA}
   */
  static Dataset<Row> of(Dataset<Row> links) {
    Dataset<Row> steps = links.select(col("place"), element_at(col("candidates"), 1).as("meets"));
    for (int i = 0; i < DOUBLINGS; i++) {
      Dataset<Row> further = steps.select(col("place").as("meets"), col("meets").as("further"));
      steps = steps.join(further, new String[] {"meets"}, "left")
          .select(col("place"), coalesce(col("further"), col("meets")).as("meets"));
    }
    return steps;
  }
}
