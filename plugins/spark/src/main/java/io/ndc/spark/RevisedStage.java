package io.ndc.spark;

import static org.apache.spark.sql.functions.col;

import io.ndc.Features;
import io.ndc.SiteModel;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Representatives of an earlier run that have other keys by what is known of their hosts now. They are decided about
 * once more. As in {@link SitesStage}, the hashes of their parts alone travel to the host.
 */
record RevisedStage(Counts counts) implements Serializable {
  /** Without {@link StoredRows#FILE} a host's model; else a representative. */
  private static final StructType SKETCH =
      StructType.fromDDL("host string, file_number int, row_number bigint, parts binary, model binary");
  private static final StructType KNOWN = StructType.fromDDL("file_number int, row_number bigint, model binary");

  /**
   * Those that have changed, with what is known of them now.
   *
   * @param representatives of {@link PagesStage#SCHEMA}
   * @param models of {@link SiteModels#SCHEMA}, of the hosts of which a page is new
   * @return of {@link PagesStage#SCHEMA}; their places are those of {@link Place#of} for revised pages
   */
  Dataset<Row> run(StoredRows representatives, Dataset<Row> models) {
    Dataset<Row> sketches = representatives.rows().filter(col("has_text"))
        .select(SiteModels.host(), col(StoredRows.FILE), col(StoredRows.ROW), col("features"))
        .map((MapFunction<Row, Row>) RevisedStage::sketch, Encoders.row(SKETCH));
    Dataset<Row> known = sketches.unionByName(models.select("host", "model"), true)
        .repartition(col("host"))
        // Null comes first.
        .sortWithinPartitions("host", StoredRows.FILE, StoredRows.ROW)
        .mapPartitions((MapPartitionsFunction<Row, Row>) RevisedStage::known, Encoders.row(KNOWN));
    return representatives.join(known, PagesStage.SCHEMA.fieldNames())
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> PresentRows.of(rows, this::revised),
            Encoders.row(PagesStage.SCHEMA));
  }

  private static Row sketch(Row page) {
    return RowFactory.create(
        page.get(0), page.get(1), page.get(2), PackedNumbers.bytes(Features.parts(page.getAs(3))), null);
  }

  private static Iterator<Row> known(Iterator<Row> sketches) {
    Known known = new Known();
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> known.model.close());
    return PresentRows.of(sketches, known::known);
  }

  /** Goes through the representatives of a host, behind its model. */
  private static final class Known {
    private SiteModel model = new SiteModel();
    private String host;

    /** Null: nothing is. */
    Row known(Row sketch) {
      if (sketch.isNullAt(1)) {
        host = sketch.getString(0);
        model.close();
        model = new SiteModel();
        model.merge(sketch.getAs(4));
        return null;
      }
      if (!sketch.getString(0).equals(host)) return null;
      return RowFactory.create(sketch.get(1), sketch.get(2), model.save(PackedNumbers.of(sketch.getAs(3))));
    }
  }

  /** Of a row of {@link PagesStage#SCHEMA}, then model. Null: its keys are what they were. */
  private Row revised(Row before) {
    byte[] page = before.getAs(1);
    byte[] features = Features.withSite(before.getAs(9), before.getAs(10));
    if (Arrays.equals(Features.keys(before.getAs(9)), Features.keys(features))) return null;
    counts.add("revised", 1);
    long place = Place.of(page, Features.info(features).fingerprintCount(), Place.REVISED);
    return RowFactory.create(place, page, before.get(2), before.get(3), before.get(4), before.get(5), before.get(6),
        before.get(7), before.get(8), features);
  }
}
