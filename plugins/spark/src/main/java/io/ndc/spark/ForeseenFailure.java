package io.ndc.spark;

import io.ndc.NativeLibraryException;
import java.io.IOException;
import org.apache.spark.SparkThrowable;

/** A failure of a task that the user can fix: it is reported in one line, without a stack trace. */
final class ForeseenFailure {
  private ForeseenFailure() {}

  /**
   * Of what Spark threw.
   *
   * @return null: it is something else
   */
  static String reason(Exception failure) {
    NativeLibraryException library = cause(failure, NativeLibraryException.class);
    if (library != null)
      return "the native library cannot be loaded on a machine of the cluster: " + library.getMessage();
    IOException storage = cause(failure, IOException.class);
    if (storage != null) return "storage failed: " + storage.getMessage();
    // For a damaged Parquet file its reader throws an exception that is not an IOException.
    SparkThrowable spark = cause(failure, SparkThrowable.class);
    if (spark instanceof Throwable told && String.valueOf(spark.getCondition()).startsWith("FAILED_READ_FILE")) {
      String file = told.getMessage().lines().findFirst().orElse("");
      String why = told.getCause() == null ? "" : ": " + told.getCause().getMessage();
      return "what an earlier run or stage wrote cannot be read: " + file + why;
    }
    return null;
  }

  private static <T> T cause(Throwable failure, Class<T> kind) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (kind.isInstance(at)) return kind.cast(at);
    }
    return null;
  }
}
