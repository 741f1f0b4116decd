package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The job with all that it reads and writes in one storage, against the same on the local disk. */
final class StorageRuns {
  private final SparkSession spark;
  private final java.nio.file.Path local;
  private final String storage;

  /**
   * Runs in a storage.
   *
   * @param local a folder on the local disk
   * @param storage the URI of a folder that can be written
   */
  StorageRuns(SparkSession spark, java.nio.file.Path local, String storage) {
    this.spark = spark;
    this.local = local;
    this.storage = storage;
  }

  /**
   * The sample and a part of it as a later crawl: groups, a result that is finished already, and a run that continues.
   */
  void check() throws IOException {
    Configuration configuration = spark.sparkContext().hadoopConfiguration();
    FileSystem files = new Path(storage).getFileSystem(configuration);
    Path archive = new Path(storage, "crawl/documentation.warc.gz");
    Path sample = new Path(System.getProperty("ndc.source.directory"), "data/sample/documentation.warc.gz");
    files.copyFromLocalFile(sample, archive);

    run("--input", sample.toString(), "--output", local + "/groups");
    run("--input", storage + "/crawl", "--output", storage + "/groups");
    Map<String, String> expected = groups(local + "/groups");
    assertTrue(expected.size() > 100);
    assertEquals(expected, groups(storage + "/groups"));

    long written = modified(files, new Path(storage, "groups/stages"));
    run("--input", storage + "/crawl", "--output", storage + "/groups");
    assertEquals(expected, groups(storage + "/groups"));
    assertEquals(written, modified(files, new Path(storage, "groups/stages")), "stages were made again");

    run("--input", storage + "/crawl", "--previous", storage + "/groups", "--output", storage + "/next");
    assertEquals(expected, groups(storage + "/next"));
    assertEquals(spark.read().parquet(storage + "/groups/representatives").count(),
        spark.read().parquet(storage + "/next/representatives").count());
  }

  private void run(String... arguments) {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    String[] all = Stream.concat(Stream.of(arguments), Stream.of("--partitions", "2")).toArray(String[]::new);
    int code = NdPartition.run(spark, JobOptions.parse(all), new PrintStream(told, true, StandardCharsets.UTF_8));
    assertEquals(NdPartition.DONE, code, () -> List.of(arguments) + told.toString(StandardCharsets.UTF_8));
  }

  private Map<String, String> groups(String output) {
    Map<String, String> groups = new TreeMap<>();
    for (Row row : spark.read().parquet(output + "/groups").collectAsList())
      groups.put(row.getAs("url"), row.getAs("group"));
    return groups;
  }

  /** When the last file below a folder was written. */
  private static long modified(FileSystem files, Path folder) throws IOException {
    long last = 0;
    for (RemoteIterator<LocatedFileStatus> found = files.listFiles(folder, true); found.hasNext();)
      last = Math.max(last, found.next().getModificationTime());
    return last;
  }
}
