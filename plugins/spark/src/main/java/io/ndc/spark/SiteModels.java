package io.ndc.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.nullif;
import static org.apache.spark.sql.functions.regexp_extract;
import static org.apache.spark.sql.functions.regexp_replace;
import static org.apache.spark.sql.functions.when;

import io.ndc.SiteModel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/** The {@link SiteModel models} of all hosts, as rows: what the parts of a host have learned becomes one. */
final class SiteModels {
  /** A row for each host; urls are hashes of pages that its model has learned, those seen last at the end. */
  static final StructType SCHEMA = StructType.fromDDL("host string, model binary, urls binary");

  /** So many URLs of a host are remembered; older ones count as other pages when they come again. */
  static final int URLS = 4096;

  private static final String HOST = "^[\\x00-\\x20]*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\\\]{2}(?:[^/\\\\?#]*@)?"
      + "(\\[[^/\\\\?#\\]]*\\]|[^/\\\\?#:]*)";

  /** What is no part of it. From one place of a run of blanks only: else a long run would take the square of it. */
  private static final String AROUND_HOST = "^www\\.(?=.)|(?:\\.|(?<![\\x00-\\x20]))[\\x00-\\x20]*+$";

  private SiteModels() {}

  /**
   * Whose model a page belongs to, as in the engine: its host in small letters without "www." in front, else its
   * registrable domain. Empty if it has neither.
   *
   * @return of columns url and site
   */
  static Column host() {
    Column host = regexp_replace(lower(regexp_extract(col("url"), HOST, 1)), lit(AROUND_HOST), lit(""));
    return when(col("site").equalTo(""), "").otherwise(coalesce(nullif(host, lit("")), col("site")));
  }

  /**
   * What is known after a run, of all hosts so far.
   *
   * @param sites of {@link SitesStage#SCHEMA}
   * @param earlier of {@link #SCHEMA}: what was known before
   * @return of {@link #SCHEMA}
   */
  static Dataset<Row> of(Dataset<Row> sites, Dataset<Row> earlier) {
    return sites.filter(col(StoredRows.FILE).isNull()).select("host", "bucket", "part", "model", "urls")
        .unionByName(earlier.withColumn("bucket", lit(-1L)).withColumn("part", lit(0)))
        .repartition(col("host")).sortWithinPartitions("host", "bucket", "part")
        .mapPartitions((MapPartitionsFunction<Row, Row>) parts -> new PresentRows(new Merged(parts)::next),
            Encoders.row(SCHEMA));
  }

  /** Rows (host, bucket, part, model, urls) in this order, those of a host to one row. */
  private static final class Merged {
    private final BufferedIterator<Row> parts;

    Merged(Iterator<Row> parts) {
      this.parts = CollectionConverters.asScala(parts).buffered();
    }

    /** Null at the end. */
    Row next() {
      if (!parts.hasNext()) return null;
      String host = parts.head().getString(0);
      Set<Long> urls = new LinkedHashSet<>();
      try (SiteModel model = new SiteModel()) {
        while (parts.hasNext() && parts.head().getString(0).equals(host)) {
          Row part = parts.next();
          model.merge(part.getAs(3));
          for (long url : PackedNumbers.of(part.getAs(4))) {
            urls.remove(url);
            urls.add(url);
          }
        }
        List<Long> last = new ArrayList<>(urls).subList(Math.max(urls.size() - URLS, 0), urls.size());
        return RowFactory.create(host, model.save(), PackedNumbers.bytes(last));
      }
    }
  }
}
