package io.ndc.spark;

import java.io.PrintStream;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;

/**
 * The job: WARC files in, groups of near-duplicates out. For {@code spark-submit}; arguments, outputs and exit codes
 * are in plugins/spark/README.md and docs/guide-spark.md.
 */
public final class NdPartition {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int SKIPPED = 3;

  private NdPartition() {}

  /**
   * Runs the job and ends the process.
   *
   * @param arguments as the usage text says
   */
  public static void main(String[] arguments) {
    int code = run(arguments);
    if (code != DONE) System.exit(code);
  }

  private static int run(String[] arguments) {
    JobOptions options;
    try {
      options = JobOptions.parse(arguments);
    } catch (IllegalArgumentException wrong) {
      System.err.println("NdPartition: " + wrong.getMessage() + "\n" + JobOptions.USAGE);
      return USAGE;
    }
    SparkSession spark =
        SparkSession.builder().appName("ndc partition").config(settings(new SparkConf())).getOrCreate();
    try {
      return run(spark, options, System.err);
    } finally {
      spark.stop();
    }
  }

  /** Spark settings that the job adds unless its caller sets them: shuffled near-duplicates are mostly equal bytes. */
  private static SparkConf settings(SparkConf conf) {
    return conf.setIfMissing("spark.io.compression.codec", "zstd");
  }

  /**
   * Runs the job in a session.
   *
   * @param messages where faults are reported
   * @return the exit code
   */
  static int run(SparkSession spark, JobOptions options, PrintStream messages) {
    return JobException.told("NdPartition", messages, () -> {
      try (PartitionJob job = new PartitionJob(spark, options)) {
        try {
          job.check();
        } catch (IllegalArgumentException wrong) {
          messages.println("NdPartition: " + wrong.getMessage());
          return USAGE;
        }
        if (job.run()) return DONE;
        messages.println("NdPartition: done, but not everything could be read; " + options.output
            + "/summary.json says what");
        return SKIPPED;
      }
    });
  }
}
