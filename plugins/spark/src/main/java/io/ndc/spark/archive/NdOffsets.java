package io.ndc.spark.archive;

import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * Writes the {@link OffsetIndex} of archives, so that several tasks can read each. Arguments: archives, as
 * Hadoop understands their paths. Reads each once; messages go to standard error. Exit codes: 0 done, 1 an
 * index could not be made (the others are), 2 wrong usage.
 */
public final class NdOffsets {
  private static final long STEP_BYTES = 16L << 20;

  private NdOffsets() {}

  /** @param arguments archives */
  public static void main(String[] arguments) {
    System.exit(run(arguments, configuration(), System.err));
  }

  /** As the job has it: with what spark-submit was told, {@code --conf spark.hadoop.…}. */
  static Configuration configuration() {
    return SparkHadoopUtil.get().newConfiguration(new SparkConf());
  }

  static int run(String[] archives, Configuration configuration, PrintStream messages) {
    if (archives.length == 0 || archives[0].startsWith("-")) {
      messages.println("usage: NdOffsets ARCHIVE...");
      messages.println("Writes the offsets of each archive's records to ARCHIVE" + OffsetIndex.SUFFIX + ".");
      return 2;
    }
    int code = 0;
    for (String archive : archives) {
      try {
        int count = OffsetIndex.build(new Path(archive), STEP_BYTES, configuration).length;
        messages.println(archive + ": " + count + " offsets");
      } catch (IOException | IllegalArgumentException failed) {
        messages.println(
            VisibleText.of(archive + ": " + failed.getClass().getSimpleName() + ": " + failed.getMessage()));
        code = 1;
      }
    }
    return code;
  }
}
