package io.ndc.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.hex;
import static org.apache.spark.sql.functions.lower;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** Groups of earlier runs whose representatives have joined other groups since. */
final class MergedGroups {
  /** The merged group with its representative's URL, the remaining one with its own, and what they share. */
  static final StructType SCHEMA = StructType.fromDDL("old_group string, new_group string, url string,"
      + " representative string, resemblance double, containment double, probability double");

  private MergedGroups() {}

  /**
   * The merges of a run.
   *
   * @param joined of {@link PairRow#SCHEMA}: representatives of an earlier run with the page that each has joined
   * @return of {@link #SCHEMA}
   */
  static Dataset<Row> of(Dataset<Row> joined, Counts counts) {
    return counts.counted("merged_groups", joined.select(lower(hex(col("page"))).as("old_group"),
        lower(hex(col("representative_page"))).as("new_group"), col("url"), col("representative"), col("resemblance"),
        col("containment"), col("probability")));
  }

  /**
   * All merges so far: each group leads to one that there is.
   *
   * @param now of {@link #SCHEMA}
   * @param earlier the same, those of the runs before
   */
  static Dataset<Row> all(Dataset<Row> now, Dataset<Row> earlier) {
    Dataset<Row> further = now.select(col("old_group").as("new_group"), col("new_group").as("further"),
        col("representative").as("its_representative"));
    return earlier.join(further, new String[] {"new_group"}, "left")
        .select(col("old_group"), coalesce(col("further"), col("new_group")).as("new_group"), col("url"),
            coalesce(col("its_representative"), col("representative")).as("representative"), col("resemblance"),
            col("containment"), col("probability"))
        .unionByName(now);
  }
}
