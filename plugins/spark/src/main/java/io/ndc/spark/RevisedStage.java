package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.io.Serializable;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/**
 * Representatives of an earlier run that are other pages by what is known of their sites now: blocks of theirs have
 * turned out to be boilerplate. They are decided about once more. As in {@link SitesStage}, the hashes of their blocks
 * alone travel to the site.
 */
final class RevisedStage implements Serializable {
  /** Without {@link StoredRows#FILE} a site's model; else a representative, with those blocks that still count. */
  private static final StructType SKETCH =
      StructType.fromDDL("site string, file_number int, row_number bigint, blocks binary")
          .add("model", SiteModel.SCHEMA).add("is_short", "boolean");
  private static final StructType REVISED =
      StructType.fromDDL("file_number int, row_number bigint, boilerplate binary, everywhere binary");

  private final BoilerplateRemoval removal;
  private final Counts counts;

  RevisedStage(Counts counts, Faults faults) {
    this.removal = new BoilerplateRemoval(counts, faults);
    this.counts = counts;
  }

  /**
   * Those that have changed.
   *
   * @param representatives of {@link PagesStage#SCHEMA}
   * @param models of {@link SiteModels#SCHEMA}, of the sites of which a page is new
   * @return of {@link PagesStage#SCHEMA}; their places are those of {@link Place#of} for revised pages
   */
  Dataset<Row> run(StoredRows representatives, Dataset<Row> models) {
    Dataset<Row> sketches = representatives.rows().filter(col("has_text"))
        .select("site", StoredRows.FILE, StoredRows.ROW, "features")
        .map((MapFunction<Row, Row>) RevisedStage::sketch, Encoders.row(SKETCH));
    Dataset<Row> begun = models.select(col("site"), lit(null).cast("int").as(StoredRows.FILE),
        lit(null).cast("bigint").as(StoredRows.ROW), lit(null).cast("binary").as("blocks"), col("model"),
        lit(null).cast("boolean").as("is_short"));
    Dataset<Row> revised = sketches.unionByName(begun)
        .repartition(col("site"))
        // Null comes first.
        .sortWithinPartitions("site", StoredRows.FILE, StoredRows.ROW)
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> new PresentRows<>(rows, new Revised()::revised),
            Encoders.row(REVISED));
    return representatives.join(revised, PagesStage.SCHEMA.fieldNames())
        .map((MapFunction<Row, Row>) this::page, Encoders.row(PagesStage.SCHEMA));
  }

  private static Row sketch(Row page) {
    FeatureRecord features = new FeatureRecord(page.getAs(3));
    return RowFactory.create(page.get(0), page.get(1), page.get(2), PackedNumbers.bytes(features.countingBlocks()),
        null, features.isShort());
  }

  /** Of a row of {@link PagesStage#SCHEMA}, then boilerplate and everywhere. */
  private Row page(Row before) {
    byte[] page = before.getAs(1);
    byte[] features = removal.without(before.getAs(9), PackedNumbers.of(before.getAs(10)),
        PackedNumbers.of(before.getAs(11)), before.getString(5), before.getLong(6));
    counts.add("revised", 1);
    long place = Place.of(page, new FeatureRecord(features).fingerprints(), Place.REVISED);
    return RowFactory.create(place, page, before.get(2), before.get(3), before.get(4), before.get(5), before.get(6),
        before.get(7), before.get(8), features);
  }

  /** Goes through the representatives of a site, behind its model. */
  private static final class Revised {
    private SiteBoilerplate boilerplate = new SiteBoilerplate();
    private String site = "";

    /** Null: it is what it was. */
    Row revised(Row sketch) {
      if (sketch.isNullAt(1)) {
        site = sketch.getString(0);
        boilerplate = new SiteBoilerplate(SiteModel.of(sketch.getStruct(4)));
        return null;
      }
      if (!sketch.getString(0).equals(site)) return null;
      long[] blocks = PackedNumbers.of(sketch.getAs(3));
      long[] everywhere = boilerplate.everywhere(blocks);
      // A short page keeps the rest, whatever has become of it.
      long[] gone = sketch.getBoolean(5) ? everywhere : boilerplate.of(blocks);
      if (gone.length == 0) return null;
      return RowFactory.create(
          sketch.get(1), sketch.get(2), PackedNumbers.bytes(gone), PackedNumbers.bytes(everywhere));
    }
  }
}
