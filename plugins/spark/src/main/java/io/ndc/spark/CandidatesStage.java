package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.xxhash64;

import io.ndc.Features;
import io.ndc.FeaturesInfo;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** Stage 4: which larger pages each page is perhaps similar to (TR2007012, section 4.2). */
record CandidatesStage(Limits limits, Counts counts) implements Serializable {
  /** Candidates with most votes first; ties: the larger page. */
  static final StructType SCHEMA =
      StructType.fromDDL("place bigint, candidates array<bigint>, votes array<bigint>");

  private static final StructType KEYS = StructType.fromDDL("key bigint, place bigint, site bigint");
  private static final StructType GIANT_KEYS = StructType.fromDDL("key bigint");
  private static final StructType LINKS = StructType.fromDDL("place bigint, candidate bigint, vote bigint");

  /** Distinguishes digests from keys of another kind. */
  private static final long DIGEST_KEY = 0x9e3779b97f4a7c15L;

  /** Numbers of the report and of the engine's options of these names. */
  static final class Limits implements Serializable {
    int hotPages = 10_000;
    int hotSitePages = 400;
    int hotSites = 8;
    int heads = 8;
    int candidates = 16;
    /** Two equal texts meet by their digest from this width on. */
    int exactWidth = 40;
    /** One page of so many is sampled, by its place; a power of two. */
    int sampling = 64;
    /**
     * A key on more sampled pages never reaches the shuffle: no task should have to sort it. By far more than {@link
     * #hotPages} lets live, since a sample errs.
     */
    long giantInSample = 8192;

    /**
     * Those that a job was asked to keep.
     *
     * @throws IllegalArgumentException naming an option that is not a number
     */
    static Limits of(JobOptions options) {
      Limits limits = new Limits();
      limits.heads = options.heads;
      limits.hotPages = options.libraryLimit("x_hot_groups_limit", limits.hotPages);
      limits.hotSitePages = options.libraryLimit("x_hot_site_groups_limit", limits.hotSitePages);
      limits.hotSites = options.libraryLimit("x_hot_sites", limits.hotSites);
      limits.candidates = options.libraryLimit("x_candidates_limit", limits.candidates);
      limits.giantInSample = Math.max(limits.giantInSample, 2L * limits.hotPages / limits.sampling);
      return limits;
    }
  }

  /**
   * The candidates of the pages that have any.
   *
   * @param pages columns place, site, has_text, features; no two with one place
   */
  Dataset<Row> run(Dataset<Row> pages) {
    Dataset<Row> texts = pages.filter(col("has_text"));
    Dataset<Row> keys = keys(texts);
    Dataset<Row> sample = keys(texts.filter(col("place").bitwiseAND(limits.sampling - 1L).equalTo(0)));
    // By way of the driver, as a broadcast goes anyway: they are counted, and not looked for twice.
    List<Row> giants = sample.groupBy("key").agg(count(lit(1)).as("sampled"))
        .filter(col("sampled").gt(limits.giantInSample)).select("key").collectAsList();
    counts.add("giant_keys", giants.size());
    Dataset<Row> giantKeys = pages.sparkSession().createDataFrame(giants, GIANT_KEYS);
    return best(links(keys.join(broadcast(giantKeys), new String[] {"key"}, "left_anti")));
  }

  private Dataset<Row> keys(Dataset<Row> pages) {
    int exactWidth = limits.exactWidth;
    return pages
        .select(col("place"), xxhash64(col("site")).as("site"), col("features"))
        .flatMap((FlatMapFunction<Row, Row>) page -> keysOf(page, exactWidth), Encoders.row(KEYS));
  }

  private static Iterator<Row> keysOf(Row page, int exactWidth) {
    byte[] features = page.getAs(2);
    long place = page.getLong(0);
    long site = page.getLong(1);
    List<Row> rows = new ArrayList<>();
    for (long key : Features.keys(features))
      rows.add(RowFactory.create(key, place, site));
    FeaturesInfo info = Features.info(features);
    if (info.textWidth() >= exactWidth)
      rows.add(RowFactory.create(info.textHash() * DIGEST_KEY, place, site));
    return rows.iterator();
  }

  private Dataset<Row> links(Dataset<Row> keys) {
    return keys.repartition(col("key")).sortWithinPartitions("key", "place")
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows ->
            new PresentRows(new KeyLinks(rows, limits, counts)::next), Encoders.row(LINKS));
  }

  private Dataset<Row> best(Dataset<Row> links) {
    return links.repartition(col("place")).sortWithinPartitions("place", "candidate")
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows ->
            new PresentRows(new BestCandidates(rows, limits.candidates, counts)::next), Encoders.row(SCHEMA));
  }
}
