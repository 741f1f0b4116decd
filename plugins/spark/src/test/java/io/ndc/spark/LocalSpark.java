package io.ndc.spark;

import org.apache.spark.sql.SparkSession;

/** A session in this JVM, with two threads. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession start() {
    SparkSession spark = SparkSession.builder().master("local[2]").appName("test")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        // Few rows: generating and compiling code would take longer than all else.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    return spark;
  }
}
