package io.ndc.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.InvalidArgumentException;
import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Loads the result of {@link NdPartition} into a store, so that a crawler continues where the batch ended. For
 * {@code spark-submit}, with the driver on the machine that has the store; arguments, counters and exit codes
 * are in plugins/spark/README.md.
 */
public final class NdLoad {
  private static final int MOST_NAME_BYTES = 255;

  private NdLoad() {}

  /**
   * Runs the load and ends the process.
   *
   * @param arguments as the usage text says
   */
  public static void main(String[] arguments) {
    int code = run(arguments, System.out, System.err);
    if (code != NdPartition.DONE) System.exit(code);
  }

  private static int run(String[] arguments, PrintStream out, PrintStream messages) {
    LoadOptions options;
    try {
      options = LoadOptions.parse(arguments);
    } catch (IllegalArgumentException wrong) {
      messages.println("NdLoad: " + wrong.getMessage() + "\n" + LoadOptions.USAGE);
      return NdPartition.USAGE;
    }
    SparkSession spark = SparkSession.builder().appName("ndc load").getOrCreate();
    try {
      return run(spark, options, out, messages);
    } finally {
      spark.stop();
    }
  }

  /**
   * Runs the load in a session.
   *
   * @param out where the counters are printed
   * @param messages where faults are reported
   * @return the exit code
   */
  static int run(SparkSession spark, LoadOptions options, PrintStream out, PrintStream messages) {
    return JobException.told("NdLoad", messages, () -> {
      try {
        if (!accepts(options, messages)) return NdPartition.USAGE;
        return load(new FinishedResult(spark, new Path(options.result)), options, out, messages);
      } catch (NearDuplicatesException refused) {
        throw new JobException("store " + options.store + ": " + refused.getMessage(), refused);
      }
    });
  }

  /** Tells wrong options before anything is read, or a store is made. */
  private static boolean accepts(LoadOptions options, PrintStream messages) {
    try {
      NearDuplicates.inMemory(options.library).close();
      return true;
    } catch (InvalidArgumentException wrong) {
      messages.println("NdLoad: --option: " + wrong.getMessage());
      return false;
    }
  }

  private static int load(FinishedResult result, LoadOptions options, PrintStream out, PrintStream messages)
      throws IOException {
    try (NearDuplicates store = NearDuplicates.open(options.store, options.library)) {
      StoreLoad load = new StoreLoad(store, messages);
      for (Iterator<Row> pages = result.pages(); pages.hasNext();)
        load.take(pages.next());
      ObjectNode counters = load.counters();
      store.setBookmark(bookmark(result.name()), counters.toString().getBytes(StandardCharsets.UTF_8));
      store.snapshot();
      out.println(counters.toPrettyString());
      return load.isWhole() ? NdPartition.DONE : NdPartition.SKIPPED;
    }
  }

  /** Under which a store remembers that a result was loaded. */
  static String bookmark(String result) {
    String name = "ndc-spark " + result;
    if (name.getBytes(StandardCharsets.UTF_8).length <= MOST_NAME_BYTES) return name;
    return "ndc-spark " + PageKey.text(PageKey.of(result, 0));
  }
}
