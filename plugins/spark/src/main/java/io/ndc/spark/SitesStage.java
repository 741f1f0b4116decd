package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stage 2: of each URL the latest capture, and which of its blocks are the boilerplate of its site. Only sketches of
 * the features travel: what boilerplate is learned from.
 */
final class SitesStage implements Serializable {
  /**
   * Rows of two kinds. Of a capture that stays: its position, which of its blocks are boilerplate, and which of those
   * are everywhere on the site, a bit each. Of a part of a site: file_number is null, and model is what has been
   * learned there.
   */
  static final StructType SCHEMA = StructType.fromDDL("file_number int, row_number bigint,"
      + " boilerplate binary, everywhere binary, site string, bucket bigint, part int, is_whole boolean")
      .add("model", SiteModel.SCHEMA);

  /** The most bytes of features in a task at a time; boilerplate is learned from at most so many. */
  static final long SITE_BYTES = 64L << 20;

  /** Without url: what an earlier run knew of the site. */
  private static final StructType SKETCH = StructType.fromDDL(
      "site string, bucket bigint, url string, fetched_at_ms bigint, file string, offset bigint, file_number int,"
          + " row_number bigint, bytes int, has_text boolean, digest bigint, blocks binary, shingle_keys binary,"
          + " buckets bigint, url_hash bigint").add("model", SiteModel.SCHEMA);

  private final int sitePages;
  private final long siteBytes;
  private final boolean latestOnly;
  private final Counts counts;

  /**
   * A stage of a job.
   *
   * @param latestOnly whether of the captures of one URL only the latest is a page; else all are that differ in
   *     their offset
   */
  SitesStage(int sitePages, long siteBytes, boolean latestOnly, Counts counts) {
    this.sitePages = sitePages;
    this.siteBytes = siteBytes;
    this.latestOnly = latestOnly;
    this.counts = counts;
  }

  /**
   * The boilerplate.
   *
   * @param captures of {@link CapturesStage#SCHEMA}, with the columns of their positions
   * @param earlier of {@link SiteModels#SCHEMA}: what is known of sites already
   */
  Dataset<Row> run(Dataset<Row> captures, Dataset<Row> earlier) {
    // Only sites that need more than one bucket: others are the most, and too many to be sent to each task.
    Dataset<Row> large = captures.groupBy("site").agg(count(lit(1)).as("captures"))
        .filter(col("captures").gt(sitePages))
        .select(col("site"), functions.ceil(col("captures").divide(sitePages)).as("buckets"));
    Dataset<Row> placed = captures.join(broadcast(large), new String[] {"site"}, "left")
        .withColumn("bucket", coalesce(pmod(xxhash64(col("url")), col("buckets")), lit(0L)));
    Dataset<Row> sketches = placed
        .select(col("site"), col("bucket"), col("url"), col("fetched_at_ms"), col("file"), col("offset"),
            col(StoredRows.FILE), col(StoredRows.ROW), col("features"), coalesce(col("buckets"), lit(1L)),
            xxhash64(col("url")))
        .map((MapFunction<Row, Row>) SitesStage::sketch, Encoders.row(SKETCH));
    Dataset<Row> begun = placed.select("site", "bucket").distinct().join(earlier, "site")
        .map((MapFunction<Row, Row>) SitesStage::begin, Encoders.row(SKETCH));
    return sketches.unionByName(begun)
        .repartition(col("site"), col("bucket"))
        // Null comes first.
        .sortWithinPartitions(col("site"), col("bucket"), col("url"), col("fetched_at_ms").desc(), col("file"),
            col("offset"))
        .mapPartitions((MapPartitionsFunction<Row, Row>) Buckets::new, Encoders.row(SCHEMA));
  }

  private static Row sketch(Row capture) {
    byte[] features = capture.getAs(8);
    FeatureRecord record = new FeatureRecord(features);
    long[] keys = Features.keys(features);
    return RowFactory.create(capture.get(0), capture.get(1), capture.get(2), capture.get(3), capture.get(4),
        capture.get(5), capture.get(6), capture.get(7), features.length, record.hasText(), record.digestLow(),
        PackedNumbers.bytes(Features.blocks(features)),
        PackedNumbers.bytes(keys, Math.min(record.fingerprints(), keys.length), keys.length), capture.get(9),
        capture.get(10), null);
  }

