package io.ndc.spark.archive;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Opens the file system that a path names, and says in a sentence which class or jar is missing for it. */
public final class FileSystems {
  private FileSystems() {}

  /**
   * As {@link Path#getFileSystem}, which throws something else than IOException where a class is missing, as
   * of s3a without hadoop-aws.
   *
   * @throws IOException if it cannot be reached, is not known, or lacks a class
   * @throws IllegalArgumentException if the path names no host that is known
   */
  public static FileSystem of(Path path, Configuration configuration) throws IOException {
    try {
      return path.getFileSystem(configuration);
    } catch (NoClassDefFoundError missing) {
      throw lacking(missing);
    } catch (RuntimeException failure) {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        boolean missing = cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError;
        if (missing) throw lacking(cause);
      }
      throw failure;
    }
  }

  private static IOException lacking(Throwable missing) {
    String reason = "its file system lacks a class, whose jar goes to --packages or --jars: ";
    return new IOException(reason + missing.getMessage(), missing);
  }
}
