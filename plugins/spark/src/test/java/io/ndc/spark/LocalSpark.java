package io.ndc.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A session in this JVM, with two threads, for all tests of a class. */
final class LocalSpark implements BeforeAllCallback, AfterAllCallback {
  private SparkSession session;

  @Override
  public void beforeAll(ExtensionContext unused) {
    session = SparkSession.builder().master("local[2]").appName("test")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        // Few rows: generating and compiling code would take longer than all else.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        .getOrCreate();
    session.sparkContext().setLogLevel("ERROR");
  }

  @Override
  public void afterAll(ExtensionContext unused) {
    session.stop();
  }

  SparkSession session() {
    return session;
  }

  /** Rows as a stage leaves them, written into a folder that is not there yet. */
  StoredRows stored(List<Row> rows, StructType schema, Path folder) throws IOException {
    session.createDataFrame(rows, schema).write().parquet(folder.toString());
    return new StoredRows(session, List.of(new org.apache.hadoop.fs.Path(folder.toString())), schema);
  }

  /** Stages 2 and 3. */
  Dataset<Row> pages(StoredRows captures, int sitePages, long siteBytes, Counts counts) {
    Dataset<Row> unknown = session.createDataFrame(List.of(), SiteModels.SCHEMA);
    Dataset<Row> sites = new SitesStage(sitePages, siteBytes, true, counts).run(captures.rows(), unknown);
    return new PagesStage(counts).run(captures, sites);
  }

  /** Of a stage that a test runs by itself. */
  Counts counts() {
    Counts counts = new Counts();
    session.sparkContext().register(counts, "test");
    return counts;
  }
}
