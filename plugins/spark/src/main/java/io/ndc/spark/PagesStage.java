package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;

import io.ndc.Features;
import io.ndc.FeaturesInfo;
import java.io.Serializable;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** Stage 3: the pages with what their hosts know of them, with their places in the batch order. */
record PagesStage(Counts counts) implements Serializable {
  static final StructType SCHEMA = StructType.fromDDL(
      "place bigint, page binary, url string, site string, fetched_at_ms bigint, file string, offset bigint,"
          + " has_text boolean, flags int, features binary");

  /** Of {@link #collisions}. */
  static final StructType COLLISIONS = StructType.fromDDL("page binary");

  /**
   * The pages.
   *
   * @param captures of {@link CapturesStage#SCHEMA}
   * @param sites of {@link SitesStage#SCHEMA}; their positions are in the captures
   */
  Dataset<Row> run(StoredRows captures, Dataset<Row> sites) {
    Dataset<Row> models = sites.filter(col(StoredRows.FILE).isNotNull())
        .select(StoredRows.FILE, StoredRows.ROW, "model");
    return captures.join(models, CapturesStage.SCHEMA.fieldNames())
        .map((MapFunction<Row, Row>) this::page, Encoders.row(SCHEMA));
  }

  /**
   * Of the pages that have the place of another one, all but that of the smallest page key: they cannot be told apart
   * by their place, and are compared with nothing.
   *
   * @param pages of {@link #SCHEMA}
   * @return column page
   */
  static Dataset<Row> collisions(Dataset<Row> pages, Counts counts) {
    Dataset<Row> twice = pages.groupBy("place").agg(count(lit(1)).as("pages"), min("page").as("first"))
        .filter(col("pages").gt(1)).select(col("place").as("its_place"), col("first"));
    return counts.counted("place_collisions", pages.join(broadcast(twice), col("place").equalTo(col("its_place")))
        .filter(col("page").notEqual(col("first"))).select("page"));
  }

  /** Of a row of a capture, then model. */
  private Row page(Row capture) {
    byte[] alone = capture.getAs(6);
    byte[] features = capture.isNullAt(7) ? alone : Features.withSite(alone, capture.getAs(7));
    FeaturesInfo info = Features.info(features);
    if (!info.hasText()) counts.add("no_text", 1);
    byte[] page = capture.getAs(0);
    return RowFactory.create(Place.of(page, info.fingerprintCount(), Place.NEW), page, capture.getString(1),
        capture.getString(2), capture.getLong(3), capture.getString(4), capture.getLong(5), info.hasText(),
        FlagBits.of(info.flags()), features);
  }
}
