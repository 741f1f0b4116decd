package io.ndc.spark;

import io.ndc.ArchiveItem;
import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import io.ndc.PageReader;
import io.ndc.spark.archive.ArchiveReader;
import io.ndc.spark.archive.ArchiveSplit;
import io.ndc.spark.archive.ReadRules;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;

/** Stage 1: reads archives and computes the features of their pages. */
final class CapturesStage implements Serializable {
  static final StructType SCHEMA = StructType.fromDDL(
      "page binary, url string, site string, fetched_at_ms bigint, file string, offset bigint, features binary");

  private final ReadRules rules;
  private final Map<String, String> library;
  private final SerializableConfiguration configuration;
  private final int attempts;
  private final Counts counts;

  /**
   * A stage of a job.
   *
   * @param attempts how often Spark tries a task
   */
  CapturesStage(JobOptions options, Configuration configuration, int attempts, Counts counts) {
    this.rules = new ReadRules(options.pageBytes(), options.allStatuses);
    this.library = LibraryOptions.ofPages(options.library());
    this.configuration = new SerializableConfiguration(configuration);
    this.attempts = attempts;
    this.counts = counts;
  }

  /**
   * The captures.
   *
   * @param splits of all archives; at least one
   * @return of {@link #SCHEMA}
   */
  Dataset<Row> run(SparkSession spark, List<ArchiveSplit> splits) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    // A task for each: a stretch of a file is read by one anyway.
    JavaRDD<ArchiveSplit> tasks = context.parallelize(splits, splits.size());
    return spark.createDataFrame(tasks.flatMap(this::captures), SCHEMA);
  }

  private Iterator<Row> captures(ArchiveSplit split) {
    boolean lastAttempt = TaskContext.get().attemptNumber() + 1 >= attempts;
    ArchiveReader reader = new ArchiveReader(split, rules, counts, configuration.value(), lastAttempt);
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> reader.close());
    PageReader pages = PageReader.open(library);
    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> pages.close());
    return PresentRows.of(reader, page -> capture(page, pages));
  }

  /** Null: the library refuses the page; that is counted. */
  private Row capture(ArchiveItem page, PageReader reader) {
    byte[] features;
    try {
      features = reader.features(page(page));
    } catch (NearDuplicatesException failure) {
      counts.failed(page.file(), page.fileOffset(), JobException.ofThePage(failure));
      return null;
    }
    return RowFactory.create(PageKey.of(page.url(), page.fetchedAtMs()), page.url(), Features.info(features).site(),
        page.fetchedAtMs(), page.file(), page.fileOffset(), features);
  }

  private static Page page(ArchiveItem page) {
    Page given = Page.of(page.url(), ByteBuffer.wrap(page.body()))
        .withContentType(page.contentType())
        // An unknown time would become the current time, and the features would differ between runs.
        .withFetchedAtMs(Math.max(page.fetchedAtMs(), 1));
    return page.isTruncated() ? given.truncated() : given;
  }
}
