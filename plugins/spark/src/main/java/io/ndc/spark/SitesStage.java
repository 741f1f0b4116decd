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
import java.nio.ByteBuffer;
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
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/**
 * Stage 2: of each URL the latest capture, and which of its blocks are the frame of its site. Only sketches of the features travel:
 * what a frame is learned from.
 */
final class SitesStage implements Serializable {
  /** The position of a capture, whether the frame of its site is known, and which of its blocks are frame, a bit each. */
  static final StructType SCHEMA =
      StructType.fromDDL("file_number int, row_number bigint, frame_known boolean, frame binary");

  /** Of features whose sketches a task holds at once; the frame of a site is learned from at most so much. */
  static final long SITE_BYTES = 64L << 20;

  private static final StructType SKETCH = StructType.fromDDL(
      "site string, bucket bigint, url string, fetched_at_ms bigint, file string, offset bigint, file_number int,"
          + " row_number bigint, bytes int, has_text boolean, digest bigint, blocks binary, shingle_keys binary");

  private final int sitePages;
  private final long siteBytes;
  private final boolean latestOnly;
  private final Counts counts;

  /**
   * A stage of a job.
   *
   * @param latestOnly whether of the captures of one URL only the latest is a page; else all are that differ in their offset
   */
  SitesStage(int sitePages, long siteBytes, boolean latestOnly, Counts counts) {
    this.sitePages = sitePages;
    this.siteBytes = siteBytes;
    this.latestOnly = latestOnly;
    this.counts = counts;
  }

  /**
   * The frames.
   *
   * @param captures of {@link CapturesStage#SCHEMA}, with the columns of their positions
   */
  Dataset<Row> run(Dataset<Row> captures) {
    // Only sites that need more than one bucket: others are the most, and too many to be sent to each task.
    Dataset<Row> large = captures.groupBy("site").agg(count(lit(1)).as("captures"))
        .filter(col("captures").gt(sitePages))
        .select(col("site"), functions.ceil(col("captures").divide(sitePages)).as("buckets"));
    Column bucket = coalesce(pmod(xxhash64(col("url")), col("buckets")), lit(0L)).as("bucket");
    return captures.join(broadcast(large), new String[] {"site"}, "left")
        .select(col("site"), bucket, col("url"), col("fetched_at_ms"), col("file"), col("offset"),
            col(StoredRows.FILE), col(StoredRows.ROW), col("features"))
        .map((MapFunction<Row, Row>) SitesStage::sketch, Encoders.row(SKETCH))
        .repartition(col("site"), col("bucket"))
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
        packed(Features.blocks(features), 0), packed(keys, Math.min(record.fingerprints(), keys.length)));
  }

  private static byte[] packed(long[] numbers, int from) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (numbers.length - from));
    bytes.asLongBuffer().put(numbers, from, numbers.length - from);
    return bytes.array();
  }

  private static long[] numbers(byte[] packed) {
    long[] numbers = new long[packed.length / Long.BYTES];
    ByteBuffer.wrap(packed).asLongBuffer().get(numbers);
    return numbers;
  }

  /** The blocks of a page that are frame, of its {@link Features#blocks}: as {@link #SCHEMA} has them. */
  static long[] frame(long[] blocks, byte[] bits) {
    BitSet set = BitSet.valueOf(bits);
    long[] frame = new long[set.cardinality()];
    int count = 0;
    for (int block = set.nextSetBit(0); block >= 0; block = set.nextSetBit(block + 1))
      frame[count++] = blocks[block];
    return frame;
  }

  /** Goes through the buckets of a partition, one after the other. */
  private final class Buckets implements Iterator<Row> {
    private final Iterator<Row> sketches;
    private Row ahead;
    private Iterator<Row> done = List.<Row>of().iterator();

    Buckets(Iterator<Row> sketches) {
      this.sketches = sketches;
      advance();
    }

    @Override
    public boolean hasNext() {
      while (!done.hasNext() && ahead != null)
        done = frames(nextBucket()).iterator();
      return done.hasNext();
    }

    @Override
    public Row next() {
      if (!hasNext()) throw new NoSuchElementException();
      return done.next();
    }

    private void advance() {
      ahead = sketches.hasNext() ? sketches.next() : null;
    }

    /** The latest captures of a bucket, by URL. */
    private List<Row> nextBucket() {
      List<Row> bucket = new ArrayList<>();
      String site = ahead.getString(0);
      long number = ahead.getLong(1);
      long bytes = 0;
      Row last = null;
      while (ahead != null && ahead.getString(0).equals(site) && ahead.getLong(1) == number) {
        if (last != null && isRecapture(last)) {
          counts.add("recaptures", 1);
          advance();
          continue;
        }
        if (bytes > siteBytes) {
          counts.add("site_cuts", 1);
          break;
        }
        last = ahead;
        bytes += ahead.getInt(8);
        bucket.add(ahead);
        advance();
      }
      return bucket;
    }

    private boolean isRecapture(Row last) {
      return ahead.getString(2).equals(last.getString(2)) && (latestOnly || ahead.getLong(5) == last.getLong(5));
    }
  }

  private static List<Row> frames(List<Row> bucket) {
    SiteFrame frame = new SiteFrame();
    for (Row sketch : bucket) {
      // What names no site is none: its pages have nothing to do with each other.
      if (sketch.getBoolean(9) && !sketch.getString(0).isEmpty())
        frame.learn(sketch.getLong(10), numbers(sketch.getAs(12)), numbers(sketch.getAs(11)));
    }
    List<Row> frames = new ArrayList<>(bucket.size());
    for (Row sketch : bucket) {
      long[] blocks = numbers(sketch.getAs(11));
      frames.add(RowFactory.create(
          sketch.get(6), sketch.get(7), frame.isKnown(), bits(blocks, frame.frameOf(blocks))));
    }
    return frames;
  }

  private static byte[] bits(long[] blocks, long[] frame) {
    Set<Long> of = new HashSet<>(Arrays.stream(frame).boxed().toList());
    BitSet bits = new BitSet(blocks.length);
    for (int block = 0; block < blocks.length; block++)
      bits.set(block, of.contains(blocks[block]));
    return bits.toByteArray();
  }
}