  private static Row begin(Row model) {
    return RowFactory.create(model.get(0), model.get(1), null, null, null, null, null, null, null, null, null, null,
        null, null, null, model.get(2));
  }

  /** The blocks of a page that have a bit, of its {@link Features#blocks}: as {@link #SCHEMA} has them. */
  static long[] marked(long[] blocks, byte[] bits) {
    BitSet set = BitSet.valueOf(bits);
    long[] marked = new long[set.cardinality()];
    int count = 0;
    for (int block = set.nextSetBit(0); block >= 0; block = set.nextSetBit(block + 1))
      marked[count++] = blocks[block];
    return marked;
  }

  /** Goes through the buckets of a partition, one after the other. */
  private final class Buckets implements Iterator<Row> {
    private final BufferedIterator<Row> sketches;
    private String site;
    private long number;
    private int part;
    private SiteModel earlier = SiteModel.EMPTY;
    private Iterator<Row> done = List.<Row>of().iterator();

    Buckets(Iterator<Row> sketches) {
      this.sketches = CollectionConverters.asScala(sketches).buffered();
    }

    @Override
    public boolean hasNext() {
      while (!done.hasNext() && sketches.hasNext()) {
        begin();
        List<Row> bucket = nextBucket();
        boolean isWhole = part == 0 && !isOfThisBucket() && bucket.get(0).getLong(13) == 1;
        done = learned(bucket, isWhole).iterator();
      }
      return done.hasNext();
    }

    @Override
    public Row next() {
      if (!hasNext()) throw new NoSuchElementException();
      return done.next();
    }

    private boolean isOfThisBucket() {
      return sketches.hasNext() && sketches.head().getString(0).equals(site) && sketches.head().getLong(1) == number;
    }

    /** Of another bucket than before, or of one more part of it. */
    private void begin() {
      if (isOfThisBucket()) {
        part++;
        return;
      }
      Row ahead = sketches.head();
      site = ahead.getString(0);
      number = ahead.getLong(1);
      part = 0;
      earlier = SiteModel.EMPTY;
      if (!ahead.isNullAt(2)) return;
      earlier = SiteModel.of(sketches.next().getStruct(15));
    }

    /** The latest captures of a bucket, by URL. */
    private List<Row> nextBucket() {
      List<Row> bucket = new ArrayList<>();
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
        bytes += last.getInt(8);
        bucket.add(last);
      }
      return bucket;
    }

    private boolean isRecapture(Row last) {
      Row ahead = sketches.head();
      return ahead.getString(2).equals(last.getString(2)) && (latestOnly || ahead.getLong(5) == last.getLong(5));
    }

    private List<Row> learned(List<Row> bucket, boolean isWhole) {
      SiteBoilerplate boilerplate = new SiteBoilerplate(earlier);
      // Pages without a site's name are unrelated to each other.
      boolean isSite = !site.isEmpty();
      for (Row sketch : bucket) {
        if (isSite && sketch.getBoolean(9)) boilerplate.learn(first(sketch), PackedNumbers.of(sketch.getAs(11)));
      }
      List<Row> rows = new ArrayList<>(bucket.size() + 1);
      for (Row sketch : bucket) {
        long[] blocks = PackedNumbers.of(sketch.getAs(11));
        rows.add(RowFactory.create(sketch.get(6), sketch.get(7), bits(blocks, boilerplate.of(blocks)),
            bits(blocks, boilerplate.everywhere(blocks)), null, null, null, null, null));
      }
      if (isSite) {
        SiteModel model = boilerplate.model();
        if (model.limited()) counts.add("limited_sites", 1);
        rows.add(RowFactory.create(null, null, null, null, site, number, part, isWhole, model.row()));
      }
      return rows;
    }
  }

  private static ProvisionalGroups.First first(Row sketch) {
    return new ProvisionalGroups.First(sketch.getLong(14), sketch.getLong(10), PackedNumbers.of(sketch.getAs(12)));
  }

  private static byte[] bits(long[] blocks, long[] marked) {
    Set<Long> of = new HashSet<>(Arrays.stream(marked).boxed().toList());
    BitSet bits = new BitSet(blocks.length);
    for (int block = 0; block < blocks.length; block++)
      bits.set(block, of.contains(blocks[block]));
    return bits.toByteArray();
  }
}
