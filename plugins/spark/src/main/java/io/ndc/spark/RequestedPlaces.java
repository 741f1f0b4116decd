package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.sketch.BloomFilter;

/**
 * A Bloom filter of the pages whose features are asked for, so that those of the others do not travel: in the later rounds
 * nearly all. Its size is bounded; with very many pages it lets more through, and in the end all.
 */
final class RequestedPlaces {
  /** 128 MB: eight bits, or two false answers of a hundred, for each of 134 million pages. */
  static final long MOST_BITS = 1L << 30;

  private static final long BITS_OF_A_PLACE = 8;

  /** Tasks that fill a filter each. Few: each filter has the whole size, and one task holds two of them to merge them. */
  private static final int BUILDERS = 4;

  private RequestedPlaces() {}

  /**
   * A condition that holds for all pages asked for, and for few others.
   *
   * @param requests column place; made twice, for the number and for the filter
   * @param mostBits of the filter; with more pages than that all pass
   * @return of a column place
   */
  static Column among(Dataset<Row> requests, long mostBits) {
    Dataset<Row> places = requests.select("place").distinct();
    long count = places.count();
    if (count == 0) return lit(false);
    // With less than a bit a page it would let two thirds of the others through, and more.
    if (count > mostBits) return lit(true);
    BloomFilter filter = filter(places, count, Math.min(Math.max(count * BITS_OF_A_PLACE, Long.SIZE), mostBits));
    SparkSession spark = requests.sparkSession();
    Broadcast<BloomFilter> everywhere = JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(filter);
    return udf((UDF1<Long, Boolean>) place -> everywhere.value().mightContainLong(place), DataTypes.BooleanType)
        .apply(col("place"));
  }

  /**
   * Not by {@code stat().bloomFilter}: that is never larger than {@code spark.sql.optimizer.runtime.bloomFilter.maxNumBits}
   * (8 MB), and does not say so. Merged by a task, so that the driver gets one filter alone.
   */
  private static BloomFilter filter(Dataset<Row> places, long count, long bits) {
    return places.as(Encoders.LONG()).repartition(BUILDERS, col("place")).javaRDD()
        .mapPartitions((FlatMapFunction<Iterator<Long>, BloomFilter>) some -> {
          BloomFilter filter = BloomFilter.create(count, bits);
          some.forEachRemaining(filter::putLong);
          return List.of(filter).iterator();
        })
        .repartition(1).reduce(BloomFilter::mergeInPlace);
  }
}
