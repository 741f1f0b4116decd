package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.ceil;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import io.ndc.SiteModel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stage 2: of each URL the latest capture, with what its host knows of it ({@link SiteModel}). Only sketches of the
 * features travel: the hashes of their parts.
 *
 * @param latestOnly whether of the captures of one URL only the latest is a page; else all are that differ in their
 *     offset
 */
record SitesStage(int sitePages, long siteBytes, boolean latestOnly, Counts counts) implements Serializable {
  /**
   * Rows of two kinds. Of a capture that stays: its position, and the model of its host with its own parts; null if the
   * page has no text, or its URL no site. Of a part of a host: file_number is null, model has what was learned there
   * alone, and urls are hashes of the URLs of its pages, known before or not.
   */
  static final StructType SCHEMA = StructType.fromDDL("file_number int, row_number bigint, model binary,"
      + " host string, bucket bigint, part int, urls binary");

  /** The most bytes of features in a task at a time; a model is learned from at most so many. */
  static final long SITE_BYTES = 64L << 20;

  /** Of a page without text parts are empty. Without url: what an earlier run knew of the host. */
  private static final StructType SKETCH = StructType.fromDDL(
      "host string, bucket bigint, url string, fetched_at_ms bigint, file string, offset bigint, file_number int,"
          + " row_number bigint, url_hash bigint, bytes int, parts binary, model binary, urls binary");

  /**
   * What is known of the pages.
   *
   * @param captures of {@link CapturesStage#SCHEMA}, with the columns of their positions
   * @param earlier of {@link SiteModels#SCHEMA}: what is known of hosts already
   * @return of {@link #SCHEMA}
   */
  Dataset<Row> run(Dataset<Row> captures, Dataset<Row> earlier) {
    Dataset<Row> hosts = captures.withColumn("host", SiteModels.host());
    // Only hosts that need more than one bucket: others are the most, and too many to be sent to each task.
    Dataset<Row> large = hosts.groupBy("host").agg(count(lit(1)).as("captures"))
        .filter(col("captures").gt(sitePages))
        .select(col("host"), ceil(col("captures").divide(sitePages)).as("buckets"));
    Dataset<Row> placed = hosts.join(broadcast(large), new String[] {"host"}, "left")
        .withColumn("bucket", coalesce(pmod(xxhash64(col("url")), col("buckets")), lit(0L)));
    Dataset<Row> sketches = placed
        .select(col("host"), col("bucket"), col("url"), col("fetched_at_ms"), col("file"), col("offset"),
            col(StoredRows.FILE), col(StoredRows.ROW), xxhash64(col("url")), col("features"))
        .map((MapFunction<Row, Row>) SitesStage::sketch, Encoders.row(SKETCH));
    Dataset<Row> begun = placed.select("host", "bucket").distinct().join(earlier, "host");
    return sketches.unionByName(begun, true)
        .repartition(col("host"), col("bucket"))
        // Null comes first.
        .sortWithinPartitions(col("host"), col("bucket"), col("url"), col("fetched_at_ms").desc(), col("file"),
            col("offset"))
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> new PresentRows(new Buckets(rows)::next),
            Encoders.row(SCHEMA));
  }

  private static Row sketch(Row capture) {
    byte[] features = capture.getAs(9);
    long[] parts = Features.info(features).hasText() ? Features.parts(features) : new long[0];
    return RowFactory.create(capture.get(0), capture.get(1), capture.get(2), capture.get(3), capture.get(4),
        capture.get(5), capture.get(6), capture.get(7), capture.get(8), features.length, PackedNumbers.bytes(parts),
        null, null);
  }

  /** Goes through the buckets of a partition, one after the other. */
  private final class Buckets {
    private final BufferedIterator<Row> sketches;
    private String host;
    private long number;
    private int part;
    /** Null: there is none. */
    private byte[] earlier;
    private Set<Long> earlierUrls = Set.of();
    private Iterator<Row> done = List.<Row>of().iterator();

    Buckets(Iterator<Row> sketches) {
      this.sketches = CollectionConverters.asScala(sketches).buffered();
    }

    /** Null at the end. */
    Row next() {
      while (!done.hasNext() && sketches.hasNext()) {
        begin();
        done = known(nextPart()).iterator();
      }
      return done.hasNext() ? done.next() : null;
    }

    private boolean isOfThisBucket() {
      return sketches.hasNext() && sketches.head().getString(0).equals(host) && sketches.head().getLong(1) == number;
    }

    /** Of another bucket than before, or of one more part of it. */
    private void begin() {
      if (isOfThisBucket()) {
        part++;
        return;
      }
      Row ahead = sketches.head();
      host = ahead.getString(0);
      number = ahead.getLong(1);
      part = 0;
      earlier = null;
      earlierUrls = Set.of();
      if (!ahead.isNullAt(2)) return;
      sketches.next();
      earlier = ahead.getAs(11);
      earlierUrls = new HashSet<>();
      for (long url : PackedNumbers.of(ahead.getAs(12)))
        earlierUrls.add(url);
    }

    /** The latest captures of a bucket, by URL. */
    private List<Row> nextPart() {
      List<Row> pages = new ArrayList<>();
      long bytes = 0;
      Row last = null;
      while (isOfThisBucket()) {
        if (last != null && isRecapture(last)) {
          counts.add("recaptures", 1);
          sketches.next();
          continue;
        }
        if (bytes > siteBytes) {
          counts.add("site_cuts", 1);
          break;
        }
        last = sketches.next();
        bytes += last.getInt(9);
        pages.add(last);
      }
      return pages;
    }

    private boolean isRecapture(Row last) {
      Row ahead = sketches.head();
      return ahead.getString(2).equals(last.getString(2)) && (latestOnly || ahead.getLong(5) == last.getLong(5));
    }

    private List<Row> known(List<Row> pages) {
      List<Row> rows = new ArrayList<>(pages.size() + 1);
      // Pages without a site's name are unrelated to each other.
      boolean isHost = !host.isEmpty();
      try (SiteModel learned = new SiteModel(); SiteModel known = new SiteModel()) {
        List<Long> urls = new ArrayList<>();
        for (Row page : pages) {
          long[] parts = PackedNumbers.of(page.getAs(10));
          if (!isHost || parts.length == 0) continue;
          urls.add(page.getLong(8));
          // A page that the host knows with an earlier text counts by that one.
          if (!earlierUrls.contains(page.getLong(8))) learned.learn(parts);
        }
        if (earlier != null) known.merge(earlier);
        byte[] model = learned.save();
        known.merge(model);
        for (Row page : pages) {
          long[] parts = PackedNumbers.of(page.getAs(10));
          byte[] ofPage = isHost && parts.length > 0 ? known.save(parts) : null;
          rows.add(RowFactory.create(page.get(6), page.get(7), ofPage, null, null, null, null));
        }
        if (isHost) rows.add(RowFactory.create(null, null, model, host, number, part, PackedNumbers.bytes(urls)));
      }
      return rows;
    }
  }
}
