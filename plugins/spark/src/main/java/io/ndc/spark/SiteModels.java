package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.not;

import java.io.Serializable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/** The models of all sites, as rows: those of the parts of a site become one. */
final class SiteModels implements Serializable {
  /** A row for each site. */
  static final StructType SCHEMA = StructType.fromDDL("site string").add("model", SiteModel.SCHEMA);

  private SiteModels() {}

  /**
   * What a run has learned.
   *
   * @param sites of {@link SitesStage#SCHEMA}
   * @return of {@link #SCHEMA}
   */
  static Dataset<Row> of(Dataset<Row> sites) {
    Dataset<Row> parts = sites.filter(col(StoredRows.FILE).isNull());
    // Only what is in parts has to meet: that are few sites, but perhaps most of the pages.
    Dataset<Row> joined = parts.filter(not(col("is_whole"))).select("site", "bucket", "part", "model")
        .repartition(col("site")).sortWithinPartitions("site", "bucket", "part")
        .mapPartitions((MapPartitionsFunction<Row, Row>) Joined::new, Encoders.row(SCHEMA));
    return parts.filter(col("is_whole")).select("site", "model").unionByName(joined);
  }

  /**
   * What is known after a run; for sites that it has not seen, what was known before.
   *
   * @param now of {@link #SCHEMA}
   * @param earlier the same
   */
  static Dataset<Row> all(Dataset<Row> now, Dataset<Row> earlier) {
    return now.unionByName(earlier.join(now.select("site"), new String[] {"site"}, "left_anti"));
  }

  /** Rows (site, bucket, part, model) in this order, the parts of a site to one row. */
  private static final class Joined implements Iterator<Row> {
    private final BufferedIterator<Row> parts;

    Joined(Iterator<Row> parts) {
      this.parts = CollectionConverters.asScala(parts).buffered();
    }

    @Override
    public boolean hasNext() {
      return parts.hasNext();
    }

    @Override
    public Row next() {
      if (!parts.hasNext()) throw new NoSuchElementException();
      String site = parts.head().getString(0);
      SiteModel model = SiteModel.EMPTY;
      while (parts.hasNext() && parts.head().getString(0).equals(site))
        model = model.with(SiteModel.of(parts.next().getStruct(3)));
      return RowFactory.create(site, model.row());
    }
  }
}
