package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** Stage 2: the latest capture of each URL, without the frame of its site, with its place in the batch order. */
final class PagesStage implements Serializable {
  static final StructType SCHEMA = StructType.fromDDL(
      "place bigint, page binary, url string, site string, fetched_at_ms bigint, file string, offset bigint,"
          + " has_text boolean, frame_known boolean, flags int, features binary");

  /** Of {@link #collisions}. */
  static final StructType COLLISIONS = StructType.fromDDL("page binary");

  /** Of features that a task holds at once; the frame of a site is learned from at most so much. */
  static final long SITE_BYTES = 64L << 20;

  private final int sitePages;
  private final long siteBytes;
  private final Counts counts;
  private final Faults faults;

  PagesStage(int sitePages, long siteBytes, Counts counts, Faults faults) {
    this.sitePages = sitePages;
    this.siteBytes = siteBytes;
    this.counts = counts;
    this.faults = faults;
  }

  /**
   * The pages.
   *
   * @param captures of {@link CapturesStage#SCHEMA}
   */
  Dataset<Row> run(Dataset<Row> captures) {
    // Only sites that need more than one bucket: others are the most, and too many to be sent to each task.
    Dataset<Row> large = captures.groupBy("site").agg(count(lit(1)).as("captures"))
        .filter(col("captures").gt(sitePages))
        .select(col("site"), functions.ceil(col("captures").divide(sitePages)).as("buckets"));
    Column bucket = functions.coalesce(pmod(xxhash64(col("url")), col("buckets")), lit(0L)).as("bucket");
    Dataset<Row> inBuckets = captures.join(broadcast(large), new String[] {"site"}, "left")
        .select(col("page"), col("url"), col("site"), col("fetched_at_ms"), col("file"), col("offset"),
            col("features"), bucket);
    return inBuckets.repartition(col("site"), col("bucket"))
        .sortWithinPartitions(col("site"), col("bucket"), col("url"), col("fetched_at_ms").desc(), col("file"),
            col("offset"))
        .mapPartitions((MapPartitionsFunction<Row, Row>) Pages::new, Encoders.row(SCHEMA));
  }

  /**
   * Of the pages that have the place of another one, all but that of the smallest page key: they cannot be told apart by
   * their place, and are compared with nothing.
   *
   * @param pages of {@link #SCHEMA}
   * @return column page
   */
  static Dataset<Row> collisions(Dataset<Row> pages, Counts counts) {
    Dataset<Row> twice = pages.groupBy("place").agg(count(lit(1)).as("pages"), min("page").as("first"))
        .filter(col("pages").gt(1)).select(col("place").as("its_place"), col("first"));
    return pages.join(broadcast(twice), col("place").equalTo(col("its_place")))
        .filter(col("page").notEqual(col("first"))).select("page")
        .map((MapFunction<Row, Row>) page -> {
          counts.add("place_collisions", 1);
          return page;
        }, Encoders.row(COLLISIONS));
  }

  /** Goes through the buckets of a partition, one after the other. */
  private final class Pages implements Iterator<Row> {
    private final Iterator<Row> captures;
    private Row ahead;
    private Iterator<Row> done = List.<Row>of().iterator();

    Pages(Iterator<Row> captures) {
      this.captures = captures;
      advance();
    }

    @Override
    public boolean hasNext() {
      while (!done.hasNext() && ahead != null)
        done = withoutFrame(nextBucket()).iterator();
      return done.hasNext();
    }

    @Override
    public Row next() {
      if (!hasNext()) throw new NoSuchElementException();
      return done.next();
    }

    private void advance() {
      ahead = captures.hasNext() ? captures.next() : null;
    }

    /** The latest captures of a bucket, by URL. */
    private List<Row> nextBucket() {
      List<Row> bucket = new ArrayList<>();
      String site = ahead.getString(2);
      long number = ahead.getLong(7);
      long bytes = 0;
      String url = null;
      while (ahead != null && ahead.getString(2).equals(site) && ahead.getLong(7) == number) {
        if (ahead.getString(1).equals(url)) {
          counts.add("recaptures", 1);
          advance();
          continue;
        }
        if (bytes > siteBytes) {
          counts.add("site_cuts", 1);
          break;
        }
        url = ahead.getString(1);
        bytes += ahead.<byte[]>getAs(6).length;
        bucket.add(ahead);
        advance();
      }
      return bucket;
    }
  }

  private List<Row> withoutFrame(List<Row> bucket) {
    SiteFrame frame = new SiteFrame();
    List<long[]> blocks = new ArrayList<>(bucket.size());
    for (Row capture : bucket) {
      byte[] features = capture.getAs(6);
      long[] of = Features.blocks(features);
      blocks.add(of);
      FeatureRecord record = new FeatureRecord(features);
      // What names no site is none: its pages have nothing to do with each other.
      if (record.hasText() && !capture.getString(2).isEmpty())
        frame.learn(record.digestLow(), shingleKeys(features, record), of);
    }
    List<Row> pages = new ArrayList<>(bucket.size());
    for (int i = 0; i < bucket.size(); i++)
      pages.add(page(bucket.get(i), frame.frameOf(blocks.get(i)), frame.isKnown()));
    return pages;
  }

  private static long[] shingleKeys(byte[] features, FeatureRecord record) {
    long[] keys = Features.keys(features);
    return Arrays.copyOfRange(keys, Math.min(record.fingerprints(), keys.length), keys.length);
  }

  private Row page(Row capture, long[] frame, boolean isKnown) {
    byte[] features = capture.getAs(6);
    if (frame.length > 0) {
      counts.add("frame_blocks", frame.length);
      features = without(capture, features, frame);
    }
    FeatureRecord record = new FeatureRecord(features);
    if (!record.hasText()) counts.add("no_text", 1);
    byte[] page = capture.getAs(0);
    return RowFactory.create(Place.of(page, record.fingerprints(), true), page, capture.getString(1),
        capture.getString(2), capture.getLong(3), capture.getString(4), capture.getLong(5), record.hasText(),
        isKnown, record.flags(), features);
  }

  /** Features of a detector that keeps what cannot be made anew stay as they are. */
  private byte[] without(Row capture, byte[] features, long[] frame) {
    try {
      return Features.without(features, frame);
    } catch (NearDuplicatesException failure) {
      String reason = Refusal.reason(failure);
      counts.add("frames_kept", 1);
      faults.add(new Faults.Fault(capture.getString(4), capture.getLong(5), reason));
      return features;
    }
  }
}
