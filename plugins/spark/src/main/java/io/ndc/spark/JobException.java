package io.ndc.spark;

import io.ndc.CorruptException;
import io.ndc.InvalidArgumentException;
import io.ndc.LimitException;
import io.ndc.NativeLibraryException;
import io.ndc.NearDuplicatesException;
import io.ndc.UnsupportedVersionException;
import java.io.IOException;
import java.io.PrintStream;
import org.apache.spark.SparkThrowable;

/** Why a job cannot go on, in words for its user: no stack trace is needed. */
final class JobException extends RuntimeException {
  JobException(String message) {
    super(message);
  }

  JobException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Throws what is the machine's fault and not the page's: Spark tries the task again, and another machine may succeed.
   *
   * @return why the library refuses the page
   */
  static String ofThePage(NearDuplicatesException failure) {
    boolean ofThePage = failure instanceof CorruptException || failure instanceof InvalidArgumentException
        || failure instanceof LimitException || failure instanceof UnsupportedVersionException;
    if (!ofThePage) throw failure;
    return failure.getMessage();
  }

  /** What a program does; its exit code. */
  @FunctionalInterface
  interface Program {
    int run() throws IOException;
  }

  /**
   * Runs a program, and reports in one line a failure that the user can fix.
   *
   * @param program its name
   * @param messages where the failure is reported
   * @return the exit code
   */
  static int told(String program, PrintStream messages, Program work) {
    try {
      return work.run();
    } catch (JobException | IOException foreseen) {
      messages.println(program + ": " + foreseen.getMessage());
    } catch (Exception failure) {
      // Spark throws checked exceptions as well, which its methods do not declare.
      String reason = reason(failure);
      if (reason == null) throw failure;
      messages.println(program + ": " + reason);
    }
    return NdPartition.FAILED;
  }

  /**
   * Of what Spark threw for a failure of a task.
   *
   * @return null: it is something that the user cannot fix
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
